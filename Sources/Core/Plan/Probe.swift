/// A few questions that decide what becomes of the others.
struct Probe: Equatable, Sendable {
  /// What it is to find out.
  enum Purpose: Sendable {
    /// Whether the trouble is over for which nothing was asked.
    case pauseOver
    /// Whether the other form of feed works where the usual one fails.
    case otherForm
  }

  let purpose: Purpose
  private let count: Int
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

  /// Takes note of an answer, unless the question was in flight when the probe began.
  mutating func noteAnswer(to question: FeedQuestion, isGood: Bool) {
    guard purpose == .pauseOver || question.form == .uploads else { return }
    if isGood { good += 1 } else { bad += 1 }
  }

  /// Whether more than half were good; nil while it is not decided, and answers are still to come.
  func verdict(isLast: Bool) -> Bool? {
    if good * 2 > count { return true }
    return isLast || bad * 2 >= count ? false : nil
  }
}
