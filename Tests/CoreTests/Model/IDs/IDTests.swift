import Testing

@testable import Core

/// Sample IDs of each kind, in the order of their texts.
private let videos = ["-_0aZz19ABU", "0000000000A", "N2FOxjtv5ns", "_wwwwwwwww0", "dQw4w9WgXcQ"]

@Test("A video ID survives a round trip, character by character", arguments: videos)
func videoIDRoundTrip(text: String) throws {
  #expect(try #require(VideoID(text)).description == text)
}

@Test("Video IDs compare like their texts")
func videoIDOrder() {
  let ids = videos.compactMap { VideoID($0) }
  #expect(ids.count == videos.count)
  #expect(ids.shuffled().sorted() == ids)
}

@Test(
  "Invalid video IDs are rejected",
  arguments: ["", "dQw4w9WgXc", "dQw4w9WgXcQQ", "dQw4w9WgXcR", "dQw4w9WgXc!", "dQw4 9WgXcQ", "VIDEO_ID"])
func notAVideoID(text: String) { #expect(VideoID(text) == nil) }

@Test(
  "A channel ID survives a round trip, character by character",
  arguments: [
    "UCsXVk37bltHxD1rDPwtNM8Q", "UC-lHJZR3Gqxm24_Vd_AJ5Yw", "UC_aEa8K-EOJ3D6gOs7HcyNg", "UC---------------------A",
  ])
func channelIDRoundTrip(text: String) throws {
  let id = try #require(ChannelID(text))
  #expect(id.description == text)
  #expect(ChannelID(withoutPrefix: Array(text.utf8.dropFirst(2)).span) == id)
}

@Test("Channel IDs compare like their texts")
func channelIDOrder() {
  var generator = SystemRandomNumberGenerator()
  let ids = (0..<200).map { _ in
    ChannelID(high: .random(in: 0...UInt64.max, using: &generator), low: .random(in: 0...UInt64.max, using: &generator))
  }
  #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
  #expect(ids.allSatisfy { ChannelID($0.description) == $0 })
}

@Test("Invalid channel IDs are rejected", arguments: ["UC789", "UCsXVk37bltHxD1rDPwtNM8B", "HCsXVk37bltHxD1rDPwtNM8Q"])
func notAChannelID(text: String) { #expect(ChannelID(text) == nil) }

@Test("A channel's playlists are recognised by their prefix")
func channelPlaylists() throws {
  let channel = try #require(ChannelID("UCsXVk37bltHxD1rDPwtNM8Q"))
  let found = try #require(PlaylistID("UUSHsXVk37bltHxD1rDPwtNM8Q")?.channelPlaylist)
  #expect(found.channel == channel && found.form == .shorts)
  let uploads = try #require(PlaylistID("UUsXVk37bltHxD1rDPwtNM8Q")?.channelPlaylist)
  #expect(uploads.channel == channel && uploads.form == .uploads)
  #expect(PlaylistID("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va")?.channelPlaylist == nil)
  #expect(PlaylistID("UCsXVk37bltHxD1rDPwtNM8Q") == nil)
  #expect(PlaylistID("../etc/passwd") == nil)
}

@Test("Each kind of feed has its URL")
func feedForms() throws {
  let channel = try #require(SubscriptionID("UCsXVk37bltHxD1rDPwtNM8Q"))
  #expect(FeedForm.channel.path(of: channel) == "/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8Q")
  #expect(FeedForm.videos.path(of: channel) == "/feeds/videos.xml?playlist_id=UULFsXVk37bltHxD1rDPwtNM8Q")
  #expect(FeedForm.playlist.path(of: channel) == nil)
  let playlist = try #require(SubscriptionID("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va"))
  #expect(
    FeedForm.playlist.path(of: playlist) == "/feeds/videos.xml?playlist_id=PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va")
}

@Test("Event IDs survive a round trip, sort like their texts, and reject other input")
func eventIDs() throws {
  let texts = ["0019a1b2c3d4e-0000-k3v9x2ap", "0019a1b2c3d4e-0001-00000000", "0019a1b2c3d4f-0000-zzzzzzzz"]
  let ids = texts.compactMap { EventID($0) }
  #expect(ids.map(\.description) == texts)
  #expect(ids.shuffled().sorted() == ids)
  #expect(ids[0].timestamp.rfc3339 == "2025-10-25T11:41:15Z")
  for wrong in ["1019a1b2c3d4e-0000-k3v9x2ap", "0019A1b2c3d4e-0000-k3v9x2ap", "0019a1b2c3d4e-0000-K3v9x2ap", "x"] {
    #expect(EventID(wrong) == nil)
  }
}
