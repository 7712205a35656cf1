import Core
import Testing

@testable import Importers

@Test("NewPipe's database gives subscriptions with groups, the history and the playlists")
func newPipeDatabase() throws {
  let file = try ImportedFile(Files.fixture("newpipe.db"))
  #expect(file.format == .newPipeDatabase)
  #expect(file.subscriptions.map(\.title) == ["Lamps & Ladders"] && file.subscriptions.map(\.tags) == [["Craft"]])
  #expect(file.unresolved.map(\.name) == [.handle("moss")])
  #expect(file.watches.map(\.video.description) == ["AAAAAAAAAAA", "-_bbbbbbbbA"])
  #expect(file.watches.map(\.when) == [Timestamp(seconds: 1_706_933_999), Timestamp(seconds: 1_706_933_200)])
  #expect(file.watches.map(\.channel) == [ChannelID("UCAAAAAAAAAAAAAAAAAAAAAA"), nil])
  #expect(file.watches.map(\.progress) == [nil, 30])
  #expect(file.collections.map(\.title) == ["Rainy days", "Dry days"])
  #expect(file.collections.map { $0.videos.map(\.description) } == [["-_bbbbbbbbA", "AAAAAAAAAAA"], ["AAAAAAAAAAA"]])
  #expect(file.notYouTube.count == 2 && file.refused.map(\.reason) == [.reference(.badChannelID("UC12"))])
  #expect(file.duplicates == 1 && file.read == file.sumOfRows)
}

@Test("A database of another program is not read")
func otherDatabase() throws {
  let bytes = try Files.fixture("newpipe.db").replacing("subscriptions".utf8, with: "subscriptionz".utf8)
  #expect(throws: ImportError.notUnderstood(looksLike: .database)) { try ImportedFile(bytes) }
}

@Test("A view instead of a table is not read, nor is a truncated database")
func hostileDatabase() throws {
  let bytes = try Files.fixture("newpipe.db")
  #expect(throws: ImportError.damagedDatabase) { try ImportedFile(bytes.dropLast(512)) }
  #expect(throws: ImportError.self) { try ImportedFile(Files.fixture("hostile.db")) }
}
