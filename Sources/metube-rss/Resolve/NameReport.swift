import Core

/// What came of looking names up.
struct NameReport {
  /// The names that are known now, and what they stand for.
  var resolved: [(name: String, subscription: SubscriptionID)] = []
  /// The names that led to no channel, and why.
  var failed: [(name: String, words: String)] = []
  /// The names whose pages could not be had, and why.
  var unanswered: [(name: String, words: String)] = []
  /// The names that are still to be looked up.
  var waiting = 0
  /// Why it ended before its time.
  var stopped: StopReason?
  /// Why all that would come after it is to end too: the person's wish or the deadline; nil where it is neither.
  var ending: StopReason? { stopped == .interrupted || stopped == .deadline ? stopped : nil }
  /// The server's refusal, a 403 or 429, which the feeds would meet too; nil where it did not refuse.
  var refusal: StopReason? { stopped == .refused || stopped == .tooMany ? stopped : nil }
  /// What stopped it.
  var trouble: String?

  /// What a person is told of it, a line each.
  var complaints: [String] {
    var lines = failed.map { "\($0.name): \($0.words); asked again after a day" }
    lines += unanswered.map { "\($0.name): \($0.words); asked again by the next poll" }
    if let trouble { lines.append("names cannot be looked up now: \(trouble)") }
    return lines
  }
}
