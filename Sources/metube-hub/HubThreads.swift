import NIOPosix

/// The threads of the process on which something blocks; they end with it.
enum HubThreads {
  /// Read and write the log and the accounts; each uses a view of its own.
  static let log = started(4)
  /// Hash passwords: 20 ms of a core each.
  static let hashing = started(2)
  /// Polls, for minutes.
  static let polling = started(1)

  private static func started(_ count: Int) -> NIOThreadPool {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }
}
