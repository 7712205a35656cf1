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
