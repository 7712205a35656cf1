import Core

/// The result of a name lookup.
struct NameReport {
  /// The resolved names and their subscriptions.
  var resolved: [(name: String, subscription: SubscriptionID)] = []
  /// The names without a channel, and why.
  var failed: [(name: String, words: String)] = []
  /// The names whose pages could not be fetched, and why.
  var unanswered: [(name: String, words: String)] = []
  /// The number of names not yet looked up.
  var waiting = 0
  /// Why it ended early; nil if it did not.
  var stopped: StopReason?
  /// Why the whole command must stop too: an interrupt or the deadline; otherwise nil.
  var ending: StopReason? { stopped == .interrupted || stopped == .deadline ? stopped : nil }
  /// The server's refusal, a 403 or 429, which applies to the feeds too; otherwise nil.
  var refusal: StopReason? { stopped == .refused || stopped == .tooMany ? stopped : nil }
  /// What stopped it, as a message for the user.
  var trouble: String?

  /// Messages for the user, one per line.
  var complaints: [String] {
    var lines = failed.map { "\($0.name): \($0.words); will retry after a day" }
    lines += unanswered.map { "\($0.name): \($0.words); the next poll will retry" }
    if let trouble { lines.append("handles cannot be looked up now: \(trouble)") }
    return lines
  }
}
