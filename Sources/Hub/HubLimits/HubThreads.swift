import HubCore

/// The threads of the process on which something blocks; they end with it. What may take long has its own, so that it
/// delays nothing else.
package enum HubThreads {
  /// Find out whether the hub works.
  package static let checking = WorkerThreads(1, timeout: .seconds(10))
  /// Read and write the accounts, by turns: see `IdentityTurns`. One user may have both, as long as no other waits, but
  /// only half of the waiting slots.
  package static let accounts = WorkerThreads(
    2, timeout: .seconds(30), maxWaitingOfOne: WorkerThreads.maxWaiting / 2)
  /// Hash passwords: 20 ms of a core each.
  package static let hashing = WorkerThreads(2)
  /// Write files that clients send, piece by piece.
  package static let storing = WorkerThreads(2)
  /// Compress long responses: 30 ms of a core for a megabyte.
  package static let packing = WorkerThreads(2, ofUsers: true)
  /// Looks for damage in logs.
  package static let inspecting = WorkerThreads(1)
  /// Polls, for minutes.
  package static let polling = WorkerThreads(1)
  /// Polls beside other processes, as long as this one runs.
  package static let sharedPolling = WorkerThreads(1)
  /// Wait for notifications of the database.
  package static let listening = WorkerThreads(1)
  /// Read the log and change it, for those that are not requests.
  package static let (reading, writing) = (LogThreads.files.reading, LogThreads.files.writing)
}

/// The threads that answer requests from logs, by what the requests do.
package struct LogThreads: Sendable {
  /// Read the log; each uses a view of its own.
  package let reading: WorkerThreads
  /// Change the log. They wait for the lock of another process up to 10 s.
  package let writing: WorkerThreads
  /// Import files.
  package let importing: WorkerThreads

  /// For logs in files.
  package static let files = LogThreads(
    reading: WorkerThreads(3, timeout: .seconds(60), ofUsers: true),
    writing: WorkerThreads(2, timeout: .seconds(60), ofUsers: true),
    importing: WorkerThreads(2, timeout: .seconds(60), ofUsers: true))
  /// For the log of one person, whose requests need not wait for each other.
  package static let home = LogThreads(
    reading: WorkerThreads(3, timeout: .seconds(60)), writing: WorkerThreads(2, timeout: .seconds(60)),
    importing: WorkerThreads(1, timeout: .seconds(60)))

  private init(reading: WorkerThreads, writing: WorkerThreads, importing: WorkerThreads) {
    (self.reading, self.writing, self.importing) = (reading, writing, importing)
  }

  /// The minimum number of connections to a database: one for each kind of work.
  package static let minConnections = 3

  /// For logs in a database: together as many as connections, so that a thread never waits for one.
  package init(connections: Int) {
    let writing = max(1, (connections - 1) * 3 / 7)
    self.init(
      reading: WorkerThreads(connections - 1 - writing, timeout: .seconds(10), ofUsers: true),
      writing: WorkerThreads(writing, timeout: .seconds(10), ofUsers: true),
      importing: WorkerThreads(1, timeout: .seconds(30), ofUsers: true))
  }
}

extension HubRoute {
  /// The threads that answer it.
  package var threads: KeyPath<LogThreads, WorkerThreads> & Sendable {
    switch body {
    case .file, .upload: \.importing
    default: access == .write || mayCost ? \.writing : \.reading
    }
  }
}
