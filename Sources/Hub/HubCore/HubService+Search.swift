import App
import Core
import Messages
import Platform
import PollEngine
import Synchronization
import YouTube

extension HubService {
  /// How long a search on YouTube may take, in milliseconds: other writing requests wait.
  private static let longestSearch = 15_000

  /// What a search on YouTube costs; nil if there can be none, also with invalid API settings, which `enrich` reports.
  package func searchOffer() -> YouTubeSearch.Offer? { try? YouTubeSearch.offer(in: session) }

  /// The channels that YouTube finds by a name, with what the log knows of them.
  package func youTubeChannels(_ typed: String) throws -> YouTubeSearch.Outcome<ChannelMatch> {
    let found = try search(typed, Searches.channels) { try $0.channels() }
    return known(found, in: try session.state)
  }

  /// The videos that YouTube finds by words.
  package func youTubeVideos(_ typed: String) throws -> YouTubeSearch.Outcome<YouTubeVideo> {
    try search(typed, Searches.videos) { try $0.videos() }
  }

  /// The results of a search that the user made minutes ago; nil if there was none.
  package func recentChannels(_ typed: String) throws -> YouTubeSearch.Outcome<ChannelMatch>? {
    let found = SearchText(typed).flatMap { Searches.channels.outcome(of: $0, by: user, at: session.now) }
    return try found.map { known($0, in: try session.state) }
  }

  /// Such results for videos.
  package func recentVideos(_ typed: String) -> YouTubeSearch.Outcome<YouTubeVideo>? {
    SearchText(typed).flatMap { Searches.videos.outcome(of: $0, by: user, at: session.now) }
  }

  private func known(
    _ found: YouTubeSearch.Outcome<ChannelMatch>, in state: State
  ) -> YouTubeSearch.Outcome<ChannelMatch> {
    var found = found
    found.found = found.found.map { $0.known(in: state) }
    return found
  }

  /// Searches YouTube, unless the user did for the same minutes ago. With a database a user may do so a few times a day
  /// (`KeyUseLimit`); what fails before a unit is taken does not count.
  private func search<Found: Sendable>(
    _ typed: String, _ recent: RecentSearches<Found>,
    _ find: (inout YouTubeSearch) throws -> YouTubeSearch.Outcome<Found>
  ) throws -> YouTubeSearch.Outcome<Found> {
    guard let text = SearchText(typed) else {
      throw HubProblem(400, "query: takes 1 to \(SearchText.maxBytes) bytes of text")
    }
    guard let offer = try YouTubeSearch.offer(in: session) else {
      throw HubProblem(
        409, "A search on YouTube needs a key of YouTube’s Data API, or yt-dlp; see the manual of metube-rss.")
    }
    if var outcome = recent.outcome(of: text, by: user, at: session.now) {
      (outcome.units, outcome.left) = (0, offer.left)
      return outcome
    }
    try checkBudget(offer)
    let limit = session.workspace.searchLimit
    try count(limit, "YouTube can be searched")
    var search = YouTubeSearch(text, in: session, deadline: Clock.steady() + HubService.longestSearch)
    defer {
      if search.units == 0 { StandardError.reportFailure { try limit?.forgetLast() } }
    }
    do {
      let outcome = try find(&search)
      recent.keep(outcome, of: text, by: user, at: session.now)
      return outcome
    } catch let failure as Failure {
      // The person on the page can do nothing about the key.
      StandardError.report(failure.message)
      throw failure
    }
  }

  /// Throws if the budget of the day lacks the units, with when it has them again.
  private func checkBudget(_ offer: YouTubeSearch.Offer) throws {
    // Without any the request itself says whether they are used up or the key was refused.
    guard let left = offer.left, left > 0, left < offer.cost else { return }
    let wait = PacificDay.end(of: session.now).seconds(since: session.now)
    throw HubProblem(
      503, "A search on YouTube costs \(offer.cost) units of the Data API, and \(left) of today’s are left.",
      retryAfter: Int(wait))
  }
}

/// The results of searches on YouTube of the last minutes, in memory: going back to them, reloading the page or
/// pressing a button twice costs no further units.
final class RecentSearches<Found: Sendable>: Sendable {
  private struct Key: Hashable {
    let user: String
    let text: String
  }

  private let kept = Mutex<[Key: (outcome: YouTubeSearch.Outcome<Found>, at: Timestamp)]>([:])
  /// How long results are kept, in seconds, and of how many searches.
  private static var lifetime: Int64 { 900 }
  private static var maximum: Int { 200 }

  /// The results of a search of a user; nil if it is not kept.
  func outcome(of text: SearchText, by user: String, at now: Timestamp) -> YouTubeSearch.Outcome<Found>? {
    kept.withLock { kept in
      kept[Key(user: user, text: text.text)].flatMap { RecentSearches.isRecent($0.at, at: now) ? $0.outcome : nil }
    }
  }

  /// Keeps the results of a search; the oldest ones go.
  func keep(_ outcome: YouTubeSearch.Outcome<Found>, of text: SearchText, by user: String, at now: Timestamp) {
    kept.withLock { kept in
      kept = kept.filter { RecentSearches.isRecent($0.value.at, at: now) }
      if kept.count >= RecentSearches.maximum, let oldest = kept.min(by: { $0.value.at < $1.value.at }) {
        kept[oldest.key] = nil
      }
      kept[Key(user: user, text: text.text)] = (outcome, now)
    }
  }

  private static func isRecent(_ time: Timestamp, at now: Timestamp) -> Bool {
    (0...lifetime).contains(now.seconds(since: time))
  }
}

/// Those of the process.
private enum Searches {
  static let channels = RecentSearches<ChannelMatch>()
  static let videos = RecentSearches<YouTubeVideo>()
}
