import Core
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000

private func journal(_ folder: TemporaryFolder, _ device: String) throws -> Journal {
  let journal = try Journal(folders: folder.folders, device: DeviceID(device), coverage: nil, clock: { now })
  try journal.refresh()
  return journal
}

/// A folder with the log of a device, of 12 lines and the first one.
private func filled(_ device: String) throws -> (folder: TemporaryFolder, bytes: [UInt8]) {
  let folder = TemporaryFolder()
  var maker = EventMaker(seed: 7)
  let bodies = maker.events(12).map(\.body)
  _ = try journal(folder, device).commit(action: nil, undoing: nil) { bodies }
  return (folder, try #require(folder.read("log/\(device).jsonl")))
}

private let device = DeviceID("bbbbbbbb") ?? Sample.device

private func refusal(_ bytes: some Sequence<UInt8>, isBeginning: Bool = true) -> LineRefusal? {
  do {
    try ForeignLines.check(Array(bytes), of: device, isBeginning: isBeginning, now: now)
    return nil
  } catch { return error }
}

/// A line with its checksum.
private func sealed(_ text: String) -> [UInt8] {
  var bytes = Array(text.utf8)
  LineChecksum.seal(&bytes, from: 0)
  return bytes
}

@Test("Lines from elsewhere are taken only whole, intact, of their device and of a known version")
func foreignLines() throws {
  let (_, bytes) = try filled("bbbbbbbb")
  let first = try #require(bytes.firstIndex(of: 10)) + 1
  #expect(refusal(bytes) == nil && refusal([]) == nil)
  #expect(refusal(bytes[first...]) == .noStart && refusal(bytes[first...], isBeginning: false) == nil)
  #expect(refusal(bytes.dropLast()) == .incomplete)
  for index in stride(from: 0, to: bytes.count, by: 37) where bytes[index] != 10 {
    var bytes = bytes
    bytes[index] ^= 1
    guard case .damaged? = refusal(bytes) else {
      Issue.record("byte \(index): \(String(describing: refusal(bytes)))")
      continue
    }
  }
  let (_, others) = try filled("aaaaaaaa")
  #expect(refusal(others) == .foreign(line: 1))
  #expect(refusal(bytes + others[first...]) == .foreign(line: 14))
  let id = "0019a1b2c3d4e-0000-bbbbbbbb"
  #expect(refusal(sealed(#"{"v":2,"id":"\#(id)","kind":"x""#), isBeginning: false) == .newerFormat(line: 1, version: 2))
  #expect(refusal(sealed(#"{"v":2,"deep":{"a":1}"#), isBeginning: false) == .newerFormat(line: 1, version: 2))
  #expect(refusal(sealed(#"{"v":1,"id":"\#(id)","kind":"unheardOf""#), isBeginning: false) == nil)
  #expect(refusal(sealed(#"{"v":1,"kind":"unheardOf""#), isBeginning: false) == .foreign(line: 1))
  let tomorrow = sealed(#"{"v":1,"id":"\#(String(hex: now + 86_400_000, digits: 13))-0000-bbbbbbbb","kind":"x""#)
  let later = sealed(#"{"v":1,"id":"\#(String(hex: now + 86_400_001, digits: 13))-0000-bbbbbbbb","kind":"x""#)
  #expect(refusal(tomorrow, isBeginning: false) == nil)
  #expect(
    refusal(tomorrow + later, isBeginning: false) == .future(line: 2, Timestamp(seconds: Int64(now / 1000) + 86_400)))
  let long = sealed(
    #"{"v":1,"id":"\#(id)","kind":"x","t":""# + String(repeating: "a", count: LogFormat.lineLimit) + "\"")
  #expect(refusal(long, isBeginning: false) == .tooLong(line: 1))
}

@Test("A feed is followed only at a URL that its ID stands for")
func strangeFeeds() throws {
  let id = "0019a1b2c3d4e-0000-bbbbbbbb"
  func taken(_ kind: String, _ url: String) throws -> LineRefusal? {
    let feed = try #require(FeedAddress("https://blog.example/feed").map { FeedID(of: $0) })
    let line = #"{"v":1,"id":"\#(id)","kind":"\#(kind)","action":"\#(id)","feed":"\#(feed)","url":"\#(url)""#
    return refusal(sealed(line), isBeginning: false)
  }
  for url in ["https://blog.example/feed", "http://me:secret@Blog.Example:80/feed/#x", ""] {
    #expect(try taken("feedFollowed", url) == nil, "\(url)")
  }
  for url in ["https://other.example/feed", "https://blog.example/Feed", "not a URL"] {
    #expect(try taken("feedFollowed", url) == .strangeFeed(line: 1), "\(url)")
    // A feed may move.
    #expect(try taken("feedChanged", url) == nil, "\(url)")
  }
}

@Test("A log is continued only where it ends, with any cut, and any part of it can be read")
func extend() throws {
  let (there, bytes) = try filled("bbbbbbbb")
  let source = try journal(there, "bbbbbbbb")
  let here = TemporaryFolder()
  let target = try journal(here, "aaaaaaaa")
  var end = LogEnd.start
  while end.length < bytes.count {
    let lines = try #require(try source.lines(of: "bbbbbbbb", from: end.length, maximum: 300))
    #expect(lines.last == 10)
    #expect(try !target.extend("bbbbbbbb", at: LogEnd(length: end.length + 1, checksum: end.checksum), with: lines))
    #expect(try target.extend("bbbbbbbb", at: end, with: lines))
    #expect(try !target.extend("bbbbbbbb", at: end, with: lines), "again")
    end = try #require(try source.end(of: "bbbbbbbb", at: end.length + UInt64(lines.count)))
    #expect(try target.hasEnd(end, in: "bbbbbbbb"))
  }
  #expect(here.read("log/bbbbbbbb.jsonl") == bytes)
  #expect(try target.marks() == source.marks())
}

@Test("An unfinished write of an earlier attempt is moved aside")
func unfinished() throws {
  let (there, bytes) = try filled("bbbbbbbb")
  let source = try journal(there, "bbbbbbbb")
  for cut in stride(from: 1, to: bytes.count - 1, by: 41) {
    let here = TemporaryFolder()
    here.write(bytes[..<cut], to: "log/bbbbbbbb.jsonl")
    let target = try journal(here, "aaaaaaaa")
    let end = try target.marks().first?.end ?? .start
    let rest = try #require(try source.lines(of: "bbbbbbbb", from: end.length, maximum: 1 << 20))
    #expect(try source.hasEnd(end, in: "bbbbbbbb") && target.extend("bbbbbbbb", at: end, with: rest), "cut at \(cut)")
    #expect(here.read("log/bbbbbbbb.jsonl") == bytes)
  }
}

@Test("A transfer of a whole log goes on at a line after a crash in the middle of a write")
func tornPart() throws {
  let (sender, bytes) = try filled("bbbbbbbb")
  let end = try LogEnd(ofFile: sender.path + "/log/bbbbbbbb.jsonl")
  let first = try #require(bytes.firstIndex(of: 10)) + 1
  let folder = TemporaryFolder()
  func staged() throws -> StagedLog { try #require(try StagedLog(in: folder.folders, of: device, end: end)) }
  for torn in [1, first - 1, first, first + 1, bytes.count - 1] {
    #expect(try staged().append(Array(bytes[..<torn])))
    let whole = bytes[..<torn].lastIndex(of: 10).map { $0 + 1 } ?? 0
    #expect(try staged().length == UInt64(whole), "\(torn)")
    try staged().drop()
  }
  #expect(try staged().append(bytes) && staged().isWhole)
}

@Test("A log that came from elsewhere never replaces one of a catalogue")
func catalogue() throws {
  let (there, bytes) = try filled("bbbbbbbb")
  let here = TemporaryFolder()
  let shared = there.path + "/log"
  var folders = here.folders
  folders.catalogue = shared
  let journal = try Journal(folders: folders, device: DeviceID("aaaaaaaa"), coverage: nil, clock: { now })
  try journal.refresh()
  let longer = bytes + sealed(#"{"v":1,"id":"0fffffffffff0-0000-bbbbbbbb","kind":"unheardOf""#)
  _ = try journal.merge(file: here.write(longer, to: "bbbbbbbb.part"))
  #expect(there.read("log/bbbbbbbb.jsonl") == bytes)
  #expect(try journal.marks().map(\.log) == ["bbbbbbbb"])
}

@Test("The copy of a catalogue is brought up to date by reading what was appended")
func catalogueCopy() throws {
  let there = TemporaryFolder()
  let (here, copyFolder) = (TemporaryFolder(), TemporaryFolder())
  var maker = EventMaker(seed: 7)
  let writer = try journal(there, "bbbbbbbb")
  func append(_ count: Int) throws {
    let bodies = maker.events(count).map(\.body)
    _ = try writer.commit(action: nil, undoing: nil) { bodies }
  }
  try append(500)
  var folders = here.folders
  folders.catalogue = there.path + "/log"
  let reader = try Journal(folders: folders, device: DeviceID("aaaaaaaa"), coverage: nil, clock: { now })
  let copy = CatalogueCopy(in: copyFolder.path)
  func update(_ subjects: String) throws -> Int {
    try reader.refresh()
    return Int(try copy.update(from: reader, subjects: subjects) { $0 }.bytes)
  }
  func expectCopy() throws {
    let lines = try #require(there.read("log/bbbbbbbb.jsonl"))
    #expect(copyFolder.read("log/bbbbbbbb.jsonl") == lines)
  }
  func size() throws -> Int { try #require(there.read("log/bbbbbbbb.jsonl")).count }
  let first = try size()
  #expect(try update("1") == first)
  try expectCopy()
  for _ in 0..<3 {
    let before = try size()
    try append(2)
    #expect(try update("1") == size() - before)
    try expectCopy()
  }
  #expect(try update("1") == 0)
  // All of both for other subjects, and after a crash between the copy and what is known of it.
  #expect(try update("2") == 2 * size())
  let covered = try #require(copyFolder.read("covered"))
  try append(2)
  _ = try update("2")
  copyFolder.write(covered, to: "covered")
  #expect(try update("2") == 2 * size())
  copyFolder.write(try #require(copyFolder.read("log/bbbbbbbb.jsonl")).dropLast(5), to: "log/bbbbbbbb.jsonl")
  _ = try update("3")
  try expectCopy()
}
