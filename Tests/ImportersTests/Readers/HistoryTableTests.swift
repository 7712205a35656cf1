import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let time = Timestamp(rfc3339: "2023-08-03T01:57:17Z")

@Test(
  "A CSV with a video and a time in each row is a history and follows no channel, whatever its header",
  arguments: [
    ",channel_id,channel_title,video_id,video_title,watched\n0,\(lamp),lamps,AAAAAAAAAAA,A lamp,2023-08-03T01:57:17+00:00\n",
    "titleUrl,time\nhttps://www.youtube.com/watch?v=AAAAAAAAAAA,2023-08-03T01:57:17.123Z\n",
    "Link,DateTime\nhttps://youtu.be/AAAAAAAAAAA,2023-08-03 01:57:17\n",
    "https://youtu.be/AAAAAAAAAAA,2023-08-03 01:57:17 UTC\n",
    "video_id;watched_at\nAAAAAAAAAAA;2023-08-03 03:57:17+02:00\n",
    "watchedAt,video,channel,channelTitle,title,url\n2023-08-03T01:57:17Z,AAAAAAAAAAA,\(lamp),L,T,https://x\n",
    "published_at,video,viewed\n2020-01-01T00:00:00Z,AAAAAAAAAAA,2023-08-03T01:57:17Z\n",
    "video,title,time\nAAAAAAAAAAA,A,2023-08-03T01:57:17Z\n\n,,\nBBBBBBBBBBA,B,2023-08-03T01:57:17Z\n",
  ])
func histories(text: String) throws {
  let file = try ImportedFile(text)
  #expect(file.format == .historyCSV && file.subscriptions.isEmpty && file.unresolved.isEmpty)
  #expect(file.watches.first?.video == VideoID("AAAAAAAAAAA") && file.watches.first?.when == time)
  #expect(file.watches.first?.channel == (text.contains(lamp) ? ChannelID(lamp) : nil))
  #expect(file.refused.isEmpty && file.read == file.sumOfRows)
}

@Test("Rows of a history are counted once: repeated, without a video, without a clear time, damaged")
func rows() throws {
  let file = try ImportedFile(
    """
    id,url,watched
    1,https://youtu.be/AAAAAAAAAAA,2023-08-03T01:57:17Z
    2,https://youtu.be/AAAAAAAAAAA,2024-08-03T01:57:17Z
    3,https://youtu.be/BBBBBBBBBBA,yesterday
    4,https://youtu.be/short,2023-08-03T01:57:17Z
    5,https://example.org/,2023-08-03T01:57:17Z
    6,"https://youtu.be/CCCCCCCCCCI,2023-08-03T01:57:17Z

    """)
  #expect(file.watches.count == 2 && file.duplicates == 1 && file.withoutTime == 1 && file.withoutVideo == 1)
  #expect(file.watches.first?.when == Timestamp(rfc3339: "2024-08-03T01:57:17Z"))
  #expect(file.refusedLines == [5, 7] && file.read == 6)
}

@Test(
  "A list of videos without a time of watching them is refused, never followed",
  arguments: [
    "video,channel,title\nAAAAAAAAAAA,\(lamp),A\nBBBBBBBBBBA,\(lamp),B\n",
    "video,channel,channelTitle,title,url,published,found\nAAAAAAAAAAA,\(lamp),L,A,https://x,2023-08-03T01:57:17Z,2023-08-03T01:57:17Z\n",
  ])
func videoLists(text: String) {
  #expect(throws: ImportError.notUnderstood(looksLike: .videoList)) { try ImportedFile(text) }
}

@Test("A column of IDs beside one of times stays a playlist, unless its name says watched")
func playlists() throws {
  #expect(try ImportedFile("Video ID,Added\nAAAAAAAAAAA,2023-08-03T01:57:17+00:00\n").format == .takeoutPlaylist)
  #expect(try ImportedFile("AAAAAAAAAAA,2023-08-03T01:57:17+00:00\n").format == .takeoutPlaylist)
}
