import HubCore
import HubStore
import Synchronization

/// How many requests a user may send in a minute, with whatever tokens and sessions: more with more subscriptions, because
/// many readers ask feed by feed. Requests that only read count apart from changes: a reader that reads too much loses no
/// mark.
package final class RequestLimit: Sendable {
  private let reads: RateLimit
  private let changes: RateLimit
  /// What users with many subscriptions may send. Counted once it is needed, and for a minute.
  private let allowances = Mutex(BoundedTable<String, Allowance>(maximum: 10_000))

  /// What an administrator allows a user, nil for as much as others may send; also counted for a minute.
  private let own = Mutex(BoundedTable<String, Own>(maximum: 10_000))

  private struct Own {
    var maximum: Int?
    var ends: ContinuousClock.Instant
  }

  private struct Allowance {
    var maximum: Int
    var ends: ContinuousClock.Instant
  }

  /// For a user without subscriptions.
  private static let base = 600
  /// More for each subscription. Readers send one or two requests for a feed, and some try again.
  private static let perSubscription = 4

  package init(shared: ConnectionPool<Accounts>?) {
    reads = RateLimit("requests", step: 60, shared: shared)
    changes = RateLimit("changes", step: 60, shared: shared)
  }

  /// Counts a request of a user. Throws a `HubProblem` if it is one too many. `ownLimit` is what an administrator set.
  package func count(
    _ user: String, isChange: Bool, ownLimit: () async throws -> Int?, subscriptions: () async throws -> Int
  ) async throws {
    let limit = isChange ? changes : reads
    if let maximum = try await maximum(of: user, ownLimit) {
      guard let wait = try await limit.wait(user, maximum: maximum) else { return }
      throw RequestLimit.refusal(maximum, isChange, wait)
    }
    let known = allowance(user)
    guard try await limit.wait(user, maximum: known ?? RequestLimit.base) != nil else { return }
    var maximum = known ?? RequestLimit.base
    if known == nil {
      maximum += try await RequestLimit.perSubscription * subscriptions()
      let allowance = Allowance(maximum: maximum, ends: .now + .seconds(60))
      allowances.withLock { $0[user] = allowance }
    }
    guard let wait = try await limit.wait(user, maximum: maximum) else { return }
    throw RequestLimit.refusal(maximum, isChange, wait)
  }

  private static func refusal(_ maximum: Int, _ isChange: Bool, _ wait: Int) -> HubProblem {
    HubProblem(429, "more than \(maximum) \(isChange ? "changes" : "requests") in a minute", retryAfter: wait)
  }

  /// Looks a user's own limit up again at the next request.
  package func forgetLimit(of user: String) { own.withLock { $0[user] = nil } }

  private func maximum(of user: String, _ ownLimit: () async throws -> Int?) async throws -> Int? {
    let known = own.withLock { own in own[user].flatMap { .now < $0.ends ? $0 : nil } }
    if let known { return known.maximum }
    let maximum = try await ownLimit()
    own.withLock { $0[user] = Own(maximum: maximum, ends: .now + .seconds(60)) }
    return maximum
  }

  private func allowance(_ user: String) -> Int? {
    allowances.withLock { allowances in allowances[user].flatMap { .now < $0.ends ? $0.maximum : nil } }
  }
}
