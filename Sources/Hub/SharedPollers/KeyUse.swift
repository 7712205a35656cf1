import App
import Core
import ReadModel
import SQLDrivers

/// How often a user of a hub's database may let it do what uses units of the operator's key of the Data API, which all
/// users share. Counted in the database for all web processes; see `0005-pollers.sql` and `0012-names.sql`.
struct KeyUse: KeyUseLimit {
  /// What is counted, each on its own.
  enum Kind { case older, search }

  private let database: Database
  private let kind: Kind
  private let owner: Int

  /// The requests that a user may make in 24 hours.
  let maximum = KeyUses.maxInADay

  /// The requests of the owner of a log.
  init(_ database: Database, _ kind: Kind, owner: Int) {
    (self.database, self.kind, self.owner) = (database, kind, owner)
  }

  /// Counts one request by the server's clock, before it is sent, so that it counts also if the process ends; returns
  /// after how many seconds it may be made if it is one too many.
  func count() throws -> Int64? {
    let sql: SQL =
      switch kind {
      case .older: "SELECT count_older_request(?, ?, unix_time())"
      case .search: "SELECT count_search_request(?, ?, unix_time())"
      }
    return try writing { try database.integer(sql, owner, maximum) }
  }

  /// Forgets the request that was counted last: it took no unit.
  func forgetLast() throws {
    let sql: SQL =
      switch kind {
      case .older: "SELECT forget_older_request(?)"
      case .search: "SELECT forget_search_request(?)"
      }
    try writing { try database.run(sql, owner) }
  }

  /// Calls `body` in a transaction: a statement outside of one is sent again if the connection is lost, and counts twice.
  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try Session.reporting { try database.transaction(body) }
  }
}
