import Core
import Seeded
import SlowFold
import Testing

@testable import EventLog

/// The lines of events.
private func lines(_ events: [Event]) -> [UInt8] {
  var writer = LineWriter()
  for event in events { writer.write(event) }
  #expect(writer.refusal == nil)
  return writer.bytes
}

/// The parsed form of a line without its newline.
private func read(_ bytes: some Collection<UInt8>) -> Line? {
  var reader = LineReader()
  return Array(bytes).withUnsafeBytes { reader.read($0, at: LogRange(file: 0, length: 0, offset: 0)) }
}

/// A line of this text, with its checksum.
private func sealed(_ text: String) -> [UInt8] {
  var bytes = Array(text.utf8)
  LineChecksum.seal(&bytes, from: 0)
  return bytes.dropLast()
}

private func event(_ line: Line?) -> Event? {
  if case .event(let event)? = line?.content { event } else { nil }
}

private let head =
  #"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"statusSet","action":"0019a1b2c3d4e-0000-k3v9x2ap""#

@Test("A status is written as the specification shows")
func exampleLine() throws {
  let id = try #require(EventID("0019a1b2c3d4e-0000-k3v9x2ap"))
  let video = try #require(VideoID("dQw4w9WgXcQ"))
  let written = lines([Event(id: id, action: id, body: .statusSet(StatusSet(video: video, status: .watched)))])
  let text = head + #","video":"dQw4w9WgXcQ","status":"watched","c":"cdf0cc3c"}"# + "\n"
  #expect(String(decoding: written, as: UTF8.self) == text)
}

@Test("Every event survives a round trip", arguments: 1...20 as ClosedRange<UInt64>)
func roundTrip(seed: UInt64) {
  var maker = EventMaker(seed: seed)
  for event in maker.events(200) {
    let line = lines([event])
    #expect(EventLogTests.event(read(line.dropLast())) == event)
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.dropLast().allSatisfy { $0 >= 0x20 })
  }
}

@Test("The events in these tests cover every kind, so that a new kind is tested too")
func everyKind() {
  var maker = EventMaker(seed: 1)
  #expect(Set(maker.events(2000).map(\.body.kind)) == Set(EventKind.allCases))
}

@Test("Members may be in any order")
func anyOrder() {
  let line = sealed(
    #"{"video":"dQw4w9WgXcQ","kind":"statusSet","status":"watched","id":"0019a1b2c3d4e-0000-k3v9x2ap","v":1"#)
  let expected = sealed(head + #","video":"dQw4w9WgXcQ","status":"watched""#)
  #expect(event(read(line)) == event(read(expected)))
  #expect(event(read(line)) != nil)
}

@Test("An unknown member is skipped")
func unknownMember() {
  for member in [#""mood":"good""#, #""n":-1.5e3"#, #""l":[]"#, #""l":["a","b"]"#, #""b":true"#, #""x":null"#] {
    let line = sealed(head + #","video":"dQw4w9WgXcQ",\#(member),"status":"watched""#)
    #expect(event(read(line)) != nil, "\(member)")
  }
}

@Test("An unknown kind or value is kept and not folded")
func unknownKind() {
  for rest in [#","video":"dQw4w9WgXcQ","status":"adored""#, #","video":"none","status":"watched""#, #","video":1"#] {
    guard case .unknown? = read(sealed(head + rest))?.content else {
      Issue.record("understood: \(rest)")
      continue
    }
  }
  guard case .unknown? = read(sealed(#"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"videoSung""#))?.content else {
    Issue.record("an unknown kind")
    return
  }
}

@Test("A later version is reported even if its line is not flat")
func laterVersion() {
  #expect(read(sealed(#"{"v":2,"id":{"deep":1}"#))?.version == 2)
  #expect(read(sealed(#"{"v":1,"id":{"deep":1}"#)) == nil)
}

@Test("Other writers' escapes are read, unpaired surrogates are not")
func escapes() {
  func note(_ inside: String) -> String? {
    let line = sealed(
      #"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"noteSet","video":"dQw4w9WgXcQ","text":"\#(inside)""#)
    if case .noteSet(let note)? = event(read(line))?.body { return note.text } else { return nil }
  }
  #expect(note(#"\u0041\/\b\f\n\r\t\"\\"#) == "A/\u{8}\u{c}\n\r\t\"\\")
  #expect(note(#"\uD83C\uDF89"#) == "🎉")
  #expect(note(#"\ud83c\udf89!"#) == "🎉!")
  for wrong in [#"\ud83c"#, #"\udf89"#, #"\ud83c\u0041"#, #"\ud83cx"#, #"\x41"#, #"\u12"#, #"\u12g4"#] {
    #expect(note(wrong) == nil, "\(wrong)")
  }
}

@Test("A description is the same however it is escaped")
func descriptionEscapes() {
  func fingerprint(_ inside: String) -> Description? {
    let line = sealed(
      #"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"videoChanged","video":"dQw4w9WgXcQ","description":"\#(inside)""#
    )
    if case .videoChanged(let change)? = event(read(line))?.body { return change.description } else { return nil }
  }
  #expect(fingerprint(#"\u0041/\u000a\u001F"#) == Description("A/\n\u{1f}"))
  #expect(fingerprint(#"A\/\n\u001f"#) == Description("A/\n\u{1f}"))
  #expect(fingerprint(#"\ud83c"#) == nil)
}

@Test("Every single-bit flip is detected")
func bitFlips() {
  var maker = EventMaker(seed: 99)
  for event in maker.events(30) {
    let line = Array(lines([event]).dropLast())
    for bit in 0..<line.count * 8 {
      var flipped = line
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      if read(flipped) != nil { Issue.record("bit \(bit) of \(String(decoding: line, as: UTF8.self))") }
    }
  }
}

@Test("Any bytes are a line or rejected, never a crash", arguments: 1...50 as ClosedRange<UInt64>)
func anyBytes(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let pieces = [
    "{", "}", "[", "]", "\"", "\\", ":", ",", "\"v\":1", "\"v\":2", "\"id\":\"0019a1b2c3d4e-0000-k3v9x2ap\"", "null",
    "tru",
    "true", "false", "-", "1e9", "\\u", "\\ud83c", "\"kind\":\"videoFound\"", "\"kind\":\"noteSet\"", "\"text\":\"",
    "\u{0}", "é",
    "\"tags\":[\"a\"", "[\"a\",", "99999999999999999999",
  ]
  for _ in 0..<2000 {
    let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
    _ = read(sealed("{" + text.joined()))
    _ = read(sealed(text.joined()))
    _ = read(Array(text.joined().utf8))
  }
}

@Test("A text or a line over the limit is rejected, not cut")
func limits() throws {
  let id = try #require(EventID("0019a1b2c3d4e-0000-k3v9x2ap"))
  let video = try #require(VideoID("dQw4w9WgXcQ"))
  func refusal(_ body: EventBody) -> LineError? {
    var writer = LineWriter()
    writer.write(Event(id: id, action: id, body: body))
    return writer.refusal
  }
  let longest = String(repeating: "x", count: LogFormat.textLimit)
  #expect(refusal(.noteSet(NoteSet(video: video, text: longest))) == nil)
  #expect(refusal(.noteSet(NoteSet(video: video, text: longest + "x"))) == .textTooLong(limit: LogFormat.textLimit))
  let tags = Array(repeating: longest, count: 128)
  let change = ChannelChanged(subscription: .channel(ChannelID(high: 1, low: 1)), tags: tags)
  #expect(refusal(.channelChanged(change)) == .lineTooLong(limit: LogFormat.lineLimit))
  let elsewhere = Description(fingerprint: 1, range: LogRange(file: 0, length: 1, offset: 1))
  #expect(refusal(.videoChanged(VideoChanged(video: video, description: elsewhere))) == .textElsewhere)
  // What would be written otherwise is not understood when it is read.
  let feed = SubscriptionID.feed(FeedID(high: 1, low: 1))
  #expect(refusal(.channelUnfollowed(feed)) == .foreignValue)
  #expect(refusal(.videoRemoved(VideoRemoved(video: VideoID(entry: 1, 1), removed: true))) == .foreignValue)
}

@Test("The checksum is CRC-32C, by instruction and by table")
func checksum() {
  #expect(Array("123456789".utf8).withUnsafeBytes(CRC32C.of) == 0xe306_9283)
  #expect([UInt8](repeating: 0, count: 32).withUnsafeBytes(CRC32C.of) == 0x8a91_36aa)
  #expect([UInt8]().withUnsafeBytes(CRC32C.of) == 0)
  var random = SeededGenerator(seed: 1)
  // From 768 bytes on, and from 12,288 on, three parts are computed in parallel.
  for length in Array(0..<200) + [767, 768, 769, 1535, 1544, 5000, 12_287, 12_288, 12_301, 40_000] {
    let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(bytes.withUnsafeBytes(CRC32C.of) == bytes.withUnsafeBytes(CRC32C.byTable))
  }
}
