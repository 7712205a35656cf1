import Core
import Testing

@testable import Importers

@Test("A playlist of two columns gives its videos in order, and no title")
func newPlaylist() throws {
  let file = try ImportedFile(Files.fixture("takeout-playlist-videos.csv"))
  #expect(file.format == .takeoutPlaylist)
  let collection = try #require(file.collections.first)
  #expect(collection.title == nil)
  #expect(collection.videos.map(\.description) == ["AAAAAAAAAAA", "-_bbbbbbbbA"])
  #expect(file.duplicates == 1 && file.refusedLines == [5])
  #expect(file.read == 4 && file.sumOfRows == 4)
}

@Test("A playlist from before 2023 begins with its own row, which has the title")
func oldPlaylist() throws {
  let file = try ImportedFile(Files.fixture("takeout-playlist-2021.csv"))
  #expect(file.format == .takeoutPlaylist)
  #expect(file.collections.map(\.title) == ["Rainy days"])
  #expect(file.collections.first?.videos.count == 2)
  #expect(file.refused.isEmpty && file.read == 2)
}

@Test("A list of the user's own uploads is not a playlist")
func ownUploads() {
  let text = "Video ID,Duration,Category\nAAAAAAAAAAA,12000,Music\n"
  #expect(throws: ImportError.notUnderstood(looksLike: .videoList)) { try ImportedFile(text) }
}
