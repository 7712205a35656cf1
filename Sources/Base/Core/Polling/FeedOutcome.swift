/// A cache validator (ETag or Last-Modified), kept only if it can be sent back as a header value.
package enum CacheValidator {
  /// The maximum length in bytes; real ones have a few dozen.
  static let limit = 1024

  /// The text if it is a legal HTTP header value (RFC 9110 §5.5) of at most `limit` bytes, else nil.
  package static func sendable(_ text: String?) -> String? {
    guard let text, (1...limit).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } ? text : nil
  }
}

/// The outcome of a feed request, as far as the poll needs it.
package enum FeedOutcome: Equatable, Sendable {
  /// A feed was parsed; with its cache validators.
  case feed(PublishingInterval?, etag: String?, lastModified: String?)
  /// 304: unchanged.
  case notModified
  /// Any other HTTP status; with the seconds of Retry-After.
  case status(Int, retryAfter: Int64?)
  /// No response, or an incomplete one; with the reason as text for the user.
  case none(String)
  /// The request never left this machine, or reached no server; with the reason as text for the user.
  case unsent(String)
  /// A response that is not the requested channel's feed, with the reason as text for the user, and with the HTTP
  /// status if a complete response was received.
  case damaged(String, status: Int?)
}

extension FeedOutcome {
  /// The outcome as text for the user: `HTTP 404`, `timed out`.
  package var text: String {
    switch self {
    case .feed: "200"
    case .notModified: "304"
    case .status(let status, _): "HTTP \(status)"
    case .none(let text), .unsent(let text), .damaged(let text, _): text
    }
  }

  /// The HTTP status; nil if no response was received.
  package var status: Int? {
    switch self {
    case .feed: 200
    case .notModified: 304
    case .status(let status, _): status
    case .damaged(_, let status): status
    case .none, .unsent: nil
    }
  }

  /// Whether the response was understood.
  var isGood: Bool {
    switch self {
    case .feed, .notModified: true
    case .status, .none, .unsent, .damaged: false
    }
  }

  /// Whether no response was received.
  var isSilence: Bool {
    switch self {
    case .none, .unsent: true
    case .feed, .notModified, .status, .damaged: false
    }
  }

  /// Whether the server cannot know of the request, so that the feed counts as not requested.
  var isUnsent: Bool { if case .unsent = self { true } else { false } }

  /// The server's Retry-After in seconds; nil if absent.
  var retryAfter: Int64? { if case .status(_, let seconds) = self { seconds } else { nil } }

  /// Whether retrying within the run may help: never after a 404, nor if the server sent Retry-After.
  var isPassing: Bool {
    switch self {
    case .status(let status, let seconds): (500..<600).contains(status) && seconds == nil
    case .none, .unsent: true
    case .feed, .notModified, .damaged: false
    }
  }
}
