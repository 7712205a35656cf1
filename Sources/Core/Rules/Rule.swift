/// A person's rule on which videos to hide, or to show whatever the other rules say; applied when viewing.
///
/// All its conditions must hold; one that is nil always does.
package struct Rule: Equatable, Sendable {
  /// Its id, with the second in which it was made: `692fd3a0-k3v9`.
  package var id: String
  package var verdict: Verdict
  /// Words that are all in the text.
  package var contains: String?
  /// A pattern that matches the text; see `Pattern`.
  package var matches: String?
  /// The text in question; nil is title and description.
  package var field: Field?
  /// Seconds it is known to last at least.
  package var minimumLength: Int?
  /// Seconds it is known to last at most.
  package var maximumLength: Int?
  /// Whether it is a Short by evidence, or not.
  package var short: Bool?
  /// Whether it is proven to be a stream or premiere, or not.
  package var live: Bool?
  /// Seconds since it was published, at least.
  package var age: Int?
  /// Only videos with this tag.
  package var tag: String?
  /// Only videos of this subscription.
  package var subscription: SubscriptionID?

  /// What becomes of the videos a rule applies to.
  package enum Verdict: String, CaseIterable, Sendable {
    case block
    /// Shown, whatever rules block it.
    case allow
  }

  /// A text of a video.
  package enum Field: String, CaseIterable, Sendable { case title, description }

  package init(id: String, verdict: Verdict) {
    self.id = id
    self.verdict = verdict
  }

  /// Whether it has any condition, so that it is not about every video there is.
  package var isNarrow: Bool { self != Rule(id: id, verdict: verdict).with(field) }

  private func with(_ field: Field?) -> Rule {
    var rule = self
    rule.field = field
    return rule
  }
}
