/// A few requests whose outcomes decide about the rest of the run.
struct Probe: Equatable, Sendable {
  /// What the probe tests.
  enum Purpose: Equatable, Sendable {
    /// Whether the trouble behind a backoff is over.
    case pauseOver
    /// Whether the other kind of feed works while the usual one fails.
    case otherForm
    /// Whether a canary feed still works while other feeds fail.
    case control(SubscriptionID)
  }

  /// The verdict on the outcomes.
  enum Verdict: Sendable {
    case good
    case bad
    /// Some succeeded, but not more than half.
    case mixed
  }

  let purpose: Purpose
  private(set) var count: Int
  private var asked = 0
  private var good = 0
  private var bad = 0

  /// A probe of `count` requests.
  init(_ purpose: Purpose, count: Int) {
    self.purpose = purpose
    self.count = count
  }

  /// Whether all its requests were sent.
  var isAsked: Bool { asked == count }

  /// Records that one of its requests was sent.
  mutating func noteAsked() { asked += 1 }

  /// Extends it by one request.
  mutating func askOneMore() { count += 1 }

  /// Records an outcome, unless the request was already in flight when the probe began.
  mutating func noteAnswer(to question: FeedQuestion, isGood: Bool) {
    switch purpose {
    case .pauseOver: break
    case .otherForm: guard question.form == .uploads else { return }
    case .control(let subscription): guard question.subscription == subscription else { return }
    }
    if isGood { good += 1 } else { bad += 1 }
  }

  /// The verdict; nil while undecided and outcomes are still pending.
  func verdict(isLast: Bool) -> Verdict? {
    if good * 2 > count { return .good }
    guard isLast || good + bad == count else { return nil }
    return good > 0 ? .mixed : .bad
  }
}
