import Core
import FixtureServer
import Glibc
import HubStore
import Library
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

/// Several pollers on one database with one key of the Data API.
@Suite(.enabled(if: SharedPollScene.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct SharedLookupTests {
  /// What the API says, and how often each video and channel was requested.
  private final class API: Sendable {
    let asked = Mutex<[String: Int]>([:])
    let videos = Mutex<[String: DataAPI.Video?]>([:])

    func count(_ id: String) { asked.withLock { $0[id, default: 0] += 1 } }
  }

  private let api = API()

  /// A scene with a key, whose API knows each video and channel unless `api.videos` has something else of a video.
  private func scene(_ count: Int) throws -> SharedPollScene {
    let scene = try SharedPollScene(count)
    scene.sandbox.environment["METUBE_RSS_API_URL"] = scene.server.baseURL
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    serve(scene)
    return scene
  }

  private func serve(_ scene: SharedPollScene, knowsChannels: Bool = true) {
    var data = DataAPI(key: EnrichTests.key) { [api] id in
      api.count(id)
      return api.videos.withLock { $0[id] } ?? DataAPI.Video(duration: "PT4M13S")
    }
    data.channel = { [api] id in
      api.count(id)
      return !knowsChannels ? nil : DataAPI.Channel(avatar: "https://yt3.ggpht.com/a", subscribers: 1, videos: 1)
    }
    scene.server.serve(data)
  }

  /// The videos of the catalogue with a length.
  private func lengths(_ scene: SharedPollScene) throws -> Int {
    try scene.count("SELECT count(*) FROM all_video WHERE owner = 0 AND duration = 253")
  }

  private func units(_ scene: SharedPollScene) throws -> Int {
    try scene.count("SELECT sum(units)::bigint FROM api_key")
  }

  @Test("Each new video and each channel is looked up by one of the pollers, once; users see the lengths")
  func sharing() throws {
    let scene = try scene(12)
    let pollers = try (0..<3).map { _ in try scene.start("--once", "--batch", "2") }
    for poller in pollers {
      let outcome = try poller.finish()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
    try scene.expectAllFound()
    #expect(try lengths(scene) == 180)
    #expect(api.asked.withLock { $0.count } == 192 && api.asked.withLock { $0.values.allSatisfy { $0 == 1 } })
    #expect(try scene.lines("videoEnriched").count == 180 && scene.lines("channelEnriched").count == 12)
    #expect(try units(scene) == scene.server.unitsRequested)
    #expect(try scene.count("SELECT count(*) FROM video_lookup") == 0)
    #expect(try scene.count("SELECT count(*) FROM channel_lookup WHERE due > unix_time() + 29 * 86400") == 12)
    let library = try PostgresLibrary(scene.database, of: "ann") { UInt64(SharedPollScene.milliseconds) }
    let channel = EventBody.channelFollowed(
      ChannelFollowed(subscription: try #require(SubscriptionID(scene.ids[0])), title: nil, tags: nil))
    _ = try library.commit(action: nil, undoing: nil) { [channel] }
    #expect(try scene.count("SELECT count(*) FROM all_video WHERE owner = 1 AND duration = 253") == 15)
    // The key is nowhere in the database.
    let rows = try ["api_key", "log_line", "poller"].map { table in
      try scene.database.integer(
        "SELECT count(*) FROM \(name: table) AS t WHERE strpos(t::text, ?) > 0", EnrichTests.key)
    }
    #expect(rows == [0, 0, 0])
    scene.server.forgetRequests()
    try scene.poll()
    #expect(scene.server.requests.isEmpty)
  }

  @Test("Between two requests to the API feeds are polled, also if the API does not respond")
  func order() throws {
    let scene = try scene(8)
    serve(scene, knowsChannels: false)
    #expect(try scene.start("--once", "--batch", "2").finish().status == 0)
    let paths = scene.server.requests.map { $0.path.hasPrefix("/youtube/") ? "api" : "feed" }
    let last = try #require(paths.lastIndex(of: "feed"))
    #expect(paths.prefix(3) == ["feed", "feed", "api"])
    #expect(!zip(paths[..<last], paths[1...last]).contains { $0 == "api" && $1 == "api" }, "\(paths)")
    #expect(try lengths(scene) == 120)

    try scene.database.run("UPDATE channel_lookup SET due = 0")
    try scene.pass(200_000)
    scene.server.fail(.reset, on: .path("/youtube/v3/channels"), times: .always)
    scene.server.forgetRequests()
    let outcome = try scene.start("--once", "--batch", "2").finish()
    #expect(outcome.status == 0 && scene.requests.count == 8)
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("no response from the Data API") } == 1)
    #expect(scene.server.unitsRequested == 1, "it rests for a while")
  }

  @Test("Videos wait for others to share a request, but no longer than ten minutes")
  func timeout() throws {
    let scene = try scene(3)
    func claim(_ at: Int) throws -> Int64? {
      try scene.database.integer("SELECT count(*) FROM claim_video_lookups(?, 1, 50, 600, 300)", at)
    }
    try scene.database.run(
      "INSERT INTO video_lookup(video, published, due) SELECT n, n, 1000 FROM generate_series(1, 49) AS n")
    #expect(try claim(1599) == 0)
    try scene.database.run("INSERT INTO video_lookup VALUES (50, 50, 1599)")
    #expect(try claim(1598) == 0 && claim(1599) == 50)
    #expect(try claim(1898) == 0 && claim(1899) == 50, "a claim ends after five minutes")
    try scene.database.run("DELETE FROM video_lookup WHERE video > 2")
    #expect(try claim(2798) == 0 && claim(2799) == 2)
  }

  @Test("A poller that is killed while it waits for a response gives no unit back, and leaves its videos to others")
  func killing() throws {
    let scene = try scene(2)
    scene.server.fail(.hangBeforeResponse, on: .path("/youtube/v3/videos"), times: .always)
    let poller = try scene.start("--once")
    wait { scene.server.unitsRequested == 1 }
    poller.signal(SIGKILL)
    _ = try poller.finish()
    #expect(try units(scene) == 1)
    scene.server.heal()
    try scene.poll()
    #expect(try lengths(scene) == 0, "the claim lasts")
    try scene.pass(400)
    try scene.poll()
    #expect(try lengths(scene) == 30 && units(scene) == scene.server.unitsRequested)
    #expect(try scene.lines("videoEnriched").count == 30)
  }

  @Test("The budget of a day is that of all pollers, its end is reported once, and the next day it renews")
  func budget() throws {
    let scene = try scene(10)
    scene.sandbox.environment["METUBE_RSS_API_BUDGET"] = "2"
    let pollers = try (0..<3).map { _ in try scene.start("--once", "--batch", "3") }
    let errors = try pollers.map { try $0.finish().errors }.joined()
    #expect(scene.server.unitsRequested == 2)
    #expect(errors.split(separator: "\n").count { $0.contains("budget of 2 units is used up") } == 1, "\(errors)")
    #expect(scene.requests.count == 10)
    try scene.poll()
    #expect(scene.server.unitsRequested == 2)
    try scene.database.run("UPDATE api_key SET day = day - 1")
    scene.sandbox.environment["METUBE_RSS_API_BUDGET"] = "100"
    try scene.poll()
    #expect(try lengths(scene) == 150)
    // Nothing is sent without a budget.
    scene.sandbox.environment["METUBE_RSS_API_BUDGET"] = "0"
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = "another"
    try scene.database.run("UPDATE channel_lookup SET due = 0")
    scene.server.forgetRequests()
    try scene.poll()
    #expect(scene.server.requests.isEmpty)
  }

  @Test("A day begins once for all clocks, and a clock that is behind gives no units back")
  func midnight() throws {
    let scene = try SharedPollScene(0)
    func take(_ day: Int) throws -> Int64? {
      try scene.database.integer("SELECT take_units('\\x00', ?, 3, 1)", day)
    }
    #expect(try [take(10), take(10)] == [2, 1])
    #expect(try [take(11), take(10), take(10), take(10), take(11)] == [2, 1, 0, nil, nil])
    #expect(try [take(12), take(11)] == [2, 1])
    // One that was far ahead once does not count for ever.
    #expect(try [take(20), take(12)] == [2, 2])
  }

  @Test(
    "A refusal of the key pauses all pollers that share it, is reported once, and does not keep feeds from being polled",
    arguments: [
      (DataAPI.quotaExceeded, "today's quota of the key is used up"), (DataAPI.badKey, "API_KEY_INVALID"),
      (DataAPI.rateLimited, "too many requests"),
    ])
  func refusal(response: Response, text: String) throws {
    let scene = try scene(6)
    for path in ["videos", "channels"] { scene.server.route("/youtube/v3/\(path)") { _ in response } }
    let first = try scene.start("--once", "--batch", "2").finish()
    #expect(
      first.status == 0 && first.errors.split(separator: "\n").count { $0.contains(text) } == 1, "\(first.errors)")
    #expect(scene.server.unitsRequested == 1 && scene.requests.count == 6)
    #expect(!first.errors.contains("AIza"))
    try scene.poll()
    #expect(scene.server.unitsRequested == 1)
    // Still refused after the pause: it is not reported again.
    try scene.pass(90_000)
    try scene.database.run("UPDATE api_key SET day = day - 1")
    let second = try scene.start("--once").finish()
    #expect(second.status == 0 && second.errors.isEmpty && scene.server.unitsRequested == 2, "\(second.errors)")
    // Another key is not concerned.
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = "another"
    let other = try scene.start("--once").finish()
    #expect(other.errors.contains(text) && scene.server.unitsRequested == 3)
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    serve(scene)
    try scene.pass(90_000)
    try scene.poll()
    #expect(try lengths(scene) == 90)
    #expect(try scene.count("SELECT count(*) FROM api_key WHERE refusal IS NULL") == 1)
  }

  @Test(
    "Streams are looked up until they are over, missing videos a day later, and those without followers not at all")
  func later() throws {
    let scene = try scene(2)
    let ids = try feedVideos(scene, channel: 0)
    api.videos.withLock {
      $0[ids[0]] = DataAPI.Video(
        duration: "P0D", live: "upcoming", stream: ["scheduledStartTime": "2099-01-01T00:00:00Z"])
      $0[ids[1]] = DataAPI.Video(duration: "P0D", live: "live", stream: ["actualStartTime": "2026-11-01T00:00:00Z"])
      $0[ids[2]] = .some(nil)
    }
    func asked(_ index: Int) -> Int { api.asked.withLock { $0[ids[index]] ?? 0 } }
    // One channel is followed no longer before anything is looked up.
    let key = scene.sandbox.environment.removeValue(forKey: "METUBE_RSS_API_KEY")
    try scene.poll()
    try scene.unfollow(scene.ids[1], by: 1)
    try scene.database.run("UPDATE poll_channel SET requested = 1, answered = 1, due = 901")
    try scene.poll()
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = key
    try scene.poll()
    #expect(api.asked.withLock { $0.count } == 16, "15 videos and their channel")
    #expect(try lengths(scene) == 12 && scene.count("SELECT count(*) FROM video_lookup") == 18)
    try scene.pass(3700)
    try scene.poll()
    #expect([asked(0), asked(1), asked(2)] == [1, 2, 1])
    api.videos.withLock {
      $0[ids[1]] = DataAPI.Video(duration: "PT1H", stream: ["actualEndTime": "2026-11-01T01:00:00Z"])
    }
    try scene.pass(86_400)
    try scene.poll()
    #expect([asked(0), asked(1), asked(2)] == [2, 3, 2])
    #expect(try scene.lines("videoRemoved").count == 1)
    try scene.pass(86_400)
    try scene.poll()
    #expect([asked(0), asked(1), asked(2)] == [3, 3, 2])
    #expect(try scene.count("SELECT count(*) FROM video_lookup WHERE due > unix_time() + 20 * 86400") == 1)
  }

  /// The videos of a channel's feed.
  private func feedVideos(_ scene: SharedPollScene, channel: Int) throws -> [String] {
    let channel = try #require(SyntheticChannel.first(channel + 1).last)
    return channel.feed(generation: 0).entries.map(\.video)
  }

  @Test("After a migration from version 4, and after the tables were filled again, what was known before is looked up")
  func migration() throws {
    let scene = try scene(2)
    let key = scene.sandbox.environment.removeValue(forKey: "METUBE_RSS_API_KEY")
    try scene.poll()
    try scene.database.execute(
      .postgres(
        """
        DROP TABLE video_lookup, channel_lookup, lookup_progress CASCADE;
        DROP FUNCTION queue_lookups, finish_video_lookups, finish_channel_lookups, take_units, units_left, pause_key;
        DROP FUNCTION accept_key, see_poller, poller_life, count_older_request, forget_older_request;
        DROP FUNCTION count_search_request, forget_search_request, untitled, queue_titles, claim_title_lookups,
          finish_title_lookups, keep_playlist, finish_playlist;
        DROP TRIGGER forget_owner_lookups ON owner;
        DROP FUNCTION forget_owner_lookups;
        DROP TABLE api_key, older_request, search_request CASCADE;
        ALTER TABLE poller DROP COLUMN ended;
        DROP TABLE all_described, setup, all_preference, invitation, hub_choice, google_account, google_login, google_units, view_count, title_lookup,
          title_request, title_progress, complete_playlist, playlist_lookup, all_feed, all_feed_merge, all_known_entry,
          all_entry, all_entry_alias CASCADE;
        ALTER TABLE "user" DROP number, DROP admin, DROP display_name, DROP avatar_color, DROP last_login,
          DROP disabled, DROP max_subscriptions, DROP max_requests;
        ALTER TABLE owner DROP number;
        DROP FUNCTION next_user_number;
        DROP FUNCTION heavier_followers, due_in_turns, want_channels(bigint, text[], integer, integer[]);
        DROP FUNCTION want_names(bigint, text[], integer, integer[]);
        ALTER TABLE poll_channel DROP COLUMN turn;
        ALTER TABLE poll_name DROP COLUMN turn;
        DELETE FROM migration WHERE number >= 5
        """))
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: scene.sandbox.environment)
    let options = ["--database", SharedPollScene.address ?? "", "--schema", scene.schema]
    let refused = try program.run(["poll", "--once"] + options)
    #expect(refused.status == 64 && refused.errors.contains("migration 4 of"), "\(refused.errors)")
    let applied = try program.run(["migrate"] + options)
    #expect(applied.status == 0 && applied.lines.first == "applied migration 5, pollers", "\(applied.text)")
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = key
    try scene.poll()
    #expect(try lengths(scene) == 30)
    // Rows get other numbers, from 1 on.
    let library = try PostgresLibrary(scene.database, of: nil) { UInt64(SharedPollScene.milliseconds) }
    try library.rebuild()
    try scene.poll()
    #expect(try scene.count("SELECT filling FROM lookup_progress") == 1)
    #expect(try scene.count("SELECT max(n) - (SELECT video FROM lookup_progress) FROM all_video WHERE owner = 0") == 0)
  }

  @Test("Programs for new videos and exports are ignored, which pollers say once, when they start")
  func ignored() throws {
    let scene = try SharedPollScene(2)
    scene.sandbox.environment["METUBE_RSS_ON_NEW"] = "touch \(scene.sandbox.folder.path)/ran"
    scene.sandbox.environment["METUBE_RSS_EXPORT_ALL"] = "atom --output \(scene.sandbox.folder.path)/atom"
    let text = "METUBE_RSS_EXPORT_ALL, METUBE_RSS_ON_NEW: ignored by polls with a database"
    let server = try scene.serve()
    wait { (try? scene.count("SELECT count(*) FROM poll_channel WHERE answered IS NOT NULL AND poller IS NULL")) == 2 }
    server.signal(SIGTERM)
    try scene.pass(200_000)
    for outcome in [try server.finish(), try scene.start("--once", "--batch", "1").finish()] {
      #expect(outcome.status == 0 && outcome.errors.contains(text), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(scene.sandbox.folder.read("ran") == nil && scene.sandbox.folder.read("atom") == nil)
    let idle = try scene.serveOnly()
    #expect(try idle.end().errors.isEmpty)
  }

  @Test("yt-dlp is refused with one message by each poller, unless there is a key; so are invalid settings")
  func refusedSettings() throws {
    let scene = try SharedPollScene(1)
    scene.sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    let poll = try scene.start("--once").finish()
    let serve = try scene.serve().finish()
    for outcome in [poll, serve] {
      #expect(outcome.status == 64 && outcome.errors.contains("METUBE_RSS_ENRICH=yt-dlp does not work"), "\(outcome)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(scene.server.requests.isEmpty)
    let idle = try scene.serveOnly()
    #expect(try idle.end().status == 0)
    scene.sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    scene.sandbox.environment["METUBE_RSS_API_BUDGET"] = "many"
    #expect(try scene.start("--once").finish().errors.contains("METUBE_RSS_API_BUDGET"))
    scene.sandbox.environment["METUBE_RSS_API_BUDGET"] = "0"
    try scene.poll()
    #expect(scene.requests.count == 1)
  }
}
