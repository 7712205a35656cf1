import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let moss = "UCBBBBBBBBBBBBBBBBBBBBBA"

@Test("NewPipe's subscriptions are read, other services skipped")
func newPipe() throws {
  let file = try ImportedFile(Files.fixture("newpipe.json"))
  #expect(file.format == .newPipe)
  #expect(file.subscriptions.map(\.title) == ["Lamps – 💡 & \"Ladders\""])
  #expect(file.unresolved.map(\.name) == [.user("oldlamps"), .handle("moss")])
  #expect(file.unresolved.map(\.title) == ["Old lamps", "Moss"])
  #expect(file.notYouTube.map(\.location.line) == [8])
  #expect(file.refused.map(\.reason) == [.reference(.badChannelID("UC12")), .empty])
  #expect(file.refusedLines == [9, 10])
  #expect(file.read == 6 && file.sumOfRows == 6)
}

@Test("Takeout's subscriber is not a subscription")
func takeoutJSON() throws {
  let file = try ImportedFile(Files.fixture("takeout-subscriptions.json"))
  #expect(file.format == .takeoutJSON)
  #expect(file.subscriptions.map(\.id) == [SubscriptionID(lamp)])
  #expect(file.subscriptions.map(\.title) == ["Lamps & Ladders"])
  #expect(file.refusedLines == [9, 12])
  #expect(file.read == 3 && file.sumOfRows == 3)
}

@Test("Piped's groups are tags, and its history has times if they are plausible")
func pipedBackup() throws {
  let file = try ImportedFile(Files.fixture("piped-backup.json"))
  #expect(file.format == .piped)
  #expect(file.subscriptions.map(\.tags) == [["Craft"], ["Craft", "Quiet"]])
  #expect(file.watches.map(\.when) == [Timestamp(seconds: 1_706_933_106), nil])
  #expect(file.collections.map(\.title) == ["Rainy days"])
  #expect(file.collections.map(\.videos.count) == [2])
  #expect(file.refused.isEmpty && file.read == 6 && file.sumOfRows == 6)
}

@Test("LibreTube's backup is read under all its names")
func libreTubeBackup() throws {
  let file = try ImportedFile(Files.fixture("libretube-backup.json"))
  #expect(file.format == .piped)
  #expect(file.subscriptions.map(\.title) == ["Lamps"])
  #expect(file.subscriptions.map(\.tags) == [["Craft"]])
  #expect(file.watches.map(\.when) == [nil])
  #expect(file.collections.map(\.title) == ["Rainy days"])
}

@Test("Invidious' history has no times")
func invidious() throws {
  let file = try ImportedFile(Files.fixture("invidious.json"))
  #expect(file.format == .invidious)
  #expect(file.subscriptions.count == 2)
  #expect(file.watches == [ImportedWatch(video: try #require(VideoID("AAAAAAAAAAA")), when: nil)])
  #expect(file.refused.map(\.reason) == [.reference(.notAReference)])
  #expect(file.duplicates == 1 && file.read == 6 && file.sumOfRows == 6)
}

@Test("IDs alone are Invidious', objects alone NewPipe's, an array of IDs a list")
func formatsByElements() throws {
  #expect(try ImportedFile("{\"subscriptions\":[\"\(lamp)\"]}").format == .invidious)
  #expect(
    try ImportedFile("{\"subscriptions\":[{\"url\":\"https://youtube.com/channel/\(lamp)\"}]}").format == .newPipe)
  #expect(try ImportedFile("[\"\(lamp)\",\"@moss\"]").format == .plainList)
}

@Test("An empty ID falls back to the address")
func emptyID() throws {
  let text =
    "{\"subscriptions\":[{\"id\":\"\",\"url\":\"https://www.youtube.com/channel/\(lamp)\",\"name\":\"Lamps\"}]}"
  #expect(try ImportedFile(text).subscriptions.map(\.title) == ["Lamps"])
}

@Test(
  "Other JSON is rejected",
  arguments: ["{}", "[]", "{\"a\":[1]}", "[{\"a\":1}]", "[1]", "{\"subscriptions\":{}}"])
func otherJSON(text: String) {
  #expect(throws: ImportError.notUnderstood(looksLike: .json)) { try ImportedFile(text) }
}

@Test("A truncated file gives only the position of the cut")
func cutShort() {
  #expect(throws: ImportError.malformed(.json, line: 2, column: 1)) {
    try ImportedFile("{\"subscriptions\":[\"\(lamp)\",\n")
  }
}

@Test("A byte order mark before JSON is skipped")
func markBeforeJSON() throws { #expect(try ImportedFile("\u{FEFF}{\"subscriptions\":[\"\(lamp)\"]}").read == 1) }

@Test("FreeTube's later lines replace earlier ones, and deleted ones are gone")
func freeTubeProfiles() throws {
  let file = try ImportedFile(Files.fixture("freetube-profiles.db"))
  #expect(file.format == .freeTube)
  #expect(file.subscriptions.map(\.title) == ["Lamps", "Moss"])
  #expect(file.subscriptions.map(\.tags) == [["Craft"], []])
  #expect(file.refused == [RejectedRow(location: RowLocation(line: 6), reason: .notJSON)])
  #expect(file.duplicates == 0 && file.read == 3 && file.sumOfRows == 3)
}

@Test("FreeTube's channels of 2020 are one line each, the last without its end")
func freeTubeChannels() throws {
  let file = try ImportedFile(Files.fixture("freetube-channels-2020.db"))
  #expect(file.format == .freeTube)
  #expect(file.subscriptions.map(\.title) == ["Lamps", "Moss"])
}

@Test("FreeTube's history has the time of a video's last line")
func freeTubeHistory() throws {
  let file = try ImportedFile(Files.fixture("freetube-history.db"))
  #expect(file.watches.map(\.video.description) == ["-_bbbbbbbbA", "AAAAAAAAAAA"])
  #expect(file.watches.last?.when == Timestamp(seconds: 1_706_933_999))
  #expect(file.read == 2 && file.sumOfRows == 2)
}

@Test("FreeTube's playlists are collections")
func freeTubePlaylists() throws {
  let line = "{\"_id\":\"p1\",\"playlistName\":\"Rainy days\",\"videos\":[{\"videoId\":\"AAAAAAAAAAA\"}]}"
  #expect(try ImportedFile(line).collections.map(\.title) == ["Rainy days"])
}

@Test("Takeout's history skips advertisements and rows without a video, in any language")
func watchHistory() throws {
  let file = try ImportedFile(Files.fixture("watch-history.json"))
  #expect(file.format == .watchHistoryJSON)
  #expect(file.watches.map(\.video.description) == ["AAAAAAAAAAA", "-_bbbbbbbbA"])
  #expect(file.watches.map(\.when) == [Timestamp(rfc3339: "2024-03-03T04:05:06Z"), nil])
  #expect(file.advertisements == 1 && file.withoutVideo == 2 && file.duplicates == 1)
  #expect(file.refused == [RejectedRow(location: RowLocation(line: 44), reason: .reference(.badVideoID("short")))])
  #expect(file.read == 7 && file.sumOfRows == 7)
}

@Test("Too many videos are rejected")
func tooManyWatches() {
  var limits = ImportLimits.standard
  limits.watches = 1
  #expect(throws: ImportError.tooManyRows(limit: 1)) {
    try ImportedFile("{\"watch_history\":[\"AAAAAAAAAAA\",\"-_bbbbbbbbA\"]}", limits: limits)
  }
  #expect(throws: Never.self) {
    try ImportedFile("{\"watch_history\":[\"AAAAAAAAAAA\",\"AAAAAAAAAAA\"]}", limits: limits)
  }
}

@Test("Unwatched's backup is read, but for what was unfollowed there")
func unwatched() throws {
  let text = """
    {"videos":[],"subscriptions":[
    {"title":"Lamps","link":"https:\\/\\/www.youtube.com\\/feeds\\/videos.xml?channel_id=\(lamp)","isArchived":false,
    "youtubeChannelId":"\(lamp)","videosIds":[]},
    {"title":"Old","link":"https:\\/\\/www.youtube.com\\/feeds\\/videos.xml?channel_id=\(moss)","isArchived":true,
    "youtubeChannelId":"\(moss)"},
    {"title":"A list","youtubePlaylistId":"PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","youtubeChannelId":"\(moss)"},
    {"title":"A podcast","link":"https://example.com/feed.xml","isArchived":false}]}
    """
  let file = try ImportedFile(text)
  #expect(file.format == .unwatched && file.subscriptions.map(\.title) == ["Lamps", "A list"])
  #expect(file.archived == 1 && file.notYouTube.count == 1 && file.read == 4 && file.sumOfRows == 4)
}

@Test("A list of objects with IDs or addresses is a list of channels")
func listOfObjects() throws {
  let text = """
    [{"id":"\(lamp)","title":"Lamps","url":"https://www.youtube.com/@lamps"},
    {"id":17,"title":"Moss","url":"https://www.youtube.com/channel/\(moss)"},
    {"id":"AAAAAAAAAAA","title":"A video","url":"https://www.youtube.com/watch?v=AAAAAAAAAAA"}]
    """
  let file = try ImportedFile(text)
  #expect(file.subscriptions.map(\.id.description) == [lamp, moss])
  #expect(file.subscriptions.map(\.title) == ["Lamps", "Moss"])
  #expect(file.videos.count == 1 && file.read == 3 && file.sumOfRows == 3)
}

@Test("Removed videos in a history from before 2022 are rows without a video")
func oldHistory() throws {
  let text = """
    [{"header":"YouTube","title":"Watched a video that has been removed","time":"2019-05-06T07:08:09.123Z",
    "products":["YouTube"]},
    {"header":"YouTube","title":"Watched lamps","titleUrl":"https://www.youtube.com/watch?v\\u003dAAAAAAAAAAA",
    "time":"2019-05-06T07:08:09.123Z","products":["YouTube"]},
    {"title":"Vu une vidéo supprimée","products":["YouTube"],"time":"2019-05-06T07:08:09.123Z"}]
    """
  let file = try ImportedFile(text)
  #expect(file.format == .watchHistoryJSON && file.withoutVideo == 2 && file.watches.count == 1)
  #expect(file.refused.isEmpty && file.read == 3)
}
