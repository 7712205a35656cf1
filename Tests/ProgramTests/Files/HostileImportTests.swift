import TestSupport
import Testing

@Suite("Hostile files in the program")
struct HostileImportTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let folder = Files.packageRoot + "/Fixtures/imports"

  /// The bytes of one of the package's files.
  private func fixture(_ name: String) throws -> [UInt8] {
    try #require(Files.read("\(HostileImportTests.folder)/\(name)"))
  }

  /// Imports bytes; expects a rejection with this message, and nothing in the log.
  private func refuse(_ bytes: some Collection<UInt8>, _ text: String) throws {
    let path = sandbox.folder.write(bytes, to: "file")
    let running = try sandbox.program.start(["import", "--all-history", path])
    let outcome = try running.finish()
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(outcome.output.isEmpty && sandbox.log.isEmpty)
  }

  @Test("An archive that expands to hundreds of times its size")
  func bomb() throws { try refuse(fixture("bomb.zip"), "unpacks to more than") }

  @Test("An archive with names that escape its folder")
  func names() throws {
    let zip = try fixture("takeout.zip")
    for root in ["../../x/", "/etc/xx/", "C:/abcd/"] {
      try refuse(zip.replacing("Takeout/".utf8, with: root.utf8), "the unsafe name")
    }
  }

  @Test("An archive whose directory claims 4 GB for an entry")
  func claims() throws {
    var zip = try fixture("takeout.zip")
    let signature: [UInt8] = [0x50, 0x4B, 1, 2]
    for start in zip.indices.dropLast(46) where zip[start..<start + 4].elementsEqual(signature) {
      zip.replaceSubrange(start + 20..<start + 28, with: [0xFE, 0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF])
    }
    try refuse(zip, "cannot be unpacked")
  }

  @Test("JSON a hundred thousand deep")
  func deep() throws {
    try refuse(String(repeating: "[", count: 100_000).utf8, "nested deeper than 64")
    try refuse(("{\"playlists\":" + String(repeating: "{\"a\":", count: 100_000)).utf8, "nested deeper than 64")
  }

  @Test("A CSV of one endless line")
  func endlessLine() throws {
    let line = "UCAAAAAAAAAAAAAAAAAAAAA!," + String(repeating: "http://www.youtube.com/,\"", count: 1_000_000)
    let outcome = try sandbox.run("import", sandbox.folder.write(line.utf8, to: "line.csv"))
    #expect(outcome.status == 65 || outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.utf8.count < 1000 && sandbox.log.isEmpty)
  }

  @Test("OPML with a DTD, recursive entities, and external files")
  func entities() throws {
    let start = "<?xml version=\"1.0\"?><!DOCTYPE opml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">"
    let body = "]><opml><body><outline text=\"&b;\" xmlUrl=\"&x;\"/></body></opml>"
    try refuse((start + body).utf8, "file:")
    try refuse((start + "<!ENTITY x SYSTEM \"file:///etc/passwd\">" + body).utf8, "file:")
  }

  @Test("Random bytes, alone or after a known prefix")
  func random() throws {
    var generator = SystemRandomNumberGenerator()
    for beginning in ["", "PK\u{3}\u{4}", "{\"subscriptions\":[", "<html><div class=outer-cell>", "<opml"] {
      let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let path = sandbox.folder.write(Array(beginning.utf8) + bytes, to: "random")
      let outcome = try sandbox.run("import", path)
      #expect(outcome.status == 65 && !outcome.errors.isEmpty && sandbox.log.isEmpty, "\(beginning)")
    }
  }

  @Test("Every file in the package, truncated at every 97th byte, is rejected or partly imported, without a crash")
  func cut() throws {
    for name in TemporaryFolder.names(in: HostileImportTests.folder) {
      let bytes = try fixture(name)
      for length in stride(from: 0, to: bytes.count, by: 97) {
        let path = sandbox.folder.write(bytes.prefix(length), to: "cut")
        let outcome = try sandbox.run("import", "--dry-run", "--all-history", path)
        #expect([0, 1, 65].contains(outcome.status), "\(name) at \(length): \(outcome.errors)")
      }
    }
    #expect(sandbox.log.isEmpty)
  }

  @Test("A folder, a missing file and an empty one are rejected by name")
  func noFile() throws {
    try refuse([], "an empty file")
    for (path, text) in [("/", "Is a directory"), ("/nowhere", "No such file")] {
      let outcome = try sandbox.run("import", path)
      #expect(outcome.status == 65 && outcome.errors.contains("\(path): ") && outcome.errors.contains(text))
    }
  }
}
