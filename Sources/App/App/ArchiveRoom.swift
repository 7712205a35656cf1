import EventLog

/// What an archive may still have while it is read: no more is kept of it than of the logs that devices send. A file that
/// unpacks to more is refused once it does, not after all of it was read.
package struct ArchiveRoom {
  private let limits: ExchangeLimits
  private let stored: UInt64
  private var names: Set<String>
  private var logs = 0
  /// Bytes of the log being read, and of all.
  private var (length, bytes): (UInt64, UInt64) = (0, 0)

  /// Beside the logs with these names, and this many bytes.
  package init(limits: ExchangeLimits, known names: Set<String>, stored: UInt64) {
    (self.limits, self.names, self.stored) = (limits, names, stored)
  }

  /// Begins a log; returns why it is refused, nil if it is not.
  package mutating func begin(_ name: String) -> ArchiveRefusal? {
    names.insert(name)
    (length, logs) = (0, logs + 1)
    return names.count > limits.logs ? .manyLogs(logs, limit: limits.logs) : nil
  }

  /// Adds bytes to the log that was begun last; returns why it is refused, nil if it is not.
  package mutating func add(_ count: Int, to name: String) -> ArchiveRefusal? {
    length += UInt64(count)
    bytes += UInt64(count)
    if length > limits.logBytes { return .longLog(name, limit: limits.logBytes) }
    return stored + bytes > limits.bytes ? .bytes(bytes, limit: limits.bytes) : nil
  }
}
