/// The exit status. The numbers follow sysexits.h where it defines one.
package enum ExitStatus: Int32, Error {
  case done = 0
  /// Partial success: rows refused, unknown IDs, a newly failing channel.
  case partial = 1
  case usage = 64
  /// Input not understood.
  case invalidInput = 65
  /// Refused permanently, for example because of an invalid API key.
  case refused = 69
  /// A disk or log error.
  case disk = 74
  /// Try again later: an outage, a block, a lock.
  case temporaryFailure = 75
}

/// An error that ends a command, with its exit status and the message for the user: what, where, what to do next.
package struct Failure: Error {
  package var status: ExitStatus
  package var message: String
  /// What stands in the way; nil if it is something else.
  package var obstacle: Obstacle?
  /// The error that the message is about, for front ends with messages of their own; nil if no module threw it.
  package var evidence: (any Error)?

  package init(_ status: ExitStatus, _ message: String, _ obstacle: Obstacle? = nil) {
    (self.status, self.message, self.obstacle) = (status, message, obstacle)
  }

  /// What keeps a log or a database from being written, for those to whom paths on this machine say nothing.
  package enum Obstacle: Equatable, Sendable {
    /// The disk has no room.
    case full
    /// The files or the database can only be read, at least now.
    case readOnly
    /// A line of a log is broken; `log` is the name of its file without the folder.
    case damaged(log: String, line: Int)
    /// A log lacks events that were in it.
    case lost(log: String)
    /// It is not known whether the change was saved.
    case unknown
    /// The database server does not respond.
    case unreachable
    /// Making the response took longer than its time limit.
    case tookTooLong
  }

  /// Whether it may concern a single argument: not if the disk failed, or nothing works now.
  package var isOfInput: Bool { status != .disk && status != .temporaryFailure }
}
