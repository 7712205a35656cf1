import App
import Core
import HubLimits
import HubStore
import Platform
import YouTube

/// The units of the Data API that accounts take: within one budget for all, and within a share for each account, so that
/// no account uses up the units of the others.
struct GoogleUnits: SharedUnits {
  let accounts: ConnectionPool<Accounts>
  let user: String
  let budget: Int

  /// A tenth of the budget, but enough for one long list.
  private var share: Int { max(budget / 10, min(budget, GoogleUnits.leastShare)) }
  private static let leastShare = 100

  private var day: String { GoogleUnits.day }

  /// The day of the quota: `2026-11-27`.
  static var day: String { "\(PacificDay.of(Clock.now()))" }

  private func use<Result>(_ body: (GoogleTables) throws -> Result) throws -> Result {
    try accounts.use(where: { _ in true }) { try body(GoogleTables($0)) }
  }

  func used() throws -> Int { try use { try $0.unitsUsed(day: day) } }
  func left() throws -> Int { try use { try $0.unitsLeft(of: user, day: day, budget: budget, share: share) } }
  func pause() -> (why: APIFailure, until: Timestamp)? { nil }

  /// Accounts send requests of one unit only.
  func takeUnits(_ count: Int) throws -> UnitsTaken {
    precondition(count == 1, "lists and channels cost one unit each")
    let left = try use { try $0.takeUnit(of: user, day: day, budget: budget, share: share) }
    return left.map { .taken(left: $0) } ?? .none
  }

  func returnUnits(_ count: Int) throws {
    for _ in 0..<count { try use { try $0.returnUnit(of: user, day: day) } }
  }

  /// Only that the quota is used up is of all accounts.
  func note(_ failure: APIFailure) throws -> Bool {
    if failure == .quotaExceeded { try use { try $0.exhaust(day: day, budget: budget) } }
    return true
  }

  func noteAccepted() {}
}
