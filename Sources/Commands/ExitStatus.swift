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

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
