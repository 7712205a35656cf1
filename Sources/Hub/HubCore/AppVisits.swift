import App
import Core
import ReadModel
import SQLDrivers

/// When the MeTube app visited, and what the user came to see since.
extension NumberedThings {
  /// The keys of a kind that have numbers above this one.
  package func keys(_ kind: NumberStore.Kind, above number: Int) throws -> [String] {
    try Session.reporting { try store.keys(kind, above: number) }
  }

  /// The number of the visit that an app says was within these times, the lowest if there were several; else of the last
  /// one before, else of the first one after; nil if no visit is known.
  package func visit(within times: ClosedRange<Timestamp>) throws -> Int? {
    let (first, last) = (NumberedThings.key(times.lowerBound), NumberedThings.key(times.upperBound))
    return try Session.reporting { try store.visit(from: first, to: last) }
  }

  /// Adds a visit.
  package func addVisit(at time: Timestamp) throws {
    _ = try Session.reporting { try store.numbers(.visit, [NumberedThings.key(time)]) }
  }

  /// Ten digits, so that keys are in the order of their times.
  private static func key(_ time: Timestamp) -> String {
    let digits = String(min(max(time.seconds, 0), 9_999_999_999))
    return String(repeating: "0", count: 10 - digits.count) + digits
  }
}

extension NumberStore {
  fileprivate func keys(_ kind: Kind, above number: Int) throws -> [String] {
    var keys: [String] = []
    if let owner {
      try database.scan(
        "SELECT key FROM number WHERE owner = ? AND kind = ? AND n > ?", owner, kind.rawValue, number
      ) { keys.append($0.text(0)) }
    } else {
      try database.scan("SELECT key FROM number WHERE kind = ? AND n > ?", kind.rawValue, number) {
        keys.append($0.text(0))
      }
    }
    return keys
  }

  fileprivate func visit(from first: String, to last: String) throws -> Int? {
    let visits: SQL = owner == nil ? "number WHERE" : "number WHERE owner = ?4 AND"
    let query: SQL = """
      SELECT coalesce(
        (SELECT min(n) FROM \(visits) kind = ?1 AND key BETWEEN ?2 AND ?3),
        (SELECT n FROM \(visits) kind = ?1 AND key < ?2 ORDER BY key DESC LIMIT 1),
        (SELECT n FROM \(visits) kind = ?1 AND key > ?3 ORDER BY key LIMIT 1))
      """
    let kind = Kind.visit.rawValue
    let found =
      if let owner {
        try database.integer(query, kind, first, last, owner)
      } else {
        try database.integer(query, kind, first, last)
      }
    return found.map { Int($0) }
  }
}
