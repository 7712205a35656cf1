/// Distinguishes an outage of the feeds as a whole from failures of single channels, by a run's most recent responses.
///
/// A feed that has failed for weeks says nothing about today. A feed that never worked may be dead just as well as
/// affected by an outage, so evidence from such feeds alone is doubtful.
package struct OutageWatch: Sendable {
  /// The outcome of a request.
  enum Answer: Equatable, Sendable { case good, bad, silence }

  /// The most recent outcomes, newest last.
  private var answers: [(answer: Answer, wasWell: Bool)] = []
  /// The number of outcomes in the whole run.
  private(set) var total = 0
  private(set) var good = 0

  /// The maximum number of recent outcomes considered.
  static let window = 20
  /// The minimum number of outcomes required.
  static let fewest = 10
  /// The share of failures that makes an outage, in percent: 12 of 20.
  static let share = 60

  /// Records an outcome, and whether the feed was healthy before.
  mutating func note(_ answer: Answer, wasWell: Bool) {
    total += 1
    if answer == .good { good += 1 }
    answers.append((answer, wasWell))
    if answers.count > OutageWatch.window { answers.removeFirst() }
  }

  /// Whether the recent outcomes amount to an outage.
  var isOutage: Bool {
    guard answers.count >= OutageWatch.fewest else { return false }
    return OutageWatch.isFailing(answers.map(\.answer))
  }

  /// Whether an apparent outage may not be one: there are too few outcomes, or no majority of failures among feeds that
  /// were healthy.
  var isDoubtful: Bool { answers.count < OutageWatch.fewest || !OutageWatch.isFailing(ofWell) }

  /// Whether most feeds that were healthy still respond.
  var isWellElsewhere: Bool { !ofWell.isEmpty && !OutageWatch.isFailing(ofWell) }

  private var ofWell: [Answer] { answers.filter(\.wasWell).map(\.answer) }

  private static func isFailing(_ answers: [Answer]) -> Bool {
    !answers.isEmpty && answers.count { $0 != .good } * 100 >= answers.count * share
  }

  /// Whether a run too short for an outage verdict failed completely.
  var isFailingWhole: Bool { total > 0 && total < OutageWatch.fewest && good == 0 }

  /// Whether all recent failures were missing responses; nil if there were no failures.
  var isSilence: Bool? {
    answers.allSatisfy { $0.answer == .good } ? nil : !answers.contains { $0.answer == .bad }
  }

  /// Discards all outcomes: the following requests test something else.
  mutating func begin() { self = OutageWatch() }
}
