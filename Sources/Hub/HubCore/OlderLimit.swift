import Commands
import Core
import Library
import ReadModel
import Terminal

/// How often a user of a hub's database may request older videos: they use units of the operator's key of the Data API,
/// which all users share. Counted in the database for all web processes; see `0005-pollers.sql`.
struct OlderLimit {
  private let database: Database
  private let owner: Int

  /// The requests that a user may make in 24 hours.
  private static let most = 10

  /// The limit of the user whose log a session has; nil if that is in files, where the key is the user's own.
  init?(_ session: Session) {
    guard let library = session.library as? PostgresLibrary else { return nil }
    (database, owner) = (library.database, library.owner)
  }

  /// Counts one request by the server's clock, before it is sent, so that it counts also if the process ends. Throws a
  /// `HubProblem` with status 429 if it is one too many; `now` is for its message.
  func count(at now: Timestamp) throws {
    let wait = try writing {
      try database.integer("SELECT count_older_request(?, ?, unix_time())", owner, OlderLimit.most)
    }
    guard let wait else { return }
    let words = now.adding(seconds: wait).wait(from: now)
    throw HubProblem(
      429, "Older videos can be requested \(OlderLimit.most) times in 24 hours; try again in about \(words).",
      retryAfter: Int(wait))
  }

  /// Forgets the request that was counted last: it took no unit.
  func forgetLast() throws { try writing { try database.run("SELECT forget_older_request(?)", owner) } }

  /// Calls `body` in a transaction: a statement outside of one is sent again if the connection is lost, and counts twice.
  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try Session.reporting { try database.transaction(body) }
  }
}
