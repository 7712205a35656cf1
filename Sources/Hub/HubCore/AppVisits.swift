import App
import Core
import HubStore

/// When the MeTube app visited, what the user came to see since, and where the pages that it got end.
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

  // MARK: Cursors

  /// For how long a cursor is known, in seconds: longer than it is valid.
  private static let cursorLength: Int64 = 86_400

  /// The number of a cursor that is in use from a time on. Those that ended are removed.
  package func addCursor(_ text: String, at began: Timestamp) throws -> Int {
    try Session.reporting {
      let numbers = try store.numbers(.cursor, ["\(NumberedThings.key(began)) \(text)"])
      // After the new one has its number, because the highest one is never removed.
      try store.remove(.cursor, before: NumberedThings.key(began.adding(seconds: -NumberedThings.cursorLength)))
      return numbers.first ?? 0
    }
  }

  /// The cursor with a number, and since when it is in use; nil if it ended long ago or never was.
  package func cursor(_ number: Int) throws -> (text: String, began: Timestamp)? {
    let key = try Session.reporting { try store.keys(.cursor, [number]).first ?? nil }
    guard let parts = key?.split(separator: " "), parts.count == 2, let began = Int64(parts[0]) else { return nil }
    return (String(parts[1]), Timestamp(seconds: began))
  }

  /// Ten digits, so that keys are in the order of their times.
  private static func key(_ time: Timestamp) -> String {
    let digits = String(min(max(time.seconds, 0), 9_999_999_999))
    return String(repeating: "0", count: 10 - digits.count) + digits
  }
}
