import Glibc

/// How long a connection waits for others that have locked its file: as long as they make progress, and then some
/// seconds. SQLite gives the lock to the first that tries, so that on a busy machine one writer may wait for all that
/// another one writes.
final class BusyWait {
  /// The time without progress after which it gives up, in milliseconds.
  private let limit: Int
  /// The time in milliseconds, what changes with each progress, and a pause of milliseconds.
  private let clock: () -> Int
  private let progress: () -> [Int64]
  private let pause: (Int) -> Void
  private var (last, since): ([Int64], Int) = ([], 0)

  /// A wait by some clock; see `init(for:)`.
  init(limit: Int, clock: @escaping () -> Int, progress: @escaping () -> [Int64], pause: @escaping (Int) -> Void) {
    (self.limit, self.clock, self.progress, self.pause) = (limit, clock, progress, pause)
  }

  /// Waits for the lock of a database as long as its holder makes progress: ends five seconds after the file and its
  /// rollback journal last changed.
  convenience init(for path: String) {
    self.init(limit: 5000, clock: BusyWait.steady) {
      BusyWait.changes(of: path) + BusyWait.changes(of: path + "-journal")
    } pause: {
      usleep(UInt32($0 * 1000))
    }
  }

  /// Pauses before a further attempt; false if it is to give up. `attempt` counts those of one lock, from 0.
  func waits(_ attempt: Int) -> Bool {
    let (now, changes) = (clock(), progress())
    if attempt == 0 || changes != last { (since, last) = (now, changes) }
    guard now - since < limit else { return false }
    pause(min(1 << min(attempt, 7), 100))
    return true
  }

  private static func steady() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// When a file was changed last, and its size; empty if there is none.
  private static func changes(of path: String) -> [Int64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_size)]
  }
}
