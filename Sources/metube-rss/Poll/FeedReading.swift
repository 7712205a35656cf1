import Core
import FeedXML
import Fetch

/// What came back to a question, read: what the run has to know of it, and the feed, where it is one.
struct FeedReading {
  /// What the answer comes to.
  let answer: FeedAnswer
  /// The feed that was read.
  let feed: Feed?

  /// Reads what libcurl brought at `now`; `isTagged` is whether the question went out with validators, without which
  /// nothing can be as it was.
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
  /// Whether there was an answer, but one that is of no use and would be the same again: too large, or leading astray.
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
