import Core
import FixtureServer
import Glibc
import HubCore
import HubStore
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

/// A simulated YouTube, a database of its own, and any number of pollers between them.
final class SharedPollScene {
  /// What libpq needs to reach the server of the tests; nil without one.
  static let address = getenv("METUBE_RSS_TEST_POSTGRES").map { String(cString: $0) }

  let sandbox: Sandbox
  let database: Database
  let schema = "test_\(UInt64.random(in: 0...UInt64.max))"
  private let channels: [SyntheticChannel]
  /// When each request for a feed arrived, in milliseconds since 1970.
  private let arrivals = Arrivals()

  private final class Arrivals: Sendable { let times = Mutex<[Int]>([]) }

  /// The feeds by channel.
  private let feeds = Feeds()

  private final class Feeds: Sendable { let responses = Mutex<[String: Response]>([:]) }

  var server: FixtureServer { sandbox.server }

  /// Serves the first `count` synthetic channels, which a user follows; with `announces` their feeds name a hub of
  /// WebSub, the same server at `/hub`, and are those of channels that publish every hour.
  init(_ count: Int, areFollowed: Bool = true, announces: Bool = false) throws {
    sandbox = try Sandbox()
    channels = SyntheticChannel.first(count)
    database = try Database(PostgresSettings(address: SharedPollScene.address ?? "", schema: schema))
    _ = try database.migrate(Migration.hub, in: schema)
    for name in ["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD"] {
      if let value = getenv(name) { sandbox.environment[name] = String(cString: value) }
    }
    for channel in channels {
      var response = Response.feed((announces ? channel.feed(generation: 0).hourly : channel.feed(generation: 0)).xml)
      if announces { response.headers["Link"] = "<\(server.baseURL)/hub>; rel=\"hub\"" }
      feeds.responses.withLock { $0[channel.id] = response }
    }
    server.route("/hub") { _ in .empty(status: 202) }
    server.route("/feeds/videos.xml") { [arrivals, feeds] request in
      arrivals.times.withLock { $0.append(SharedPollScene.milliseconds) }
      return feeds.responses.withLock { $0[request.key] }
    }
    try database.run("INSERT INTO \"user\"(name, hash, created) VALUES ('ann', '', 0), ('bob', '', 0)")
    try database.run("INSERT INTO owner(n, name, device) VALUES (1, 'ann', 'aaaaaaaa'), (2, 'bob', 'bbbbbbbb')")
    if areFollowed { try follow(channels.map(\.id), by: 1) }
  }

  deinit {
    do { try database.execute(.postgres("DROP SCHEMA \(name: schema) CASCADE")) } catch { Issue.record(error) }
  }

  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  // MARK: What users want

  func follow(_ subjects: [String], by owner: Int, form: String? = nil) throws {
    for subject in subjects {
      try database.run(
        """
        INSERT INTO wanted(owner, subject, followed, form) VALUES (?, ?, true, ?)
        ON CONFLICT (owner, subject) DO UPDATE SET followed = true, form = excluded.form
        """, owner, subject, form)
    }
  }

  func unfollow(_ subject: String, by owner: Int) throws {
    try database.run("UPDATE wanted SET followed = false WHERE owner = ? AND subject = ?", owner, subject)
  }

  /// Gives the feed of a channel one more video.
  func publish(_ video: String, in channel: String) throws {
    var feed = try #require(channels.first { $0.id == channel }).feed(generation: 0).hourly
    var entry = try #require(feed.entries.first)
    entry.video = video
    feed.entries.insert(entry, at: 0)
    feeds.responses.withLock { $0[channel]?.body = Array(feed.xml.utf8) }
  }

  // MARK: Pollers

  /// Starts a poller without a limit of pace unless `options` have one.
  func start(_ options: String..., address: String = "a") throws -> Running {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let pace = options.contains("--rate") ? [] : ["--rate", "0"]
    return try program.start(
      ["poll", "--database", SharedPollScene.address ?? "", "--schema", schema, "--address", address] + pace + options)
  }

  /// Starts a server, which polls too.
  func serve(_ options: String...) throws -> Running {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    return try program.start(
      ["serve", "--database", SharedPollScene.address ?? "", "--schema", schema, "--listen", "127.0.0.1:0"] + options)
  }

  /// Starts a server that does not poll, and waits until it responds.
  func serveOnly(_ options: String...) throws -> RunningHub {
    try RunningHub(sandbox, ["--database", SharedPollScene.address ?? "", "--schema", schema] + options)
  }

  /// The same with `--push`.
  func subscribe() throws -> RunningHub { try serveOnly("--push", "--public-url", "https://hub.example") }

  /// Polls what is due with one poller, and expects success.
  func poll(address: String = "a") throws {
    let outcome = try start("--once", address: address).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Lets time pass in the tables: what was `seconds` ahead is now.
  func pass(_ seconds: Int) throws {
    try database.run(
      """
      UPDATE poll_channel SET due = due - ?1, lease_until = lease_until - ?1, due_before = due_before - ?1,
        hurried = hurried - ?1, rests_until = rests_until - ?1, requested = requested - ?1, answered = answered - ?1,
        newest = newest - ?1, failing_since = failing_since - ?1
      """, seconds)
    try database.run(
      "UPDATE poll_pause SET since = since - ?1, retry = retry - ?1, probe_until = probe_until - ?1", seconds)
    try database.run("UPDATE poll_name SET due = due - ?1, requested = requested - ?1", seconds)
    try database.run("UPDATE poll_run SET began = began - ?1", seconds)
    try database.run("UPDATE video_lookup SET due = due - ?1, missing_since = missing_since - ?1", seconds)
    try database.run("UPDATE channel_lookup SET due = due - ?1", seconds)
    try database.run("UPDATE title_lookup SET due = due - ?1", seconds)
    try database.run("UPDATE api_key SET paused_until = paused_until - ?1", seconds)
    try database.run(
      "UPDATE push SET sent = sent - ?1, retry = retry - ?1, lease_end = lease_end - ?1, pushed = pushed - ?1", seconds)
    try database.run("UPDATE push_keeper SET until = until - ?1", seconds)
  }

  // MARK: What happened

  func count<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws -> Int {
    Int(try database.integer(sql, repeat each parameter) ?? 0)
  }

  /// The requests for feeds, by channel or playlist.
  var requests: [String: Int] {
    Dictionary(server.requests.filter { $0.path == "/feeds/videos.xml" }.map { ($0.key, 1) }, uniquingKeysWith: +)
  }

  /// When each request for a feed arrived, in milliseconds since 1970.
  var arrivalTimes: [Int] { arrivals.times.withLock { $0 } }

  var ids: [String] { channels.map(\.id) }

  /// The lines of the catalogue with a kind of event.
  func lines(_ kind: String) throws -> [String] {
    var lines: [String] = []
    try database.forEach(
      """
      SELECT convert_from(bytes, 'UTF8') FROM log_line
      WHERE owner = 0 AND position(convert_to(?, 'UTF8') IN bytes) > 0 ORDER BY number
      """, "\"kind\":\"\(kind)\""
    ) { lines.append($0.text(0)) }
    return lines
  }

  /// The videos that the catalogue says were found, each as often as it says so.
  func found() throws -> [String] {
    try lines("videoFound").compactMap { $0.split(separator: "\"video\":\"").last?.prefix(11) }.map(String.init)
  }

  /// Checks that every video of all channels was found once.
  func expectAllFound() throws {
    let found = try found()
    #expect(found.count == Set(found).count, "found twice")
    let all = channels.flatMap { $0.feed(generation: 0).entries.map(\.video) }
    #expect(Set(found) == Set(all))
  }
}

extension FixtureFeed {
  /// The feed with one video an hour, the newest an hour old.
  fileprivate var hourly: FixtureFeed {
    var feed = self
    for index in feed.entries.indices {
      let published = SharedPollScene.milliseconds / 1000 - 3600 * (index + 1)
      (feed.entries[index].published, feed.entries[index].updated) = (published, published)
    }
    return feed
  }
}
