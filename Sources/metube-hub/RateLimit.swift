import Synchronization

/// How often something may happen in a minute, by key.
final class RateLimit: Sendable {
  private let most: Int
  private let windows = Mutex<[String: (began: ContinuousClock.Instant, count: Int)]>([:])
  private static let length = Duration.seconds(60)
  /// With more keys the old ones are forgotten.
  private static let mostKeys = 10_000

  init(most: Int) { self.most = most }

  /// Counts one; returns nil if it may happen, else after how many seconds to try again.
  func wait(_ key: String) -> Int? {
    let now = ContinuousClock.now
    return windows.withLock { windows in
      if windows.count >= RateLimit.mostKeys {
        windows = windows.filter { now - $0.value.began < RateLimit.length }
      }
      var window = windows[key] ?? (now, 0)
      if now - window.began >= RateLimit.length { window = (now, 0) }
      window.count += 1
      windows[key] = window
      guard window.count > most else { return nil }
      return max(1, Int((RateLimit.length - (now - window.began)).components.seconds) + 1)
    }
  }
}
