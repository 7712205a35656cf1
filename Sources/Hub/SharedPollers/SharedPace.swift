import Core
import PollEngine

/// The pace of requests that all pollers of an address share, for as long as the claims of one batch last.
final class SharedPace {
  private let tables: PollTables
  /// Milliseconds between two requests; 0 without a limit.
  private let gap: Int
  /// The number of moments to reserve at once: those of a quarter of a second.
  private let count: Int
  /// When the claims end, in milliseconds of the server's clock.
  private let end: Int
  /// The reserved moments, in milliseconds of the server's clock, next one last.
  private var moments: [Int] = []
  /// Why requests pause; nil while they do not.
  private(set) var pause: StopReason?

  /// A pace of so many requests per second, 0 for no limit, until a moment of the server's clock.
  init(_ tables: PollTables, rate: Double, until end: Int) {
    (self.tables, self.end) = (tables, end)
    (gap, count) = rate > 0 ? (Int(1000 / rate), max(1, Int(rate / 4))) : (0, 32)
  }

  /// A reserved moment this long ago, in milliseconds, is not used any more: what was kept waiting must not leave all at
  /// once.
  private static let timeout = 1000
  /// How long before their end the claims count as ended, in milliseconds: a request takes a while to leave.
  private static let margin = 1000

  /// Whether the claims have ended.
  private var isOver: Bool { tables.clock.milliseconds >= end - SharedPace.margin }

  /// The pace for a poll or a lookup.
  var turns: PollTurns { PollTurns(next: turn, isOver: { self.isOver }) }

  /// What may happen now; `now` takes the turn.
  private func turn() throws -> PollTurn {
    if let pause { return .paused(pause) }
    guard !isOver else { return .over }
    while let moment = moments.last {
      let wait = moment - tables.clock.milliseconds
      if wait > 0 { return moment < end - SharedPace.margin ? .wait(wait) : .over }
      moments.removeLast()
      if wait > -SharedPace.timeout { return .now }
    }
    switch try tables.reserve(count, gap: gap) {
    case .first(let first): moments = (0..<count).reversed().map { first + $0 * gap }
    case .paused(let reason): pause = reason
    }
    return try turn()
  }
}
