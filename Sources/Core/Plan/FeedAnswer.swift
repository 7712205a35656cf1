/// What came back to a question, as far as the poll has to know.
package enum FeedAnswer: Equatable, Sendable {
  /// A feed that was read, with its validators.
  case feed(PostingHabit?, etag: String?, lastModified: String?)
  /// 304: as it was.
  case notModified
  /// Any other status of HTTP; with the seconds of a Retry-After.
  case status(Int, retryAfter: Int64?)
  /// No answer came, or it broke off; in words for the person.
  case none(String)
  /// An answer that is no feed of the channel asked for, in words for the person; with its status of HTTP, where it was
  /// an answer by its end.
  case damaged(String, status: Int?)
}

extension FeedAnswer {
  /// What the person is told of it: `HTTP 404`, `timed out`.
  package var words: String {
    switch self {
    case .feed: "200"
    case .notModified: "304"
    case .status(let status, _): "HTTP \(status)"
    case .none(let words), .damaged(let words, _): words
    }
  }

  /// The status of HTTP, where there was one.
  package var status: Int? {
    switch self {
    case .feed: 200
    case .notModified: 304
    case .status(let status, _): status
    case .damaged(_, let status): status
    case .none: nil
    }
  }

  /// Whether it was understood.
  var isGood: Bool {
    switch self {
    case .feed, .notModified: true
    case .status, .none, .damaged: false
    }
  }

  /// Whether no answer came at all.
  var isSilence: Bool { if case .none = self { true } else { false } }

  /// The seconds after which the server wants to be asked again, where it said so.
  var retryAfter: Int64? { if case .status(_, let seconds) = self { seconds } else { nil } }

  /// Whether asking again in the same run may help: never after a 404, nor where the server said when to.
  var isPassing: Bool {
    switch self {
    case .status(let status, let seconds): (500..<600).contains(status) && seconds == nil
    case .none: true
    case .feed, .notModified, .damaged: false
    }
  }
}
