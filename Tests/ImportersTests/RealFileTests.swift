import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let moss = "UCBBBBBBBBBBBBBBBBBBBBBA"

@Test("A part of an OPML document whose root is an outline is read")
func outlineRoot() throws {
  let file = try ImportedFile(
    """
    <outline text="Subscriptions"><outline text="Craft">
    <outline text="Lamps" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=\(lamp)"/>
    </outline></outline>
    """)
  #expect(file.format == .opml && file.subscriptions.map(\.tags) == [["Craft"]] && file.refused.isEmpty)
}

@Test("Grayjay's list begins with a line that is no row")
func grayjay() throws {
  let file = try ImportedFile("Subscriptions\nhttps://www.youtube.com/channel/\(lamp)\n\(moss)\n")
  #expect(file.subscriptions.count == 2 && file.refused.isEmpty && file.read == 2)
  #expect(try ImportedFile("Something\nhttps://www.youtube.com/channel/\(lamp)\n").refusedLines == [1])
}

@Test("yt-dlp's archive of downloads is a history without times")
func archive() throws {
  let file = try ImportedFile("youtube AAAAAAAAAAA\nvimeo 1234\n\nyoutube -_bbbbbbbbA\nyoutube short\n")
  #expect(file.format == .downloadArchive)
  #expect(file.watches.map(\.video.description) == ["AAAAAAAAAAA", "-_bbbbbbbbA"] && file.withoutTime == 2)
  #expect(file.notYouTube.map(\.location.line) == [2] && file.refusedLines == [5] && file.read == file.sumOfRows)
}

@Test("A library of songs is refused as what it is, not row by row")
func music() {
  let text = "Song URL,Song title,Artist\nhttps://music.youtube.com/watch?v=AAAAAAAAAAA,A song,Somebody\n"
  #expect(throws: ImportError.notUnderstood(looksLike: .videoList)) { try ImportedFile(text) }
}

@Test("Subscriptions with names only are refused")
func names() {
  let text = "Channel Id,Channel Url,Channel Title\n,,Lamps\n,,Moss\n"
  #expect(throws: ImportError.notUnderstood(looksLike: .csv)) { try ImportedFile(text) }
}
