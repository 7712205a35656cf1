import Core
import Testing

@testable import Importers

private let fixtures = [
  "channels.txt", "freetube-channels-2020.db", "freetube-history.db", "freetube-profiles.db", "invidious.json",
  "libretube-backup.json", "newpipe.db", "newpipe.json", "newsboat-urls", "piped-backup.json", "reader.opml",
  "takeout-playlist-2021.csv", "takeout-playlist-videos.csv", "takeout-subscriptions.csv",
  "takeout-subscriptions.json", "takeout.zip", "watch-history.html", "watch-history.json",
]

/// Whether a file gives rows that add up, or an error.
private func adds(_ bytes: some Collection<UInt8>) -> Bool {
  do {
    let file = try ImportedFile(bytes)
    return file.read == file.sumOfRows
  } catch { return true }
}

@Test("A file truncated anywhere gives rows that add up, or an error", arguments: fixtures)
func cutFiles(name: String) throws {
  let bytes = try Files.fixture(name)
  for length in stride(from: 0, through: bytes.count, by: bytes.count > 1000 ? 13 : 1) {
    #expect(adds(bytes.prefix(length)), "\(length) bytes")
  }
}

@Test("A file with any byte changed gives rows that add up, or an error", arguments: fixtures)
func changedFiles(name: String) throws {
  var generator = SmallGenerator(state: 0x6D65_7475)
  let bytes = try Files.fixture(name)
  for _ in 0..<100 {
    var changed = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    #expect(adds(changed))
  }
}

@Test("Random bytes, alone or after a known prefix, give an error or rows that add up")
func randomFiles() {
  var generator = SmallGenerator(state: 7)
  let beginnings = [
    "", "{", "[", "[{\"titleUrl\":\"", "PK\u{3}\u{4}", "<html><div class=outer-cell>", "<opml", "UC,", "{\"_id\":1}\n",
  ]
  for round in 0..<600 {
    let beginning = beginnings[round % beginnings.count]
    let tail = (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    #expect(adds(Array(beginning.utf8) + tail))
  }
}

@Test(
  "Recorded files truncated at every 97th byte give rows that add up, or an error", .enabled(if: Files.samples != nil),
  arguments: recordedNames)
func cutRecordedFiles(name: String) throws {
  let bytes = try Files.sample(name)
  for length in stride(from: 0, through: bytes.count, by: 97) { #expect(adds(bytes.prefix(length)), "\(length) bytes") }
}

@Test("A hundred thousand nested arrays are rejected as too deep")
func deepFile() {
  #expect(throws: ImportError.tooDeep(limit: 64, line: 1)) {
    try ImportedFile(String(repeating: "[", count: 100_000))
  }
  #expect(throws: ImportError.tooDeep(limit: 64, line: 1)) {
    try ImportedFile("{\"preferences\":" + String(repeating: "{\"a\":", count: 100_000))
  }
}

@Test(
  "An unsupported file is reported by what it looks like",
  arguments: [
    ("", .nothing), (" \n\t", .nothing), ("<feed/>", .xml), ("<!doctype html><p>", .xml), ("\0\u{1}", .binary),
    ("Dear diary", .text), ("a,b\n1,2\n", .csv), ("{}", .json),
    ("<html></html>", .html),
  ] as [(String, FileType)])
func unknownFiles(text: String, fileType: FileType) {
  #expect(throws: ImportError.notUnderstood(looksLike: fileType)) { try ImportedFile(text) }
}

@Test("A gzip file is recognised")
func gzipFile() {
  #expect(throws: ImportError.notUnderstood(looksLike: .gzip)) { try ImportedFile([0x1F, 0x8B, 8, 0] as [UInt8]) }
}

@Test("Only the beginning of rejected text is kept")
func longEvidence() throws {
  let zalgo = "e" + String(repeating: "\u{301}", count: 100_000)
  let file = try ImportedFile("UCAAAAAAAAAAAAAAAAAAAAAA,,\(zalgo)\nUC\(String(repeating: "x", count: 100_000)),x,y\n")
  #expect(file.subscriptions.first?.title?.unicodeScalars.count == 500)
  guard case .reference(.badChannelID(let evidence)) = file.refused.first?.reason else {
    Issue.record("\(file.refused)")
    return
  }
  #expect(evidence.unicodeScalars.count == 100)
}

/// A small generator with reproducible numbers (Marsaglia's xorshift64*).
private struct SmallGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
