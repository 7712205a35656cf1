import App
import Core
import ReadModel
import SQLDrivers

extension PollerLife {
  /// What the tables of a hub say now.
  package init(_ database: Database) throws {
    let found = try Session.reporting {
      try database.first("SELECT working, seen FROM poller_life()") { (Int($0.int(0)), $0.optionalInt(1)) }
    }
    self.init(working: found?.0 ?? 0, seen: found?.1.map { Timestamp(seconds: $0) })
  }
}
