/// A few questions that decide what becomes of the others.
struct Probe: Equatable, Sendable {
  /// What it is to find out.
  enum Purpose: Equatable, Sendable {
    /// Whether the trouble is over for which nothing was asked.
    case pauseOver
    /// Whether the other form of feed works where the usual one fails.
    case otherForm
    /// Whether a feed that was well still is, where what was asked before fails.
    case control(SubscriptionID)
  }

  /// What its answers say.
  enum Verdict: Sendable {
    case good
    case bad
    /// Some were good, but not more than half.
    case mixed
  }

  let purpose: Purpose
  private(set) var count: Int
  private var asked = 0
  private var good = 0
  private var bad = 0

  /// A probe of so many questions.
  init(_ purpose: Purpose, count: Int) {
    self.purpose = purpose
    self.count = count
  }

  /// Whether all its questions were asked.
  var isAsked: Bool { asked == count }

  /// Takes note that one of its questions was asked.
  mutating func noteAsked() { asked += 1 }

  /// Has it ask one more.
  mutating func askOneMore() { count += 1 }

  /// Takes note of an answer, unless the question was in flight when the probe began.
  mutating func noteAnswer(to question: FeedQuestion, isGood: Bool) {
    switch purpose {
    case .pauseOver: break
    case .otherForm: guard question.form == .uploads else { return }
    case .control(let subscription): guard question.subscription == subscription else { return }
    }
    if isGood { good += 1 } else { bad += 1 }
  }

  /// What its answers say; nil while that is not decided, and answers are still to come.
  func verdict(isLast: Bool) -> Verdict? {
    if good * 2 > count { return .good }
    guard isLast || good + bad == count else { return nil }
    return good > 0 ? .mixed : .bad
  }
}
