import Core

@testable import EventLog

/// What libFuzzer calls with each input: lines of a log without their seals, which no mutation would hit. A line after
/// a `!` is taken as it is, so that it is broken.
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

/// The bytes of one log file, made of one input.
private final class FuzzedLog {
  private var bytes: [UInt8] = []
  /// What the good lines say, in their order.
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
        LineSeal.seal(&bytes, from: start)
      }
      let read = bytes[start..<bytes.count - 1].withUnsafeBytes { bytes in
        reader.read(bytes, at: LogPlace(file: 0, length: 0, offset: UInt64(start)))
      }
      if case .event(let event)? = read?.content { events.append(event) }
    }
  }

  /// Reads the lines as a state file's, and as a checkpoint's note; what is understood is written as it was read.
  func expectSameRecords() {
    _ = Coverage(lines: bytes, folder: "/")
    let records = StateRecord.records(in: bytes)
    var writer = LineWriter()
    for record in records { writer.write(record) }
    guard writer.refusal == nil else { return }
    expect(StateRecord.records(in: writer.bytes) == records, "a record is read as another")
  }

  /// Expects that what was read is written so that it is read as the same, and then written in the same bytes.
  func expectSameWhenWritten(_ events: [Event]) {
    var reader = LineReader()
    for event in events {
      var writer = LineWriter()
      // A description is fingerprinted where it stands: that it is no UTF-8 is noticed only when it is shown.
      guard let texted = event.withText({ text(at: $0, in: bytes) }) else { continue }
      writer.write(texted)
      guard writer.refusal == nil else { continue }
      let line = writer.bytes
      let read = line.dropLast().withUnsafeBytes { reader.read($0, at: LogPlace(file: 0, length: 0, offset: 0)) }
      guard case .event(let again)? = read?.content else { fatalError("a line written cannot be read") }
      expect(again == event, "an event is read as another")
      var second = LineWriter()
      guard let texted = again.withText({ text(at: $0, in: line) }) else { fatalError("no text") }
      second.write(texted)
      expect(second.bytes == line, "an event is written in two ways")
    }
  }

  /// Expects that a file of these bytes gives the same events.
  func expectSameInAFile(_ events: [Event]) {
    let file = ScratchFile.holding(bytes)
    do throws(LogError) {
      let log = try LogFile(file, index: 0)
      var read: [Event] = []
      try log.readOn { event, _ in read.append(event) }
      expect(read == events, "a file says something else than its lines")
      let report = try FileReport(of: file)
      expect(report.events == events.count && report.bytes == log.size, "a report counts otherwise")
      expect(report.damage.map(\.position) == log.brokenLines, "a report finds other damage")
    } catch { fatalError("\(error)") }
  }

}

private func text(at place: LogPlace, in bytes: [UInt8]) -> String? {
  bytes[Int(place.offset)..<Int(place.offset) + Int(place.length)].withUnsafeBytes(JSONString.unescaped)
}

/// Expects one state of events in any order and repetition.
private func expectOrderFree(_ events: [Event]) {
  // Two events of one id are no log's: which of them wins is not said.
  guard Set(events.map(\.id)).count == events.count else { return }
  var (forward, backward) = (State(), State())
  for event in events { forward.apply(event) }
  for event in events.reversed() { backward.apply(event) }
  expect(forward == backward, "the order of the events matters")
  for event in events { forward.apply(event) }
  expect(forward == backward, "the repetition of the events matters")
}

extension Event {
  /// The event with the text of its description, which is given by its place when it was read; nil where that is none.
  fileprivate func withText(_ text: (LogPlace) -> String?) -> Event? {
    guard case .log(let place)? = description?.source else { return self }
    guard let text = text(place) else { return nil }
    var event = self
    switch body {
    case .videoFound(var found):
      found.description = Description(text)
      event.body = .videoFound(found)
    case .videoChanged(var change):
      change.description = Description(text)
      event.body = .videoChanged(change)
    default: break
    }
    return event
  }

  private var description: Description? {
    switch body {
    case .videoFound(let found): found.description
    case .videoChanged(let change): change.description
    default: nil
    }
  }
}

/// Ends the run, as what libFuzzer is to find, where a law does not hold.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
