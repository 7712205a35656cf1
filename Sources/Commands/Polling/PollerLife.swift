import Core
import Library
import ReadModel

/// Whether pollers of a database work, by the signs of life that they leave in it; see `poller_life` of the migrations.
package struct PollerLife: Equatable, Sendable {
  /// How many pollers work.
  package let working: Int
  /// When the last one was seen; nil if none was within a week.
  package let seen: Timestamp?

  /// What the tables of a hub say now.
  package init(_ database: Database) throws {
    let found = try Session.reporting {
      try database.first("SELECT working, seen FROM poller_life()") { (Int($0.int(0)), $0.optionalInt(1)) }
    }
    (working, seen) = (found?.0 ?? 0, found?.1.map { Timestamp(seconds: $0) })
  }

  /// The pollers of the database of a session; nil if its log is in files.
  package init?(_ session: Session) throws {
    guard let library = session.library as? PostgresLibrary else { return nil }
    try self.init(library.database)
  }

  /// That none works, and when the last one was seen: `no poller works; the last one was seen 2026-11-23 08:00`; nil if
  /// one does.
  package var absence: String? {
    guard working == 0 else { return nil }
    return "no poller works; " + (seen.map { "the last one was seen \($0.local)" } ?? "none was seen for a week")
  }
}
