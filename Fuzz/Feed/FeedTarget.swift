import Core
import SlowFold

@testable import EventLog
@testable import FeedParser

/// libFuzzer entry point. Each input is a document, parsed as a feed and as an OPML subscription list.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let document = Array(UnsafeBufferPointer(start: start, count: count))
  expectBoundedList(document)
  guard let feed = try? Feed(xml: document) else { return 0 }
  expect((try? Feed(xml: document)) == feed, "parsing the same document twice gives different feeds")
  expect(feed.entries.count <= ParserLimits.feed.entries, "more entries than the limit allows")
  expectKept(feed)
  return 0
}

private func expectBoundedList(_ document: [UInt8]) {
  guard let outlines = try? Outline.read(opml: document) else { return }
  expect(outlines.count <= ParserLimits.opml.entries, "more outlines than the limit allows")
}

/// Checks that every event from a feed can be logged, and that the same feed yields no new events once known.
private func expectKept(_ feed: Feed) {
  let channel = feed.channel ?? feed.entries.first?.channel ?? ChannelID(high: 1, low: 1)
  let requested = FeedRequest(subscription: .channel(channel), form: .channel)
  _ = feed.foreignChannel(requested: requested)
  var fold = SlowFold()
  guard let device = DeviceID("k3v9x2ap") else { fatalError("invalid device ID") }
  var clock = HybridClock(device: device)
  var reader = LineReader()
  for body in Detection(of: feed, requested: requested, answered: nil, in: fold).events {
    let id = clock.next(now: 1_761_392_475_000)
    let event = Event(id: id, action: id, body: body)
    fold.apply(event)
    var writer = LineWriter()
    writer.write(event)
    expect(writer.refusal == nil, "the line writer rejected an event: \(writer.refusal.debugDescription)")
    let line = writer.bytes.dropLast()
    let read = line.withUnsafeBytes { reader.read($0, at: LogRange(file: 0, length: 0, offset: 0)) }
    guard case .event(event)? = read?.content else { fatalError("an event does not survive a round trip") }
  }
  let again = Detection(of: feed, requested: requested, answered: nil, in: fold)
  expect(again.events.isEmpty, "the same feed yields events twice: \(again.events)")
}

/// Aborts if `holds` is false, so that libFuzzer records a crash.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
