import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let moss = "UCBBBBBBBBBBBBBBBBBBBBBA"

@Test("The comprehensive fixture is read row by row")
func takeoutFixture() throws {
  let file = try ImportedFile(Files.fixture("takeout-subscriptions.csv"))
  #expect(file.format == .takeoutCSV)
  #expect(file.subscriptions.map(\.title) == ["Lamps & Ladders", "Moss, \"slowly\"", "Two\nlines", nil])
  #expect(file.subscriptions.map(\.location.line) == [2, 3, 4, 6])
  #expect(file.duplicates == 1)
  #expect(
    file.refused == [
      RejectedRow(location: RowLocation(line: 8), reason: .reference(.badChannelID("UC123"))),
      RejectedRow(location: RowLocation(line: 9), reason: .empty),
    ])
  #expect(file.read == 7 && file.sumOfRows == 7)
}

@Test("A header may be in any language or missing", arguments: ["", "Channel Id,Url,Title\n", "チャンネル ID,URL,名\r\n"])
func headers(header: String) throws {
  let file = try ImportedFile(header + "\(lamp),http://www.youtube.com/channel/\(lamp),Lamps")
  #expect(file.read == 1 && file.subscriptions.map(\.title) == ["Lamps"])
}

@Test("A first line with an address in it is not a header but a row, and rejected")
func firstLineWithAddress() throws {
  let file = try ImportedFile("UC1,http://www.youtube.com/channel/UC1,Lamps\n\(moss),https://x,Moss\n")
  #expect(file.refusedLines == [1] && file.subscriptions.count == 1)
}

@Test("A header that comes again is no row, another one is rejected with its line")
func headerInTheMiddle() throws {
  let file = try ImportedFile(
    "Id,Url,Title\n\(lamp),https://x,Lamps\nId,Url,Title\nID,URL,Name\n\(moss),https://x,Moss\n")
  #expect(file.refusedLines == [4] && file.subscriptions.count == 2 && file.read == 3)
}

@Test("A byte order mark is not part of the first ID")
func byteOrderMark() throws {
  let file = try ImportedFile("\u{FEFF}\(lamp),https://x,Lamps\n")
  #expect(file.subscriptions.map(\.id) == [try #require(SubscriptionID(lamp))])
}

@Test("IDs with a title and no address keep the title")
func twoColumns() throws {
  let file = try ImportedFile("\(lamp),Lamps\n\(moss);Moss\n")
  #expect(file.subscriptions.map(\.title) == ["Lamps"])
  #expect(file.refusedLines == [2])
}

@Test("The file of the owner's own channel is not a list of subscriptions")
func ownChannelFile() {
  let text = "Channel ID,Country,Title,Visibility\n\(lamp),NL,Lamps,Public\n"
  #expect(throws: ImportError.notUnderstood(looksLike: .csv)) { try ImportedFile(text) }
}

@Test("An empty second field does not invalidate a row")
func emptyAddress() throws { #expect(try ImportedFile("\(lamp),,Lamps\n").subscriptions.map(\.title) == ["Lamps"]) }

@Test("A CSV file of a header alone has no subscriptions")
func headerAlone() {
  #expect(throws: ImportError.nothingFromYouTube(.csv, rows: 0)) {
    try ImportedFile("Channel Id,Channel Url,Title\n")
  }
}

@Test("The channels are in the column that has them in most rows, never in a quoted text")
func anyColumn() throws {
  let file = try ImportedFile(
    """
    Channel Title,Channel ID,Description,Published At
    Lamps,\(lamp),"About lamps.
    https://www.youtube.com/channel/UCCCCCCCCCCCCCCCCCCCCCCA
    and more",2020-01-01T00:00:00Z
    Moss,\(moss),,2021-01-01T00:00:00Z
    """)
  #expect(file.format == .csv && file.subscriptions.map(\.id.description) == [lamp, moss])
  #expect(file.subscriptions.map(\.title) == ["Lamps", "Moss"] && file.refused.isEmpty && file.read == 2)
}

@Test(
  "Feed addresses, pages and handles in any column are read too",
  arguments: [
    "Channel,xmlUrl,htmlUrl\nLamps,https://www.youtube.com/feeds/videos.xml?channel_id=\(lamp),x\n",
    "Lamps;https://www.youtube.com/channel/\(lamp)\n", "https://www.youtube.com/channel/\(lamp),Lamps\n",
    "name\tid\nLamps\t\(lamp)\n", "handle,id,name\n@lamps,\(lamp),Lamps\n",
  ])
func otherTables(text: String) throws {
  let file = try ImportedFile(text)
  #expect(file.subscriptions.map(\.id.description) == [lamp] && file.subscriptions.map(\.title) == ["Lamps"])
  #expect(file.refused.isEmpty && file.read == 1)
}

@Test("A table of handles is followed by name")
func handleTable() throws {
  let file = try ImportedFile("Name,Handle\nLamps,@lamps\nMoss,@moss\n")
  #expect(file.unresolved.map(\.name) == [.handle("lamps"), .handle("moss")])
  #expect(file.unresolved.map(\.title) == ["Lamps", "Moss"])
}

@Test("newsboat's tags after tabs are not columns")
func tabsBeforeTags() throws {
  let file = try ImportedFile("https://www.youtube.com/channel/\(lamp)\tcraft\n")
  #expect(file.subscriptions.map(\.tags) == [["craft"]] && file.subscriptions.map(\.title) == [nil])
}

@Test("UTF-16, as Excel writes it, is read", arguments: [false, true])
func wideText(isBigEndian: Bool) throws {
  let text = "\u{FEFF}Id\tTitle\r\n\(lamp)\tLämpchen 💡\r\n"
  let bytes = text.utf16.flatMap { unit in
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return isBigEndian ? [high, low] : [low, high]
  }
  #expect(try ImportedFile(bytes).subscriptions.map(\.title) == ["Lämpchen 💡"])
  #expect(throws: ImportError.self) { try ImportedFile(bytes.prefix(3)) }
}

@Test("Too many rows are rejected")
func tooManyRows() {
  var limits = ImportLimits.standard
  limits.rows = 2
  let text = "\(lamp),https://x,1\n\(moss),https://x,2\nbad,https://x,3\n"
  #expect(throws: ImportError.tooManyRows(limit: 2)) { try ImportedFile(text, limits: limits) }
  limits.rows = 3
  #expect(throws: Never.self) { try ImportedFile(text, limits: limits) }
}

@Test("Too many bytes are rejected")
func tooLarge() {
  var limits = ImportLimits.standard
  limits.textBytes = 10
  #expect(throws: ImportError.tooLarge(limit: 10)) { try ImportedFile("\(lamp),https://x,1\n", limits: limits) }
}
