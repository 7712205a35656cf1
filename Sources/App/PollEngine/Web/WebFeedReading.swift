import App
import Core
import Entries
import FeedParser
import HTTPClient
import Messages
import ReadModel
import WebFeed
import WebFetch
import WebPolling

/// A response of another site as polling understands it: its outcome for the run, and the document if it is a feed.
struct WebFeedReading {
  private(set) var response: WebFeedResponse
  /// The parsed feed; nil of anything else, and if its bytes are those that were read last.
  private(set) var document: WebFeed?

  /// What feeds are requested as.
  static let accepted =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"

  /// Reads the outcome of a request at `now`; `digest` is that of the bytes that were read last, if any.
  init(_ outcome: WebOutcome, digest: UInt64?, at now: Timestamp) {
    switch outcome.result {
    case .failure(let failure):
      response = WebFeedResponse(WebFeedOutcome(failure, after: outcome.bytes))
    case .success(let found):
      response = WebFeedResponse(.status(found.response.status))
      let date = found.response.date.map { Int64($0) }
      response.etag = found.response.etag
      response.lastModified = found.response.lastModified
      response.retryAfter = found.response.retryAfter?.seconds(at: now)
      response.permanentURL = found.permanentURL
      read(found, digest, at: now)
      response.freshFor = Freshness.seconds(
        cacheControl: found.response.cacheControl, expires: found.response.expires.map { Int64($0) }, date: date,
        minutes: document?.timeToLive)
    }
  }

  private mutating func read(_ found: WebResponse, _ digest: UInt64?, at now: Timestamp) {
    let status = found.response.status
    if found.response.mitigation?.lowercased() == "challenge" {
      response.outcome = .challenge(status)
    } else if status == 304 {
      response.outcome = .unchanged(isWhole: false)
    } else if status == 200 {
      parse(found, digest, at: now)
    }
  }

  private mutating func parse(_ found: WebResponse, _ digest: UInt64?, at now: Timestamp) {
    let bytes = found.response.body
    let own = Fingerprint.of(bytes.span.bytes)
    guard own != digest else { return response.outcome = .unchanged(isWhole: true) }
    do {
      let feed = try WebFeedParser.parse(bytes, contentType: found.response.contentType, base: found.url)
      document = feed
      // What is announced says nothing about how often a feed publishes.
      let dates = feed.entries.compactMap { $0.published ?? $0.updated }.filter { $0 <= now }
      var report = WebFeedReport(
        habit: PublishingInterval(published: dates), digest: own, bytes: bytes.count, hasNews: false, sharesKey: false)
      report.newURL = feed.newFeedURL.flatMap { WebURL($0, relativeTo: found.url) }
      response.outcome = .feed(report)
    } catch {
      let isPage = found.response.contentType?.lowercased().hasPrefix("text/html") ?? false
      response.outcome = isPage || error.isPage ? .page : .damaged(UserMessages.feed(error))
    }
  }

  /// Adds what a comparison with the known entries shows.
  mutating func note(_ comparison: WebNews.Comparison) {
    guard case .feed(var report) = response.outcome else { return }
    (report.hasNews, report.sharesKey) = (comparison.detection.found > 0, comparison.sharesKey)
    response.outcome = .feed(report)
  }
}

/// A document of a feed that is to be compared with what is known.
struct WebNews {
  let feed: FeedID
  let document: WebFeed
  /// When the feed was read before; nil if never.
  let answered: Timestamp?

  /// A comparison at one moment.
  struct Comparison {
    let detection: EntryDetection
    /// Whether the document has an entry that was known.
    let sharesKey: Bool
  }

  /// Compares the document with what the log says.
  func compare(in session: Session, now: Timestamp) throws -> Comparison {
    let known = try session.query { try $0.known(of: feed) }
    let detection = EntryDetection(of: document, known: known, answered: answered, now: now)
    let isFirst = known.entries.isEmpty && known.keys.isEmpty
    let isEmpty = document.entries.isEmpty
    return Comparison(
      detection: detection, sharesKey: !isFirst && !isEmpty && !detection.hasGap && !detection.isRenumbered)
  }
}

extension ParseError {
  /// Whether the document is a page of the web.
  fileprivate var isPage: Bool {
    if case .notAFeed(let root) = self { root.lowercased() == "html" } else { false }
  }
}

extension WebFeedOutcome {
  /// The outcome of a request without a response, of which this many bytes arrived.
  fileprivate init(_ failure: WebFailure, after bytes: Int) {
    let text = UserMessages.fetch(failure)
    guard case .transfer(let problem, _) = failure else { self = .damaged(text); return }
    switch problem {
    case .resolve, .connect, .timedOut(.queued), .timedOut(.resolving), .timedOut(.connecting):
      // After a redirect a server was reached.
      self = bytes > 0 ? .silence(text) : .unsent(text)
    case .tooLarge, .headersTooLarge: self = .damaged(text)
    default: self = .silence(text)
    }
  }
}
