import FeedParser
import Importers
import Messages
import Platform

/// Why an action of the user's is refused or incomplete.
package enum ActionError: ReportableError {
  /// A file is not of a format that can be imported, or is damaged.
  case unimportable(path: String, ImportError)
  case damagedDocument(path: String, ParseError)
  /// Another process has undone the action meanwhile.
  case undoneMeanwhile
  /// More subscriptions than the hub allows.
  case tooManySubscriptions(Int, limit: Int)

  package var failure: Failure { UserMessages.failure(self) }
}
