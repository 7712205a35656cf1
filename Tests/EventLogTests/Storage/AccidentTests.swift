import Core
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import EventLog

/// A log of 20 batches, with its size after each.
private struct Sample {
  let folder = TemporaryFolder()
  let bytes: [UInt8]
  /// The file size after each batch, from 0 on.
  let batchEnds: [Int]
  /// The end of each line, from 0 on.
  let lineEnds: [Int]
  let events: [Event]

  static let name = "log/k3v9x2ap.jsonl"

  init(seed: UInt64) throws {
    let journal = try Sample.journal(folder)
    var maker = EventMaker(seed: seed, pieces: ["", "a", "\n", "é", "\"", "\",\"c\":\""])
    var ends = [0]
    var events: [Event] = []
    for batch in 0..<20 {
      let bodies = maker.events(batch % 4 == 3 ? 2 : 1).map(\.body)
      events += try journal.commit(action: nil, undoing: nil) { _ in bodies }
      ends.append(folder.read(Sample.name)?.count ?? 0)
    }
    let bytes = try #require(folder.read(Sample.name))
    self.bytes = bytes
    batchEnds = ends
    lineEnds = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
    self.events = events
  }

  static func journal(_ folder: TemporaryFolder) throws -> FoldedJournal {
    let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
    return try FoldedJournal(folders: folder.folders, device: id, machine: nil) { 1_761_392_475_000 }
  }

  /// The state folded from the events whose lines end before `size`; the first line is the file header.
  func state(upTo size: Int) -> SlowFold {
    var state = SlowFold()
    let lines = lineEnds.filter { $0 <= size }.count - 2
    for event in events.prefix(max(0, lines)) { state.apply(event) }
    return state
  }
}

@Test("Every prefix of a log opens with the complete events in it")
func everyPrefix() throws {
  let sample = try Sample(seed: 1)
  let folder = TemporaryFolder()
  for size in 0...sample.bytes.count {
    folder.write(Array(sample.bytes.prefix(size)), to: Sample.name)
    let journal = try Sample.journal(folder)
    #expect(journal.state == sample.state(upTo: size), "\(size)")
    let torn = !sample.lineEnds.contains(size)
    #expect(journal.findings.count == (torn ? 1 : 0), "\(size)")
  }
}

@Test(
  "After a power cut the rest may be NULs or 0xFF: a writer moves it aside and continues",
  arguments: [0, 0xff] as [UInt8])
func restOfFill(byte: UInt8) throws {
  let sample = try Sample(seed: 2)
  for size in stride(from: 1, to: sample.bytes.count, by: 61) {
    let rest = [UInt8](repeating: byte, count: sample.bytes.count - size)
    let folder = TemporaryFolder()
    folder.write(Array(sample.bytes.prefix(size)) + rest, to: Sample.name)
    let journal = try Sample.journal(folder)
    #expect(journal.state == sample.state(upTo: size), "\(size)")
    let end = sample.lineEnds.last { $0 <= size } ?? 0
    let video = VideoID(bits: 1)
    _ = try journal.commit(action: nil, undoing: nil) { _ in [.savedSet(SavedSet(video: video, saved: true))] }
    #expect(try Sample.journal(folder).state == journal.state, "\(size)")
    let torn = try #require(folder.names(in: "log").first { $0.contains("torn") })
    #expect(try #require(folder.read("log/" + torn)) == sample.bytes[end..<size] + rest, "\(size)")
  }
}

@Test("NULs followed by the end of a batch, left by a power cut, are a torn tail")
func nulsThenTheEnd() throws {
  let sample = try Sample(seed: 3)
  let batch = sample.batchEnds[19]
  for size in stride(from: batch, to: (sample.lineEnds.last ?? 0) - 20, by: 11) {
    var bytes = sample.bytes
    for index in batch..<size + 10 { bytes[index] = 0 }
    let folder = TemporaryFolder()
    folder.write(bytes, to: Sample.name)
    let journal = try Sample.journal(folder)
    let isLastLine = size + 10 >= sample.lineEnds[sample.lineEnds.count - 2]
    let commit = { try journal.commit(action: nil, undoing: nil) { _ in [.gapClosed(GapClosed.sample)] } }
    if isLastLine { #expect(try commit().count == 1) } else { #expect(throws: LogError.self) { try commit() } }
  }
}

extension GapClosed {
  /// Any of its samples.
  fileprivate static var sample: GapClosed {
    var random = SeededGenerator(seed: 1)
    let gap = EventID(reading: 1, device: DeviceID(using: &random))
    return GapClosed(subscription: .channel(ChannelID(high: 1, low: 1)), gap: gap)
  }
}

@Test("The rest may be another record's bytes: two records are never read as one line")
func restOfAnotherRecord() throws {
  let sample = try Sample(seed: 4)
  let other = Array(sample.bytes[sample.lineEnds[5]..<sample.lineEnds[6]])
  for size in stride(from: 0, to: sample.bytes.count, by: 5) {
    let folder = sample.folder
    folder.write(Array(sample.bytes.prefix(size)) + other.dropFirst(size % other.count), to: Sample.name)
    let state = try Sample.journal(folder).state
    // A line that lacked nothing but its newline gets that of the other.
    let end = (size + 1).isMultiple(of: other.count) ? size + 1 : size
    // The other record is in the log too, so its complete line changes nothing unless it comes too early.
    #expect(state == sample.state(upTo: end) || size % other.count == 0 || size < sample.lineEnds[6], "\(size)")
  }
}

@Test("Every single-bit flip in a file is reported when reading, and by verify")
func everyBitOfAFile() throws {
  let sample = try Sample(seed: 5)
  let folder = TemporaryFolder()
  let bytes = Array(sample.bytes.prefix(sample.lineEnds[3]))
  for bit in 0..<bytes.count * 8 {
    var flipped = bytes
    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
    folder.write(flipped, to: Sample.name)
    let journal = try Sample.journal(folder)
    #expect(try !journal.findings.isEmpty && !journal.verify().files[0].isGood, "bit \(bit)")
  }
}
