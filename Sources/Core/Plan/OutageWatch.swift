/// Tells an outage of the feeds as a whole from the trouble of some channels, by the last answers of a run.
///
/// Only feeds that were well before speak: one that has failed for weeks says nothing of today.
package struct OutageWatch: Equatable, Sendable {
  /// What came back to a question.
  enum Answer: Equatable, Sendable { case good, bad, silence }

  /// The last answers, the newest last.
  private var answers: [Answer] = []
  /// Answers of the whole run.
  private(set) var total = 0
  private(set) var good = 0

  /// How many of the last answers are looked at.
  static let window = 20
  /// How many there have to be.
  static let fewest = 10
  /// The failing share that makes an outage, in percent: 12 of 20.
  static let share = 60

  /// Takes note of an answer of a feed that was well before, or was never asked.
  mutating func note(_ answer: Answer) {
    total += 1
    if answer == .good { good += 1 }
    answers.append(answer)
    if answers.count > OutageWatch.window { answers.removeFirst() }
  }

  /// Whether the last answers are an outage.
  var isOutage: Bool {
    guard answers.count >= OutageWatch.fewest else { return false }
    return answers.count { $0 != .good } * 100 >= answers.count * OutageWatch.share
  }

  /// Whether a run that ended with fewer answers than a window needs failed altogether.
  var isFailingWhole: Bool { total > 0 && total < OutageWatch.fewest && good == 0 }

  /// Whether of the last answers those that failed never came; nil where none failed.
  var isSilence: Bool? {
    answers.allSatisfy { $0 == .good } ? nil : !answers.contains(.bad)
  }

  /// Forgets the last answers: what is asked from now on is another question.
  mutating func begin() { self = OutageWatch() }
}
