import Core

/// What came of a request, as far as polling needs it.
package struct WebFeedResponse: Equatable, Sendable {
  package var outcome: WebFeedOutcome
  /// The validators, verbatim; also those of a 304.
  package var etag: String?
  package var lastModified: String?
  /// For how many seconds the response says it is fresh, by `Freshness`; nil if it does not say.
  package var freshFor: Int64?
  /// Retry-After in seconds.
  package var retryAfter: Int64?
  /// Where permanent redirects led from the requested URL; nil without them.
  package var permanentURL: WebURL?

  package init(_ outcome: WebFeedOutcome) { self.outcome = outcome }
}

/// The outcome of a request for a feed.
package enum WebFeedOutcome: Equatable, Sendable {
  /// A feed was parsed.
  case feed(WebFeedReport)
  /// 304, or a whole response with the same bytes as the last one.
  case unchanged(isWhole: Bool)
  /// A page where a feed should be, as for logins, consent and maintenance.
  case page
  /// Any other response that is no feed; with the reason as text for the user.
  case damaged(String)
  /// Any other status.
  case status(Int)
  /// A gatekeeper wants to see a browser; with the status.
  case challenge(Int)
  /// No response, or a part of one; with the reason as text for the user.
  case silence(String)
  /// No server was reached: no name, no route; with the reason as text for the user.
  case unsent(String)
}

/// What polling needs to know of a feed that was parsed.
package struct WebFeedReport: Equatable, Sendable {
  /// How often it publishes; nil if its entries have no dates.
  package var habit: PublishingInterval?
  /// A hash of the bytes of the document.
  package var digest: UInt64
  /// The size of the document, decompressed.
  package var bytes: Int
  /// Whether it has entries that were unknown.
  package var hasNews: Bool
  /// Whether it has an entry that was known.
  package var sharesKey: Bool
  /// The new address that it announces (`itunes:new-feed-url`).
  package var newURL: WebURL?

  package init(habit: PublishingInterval?, digest: UInt64, bytes: Int, hasNews: Bool, sharesKey: Bool) {
    (self.habit, self.digest, self.bytes) = (habit, digest, bytes)
    (self.hasNews, self.sharesKey) = (hasNews, sharesKey)
  }
}

extension WebFeedOutcome {
  /// The outcome as text for the user: `HTTP 404`, `timed out`.
  package var text: String {
    switch self {
    case .feed, .unchanged(isWhole: true): "200"
    case .unchanged(isWhole: false): "304"
    case .page: "a web page instead of a feed"
    case .status(let status): "HTTP \(status)"
    case .challenge(let status): "HTTP \(status), a check for browsers"
    case .damaged(let text), .silence(let text), .unsent(let text): text
    }
  }

  /// Whether it was understood.
  package var isGood: Bool {
    switch self {
    case .feed, .unchanged: true
    default: false
    }
  }

  /// Whether anything responded, so that this machine has a network.
  var isResponse: Bool {
    switch self {
    case .silence, .unsent: false
    default: true
    }
  }

  /// What it says about the feed; nil if it was understood.
  var trouble: FeedTrouble? {
    switch self {
    case .feed, .unchanged: nil
    case .page: .page
    case .status(410): .gone
    case .status(408), .status(425), .status(429), .status(500...): .passing
    case .status: .missing
    case .damaged, .challenge, .silence, .unsent: .passing
    }
  }
}

/// Why a feed fails.
package enum FeedTrouble: String, Sendable {
  /// 404, 403 or the like, while its host responds.
  case missing
  /// A page where the feed was.
  case page
  /// 410: its publisher says that it is gone.
  case gone
  /// What may pass: 500, no response, a document that is not well-formed.
  case passing
}

extension PublishingInterval {
  /// The interval of entries with these dates; nil without any.
  package init?(published dates: [Timestamp]) {
    let dates = dates.sorted(by: >)
    guard let newest = dates.first else { return nil }
    let intervals = zip(dates, dates.dropFirst()).map { $0.seconds(since: $1) }.sorted()
    self.init(newest: newest, interval: intervals.isEmpty ? nil : intervals[intervals.count / 2])
  }
}

/// For how long a response may be kept, by what it and the feed say (RFC 9111 §5.2, §5.3).
package enum Freshness {
  /// Seconds, at most a day; nil if nothing says so.
  ///
  /// - Parameters:
  ///   - cacheControl: the values of `Cache-Control`, separated by commas. `no-cache` and `no-store` say nothing here: they
  ///     are the defaults of many programs.
  ///   - expires: `Expires`, in seconds since 1970, counted from the server's `Date`.
  ///   - minutes: the `ttl` of the feed.
  package static func seconds(cacheControl: String?, expires: Int64?, date: Int64?, minutes: Int?) -> Int64? {
    var lengths: [Int64] = []
    if let age = cacheControl.flatMap(maxAge) {
      lengths.append(age)
    } else if let expires, let date {
      lengths.append(Timestamp(seconds: expires).seconds(since: Timestamp(seconds: date)))
    }
    if let minutes { lengths.append(Int64(min(max(minutes, 0), 100_000)) * 60) }
    return lengths.filter { $0 > 0 }.max().map { min($0, PublishingInterval.longest) }
  }

  private static func maxAge(_ text: String) -> Int64? {
    for directive in text.lowercased().split(separator: ",").prefix(32) {
      let sides = directive.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
      guard sides.count == 2, sides[0] == "max-age" else { continue }
      let digits = sides[1].filter { $0 != "\"" }
      // A number that is too large means for ever (RFC 9111 §1.2.2).
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int64(digits) ?? PublishingInterval.longest
    }
    return nil
  }
}
