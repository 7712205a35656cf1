import Commands
import Core
import Library
import ReadModel
import YouTube

extension HubService {
  /// How many older videos one request finds.
  private static let olderVideos = 200
  /// How long that may take, in milliseconds: other writing requests wait.
  private static let longest = 20_000

  /// What older videos of a channel cost; nil if they cannot be fetched, also with invalid API settings,
  /// which `enrich` reports.
  package func olderCost(_ id: SubscriptionID) -> String? {
    guard id.channel != nil, let settings = try? APISettings(session.settings),
      let left = try? settings.units(in: session).left
    else { return nil }
    return "Up to \(HubService.olderVideos), as skipped: about 8 of the \(left) API units left today."
  }

  /// Adds older videos of a channel, as skipped. With a database a user may do so a few times a day (`OlderLimit`). What
  /// fails before the key's first unit is taken does not count: another request on its way, a budget that is used up, a
  /// refused key.
  package func findOlder(of id: SubscriptionID) throws {
    guard let channel = id.channel, let settings = try APISettings(session.settings) else {
      throw HubProblem(409, "Older videos need a key of YouTube’s Data API; see the manual of metube-rss.")
    }
    let limit = OlderLimit(session)
    try limit?.count(at: session.now)
    var units = 0
    defer {
      if units == 0 { StandardError.reportFailure { try limit?.forgetLast() } }
    }
    try whileAlone {
      let api = try APISession(settings, session, deadline: Clock.steady() + HubService.longest)
      defer { units = api.units }
      let older = OlderVideos(session, api)
      if let failure = try api.attempt({ _ = try older.backfill(channel, count: HubService.olderVideos) }) {
        // The person on the page can do nothing about the key.
        StandardError.report(failure.message)
        throw failure
      }
    }
  }

  /// Calls `body` while no other process of the hub's database finds older videos; with files, while none polls. Throws
  /// at once if one does.
  private func whileAlone(_ body: () throws -> Void) throws {
    guard let library = session.library as? PostgresLibrary else { return try session.whilePolling(body) }
    // A number that no other schema has.
    let lock: SQL = "'api_key'::regclass::oid::bigint"
    let isLocked = try Session.reporting {
      try library.database.integer("SELECT pg_try_advisory_lock(\(lock))::integer") == 1
    }
    guard isLocked else {
      throw Failure(.temporaryFailure, "older videos are being fetched for somebody else; try again in a minute")
    }
    // It fails only without a connection, with whose end PostgreSQL releases the lock.
    defer { _ = try? library.database.integer("SELECT pg_advisory_unlock(\(lock))::integer") }
    try body()
  }
}
