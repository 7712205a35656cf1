/// Tells an outage of the feeds as a whole from the trouble of some channels, by the last answers of a run.
///
/// A feed that has failed for weeks says nothing of today. One that was never well may be gone as well as meet an outage,
/// so what only such feeds say is doubtful.
package struct OutageWatch: Sendable {
  /// What came back to a question.
  enum Answer: Equatable, Sendable { case good, bad, silence }

  /// The last answers, the newest last.
  private var answers: [(answer: Answer, wasWell: Bool)] = []
  /// Answers of the whole run.
  private(set) var total = 0
  private(set) var good = 0

  /// How many of the last answers are looked at.
  static let window = 20
  /// How many there have to be.
  static let fewest = 10
  /// The failing share that makes an outage, in percent: 12 of 20.
  static let share = 60

  /// Takes note of an answer of a feed that was well before, or never had one.
  mutating func note(_ answer: Answer, wasWell: Bool) {
    total += 1
    if answer == .good { good += 1 }
    answers.append((answer, wasWell))
    if answers.count > OutageWatch.window { answers.removeFirst() }
  }

  /// Whether the last answers are an outage.
  var isOutage: Bool {
    guard answers.count >= OutageWatch.fewest else { return false }
    return OutageWatch.isFailing(answers.map(\.answer))
  }

  /// Whether the outage that the answers are may be none: they are few, or those of feeds that were well are not like it.
  var isDoubtful: Bool { answers.count < OutageWatch.fewest || !OutageWatch.isFailing(ofWell) }

  /// Whether feeds that were well answer, most of them.
  var isWellElsewhere: Bool { !ofWell.isEmpty && !OutageWatch.isFailing(ofWell) }

  private var ofWell: [Answer] { answers.filter(\.wasWell).map(\.answer) }

  private static func isFailing(_ answers: [Answer]) -> Bool {
    !answers.isEmpty && answers.count { $0 != .good } * 100 >= answers.count * share
  }

  /// Whether a run that ended with fewer answers than a window needs failed altogether.
  var isFailingWhole: Bool { total > 0 && total < OutageWatch.fewest && good == 0 }

  /// Whether of the last answers those that failed never came; nil where none failed.
  var isSilence: Bool? {
    answers.allSatisfy { $0.answer == .good } ? nil : !answers.contains { $0.answer == .bad }
  }

  /// Forgets the last answers: what is asked from now on is another question.
  mutating func begin() { self = OutageWatch() }
}
