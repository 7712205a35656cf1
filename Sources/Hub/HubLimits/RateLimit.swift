import HubStore
import Synchronization

/// How often something may happen in a minute, by key: in this process, or in all processes of a hub together.
package final class RateLimit: Sendable {
  private let name: String
  /// The accounts of a database, where all processes count; nil counts in this one.
  private let shared: ConnectionPool<Accounts>?
  /// The number of requests in this process after which all processes are counted; each may admit up to one fewer than
  /// this too many.
  private let step: Int
  private let windows = Mutex(BoundedTable<String, Window>(maximum: 20_000))
  private static let length = Duration.seconds(60)

  private struct Window {
    var began: ContinuousClock.Instant
    var count = 0
    /// Until when all processes refuse more than so many.
    var refused: (end: ContinuousClock.Instant, maximum: Int)?
  }

  package init(_ name: String, step: Int = 1, shared: ConnectionPool<Accounts>?) {
    (self.name, self.step, self.shared) = (name, step, shared)
  }

  /// Counts one; returns nil if it may happen at most so often, else after how many seconds to try again.
  package func wait(_ key: String, maximum: Int) async throws -> Int? {
    let now = ContinuousClock.now
    let (wait, isStep) = windows.withLock { windows -> (Int?, Bool) in
      var window = windows[key] ?? Window(began: now)
      if let refused = window.refused, now < refused.end, maximum <= refused.maximum {
        return (RateLimit.seconds(refused.end - now), false)
      }
      if now - window.began >= RateLimit.length { window = Window(began: now) }
      if window.count >= maximum { return (RateLimit.seconds(RateLimit.length - (now - window.began)), false) }
      window.count += 1
      windows[key] = window
      return (nil, window.count.isMultiple(of: step))
    }
    guard isStep, let shared else { return wait }
    let waitOfAll = try await shared.run(on: HubThreads.accounts, of: key) { [self] accounts in
      try accounts.count("\(name) \(key)", times: step, maximum: maximum)
    }
    if let waitOfAll { windows.withLock { $0[key]?.refused = (now + .seconds(waitOfAll), maximum) } }
    return waitOfAll
  }

  private static func seconds(_ duration: Duration) -> Int { max(1, Int(duration.components.seconds) + 1) }
}
