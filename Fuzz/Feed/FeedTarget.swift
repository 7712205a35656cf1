import Core

@testable import EventLog
@testable import FeedXML

/// What libFuzzer calls with each input: a document, read as a feed and as a list of subscriptions.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let document = Array(UnsafeBufferPointer(start: start, count: count))
  expectBoundedList(document)
  guard let feed = try? Feed(xml: document) else { return 0 }
  expect((try? Feed(xml: document)) == feed, "a document is read in two ways")
  expect(feed.entries.count <= Limits.feed.entries, "more entries than the limit")
  expectKept(feed)
  return 0
}

private func expectBoundedList(_ document: [UInt8]) {
  guard let outlines = try? Outline.read(opml: document) else { return }
  expect(outlines.count <= Limits.opml.entries, "more outlines than the limit")
}

/// Expects that all that a feed tells can be kept in the log, and that it tells nothing new once it is known.
private func expectKept(_ feed: Feed) {
  let channel = feed.channel ?? feed.entries.first?.channel ?? ChannelID(high: 1, low: 1)
  let asked = FeedQuestion(subscription: .channel(channel), form: .channel)
  _ = feed.foreignChannel(asked: asked)
  var state = State()
  guard let device = DeviceID("k3v9x2ap") else { fatalError("no id of a device") }
  var clock = HybridClock(device: device)
  var reader = LineReader()
  for body in Detection(of: feed, asked: asked, answered: nil, in: state).events {
    let id = clock.next(now: 1_761_392_475_000)
    let event = Event(id: id, action: id, body: body)
    state.apply(event)
    var writer = LineWriter()
    writer.write(event)
    expect(writer.refusal == nil, "what a feed says is refused: \(writer.refusal.debugDescription)")
    let line = writer.bytes.dropLast()
    let read = line.withUnsafeBytes { reader.read($0, at: LogPlace(file: 0, length: 0, offset: 0)) }
    guard case .event(event)? = read?.content else { fatalError("an event is read as another") }
  }
  let again = Detection(of: feed, asked: asked, answered: nil, in: state)
  expect(again.events.isEmpty, "the same feed is news twice: \(again.events)")
}

/// Ends the run, as what libFuzzer is to find, where a law does not hold.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
