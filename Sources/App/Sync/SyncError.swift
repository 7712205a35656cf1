import Core
import EventLog
import HTTPClient
import Messages
import Platform

/// Why an exchange with a hub failed, or left something out.
package enum SyncError: ReportableError {
  /// No requests of the hub at this URL succeed.
  case hub(url: String, HubFlaw)
  /// A log of the hub at this URL is left out.
  case log(url: String, String, LogFlaw)
  /// Lines of this device are dated in the future, the last one at a time; the file has the device's ID.
  case heldBack(Int, until: Timestamp, deviceFile: String)
  case unmerged(MergeReport)
  /// Logs that are damaged, after what went wrong before.
  case damage(after: Failure?, [FoundDamage])
  /// An error without a message.
  case other(String)

  package var failure: Failure { UserMessages.failure(self) }
}

/// What is wrong with a hub or the way to it.
package enum HubFlaw: Sendable {
  /// No progress for this many seconds.
  case tooSlow(seconds: Int)
  case tokenRefused
  case interrupted
  case untrusted(HTTPFailure)
  /// libcurl's code.
  case noTLS(code: Int32)
  case noResponse(HTTPFailure)
  /// What the hub says in a response for which there may be a better one later, in one that stays, and in one about what
  /// was sent.
  case failing(detail: String)
  case refused(detail: String)
  case invalid(detail: String)
  case notAHub
  /// It lists more logs than are exchanged.
  case tooManyLogs(Int, limit: Int)
}

/// Why a log is left out.
package enum LogFlaw: Sendable {
  /// The hub takes nothing of it, and says why.
  case notTaken(detail: String)
  /// It is too long, or this many logs are here already.
  case notFetched(bytes: UInt64, logs: Int)
  case refused(LineRefusal)
  /// The hub lists this many bytes, but sends none after an offset.
  case withheld(bytes: UInt64, offset: UInt64)
  case unmergedThere
  /// Another device sends it at the same time.
  case sentTwice
}

/// A damaged log. Files have the number of the first damaged line if it is known: `aaaaaaaa.jsonl, line 3`.
package enum FoundDamage: Sendable {
  case here(folder: String, file: String)
  case there(url: String, file: String, remedy: String)
  /// Of the hub's data beside the logs of this user.
  case beside(url: String, what: String, remedy: String)
}
