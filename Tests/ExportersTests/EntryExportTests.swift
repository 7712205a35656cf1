import SlowFold
import TestSupport
import Testing

@testable import Core
@testable import Exporters

private let url = "https://show.example/feed"
private let secretURL = "https://members.example/feed?token=abc"
private let files = [
  EntryMedia(url: "https://cdn.example/1.mp3?a=1&b=2", type: "audio/mpeg", length: 1234),
  EntryMedia(url: "https://cdn.example/1.ogg", type: "", length: nil),
  EntryMedia(url: "javascript:alert(1)", type: "audio/mpeg", length: nil),
]

/// The row of an episode of a feed at a URL.
private func row(of url: String) throws -> VideoRow {
  let found = Sample.entryFound("https://show.example/1", of: url, title: "An episode", media: files)
  let fold = Sample.fold([
    Sample.event(1, .feedFollowed(Sample.followed(url, title: "A show"))), Sample.event(2, .entryFound(found)),
  ])
  let video = try #require(fold.videos[found.entry])
  return try #require(VideoRow(video, in: fold.state, at: Sample.start))
}

@Test("An entry in JSON has its own members, and no video")
func members() throws {
  let row = try row(of: url)
  let json = String(decoding: row.json.object, as: UTF8.self)
  #expect(json.hasPrefix(#"{"video":null,"channel":"\#(Sample.feedID(url))","channelTitle":"A show""#))
  let list = #"[{"url":"https://cdn.example/1.mp3?a=1&b=2","type":"audio/mpeg","bytes":1234},"#
  #expect(
    json.contains(
      #""platform":"podcast","entry":"\#(row.video)","feed":"\#(Sample.feedID(url))","link":"https://show.example/1","#
        + #""media":\#(list)"#))
  #expect(json.contains(#"{"url":"https://cdn.example/1.ogg","type":null,"bytes":null}"#))
  let video = String(decoding: try sampleRow(title: "t").json.object, as: UTF8.self)
  #expect(video.hasSuffix(#""platform":"youtube","entry":null,"feed":null,"link":null,"media":[]}"#))
}

@Test("Atom has files of an entry as enclosures, and nothing of YouTube")
func atom() throws {
  let row = try row(of: url)
  var bytes: [UInt8] = []
  AtomFeed(id: "", title: "", updated: Sample.start, selfLink: nil).append(row, description: "", to: &bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  #expect(text.contains("<id>urn:metube:\(row.video)</id>") && !text.contains("yt:") && !text.contains("youtube"))
  #expect(text.contains(#"<link rel="alternate" type="text/html" href="https://show.example/1"/>"#))
  let href = "https://cdn.example/1.mp3?a=1&amp;b=2"
  #expect(text.contains(#"<link rel="enclosure" type="audio/mpeg" length="1234" href="\#(href)"/>"#))
  #expect(text.contains(#"<link rel="enclosure" href="https://cdn.example/1.ogg"/>"#) && !text.contains("javascript"))
}

@Test("A JSON Feed has files of an entry as attachments")
func jsonFeed() throws {
  var (feed, bytes) = (JSONFeed(title: "", feedLink: nil), [UInt8]())
  feed.append(try row(of: url), description: "", to: &bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  #expect(
    text.contains(
      #""attachments":[{"url":"https://cdn.example/1.mp3?a=1&b=2","mime_type":"audio/mpeg","size_in_bytes":1234,"#
        + #""duration_in_seconds":61},{"url":"https://cdn.example/1.ogg","mime_type":"application/octet-stream"}]"#))
  #expect(!text.contains("javascript") && !text.contains("youtube"))
}

@Test("A row of a private feed knows that it is, and loses its links on demand")
func privateRow() throws {
  #expect(try !row(of: url).isPrivate)
  let row = try row(of: secretURL)
  #expect(row.isPrivate)
  let json = String(decoding: row.withoutLinks.json.object, as: UTF8.self)
  #expect(json.contains(#""url":"","#) && !json.contains("cdn.example") && !json.contains("show.example"))
}

@Test("OPML has feeds of other sites, but private ones only on demand")
func opml() throws {
  let channel = SubscriptionID.channel(Sample.channel(1))
  let state = Sample.state([
    Sample.event(1, .feedFollowed(Sample.followed(url, title: "A show", tags: ["science"]))),
    Sample.event(2, .feedFollowed(Sample.followed(secretURL, title: "For members"))),
    Sample.event(3, .channelFollowed(ChannelFollowed(subscription: channel, title: nil, tags: nil))),
  ])
  let document = SubscriptionDocument.opml(of: state, alsoPrivate: false)
  let text = String(decoding: document.bytes, as: UTF8.self)
  #expect(document.count == 2 && document.leftOut == 1)
  #expect(text.contains(#"xmlUrl="\#(url)""#) && text.contains("<title>Subscriptions</title>"))
  #expect(!text.contains("members.example") && !text.contains("token"))
  let whole = SubscriptionDocument.opml(of: state, alsoPrivate: true)
  #expect(whole.count == 3 && whole.leftOut == 0)
  #expect(String(decoding: whole.bytes, as: UTF8.self).contains(secretURL))
  #expect(SubscriptionDocument.takeoutCSV(of: state).leftOut == 2)
}
