import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let other = "UCBBBBBBBBBBBBBBBBBBBBBA"

@Test("A plain list holds IDs, addresses and handles, with comments between")
func plainList() throws {
  let file = try ImportedFile(Files.fixture("channels.txt"))
  #expect(file.format == .plainList)
  #expect(file.subscriptions.count == 3)
  #expect(file.unresolved.map(\.name) == [.handle("lampsandladders"), .user("oldlamps"), .custom("moss")])
  #expect(file.refused.map(\.reason) == [.reference(.notAReference), .reference(.badChannelID("UC12"))])
  #expect(file.refusedLines == [10, 11])
  #expect(file.notYouTube.map(\.what) == ["https://example.com/feed.xml"])
  #expect(file.duplicates == 1 && file.read == 10 && file.sumOfRows == 10)
}

@Test("newsboat's tags are tags, its title a title, and none of its commands run")
func newsboat() throws {
  let file = try ImportedFile(Files.fixture("newsboat-urls"))
  #expect(file.format == .newsboatURLs)
  #expect(file.subscriptions.map(\.title) == ["Lamps & \"Ladders\"", nil])
  #expect(file.subscriptions.map(\.tags) == [["craft", "slow tv"], ["craft"]])
  #expect(file.subscriptions.map(\.form) == [.channel, .videos])
  #expect(file.notYouTube.map(\.location.line) == [4, 5, 6, 7, 8])
  #expect(file.refused.isEmpty && file.read == 7)
}

@Test("The fields of a line are parsed as newsboat parses them")
func fieldsOfLines() {
  #expect(ChannelLines.fields(in: "a  b\t\"c d\"e # f") == ["a", "b", "c d", "e"])
  #expect(ChannelLines.fields(in: #""a \"b\" \\""#) == [#"a "b" \"#])
  #expect(ChannelLines.fields(in: "a#b \"open") == ["a#b", "open"])
  #expect(ChannelLines.fields(in: "# a").isEmpty)
  #expect(ChannelLines.fields(in: "a \r") == ["a"])
}

@Test(
  "Several channels on a line are followed, and CR ends a line like LF",
  arguments: [
    "\(lamp) \(other)\n", "\(lamp)\r\(other)\r", "\(lamp)\r\n\(other)\r\n",
    "\(lamp) https://www.youtube.com/channel/\(other)", "\(lamp) \(other)\r\r\(lamp)",
  ])
func severalOnALine(text: String) throws {
  let file = try ImportedFile(text)
  #expect(file.format == .plainList && file.subscriptions.map(\.id.description) == [lamp, other])
  #expect(file.subscriptions.allSatisfy { $0.tags.isEmpty })
}

@Test("A handle on a line is followed; after an address, such a word is a tag")
func handlesOnALine() throws {
  #expect(try ImportedFile("@lamps @chairs\n").unresolved.count == 2)
  let file = try ImportedFile("https://www.youtube.com/channel/\(lamp) @home PLAYLISTS-AND-MIXES\n")
  #expect(file.subscriptions.map(\.tags) == [["@home", "PLAYLISTS-AND-MIXES"]] && file.unresolved.isEmpty)
}

@Test("Lines are counted by their ends, of whatever kind")
func lineNumbers() throws {
  #expect(try ImportedFile("\(lamp)\r\nx\r\n").refusedLines == [2])
  #expect(try ImportedFile("\(lamp)\rx\r").refusedLines == [2])
}

@Test("The last line counts without its end")
func lastLine() throws { #expect(try ImportedFile("\(lamp)\n@lamps").read == 2) }

@Test("A text without anything from YouTube is rejected", arguments: ["Dear diary,\nnothing.\n", "lamps\n"])
func plainText(text: String) {
  #expect(throws: ImportError.self) { try ImportedFile(text) }
}

@Test("A list of other feeds only is rejected with its rows counted")
func otherFeeds() {
  let text = "https://example.com/a.xml\nhttps://example.com/b.xml tag\n"
  #expect(throws: ImportError.nothingFromYouTube(.newsboatURLs, rows: 2)) { try ImportedFile(text) }
}

@Test("Tags of a channel's rows are merged, and its first title is kept")
func unitedRows() throws {
  let address = "https://www.youtube.com/channel/\(lamp)"
  let file = try ImportedFile("\(address) a b\n\(address) b c ~One\n\(lamp) ~Two\n")
  #expect(file.subscriptions.map(\.tags) == [["a", "b", "c"]])
  #expect(file.subscriptions.map(\.title) == ["One"])
  #expect(file.duplicates == 2 && file.read == 3)
}

@Test("Rows that request different feeds of a channel give the feed with all videos")
func differentForms() throws {
  let file = try ImportedFile("UULFAAAAAAAAAAAAAAAAAAAAAA\nUUSHAAAAAAAAAAAAAAAAAAAAAA\n")
  #expect(file.subscriptions.map(\.form) == [.channel])
  #expect(try ImportedFile("UUSHAAAAAAAAAAAAAAAAAAAAAA\n").subscriptions.map(\.form) == [.shorts])
}

@Test("Very many lines, or a very long one, are read quickly")
func hostileLists() throws {
  #expect(throws: ImportError.tooManyRows(limit: 100_000)) {
    try ImportedFile(String(repeating: "x\n", count: 100_002))
  }
  #expect(try ImportedFile(String(repeating: "\"", count: 1 << 20) + "\n\(lamp)\n").refusedLines == [1])
  #expect(try ImportedFile(String(repeating: "\n", count: 1 << 15) + lamp).read == 1)
}

@Test("newsraft's sections are tags, and its quoted fields titles")
func newsraft() throws {
  let text = """
    @ Slow things {reload-period 60}
    https://www.youtube.com/feeds/videos.xml?channel_id=\(lamp) "Lamps"
    https://www.youtube.com/channel/\(other) {item-limit 20}
    """
  let file = try ImportedFile(text)
  #expect(file.subscriptions.map(\.title) == ["Lamps", nil] && file.refused.isEmpty)
  #expect(file.subscriptions.map(\.tags) == [["Slow things"], ["Slow things"]])
}

@Test("sfeed's list is read without running its shell")
func sfeedrc() throws {
  let text = """
    #sfeedpath="$HOME/.sfeed/feeds"
    touch /tmp/x
    feeds() {
    \t# feed <name> <feedurl> [basesiteurl] [encoding]
    \tfeed "Lamps & ladders" "https://www.youtube.com/feeds/videos.xml?channel_id=\(lamp)" "https://www.youtube.com"
    \tfeed 'Moss' 'https://www.youtube.com/feeds/videos.xml?channel_id=\(other)'
    \tfeed "News" "https://example.com/atom.xml"
    \tfeed "Odd" "$(curl https://www.youtube.com/@x)"
    }
    """
  let file = try ImportedFile(text)
  #expect(file.format == .sfeedrc && file.subscriptions.map(\.title) == ["Lamps & ladders", "Moss"])
  #expect(file.notYouTube.count == 1 && file.refusedLines == [8] && file.read == 4)
}

@Test("elfeed's headings are feeds with the tags of those above, but for what it ignores")
func elfeedOrg() throws {
  let text = """
    #+TITLE: Feeds
    * Feeds :elfeed:
    ** Craft :craft:
    *** https://www.youtube.com/feeds/videos.xml?channel_id=\(lamp) :slow:tv:
    *** [[https://www.youtube.com/channel/\(other)][Moss: a film]]
    ** https://example.com/atom.xml
    ** https://www.youtube.com/@old :ignore:
    ** entry-title: \\(lamps\\) :tag:
    Notes about https://www.youtube.com/@notes
    """
  let file = try ImportedFile(text)
  #expect(file.format == .elfeedOrg && file.subscriptions.map(\.title) == [nil, "Moss: a film"])
  #expect(file.subscriptions.map(\.tags) == [["craft", "slow", "tv"], ["craft"]])
  #expect(file.notYouTube.map(\.location.line) == [6] && file.read == 3 && file.refused.isEmpty)
}

@Test("Videos among channels are counted as such, and nothing is refused")
func videosInAList() throws {
  let file = try ImportedFile("https://youtu.be/AAAAAAAAAAA\nhttps://music.youtube.com/watch?v=AAAAAAAAAAA\n\(lamp)\n")
  #expect(file.videos.map(\.location.line) == [1, 2] && file.refused.isEmpty)
  #expect(file.subscriptions.count == 1 && file.read == 3 && file.sumOfRows == 3)
}
