import Core
import ReadModel
import SlowFold

@testable import EventLog

/// libFuzzer entry point. Each input holds log lines without their checksums, which no mutation would get right. A line
/// after a `!` is used as is, so its checksum is missing and the line counts as broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let log = FuzzedLog(UnsafeRawBufferPointer(start: start, count: count))
  log.expectSameRecords()
  let events = log.events
  log.expectSameWhenWritten(events)
  log.expectSameInAFile(events)
  expectOrderFree(events)
  return 0
}

/// The bytes of one log file, built from one fuzz input.
private final class FuzzedLog {
  private var bytes: [UInt8] = []
  /// The events in the valid lines, in order.
  private(set) var events: [Event] = []

  init(_ input: UnsafeRawBufferPointer) {
    var reader = LineReader()
    for line in input.split(separator: UInt8(ascii: "\n")) {
      let start = bytes.count
      if line.first == UInt8(ascii: "!") {
        bytes.append(contentsOf: line.dropFirst())
        bytes.append(UInt8(ascii: "\n"))
      } else {
        bytes.append(contentsOf: line)
        LineChecksum.seal(&bytes, from: start)
      }
      let read = bytes[start..<bytes.count - 1].withUnsafeBytes { bytes in
        reader.read(bytes, at: LogRange(file: 0, length: 0, offset: UInt64(start)))
      }
      if case .event(let event)? = read?.content { events.append(event) }
    }
  }

  /// Parses the lines as state records and as a coverage; every record understood must survive a round
  /// trip.
  func expectSameRecords() {
    _ = Coverage(lines: bytes)
    let records = FuzzedLog.records(in: bytes)
    var writer = LineWriter()
    for record in records { writer.write(record) }
    guard writer.refusal == nil else { return }
    expect(FuzzedLog.records(in: writer.bytes) == records, "a record does not survive a round trip")
  }

  /// The records in concatenated lines; empty if one of them is broken.
  private static func records(in lines: [UInt8]) -> [StateRecord] {
    var reader = LineReader()
    var records: [StateRecord] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      guard let record = line.withUnsafeBytes({ StateRecord($0, reader: &reader) }) else { return [] }
      records.append(record)
    }
    return records
  }

  /// Checks that each event survives a round trip, and that encoding it again gives the same bytes.
  func expectSameWhenWritten(_ events: [Event]) {
    var reader = LineReader()
    for event in events {
      var writer = LineWriter()
      // A description is fingerprinted in place, so invalid UTF-8 is noticed only when the text is read.
      guard let texted = event.withText({ text(at: $0, in: bytes) }) else { continue }
      writer.write(texted)
      guard writer.refusal == nil else { continue }
      let line = writer.bytes
      let read = line.dropLast().withUnsafeBytes { reader.read($0, at: LogRange(file: 0, length: 0, offset: 0)) }
      guard case .event(let again)? = read?.content else { fatalError("an encoded line cannot be decoded") }
      expect(again == event, "an event does not survive a round trip")
      var second = LineWriter()
      guard let texted = again.withText({ text(at: $0, in: line) }) else { fatalError("unreadable description") }
      second.write(texted)
      expect(second.bytes == line, "encoding an event twice gives different bytes")
    }
  }

  /// Checks that a file with these bytes yields the same events.
  func expectSameInAFile(_ events: [Event]) {
    let file = ScratchFile.holding(bytes)
    do throws(LogError) {
      let log = try LogFile(file, name: "aaaaaaaa.jsonl", index: 0)
      var read: [Event] = []
      try log.readOn { event, _ in read.append(event) }
      expect(read == events, "the file yields other events than its lines")
      let report = try FileReport(of: file)
      expect(report.events == events.count && report.bytes == log.size, "the verification report has wrong counts")
      expect(report.damage.map(\.position) == log.brokenLines, "the verification report finds other damage")
    } catch { fatalError("\(error)") }
  }

}

private func text(at range: LogRange, in bytes: [UInt8]) -> String? {
  bytes[Int(range.offset)..<Int(range.offset) + Int(range.length)].withUnsafeBytes(JSONString.unescaped)
}

/// Checks that events give the same tables in any order and with repetitions, and those of the slow fold.
private func expectOrderFree(_ events: [Event]) {
  // No log has two events with the same ID; which of them wins is undefined.
  guard Set(events.map(\.id)).count == events.count else { return }
  do {
    let (forward, backward) = (try ReadModel(user: 0), try ReadModel(user: 0))
    try forward.apply(events)
    try backward.apply(events.reversed())
    let digest = try forward.digest()
    expect(try backward.digest() == digest, "the order of events changes the tables")
    try forward.apply(events)
    expect(try forward.digest() == digest, "repeating events changes the tables")
    let fold = SlowFold(events)
    expect(try forward.state() == fold.state, "the tables hold another state than the slow fold")
    for (id, video) in fold.videos {
      expect(try forward.video(id) == video, "the tables hold another video than the slow fold")
    }
  } catch { fatalError("\(error)") }
}

extension Event {
  /// The event with its description as text instead of a range of the log; nil if the text cannot be read.
  fileprivate func withText(_ text: (LogRange) -> String?) -> Event? {
    guard case .log(let range)? = description?.source else { return self }
    guard let text = text(range) else { return nil }
    var event = self
    switch body {
    case .videoFound(var found):
      found.description = Description(text)
      event.body = .videoFound(found)
    case .videoChanged(var change):
      change.description = Description(text)
      event.body = .videoChanged(change)
    case .entryFound(var found):
      found.facts.description = Description(text)
      event.body = .entryFound(found)
    case .entryChanged(var change):
      change.facts.description = Description(text)
      event.body = .entryChanged(change)
    default: break
    }
    return event
  }

  private var description: Description? {
    switch body {
    case .videoFound(let found): found.description
    case .videoChanged(let change): change.description
    case .entryFound(let found): found.facts.description
    case .entryChanged(let change): change.facts.description
    default: nil
    }
  }
}

/// Aborts if `holds` is false, so that libFuzzer records a crash.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
