import App
import Core
import ReadModel
import SQLDrivers
import YouTube

/// The use of a Data API key that all processes on a database share; see `0005-pollers.sql` and `0012-names.sql`.
///
/// Whatever is written here is committed at once, so that no end of a process gives a unit back.
struct APIKeyTable: SharedUnits {
  private let database: Database
  /// The key's SHA-256.
  private let digest: [UInt8]
  /// The maximum units per day.
  private let budget: Int

  /// The use of a key in a database.
  init(_ database: Database, key: String, budget: Int) {
    (self.database, digest, self.budget) = (database, SHA256.digest(of: key.utf8), budget)
  }

  /// The units taken today.
  func used() throws -> Int {
    let taken = try integer(
      "SELECT units_taken(known, ?2) FROM api_key AS known WHERE digest = ?1", digest, try today())
    return Int(taken ?? 0)
  }

  /// The units left of the day's budget; 0 while requests pause.
  func left() throws -> Int {
    Int(try integer("SELECT units_left(?, ?, ?)", digest, try today(), budget) ?? 0)
  }

  /// Why requests pause, and until when; nil if they do not.
  func pause() throws -> (why: APIFailure, until: Timestamp)? {
    try Session.reporting {
      try database.first(
        "SELECT refusal, paused_until FROM api_key WHERE digest = ? AND paused_until > unix_time()", digest
      ) { (APIFailure(ofKey: $0.text(0)), Timestamp(seconds: $0.int(1))) }
    }
  }

  /// Takes this many units, if they are left.
  func takeUnits(_ count: Int) throws -> UnitsTaken {
    if let left = try integer("SELECT take_units(?, ?, ?, ?)", digest, try today(), budget, count) {
      return .taken(left: Int(left))
    }
    return try pause().map { .refused($0.why) } ?? .none
  }

  /// Gives back the units of a request that was not sent.
  func returnUnits(_ count: Int) throws {
    let today = try today()
    try Session.reporting {
      try database.run(
        "UPDATE api_key SET units = max(units - ?, 0) WHERE digest = ? AND day = ?", count, digest, today)
    }
  }

  /// Lets requests with the key pause if a refusal is about it; returns whether anybody should hear of the refusal: not if
  /// the key was refused for the same reason before, and not accepted since.
  func note(_ failure: APIFailure) throws -> Bool {
    guard let name = failure.ofKey, let end = failure.pauseEnd(at: try now()) else { return true }
    return try integer("SELECT pause_key(?, ?, ?)::integer", digest, name, end) == 1
  }

  /// Notes that the key was accepted.
  func noteAccepted() throws { try Session.reporting { try database.run("SELECT accept_key(?)", digest) } }

  private func now() throws -> Timestamp { Timestamp(seconds: try integer("SELECT unix_time()") ?? 0) }
  private func today() throws -> Int { PacificDay.of(try now()).daysSinceEpoch }

  private func integer<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws -> Int64? {
    try Session.reporting { try database.integer(sql, repeat each parameter) }
  }
}
