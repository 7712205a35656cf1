import App
import Core
import HubStore

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
