import Core
import EventLog
import FeedParser
import HTTPClient
import Messages
import Platform
import YouTube

/// Why a poll, or a look-up beside it, failed or ended early.
package enum PollError: ReportableError {
  /// The polling state could not be saved after the videos were.
  case stateUnsaved(Failure)
  /// The program for new videos: no room for its input, or how it ended.
  case noRoomForHook(folder: String)
  case hook(program: String, HookFlaw)
  /// A request to the Data API, with the units of the day's budget, at a time.
  case api(APIRefusal, budget: Int, at: Timestamp)
  /// The Data API refused the login of the account.
  case apiLogin(reason: String)
  /// Look-ups ended at the deadline or by a signal.
  case lookupsStopped
  /// yt-dlp could not be started, or did not list a channel.
  case ytDlpMissing(reason: String)
  case ytDlp(channel: String, reason: String)
  /// yt-dlp did not say what videos are.
  case ytDlpVideos(reason: String)
  /// Look-ups of videos ended at the deadline or by a signal.
  case videosStopped
  /// There is nothing to search YouTube with; the search ended by a signal; or yt-dlp failed.
  case noSearchSource
  case searchStopped
  case ytDlpSearch(text: String, reason: String)
  /// A sample feed cannot be parsed, or its folder has no feeds.
  case sampleFeed(path: String, ParseError)
  case noSampleFeeds(folder: String)

  package var failure: Failure { UserMessages.failure(self) }
}

/// How the program for new videos ended.
package enum HookFlaw: Sendable {
  case timedOut(seconds: Int)
  case notStarted(String)
  case ended(String)
}

/// Why Google's login, or what needs it, failed.
package enum GoogleError: ReportableError {
  /// The file of tokens cannot be read.
  case unreadableTokens(path: String, LogError)
  case notLoggedIn
  /// The account has no subscriptions.
  case noSubscriptions
  case interrupted
  case noResponse(HTTPFailure)
  case refusal(OAuthFailure)

  package var failure: Failure { UserMessages.failure(self) }
}
