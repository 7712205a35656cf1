import Core
import Testing

@testable import Importers

private let lamps = ChannelID("UCAAAAAAAAAAAAAAAAAAAAAA")

/// What a file says of the video `AAAAAAAAAAA`.
private func described(_ file: ImportedFile) -> VideoDescribed? {
  VideoID("AAAAAAAAAAA").flatMap { file.descriptions[$0] }
}

@Test(
  "Titles and channels of histories and playlists are kept",
  arguments: [
    ("watch-history.json", "A lamp", "Lamps"), ("watch-history.html", "A lamp & a ladder", "Lamps"),
    ("newpipe.db", "A lamp", "Lamps & Ladders"), ("freetube-history.db", "A lamp", nil),
  ])
func kept(name: String, title: String, channel: String?) throws {
  let known = try #require(described(ImportedFile(Files.fixture(name))))
  #expect(known.title == title && known.channel == channel.flatMap { _ in lamps } && known.channelTitle == channel)
}

@Test("A history in CSV, a playlist of FreeTube and an archive of Takeout say them too")
func otherFormats() throws {
  let id = try #require(lamps)
  let table =
    ",channel_id,channel_title,video_id,video_title,watched\n0,\(id),Lamps,AAAAAAAAAAA,A lamp,2023-08-03T01:57:17Z\n"
  let own = "watchedAt,video,channel,channelTitle,title,url\n2023-08-03T01:57:17Z,AAAAAAAAAAA,\(id),Lamps,A lamp,u\n"
  let list = """
    {"playlistName":"Rain","videos":[{"videoId":"AAAAAAAAAAA","title":"A lamp","author":"Lamps","authorId":"\(id)",
    "published":1706933106000,"lengthSeconds":61}],"_id":"p1"}
    """.replacing("\n", with: "")
  for text in [table, own, list] {
    let known = try #require(described(ImportedFile(text)))
    #expect(known.title == "A lamp" && known.channel == lamps && known.channelTitle == "Lamps", "\(text)")
    #expect(known.source == (text == list ? VideoDescribed.playlist : VideoDescribed.history))
    #expect(known.published?.seconds == (text == list ? 1_706_933_106 : nil))
    #expect(known.duration == (text == list ? 61 : nil))
  }
}

@Test("An address in place of a title, a removed video or a blank is no title")
func noTitle() throws {
  let address = "https://www.youtube.com/watch?v=AAAAAAAAAAA"
  #expect(try described(ImportedFile(#"[{"titleUrl":"\#(address)","title":"Watched \#(address)"}]"#)) == nil)
  #expect(
    try described(ImportedFile("url,title,watched\nhttps://youtu.be/AAAAAAAAAAA, ,2023-08-03T01:57:17Z\n")) == nil)
}

@Test("What Takeout puts around titles in any language is found by what many of them share")
func affixes() {
  let titles = (1...30).map { "Je hebt Video \($0) van vandaag bekeken" } + ["Je hebt x bekeken"]
  let affix = TakeoutTitle(of: Set(titles))
  #expect(affix.removed(from: "Je hebt Video 3 van vandaag bekeken") == "Video 3 van vandaag")
  #expect(TakeoutTitle(of: ["One lamp", "One ladder"]).removed(from: "One lamp") == "One lamp")
  #expect(TakeoutTitle(of: ["Watched One", "Watched Two"]).removed(from: "Watched Two") == "Two")
}

@Test(
  "References in titles are decoded",
  arguments: [("&lt;b&gt; &quot;x&#39;&#x41;&amp;", "<b> \"x'A&"), ("a & b;&zz;", "a & b;&zz;"), ("&", "&")])
func references(text: String, decoded: String) { #expect(HTMLText.decoded(text) == decoded) }

@Test("An earlier description is completed, never replaced")
func completing() throws {
  let video = try #require(VideoID("AAAAAAAAAAA"))
  let first = VideoDescribed(video: video, title: "A lamp", source: "history")
  let second = VideoDescribed(video: video, title: "Another", channelTitle: "Lamps", source: "playlist")
  let whole = try #require(second.completing(first))
  #expect(whole == VideoDescribed(video: video, title: "A lamp", channelTitle: "Lamps", source: "playlist"))
  #expect(first.completing(whole) == nil && second.completing(whole) == nil)
  #expect(VideoDescribed(video: video, source: "history").completing(nil) == nil)
}

@Test("A file cannot fill the memory with titles: of videos beyond the limit only marks are read")
func tooMany() throws {
  var limits = ImportLimits.standard
  limits.descriptionBytes = 600
  let ids = ["AAAAAAAAAAA", "BBBBBBBBBBA", "CCCCCCCCCCA"]
  let rows = ids.map { "\($0),A title,2023-08-03T01:57:17Z\n" }.joined()
  let file = try ImportedFile("video,title,watched\n" + rows, limits: limits)
  #expect(file.watches.count == 3 && file.descriptions.count == 2)
}
