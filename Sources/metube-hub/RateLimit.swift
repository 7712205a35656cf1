import HubStore
import Synchronization

/// How often something may happen in a minute, by key: in this process, or in all processes of a hub together.
final class RateLimit: Sendable {
  private let name: String
  private let most: Int
  /// The accounts of a database, where all processes count; nil counts in this one.
  private let shared: ConnectionPool<Accounts>?
  /// After how many in this process all processes are counted. Each of them may let through one less than that too many.
  private let step: Int
  private let windows = Mutex<[String: Window]>([:])
  private static let length = Duration.seconds(60)
  /// With more keys the old ones are forgotten.
  private static let mostKeys = 10_000

  private struct Window {
    var began: ContinuousClock.Instant
    var count = 0
    /// Until when all processes refuse.
    var refused: ContinuousClock.Instant?
  }

  init(_ name: String, most: Int, step: Int = 1, shared: ConnectionPool<Accounts>?) {
    (self.name, self.most, self.step, self.shared) = (name, most, step, shared)
  }

  /// Counts one; returns nil if it may happen, else after how many seconds to try again.
  func wait(_ key: String) async throws -> Int? {
    let now = ContinuousClock.now
    let (wait, isStep) = windows.withLock { windows -> (Int?, Bool) in
      if windows.count >= RateLimit.mostKeys {
        windows = windows.filter { now - $0.value.began < RateLimit.length }
      }
      var window = windows[key] ?? Window(began: now)
      if let refused = window.refused, now < refused { return (RateLimit.seconds(refused - now), false) }
      if now - window.began >= RateLimit.length { window = Window(began: now) }
      window.count += 1
      windows[key] = window
      if window.count > most { return (RateLimit.seconds(RateLimit.length - (now - window.began)), false) }
      return (nil, window.count.isMultiple(of: step))
    }
    guard isStep, let shared else { return wait }
    let waitOfAll = try await shared.run(on: HubThreads.accounts) { [self] accounts in
      try accounts.count("\(name) \(key)", times: step, most: most)
    }
    if let waitOfAll { windows.withLock { $0[key]?.refused = now + .seconds(waitOfAll) } }
    return waitOfAll
  }

  private static func seconds(_ duration: Duration) -> Int { max(1, Int(duration.components.seconds) + 1) }
}
