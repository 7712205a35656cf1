import NIOPosix

/// The threads of the process on which something blocks; they end with it. What may take long has its own, so that it
/// delays nothing else.
enum HubThreads {
  /// Read the log; each uses a view of its own.
  static let reading = started(3)
  /// Change the log. They wait for the lock of another process up to 10 s.
  static let writing = started(2)
  /// Import files.
  static let importing = started(1)
  /// Find out whether the hub works.
  static let checking = started(1)
  /// Read and write the accounts.
  static let accounts = started(1)
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
