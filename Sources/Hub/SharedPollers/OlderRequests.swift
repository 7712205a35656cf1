import App
import Core
import ReadModel
import SQLDrivers

/// How often a user of a hub's database may request older videos: they use units of the operator's key of the Data API,
/// which all users share. Counted in the database for all web processes; see `0005-pollers.sql`.
struct OlderRequests: OlderLimit {
  private let database: Database
  private let owner: Int

  /// The requests that a user may make in 24 hours.
  let maximum = 10

  /// The requests of the owner of a log.
  init(_ database: Database, owner: Int) { (self.database, self.owner) = (database, owner) }

  /// Counts one request by the server's clock, before it is sent, so that it counts also if the process ends; returns
  /// after how many seconds it may be made if it is one too many.
  func count() throws -> Int64? {
    try writing { try database.integer("SELECT count_older_request(?, ?, unix_time())", owner, maximum) }
  }

  /// Forgets the request that was counted last: it took no unit.
  func forgetLast() throws { try writing { try database.run("SELECT forget_older_request(?)", owner) } }

  /// Calls `body` in a transaction: a statement outside of one is sent again if the connection is lost, and counts twice.
  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try Session.reporting { try database.transaction(body) }
  }
}
