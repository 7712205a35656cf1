import Core
import FeedParser
import HTTPClient

/// A parsed response: its outcome for the run, and the feed, if it is one.
struct FeedReading {
  /// The outcome for the run.
  let answer: FeedAnswer
  /// The parsed feed.
  let feed: Feed?

  /// Reads the response that libcurl delivered at `now`; `isTagged` is whether the request carried validators, without
  /// which a 304 is invalid.
  init(_ result: Result<FetchAnswer, FetchFailure>, to question: FeedQuestion, isTagged: Bool, at now: Timestamp) {
    switch result {
    case .failure(let failure):
      let words = Words.fetch(failure)
      (answer, feed) = (failure.isAnswer ? .damaged(words, status: nil) : .none(words), nil)
    case .success(let found) where found.status == 304 && isTagged: (answer, feed) = (.notModified, nil)
    case .success(let found) where found.status == 200: (answer, feed) = FeedReading.read(found, to: question)
    case .success(let found):
      (answer, feed) = (.status(found.status, retryAfter: found.retryAfter.map { $0.seconds(at: now) }), nil)
    }
  }

  private static func read(_ answer: FetchAnswer, to question: FeedQuestion) -> (FeedAnswer, Feed?) {
    do {
      let feed = try Feed(xml: answer.body)
      if let other = feed.foreignChannel(asked: question) { return (.damaged(Words.foreign(other), status: 200), nil) }
      return (.feed(PostingHabit(of: feed), etag: answer.etag, lastModified: answer.lastModified), feed)
    } catch { return (.damaged(Words.feed(error), status: 200), nil) }
  }
}

extension FetchFailure {
  /// Whether a response was received that is unusable and would be so on retry: too large, or a forbidden redirect.
  var isAnswer: Bool {
    switch self {
    case .tooLarge, .headersTooLarge, .tooManyRedirects, .forbiddenScheme, .forbiddenAddress, .forbiddenHost: true
    default: false
    }
  }
}

extension RetryAfter {
  /// The seconds to wait from `now`.
  func seconds(at now: Timestamp) -> Int64 {
    switch self {
    case .seconds(let seconds): Int64(seconds)
    case .date(let date): max(0, Int64(date) - now.seconds)
    }
  }
}
