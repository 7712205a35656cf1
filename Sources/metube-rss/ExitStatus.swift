/// How the program ended. The numbers are those of sysexits.h where it has one.
enum ExitStatus: Int32, Error {
  case done = 0
  /// Done in part: rows refused, ids unknown, a channel failing that was well before.
  case inPart = 1
  case usage = 64
  /// Input that is not understood.
  case notUnderstood = 65
  /// Refused for good, such as a bad key.
  case refused = 69
  /// The disk or the log.
  case disk = 74
  /// Try again later: an outage, a block, a lock.
  case later = 75
}

/// A command's end before its time, with the words for the person: what, where, what to do.
struct Failure: Error {
  var status: ExitStatus
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
