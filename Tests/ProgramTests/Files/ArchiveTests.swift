import App
import Core
import EventLog
import Exporters
import FixtureServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What a home shows of everything that its person has, by the commands that show it.
func shown(by home: Sandbox) throws -> [String: String] {
  let commands = [
    ["list", "--all", "--shorts", "show", "--upcoming", "show", "--no-rules", "--format", "jsonl", "-n", "0"],
    ["history", "--format", "jsonl", "-n", "0"], ["collection", "list", "--format", "jsonl"],
    ["rule", "list", "--format", "jsonl"],
  ]
  var texts: [String: String] = [:]
  for command in commands {
    let outcome = try home.program.run(command)
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    texts[command.joined(separator: " ")] = outcome.text
  }
  for video in try home.everything().map(\.video) {
    // With note, position and collections.
    texts[video] = try home.program.run(["show", video, "--format", "jsonl"]).text
  }
  let channels = try home.program.run(["channels", "--format", "tsv"]).text
  // Without what a machine knows of its own polls.
  texts["channels"] = channels.split(separator: "\n").map { line in
    line.split(separator: "\t", omittingEmptySubsequences: false).prefix(6).joined(separator: "\t")
  }.joined(separator: "\n")
  return texts
}

@Suite("The archive of everything")
struct ArchiveTests {
  private let sandbox: Sandbox
  private let other: Sandbox
  private var path: String { sandbox.folder.path + "/everything.zip" }

  init() throws {
    sandbox = try Sandbox()
    other = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "-bcdefghijA")
    try sandbox.succeed("skip", "bbbbbbbbbbE")
    try sandbox.succeed("collection", "add", "Trains", "bbbbbbbbbbE", "ccccccccccI")
    try sandbox.succeed("collection", "create", "Empty")
    try sandbox.succeed("collection", "describe", "Empty", "For later")
    try sandbox.succeed("save", "ccccccccccI")
    try sandbox.succeed("save", "https://youtu.be/dQw4w9WgXcQ")
    try sandbox.succeed("note", "ccccccccccI", "about the bell")
    try sandbox.succeed("progress", "ccccccccccI", "1:05")
    try sandbox.succeed("rule", "add", "block", "--contains", "advertisement")
  }

  /// Adds a line of a kind that this version does not know to the log of the sandbox.
  private func addUnknown() throws {
    let name = try #require(sandbox.folder.names(in: "log").first)
    let device = name.dropLast(".jsonl".count)
    let id = "0019a1b2c3d4e-0000-\(device)"
    let line = Seal.line(#"{"v":1,"id":"\#(id)","kind":"moonSet","action":"\#(id)","phase":"full""#) + "\n"
    let bytes = try #require(sandbox.folder.read("log/\(name)"))
    _ = sandbox.folder.write(bytes + Array(line.utf8), to: "log/\(name)")
  }

  @Test("An empty home has the same state, and a second import changes nothing")
  func roundTrip() throws {
    try addUnknown()
    let exported = try sandbox.run("export", "archive", "--output", path)
    #expect(exported.status == 0 && exported.errors.contains("events written"), "\(exported.errors)")
    #expect(!exported.errors.contains("not in this file"))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let events = sandbox.log.count - 1
    let dry = try other.run("import", "--dry-run", path)
    let unknown = "1 of a kind this version does not know, kept as they are"
    #expect(dry.text == "\(path): 1 log, \(events) events read, \(events) would be new, \(unknown)\n")
    #expect(other.log.isEmpty)
    let first = try other.run("import", path)
    #expect(first.status == 0 && first.text.contains("\(events) events read, \(events) new"), "\(first)")
    #expect(other.log == sandbox.log, "lines of any kind are kept as they are")
    #expect(try shown(by: other) == shown(by: sandbox))
    let second = try other.takeOver(path)
    #expect(second.format == "archive" && second.read == events && second.new == 0)
    #expect(try other.run("import", path).text.contains("\(events) events read, 0 new"))
    #expect(other.log == sandbox.log)
    // The home that it came from has everything.
    #expect(try sandbox.run("import", path).text.contains(" 0 new"))
  }

  @Test("Each of two homes keeps its own, and later archives add what is new")
  func merged() throws {
    try other.succeed("follow", SyntheticChannel(number: 3).id)
    try other.succeed("save", "eeeeeeeeeeQ")
    #expect(try sandbox.run("export", "archive", "--output", path).status == 0)
    #expect(try other.run("import", path).status == 0)
    #expect(try other.succeed("collection", "show", "saved", "--format", "ids").split(separator: "\n").count == 3)
    // More of the same device.
    try sandbox.succeed("save", "bbbbbbbbbbE")
    #expect(try sandbox.run("export", "archive", "--output", path).status == 0)
    let again = try other.run("import", path)
    #expect(again.text.hasSuffix(" 1 new\nRun `metube-rss poll` to fetch their videos.\n"), "\(again.text)")
    #expect(try other.run("import", path).text.contains(" 0 new"))
    #expect(try other.succeed("collection", "show", "saved", "--format", "ids").split(separator: "\n").count == 4)
    // And back.
    let back = other.folder.path + "/back.zip"
    #expect(try other.run("export", "archive", "--output", back).status == 0)
    #expect(try sandbox.run("import", back).status == 0)
    #expect(try shown(by: sandbox) == shown(by: other))
  }

  @Test("Damaged lines are left out and counted")
  func damaged() throws {
    let name = try #require(sandbox.folder.names(in: "log").first)
    var lines = sandbox.log
    lines[3] = lines[3].replacing("video", with: "vibeo")
    _ = sandbox.folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "log/\(name)")
    let exported = try sandbox.run("export", "archive", "--output", path)
    #expect(exported.errors.contains("not in this file: 1 line damaged in the log"), "\(exported.errors)")
    #expect(try other.run("import", path).text.contains("\(lines.count - 2) new"))
  }

  @Test("A log that lost its beginning gets a first line before its first event")
  func lostBeginning() throws {
    let name = try #require(sandbox.folder.names(in: "log").first)
    var lines = sandbox.log
    for index in 0..<2 { lines[index] = String(lines[index].reversed()) }
    _ = sandbox.folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "log/\(name)")
    let exported = try sandbox.run("export", "archive", "--output", path)
    #expect(exported.errors.contains("not in this file: 2 lines damaged in the log"), "\(exported.errors)")
    #expect(try other.run("import", path).text.contains("\(lines.count - 2) new"))
  }

  @Test("Events more than a day ahead are left out and counted, and the others are imported")
  func ahead() throws {
    let name = try #require(sandbox.folder.names(in: "log").first)
    let events = sandbox.log.count - 1
    let far = ArchiveTests.saved(String(name.dropLast(".jsonl".count)), at: "003bb2cc3d800")
    let bytes = try #require(sandbox.folder.read("log/\(name)"))
    _ = sandbox.folder.write(bytes + Array(far.utf8), to: "log/\(name)")
    // All of another device, with its first line.
    let start = Seal.line(
      #"{"v":1,"id":"003bb2cc3d800-0000-bbbbbbbb","kind":"logStarted","device":"bbbbbbbb","generation":1"#)
    let foreign = start + "\n" + ArchiveTests.saved("bbbbbbbb", at: "003bb2cc3d801")
    _ = sandbox.folder.write(Array(foreign.utf8), to: "log/bbbbbbbb.jsonl")
    let exported = try sandbox.run("export", "archive", "--output", path)
    #expect(
      exported.errors.contains("not in this file: 2 events dated more than a day ahead of the clock"),
      "\(exported.errors)")
    let imported = try other.run("import", path)
    #expect(imported.text.contains("\(events) new"), "\(imported.text) \(imported.errors)")
  }

  @Test("A dry run counts what is new, without the events that are here, and writes nothing")
  func dryRun() throws {
    #expect(try sandbox.run("export", "archive", "--output", path).status == 0)
    let events = sandbox.log.count - 1
    #expect(try other.run("import", "--dry-run", path).text.contains("\(events) would be new"))
    #expect(other.folder.names(in: "log").isEmpty)
    #expect(try sandbox.run("import", "--dry-run", path).text.contains("\(events) events read, 0 would be new"))
  }

  @Test("An archive with too many logs is refused before the rest of it is read")
  func manyLogs() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let logs = (0..<101).map { number -> (name: String, text: String) in
      let device = "aaaaaa\(letters[number / 26])\(letters[number % 26])"
      let start = Seal.line(
        #"{"v":1,"id":"0019a1b2c3d4d-0000-\#(device)","kind":"logStarted","device":"\#(device)","generation":1"#)
      return ("log/\(device).jsonl", start + "\n")
    }
    let outcome = try other.run("import", try archive(logs + [("log/aaaazzzz.jsonl", "no log at all\n")]))
    #expect(outcome.status == 65 && outcome.errors.contains("101 logs or more"), "\(outcome.errors)")
  }

  @Test("Limits hold while an archive is read")
  func room() {
    let limits = ExchangeLimits(logs: 2, logBytes: 10, stagedBytes: 10, bytes: 25)
    var room = ArchiveRoom(limits: limits, known: ["a"], stored: 10)
    #expect(room.begin("a") == nil && room.add(10, to: "a") == nil && room.begin("b") == nil)
    #expect(room.add(5, to: "b") == nil)
    #expect(room.add(1, to: "b").map { if case .bytes(16, limit: 25) = $0 { true } else { false } } == true)
    #expect(room.begin("c").map { if case .manyLogs(3, limit: 2) = $0 { true } else { false } } == true)
    var long = ArchiveRoom(limits: limits, known: [], stored: 0)
    #expect(long.begin("a") == nil)
    #expect(long.add(11, to: "a").map { if case .longLog("a", limit: 10) = $0 { true } else { false } } == true)
  }

  @Test("Unpacked it is a home")
  func unpacked() throws {
    #expect(try sandbox.run("export", "archive", "--output", path).status == 0)
    var python = sandbox.program
    python.path = "/usr/bin/python3"
    guard access(python.path, X_OK) == 0 else { return }
    // Another program's reader of zip files checks sizes and checksums too.
    #expect(try python.run(["-m", "zipfile", "-e", path, other.folder.path]).status == 0)
    #expect(try shown(by: other) == shown(by: sandbox))
  }

  // MARK: Refused

  /// Writes an archive with these entries after its first one.
  private func archive(
    version: Int = 1, _ entries: [(name: String, text: String)], cut: Int = 0
  ) throws -> String {
    var (zip, bytes) = (ZipWriter(at: Timestamp(seconds: 1_800_000_000)), [UInt8]())
    let first = (name: "metube-rss.json", text: #"{"archive":"metube-rss","version":\#(version)}"#)
    for (name, text) in [first] + entries {
      zip.begin(name, to: &bytes)
      zip.add(Array(text.utf8), to: &bytes)
      try zip.end(to: &bytes)
    }
    try zip.finish(to: &bytes)
    return other.folder.write(bytes.dropLast(cut), to: "hostile.zip")
  }

  private static let start =
    Seal.line(
      #"{"v":1,"id":"0019a1b2c3d4d-0000-aaaaaaaa","kind":"logStarted","device":"aaaaaaaa","generation":1"#) + "\n"

  private static func saved(_ device: String, at reading: String = "0019a1b2c3d4e") -> String {
    let id = "\(reading)-0000-\(device)"
    return Seal.line(
      #"{"v":1,"id":"\#(id)","kind":"savedSet","action":"\#(id)","video":"dQw4w9WgXcQ","saved":true"#) + "\n"
  }

  @Test("A hostile archive is refused as a whole, in one line")
  func hostile() throws {
    let (start, log) = (ArchiveTests.start, "log/aaaaaaaa.jsonl")
    let good = start + ArchiveTests.saved("aaaaaaaa")
    let far = ArchiveTests.saved("aaaaaaaa", at: "003bb2cc3d800")
    let cases: [(text: String, entries: [(name: String, text: String)])] = [
      ("that is not a log, notes.txt", [(log, good), ("notes.txt", "x")]),
      ("the unsafe name ../aaaaaaaa.jsonl", [(log, good), ("../aaaaaaaa.jsonl", good)]),
      ("the unsafe name /etc/passwd", [("/etc/passwd", good)]),
      ("that is not a log, log/aaaaaaaa/x.jsonl", [("log/aaaaaaaa/x.jsonl", good)]),
      ("that is not a log, log/short.jsonl", [("log/short.jsonl", good)]),
      ("log/aaaaaaaa.jsonl twice", [(log, good), (log, good)]),
      ("log/aaaaaaaa.jsonl: line 3 is damaged", [(log, good + "{\"v\":1}\n")]),
      ("log/aaaaaaaa.jsonl: line 3 is damaged", [(log, good + good.dropFirst(1))]),
      ("log/aaaaaaaa.jsonl: line 2 was written by another device", [(log, start + ArchiveTests.saved("bbbbbbbb"))]),
      ("log/bbbbbbbb.jsonl: line 1 was written by another device", [("log/bbbbbbbb.jsonl", good)]),
      ("line 3 is dated", [(log, good + far)]),
      ("the first line of the log is missing", [(log, ArchiveTests.saved("aaaaaaaa"))]),
      ("the last line is incomplete", [(log, String(good.dropLast(5)))]),
      ("the first line of the log is missing", [(log, "")]),
      ("without any log", []),
      ("more than 60 times its size", [(log, good), ("log/cccccccc.jsonl", String(repeating: " ", count: 3 << 20))]),
    ]
    for (text, entries) in cases {
      let outcome = try other.run("import", try archive(entries))
      #expect(outcome.status == 65 && outcome.errors.contains(text), "\(text): \(outcome.errors)")
      #expect(outcome.errors.hasSuffix("nothing was imported\n"), "\(text): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(text): \(outcome.errors)")
      #expect(other.folder.names(in: "log").isEmpty, "\(text)")
    }
    let later = try other.run("import", try archive(version: 2, [(log, good)]))
    #expect(later.status == 65 && later.errors.contains("later version"), "\(later.errors)")
    let cut = try other.run("import", try archive([(log, good)], cut: 60))
    #expect(cut.status == 65 && cut.errors.contains("nothing was imported"), "\(cut.errors)")
    let tagged = try other.run("import", "--tag", "x", try archive([(log, good)]))
    #expect(tagged.status == 65 && tagged.errors.contains("is imported as it is"), "\(tagged.errors)")
    #expect(other.folder.names(in: "log").isEmpty)
    #expect(try other.run("import", try archive([(log, good)])).text.contains("1 log, 1 event read, 1 new"))
  }
}
