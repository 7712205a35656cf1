import Core
import SlowFold
import Testing

@testable import EventLog

private let id = EventID(reading: 0x19a_1b2c_3d4e_0000, device: DeviceID(letters: 0x6b33_7639_7832_6170))

/// The line of a body, without its head and its checksum.
private func members(_ body: EventBody) -> String {
  var writer = LineWriter()
  writer.write(Event(id: id, action: id, body: body))
  let line = String(decoding: writer.bytes, as: UTF8.self)
  let head = #"{"v":1,"id":"\#(id)","kind":"\#(body.kind.rawValue)","action":"\#(id)","#
  #expect(line.hasPrefix(head))
  return String(line.dropFirst(head.count).dropLast(#","c":"cdf0cc3c"}"#.count + 1))
}

/// The body of a line of these members; nil if it is not understood.
private func body(_ kind: String, _ members: String) -> EventBody? {
  var bytes = Array(#"{"v":1,"id":"\#(id)","kind":"\#(kind)","action":"\#(id)",\#(members)"#.utf8)
  LineChecksum.seal(&bytes, from: 0)
  var reader = LineReader()
  let line = bytes.dropLast().withUnsafeBytes { reader.read($0, at: LogRange(file: 0, length: 0, offset: 0)) }
  if case .event(let event)? = line?.content { return event.body } else { return nil }
}

private let feed = "fa3i65nmc6ukl7mqos5ala7efdq"
private let entry = "etkhutqq4nv5eqvcihtmago6mum"

@Test("The lines of feeds and entries are those that other programs read")
func goldenLines() throws {
  let (feedID, entryID) = (try #require(FeedID(feed)), try #require(VideoID(entry)))
  var facts = EntryFacts()
  (facts.link, facts.published) = ("https://blog.example/1", Timestamp(rfc3339: "2026-11-28T06:00:00Z"))
  facts.media = [EntryMedia(url: "https://cdn.example/1.mp3", type: "audio/mpeg", length: 1234)]
  (facts.duration, facts.isExplicit, facts.description) = (61, false, Description("Text"))
  let found = EntryFound(
    entry: entryID, feed: feedID, key: "blog.example/?p=1", title: "One", facts: facts, status: nil, reason: nil)
  #expect(
    members(.entryFound(found)) == #""entry":"\#(entry)","feed":"\#(feed)","key":"blog.example/?p=1","title":"One","#
      + #""link":"https://blog.example/1","published":"2026-11-28T06:00:00Z","#
      + #""media":["https://cdn.example/1.mp3","audio/mpeg","1234"],"duration":61,"explicit":false,"description":"Text""#
  )
  #expect(
    members(.feedFollowed(FeedFollowed(feed: feedID, url: "https://blog.example/feed", title: nil, tags: ["a"])))
      == #""feed":"\#(feed)","url":"https://blog.example/feed","tags":["a"]"#)
  var change = FeedChanged(feed: feedID)
  (change.name, change.keyKind) = ("A blog", .link)
  #expect(members(.feedChanged(change)) == #""feed":"\#(feed)","name":"A blog","keyKind":"link""#)
  #expect(members(.feedUnfollowed(feedID)) == #""feed":"\#(feed)""#)
  #expect(
    members(.entriesKnown(EntriesKnown(feed: feedID, keys: [1, .max])))
      == #""feed":"\#(feed)","keys":["1","18446744073709551615"]"#)
}

@Test("What a person decides on an entry names it as an entry, which older programs do not understand")
func decisionLines() throws {
  let entryID = try #require(VideoID(entry))
  let set = StatusSet(video: entryID, status: .watched)
  #expect(members(.statusSet(set)) == #""entry":"\#(entry)","status":"watched""#)
  #expect(body("statusSet", #""entry":"\#(entry)","status":"watched""#) == .statusSet(set))
  #expect(body("statusSet", #""video":"\#(entry)","status":"watched""#) == nil)
  #expect(body("statusSet", #""entry":"dQw4w9WgXcQ","status":"watched""#) == nil)
  #expect(body("savedSet", #""entry":"\#(entry)","saved":true"#) == .savedSet(SavedSet(video: entryID, saved: true)))
}

@Test("Events about channels do not take feeds, and those about feeds take nothing else")
func kindsApart() {
  #expect(body("channelFollowed", #""subscription":"\#(feed)""#) == nil)
  #expect(body("channelUnfollowed", #""subscription":"\#(feed)""#) == nil)
  #expect(body("feedUnfollowed", #""feed":"UCsXVk37bltHxD1rDPwtNM8Q""#) == nil)
  #expect(body("videoRemoved", #""video":"\#(entry)","removed":true"#) == nil)
  #expect(body("entryFound", #""entry":"dQw4w9WgXcQ","feed":"\#(feed)","key":"","title":"""#) == nil)
}

@Test(
  "Durations in a log are believed up to 11 days", arguments: [(61, 61), (.max, 1_000_000), (-1, nil)] as [(Int, Int?)])
func durations(said: Int, believed: Int?) {
  guard case .entryChanged(let change)? = body("entryChanged", #""entry":"\#(entry)","duration":\#(said)"#) else {
    Issue.record("not understood")
    return
  }
  #expect(change.facts.duration == believed)
}

@Test("Lists of files that are not of three strings each are not understood")
func brokenMedia() {
  let head = #""entry":"\#(entry)""#
  #expect(body("entryChanged", head + #","media":["https://cdn.example/1.mp3"]"#) == nil)
  let negative = head + #","media":["https://a.example/1","","-5"]"#
  guard case .entryChanged(let change)? = body("entryChanged", negative) else {
    Issue.record("not understood")
    return
  }
  #expect(change.facts.media == [EntryMedia(url: "https://a.example/1", type: "", length: nil)])
}
