import Core
import Testing

@testable import YouTube

@Suite("Results of searches on YouTube")
struct SearchTests {
  private static let id = "UCsXVk37bltHxD1rDPwtNM8Q"

  private func body(_ items: String) -> [UInt8] {
    Array("{\"kind\":\"youtube#searchListResponse\",\"items\":[\(items)]}".utf8)
  }

  @Test("A search is one request of 25 results, with its words encoded")
  func request() throws {
    let text = try #require(SearchText("  Q&A \n#1\u{0}  "))
    #expect(text.text == "Q&A #1")
    #expect(
      APIRequest.search(text, .channels).target
        == "/youtube/v3/search?part=snippet&type=channel&maxResults=25&q=Q%26A%20%231")
    #expect(SearchDump.channelPage(of: text).hasSuffix("?search_query=Q%26A%20%231&sp=EgIQAg%253D%253D"))
    #expect(SearchText(" \n\u{7}") == nil && SearchText(String(repeating: "a", count: 201)) == nil)
  }

  @Test("Channels have their titles without the API's escapes, and pictures of YouTube's hosts alone")
  func channels() throws {
    let found = try SearchResponse.channels(
      body(
        """
        {"id":{"channelId":"\(SearchTests.id)"},"snippet":{"title":"Q&amp;A &#39;n&quot; &amp;lt;",
         "description":"All of it","thumbnails":{"default":{"url":"https://evil.example/a"},
         "medium":{"url":"https://yt3.ggpht.com/b"}}}}
        """))
    #expect(found.map(\.title) == ["Q&A 'n\" &lt;"])
    #expect(found[0].avatar == "https://yt3.ggpht.com/b" && found[0].description == "All of it")
    #expect(found[0].source == .youTube && found[0].channel.description == SearchTests.id)
  }

  @Test("Videos have what the response says of them")
  func videos() throws {
    let found = try SearchResponse.videos(
      body(
        """
        {"id":{"videoId":"dQw4w9WgXcQ"},"snippet":{"title":"A &amp; B","channelId":"\(SearchTests.id)",
         "channelTitle":"Owner","publishedAt":"2009-10-25T06:57:33Z","liveBroadcastContent":"upcoming"}}
        """))
    #expect(found.map(\.title) == ["A & B"] && found[0].channelTitle == "Owner" && found[0].live == .upcoming)
    #expect(found[0].published == Timestamp(rfc3339: "2009-10-25T06:57:33Z"))
  }

  @Test(
    "What is no response to a search is refused, and never taken for one without results",
    arguments: [
      "", "[]", "{}", "{\"kind\":\"youtube#channelListResponse\",\"items\":[]}",
      "{\"kind\":\"youtube#searchListResponse\",\"items\":{}}", "<html>",
    ])
  func refused(text: String) {
    #expect(throws: APIFailure.malformed) { try SearchResponse.channels(Array(text.utf8)) }
    #expect(throws: APIFailure.malformed) { try SearchResponse.videos(Array(text.utf8)) }
  }

  @Test("A hostile response gives no more than 25 results with short texts in one line, and no invalid ID")
  func hostile() throws {
    let long = String(repeating: "<b>&amp;\\u001b[31m\\n", count: 20_000)
    let ids = (0..<600).map { number in
      let digits = "\(number)"
      return "UC" + String(repeating: "0", count: 21 - digits.count) + digits + "A"
    }
    let items = ids.map { "{\"id\":{\"channelId\":\"\($0)\"},\"snippet\":{\"title\":\"\(long.prefix(2000))\"}}" }
    let bad = [
      "null", "1", "{\"id\":7}", "{\"id\":{\"channelId\":\"UC../../etc\"},\"snippet\":{\"title\":\"x\"}}",
      "{\"id\":{\"channelId\":\"\(SearchTests.id)\"},\"snippet\":{\"title\":\"\"}}",
    ]
    let found = try SearchResponse.channels(body((bad + items).joined(separator: ",")))
    #expect(found.count == 20, "of the first 25 five are no channels")
    for choice in found {
      #expect(choice.title.unicodeScalars.count <= 300)
      #expect(!choice.title.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
    }
    #expect(try SearchResponse.channels(body(items.prefix(3).joined(separator: ",") + "," + items[0])).count == 3)
  }

  @Test("yt-dlp's lines are read within the same limits")
  func dump() {
    let lines = [
      #"{"id":"\#(SearchTests.id)","channel":"In a Nutshell","title":"x","channel_follower_count":25000000,"thumbnails":[{"url":"http://127.0.0.1/"},{"url":"//yt3.ggpht.com/c"}]}"#,
      "not json", #"{"id":"\#(SearchTests.id)","channel":"Twice"}"#, #"{"id":"dQw4w9WgXcQ","title":"A video"}"#,
    ]
    let found = SearchDump.channels(Array(lines.joined(separator: "\n").utf8))
    #expect(found.map(\.title) == ["In a Nutshell"] && found[0].subscribers == 25_000_000)
    #expect(found[0].avatar == "https://yt3.ggpht.com/c")
    let videos = SearchDump.videos(
      Array(
        #"{"id":"dQw4w9WgXcQ","title":"A video","channel_id":"\#(SearchTests.id)","duration":213.0,"timestamp":1e300}"#
          .utf8))
    #expect(videos.map(\.durationSeconds) == [213] && videos[0].published == nil && videos[0].channel != nil)
    let flood = (0..<100).map { "{\"id\":\"dQw4w9WgX\($0 / 10)\($0 % 10)\",\"title\":\"x\"}" }.joined(separator: "\n")
    #expect(SearchDump.videos(Array(flood.utf8)).count <= 25)
  }

  @Test("Entries of a playlist that yt-dlp prints are those that were requested, with a date")
  func entries() throws {
    let (one, two) = (try #require(VideoID("dQw4w9WgXcQ")), try #require(VideoID("aaaaaaaaaaA")))
    let lines = [
      #"{"id":"\#(one)","channel_id":"\#(SearchTests.id)","channel":"Owner","title":"One","timestamp":1256453853}"#,
      #"{"id":"\#(two)","channel_id":"\#(SearchTests.id)","title":"Two","timestamp":null,"upload_date":"20200229"}"#,
      #"{"id":"bbbbbbbbbbE","channel_id":"\#(SearchTests.id)","title":"Another","timestamp":1}"#,
      #"{"id":"\#(one)","channel_id":"no","title":"Twice","timestamp":1}"#,
    ]
    let output = Array(lines.joined(separator: "\n").utf8)
    let entries = PlaylistDump.entries(output, of: [one, two])
    #expect(entries.map(\.title) == ["One", "Two"] && entries[0].authorName == "Owner")
    #expect(entries[1].published == Timestamp(rfc3339: "2020-02-29T00:00:00Z"))
    #expect(
      PlaylistDump.entries(Array(#"{"id":"\#(one)","title":"x","channel_id":"\#(SearchTests.id)"}"#.utf8), of: [one])
        .isEmpty)
    #expect(PlaylistDump.ids(Array("\(one)\n../x\n\(one)\n\(two)\n".utf8)) == [one, two])
  }
}
