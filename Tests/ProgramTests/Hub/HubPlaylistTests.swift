import Core
import EventLog
import FixtureServer
import HubStore
import JSON
import SQLDrivers
import TestSupport
import Testing

@Suite("Playlists that polls of a hub keep complete")
final class HubPlaylistTests: TwoUsers {
  private static let playlist = "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  private static let newest = 1_793_404_800
  private static let longAgo = "2026-01-01T00:00:00Z"

  private func id(_ number: Int) -> String {
    "list-" + String(repeating: "0", count: 5 - "\(number)".count) + "\(number)A"
  }

  /// Serves the playlist with these videos: the first 15 as its feed, all of them by the Data API.
  private func serve(_ numbers: [Int]) {
    let owner = SyntheticChannel(number: 0)
    let videos = numbers.prefix(15).map { (id: id($0), title: "Number \($0)") }
    let feed = FixtureFeed.of(owner, videos, newest: HubPlaylistTests.newest)
    sandbox.server.serve(HubPlaylistTests.playlist, .feed(feed.xml))
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.lists[HubPlaylistTests.playlist] = numbers.enumerated().map { position, number in
      let date = Timestamp(seconds: Int64(HubPlaylistTests.newest - position * 86_400)).rfc3339
      return DataAPI.Entry(video: id(number), title: "Number \(number)", published: date, channel: owner.id)
    }
    sandbox.server.serve(api)
  }

  private func start(_ numbers: [Int]) throws {
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    serve(numbers)
    try restartHub()
    for user in [ann, bob] { try follow(HubPlaylistTests.playlist, by: user) }
    try poll()
  }

  /// Adds older entries for a user, once no poll is under way any more.
  private func older(_ user: String) throws {
    let headers = [try logIn(user), "Origin: http://\(hub.host)", "Content-Type: application/x-www-form-urlencoded"]
    try wait {
      try hub.send("POST", "/channels/\(HubPlaylistTests.playlist)", headers, body: "action=older".utf8).status == 303
    }
  }

  private func new(_ user: String) throws -> Set<String> { Set(try videos(user)) }

  private var pages: Int { sandbox.server.requests.count { $0.path == "/youtube/v3/playlistItems" } }

  /// Lets the last look at playlists be long ago, and polls.
  private func pollLater() throws {
    sandbox.server.forgetRequests()
    if let schema = sandbox.schema {
      let database = try schema.connect()
      try database.run("UPDATE complete_playlist SET checked = 0")
      try database.run("UPDATE playlist_lookup SET due = 0")
    } else {
      for user in ["ann", "bob"] {
        let path = sandbox.hubData + "/users/\(user)/state/playlists"
        // The poll before writes it after the videos.
        try wait { try StateFile.read(path)?.contains { $0["checked"] == .text(HubPlaylistTests.longAgo) } != true }
        let records = try StateFile.read(path)?.map { record in
          var record = record
          for index in record.members.indices where record.members[index].name == "checked" {
            record.members[index].value = .text(HubPlaylistTests.longAgo)
          }
          return record
        }
        if let records { try StateFile.write(path, records) }
      }
    }
    try lookUpNames()
  }

  @Test("gain for a user with all entries what no feed shows, as new; others who follow it get the feed alone")
  func complete() throws {
    try start(Array(0..<60))
    try older("ann")
    #expect(try new(ann).count == 15 && videos(ann, "&all=true").count == 60)
    serve(Array(0..<60) + [300])
    try pollLater()
    try wait { try new(ann).contains(id(300)) }
    #expect(try new(ann).count == 16 && videos(bob, "&all=true").count == 15)
    let found = try sandbox.hubLines(nil).count { $0.contains("videoFound") }
    #expect(found == 15, "the catalogue has what the feed showed")
  }

  @Test("are read once for all users who have all entries, and one unit an hour where nothing changed")
  func units() throws {
    try start(Array(0..<60))
    for user in ["ann", "bob"] { try older(user) }
    serve(Array(0..<60) + [300])
    try pollLater()
    try wait { try new(ann).contains(id(300)) && new(bob).contains(id(300)) }
    #expect(pages == 2)
    try pollLater()
    wait { pages > 0 }
    #expect(pages == 1)
    sandbox.server.forgetRequests()
    try lookUpNames()
    // Whoever unfollows it is no longer asked for.
    for user in [ann, bob] {
      #expect(try hub.send("DELETE", "/api/v1/channels/\(HubPlaylistTests.playlist)", [user]).status < 300)
    }
    serve(Array(0..<60) + [300, 301])
    try pollLater()
    #expect(pages == 0)
  }
}
