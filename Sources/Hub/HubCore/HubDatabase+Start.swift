import Glibc
import HubStore
import Platform
import ReadModel
import SQLDrivers

/// What a command and a process look at before they work with a database.
extension HubDatabase {
  /// A new connection for a command, which ends with a message if there is no such server or database, or if a pooler in
  /// between does not keep sessions.
  package func connectOrFail(for use: Use) throws -> Database {
    do throws(DatabaseError) {
      let database = try connect(for: use)
      try database.checkSession()
      return database
    } catch {
      guard case .failed(_, let message) = error else { throw HubDatabase.failure(error) }
      throw Failure(.usage, "--database: \(message)")
    }
  }

  /// Connects a process that works until it is stopped, and may start before its database.
  package func connectOrFail(for use: Use, _ wait: DatabaseWait) throws -> Database {
    try wait.run { try connectOrFail(for: use) }
  }

  /// Throws unless the tables are those that all `migrations` made, and the role has the rights that it needs.
  package func check(_ database: Database, after migrations: [Migration]) throws {
    try HubDatabase.reporting {
      if let right = try database.missingRight(in: schema) ?? database.missingRightOnTables(in: schema) {
        throw failure(right)
      }
    }
    let last = try HubDatabase.reporting { try database.lastMigration() }
    let migration = migrations.map(\.number).max() ?? 0
    guard last == migration else { throw difference(last, migration) }
    let missing = try HubDatabase.reporting { try database.missing(migrations.flatMap(\.tables), in: schema) }
    guard missing.isEmpty else {
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      let names = missing.prefix(5).joined(separator: ", ") + more
      let which = missing.count == 1 ? "the table \(names) is" : "the tables \(names) are"
      throw Failure(
        .usage, "\(which) missing from the schema \(schema); restore them, or the whole database, from a backup")
    }
  }

  /// Throws unless the role may make the tables and change them.
  package func checkOwner(_ database: Database) throws {
    let right = try HubDatabase.reporting { try database.missingRightToMake(schema) }
    if let right { throw failure(right) }
  }

  private func failure(_ right: MissingRight) -> Failure {
    func lacks(_ what: String, _ right: String, on object: String, _ role: String) -> Failure {
      Failure(
        .usage,
        "the role \(role) may not \(what); run, as the owner of the database: GRANT \(right) ON \(object) TO \(role)")
    }
    switch right {
    case .toUseSchema(let name, let role): return lacks("use the schema \(schema)", "USAGE", on: "SCHEMA \(name)", role)
    case .toMakeTemporaryTables(let database, let role):
      return lacks("make temporary tables", "TEMPORARY", on: "DATABASE \(database)", role)
    case .toMakeSchema(let database, let role):
      return lacks("make the schema \(schema)", "CREATE", on: "DATABASE \(database)", role)
    case .toChangeTables(let owner, let role):
      return Failure(
        .usage, "the role \(role) may not change the tables in the schema \(schema); migrate as its owner, \(owner)")
    case .toUseTable(let table, let name, let role):
      return lacks(
        "read and write the table \(table)", "SELECT, INSERT, UPDATE, DELETE", on: "ALL TABLES IN SCHEMA \(name)", role)
    }
  }

  /// Why tables at one migration are not those of a program at another one.
  private func difference(_ last: Int, _ migration: Int) -> Failure {
    let command =
      "metube-hub migrate --database …" + (schema == HubDatabase.standardSchema ? "" : " --schema \(schema)")
    if last == 0 {
      return Failure(.usage, "the database has no tables of a hub in the schema \(schema); run \(command)")
    }
    guard last < migration else {
      return Failure(
        .usage, "a newer version of metube-hub made the tables (migration \(last)); install that version")
    }
    return Failure(
      .usage,
      "the tables are of an older version (migration \(last) of \(migration)); stop all processes, run \(command)")
  }
}

/// How long a process that starts before its database waits for it.
package struct DatabaseWait {
  /// Seconds; 0 for not at all.
  private let seconds: Int
  /// Milliseconds of a clock that only advances.
  private let now: () -> Int
  /// Waits this many milliseconds.
  private let sleep: (Int) -> Void
  private let report: (String) -> Void

  package init(seconds: Int) {
    self.init(
      seconds: seconds, now: Clock.steady, sleep: { usleep(UInt32($0) * 1000) },
      report: {
        StandardError.report($0)
        ServiceNotifier.current.status($0)
      })
  }

  init(seconds: Int, now: @escaping () -> Int, sleep: @escaping (Int) -> Void, report: @escaping (String) -> Void) {
    (self.seconds, self.now, self.sleep, self.report) = (seconds, now, sleep, report)
  }

  /// The time between two attempts, milliseconds.
  static let pause = 1000

  /// Calls `attempt` until it succeeds or says that a later attempt cannot succeed either; throws its last failure after
  /// the time. A failure that is waited out is reported once.
  func run<Result>(_ attempt: () throws -> Result) throws -> Result {
    let end = now() + seconds * 1000
    var isReported = false
    while true {
      do { return try attempt() } catch let failure as Failure {
        guard failure.status == .temporaryFailure, now() + DatabaseWait.pause <= end else { throw failure }
        if !isReported { report("\(failure.message); waiting up to \(seconds) s for it") }
        isReported = true
      }
      sleep(DatabaseWait.pause)
    }
  }
}
