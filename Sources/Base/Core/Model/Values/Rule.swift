/// A user's rule that hides videos, or shows them regardless of other rules; applied at query time.
///
/// All its conditions must hold; a nil condition always does.
package struct Rule: Equatable, Sendable {
  /// The rule's ID, containing the second in which it was created: `692fd3a0-k3v9`.
  package var id: String
  package var verdict: Verdict
  /// Words that must all occur in the text.
  package var contains: String?
  /// A pattern that must match the text; see `Pattern`.
  package var matches: String?
  /// The text to test; nil for title and description.
  package var field: Field?
  /// The minimum duration in seconds; a video of unknown duration never matches.
  package var minimumLength: Int?
  /// The maximum duration in seconds; a video of unknown duration never matches.
  package var maximumLength: Int?
  /// Whether it must be a Short by evidence, or must not.
  package var short: Bool?
  /// Whether it must be a known stream or premiere, or must not.
  package var live: Bool?
  /// The minimum age in seconds since publication.
  package var age: Int?
  /// Only videos with this tag.
  package var tag: String?
  /// Only videos of this subscription.
  package var subscription: SubscriptionID?

  /// The effect on matching videos.
  package enum Verdict: String, CaseIterable, Sendable {
    case block
    /// Shown even if other rules block it.
    case allow
  }

  /// A text field of a video.
  package enum Field: String, CaseIterable, Sendable { case title, description }

  package init(id: String, verdict: Verdict) {
    (self.id, self.verdict) = (id, verdict)
  }

  /// Whether it has any condition and so does not match every video.
  package var isNarrow: Bool { self != Rule(id: id, verdict: verdict).with(field) }

  private func with(_ field: Field?) -> Rule {
    var rule = self
    rule.field = field
    return rule
  }
}
