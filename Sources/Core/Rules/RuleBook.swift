/// The person's rules, made ready to be applied to many videos.
package struct RuleBook {
  /// A rule with what looks for its texts.
  private final class Entry {
    let rule: Rule
    let words: SearchWords?
    /// It learns from text to text, which is why an entry has an identity.
    var matcher: PatternMatcher?
    /// Whether its pattern is one; one from a later version may not be, and then the rule never applies.
    let isUnderstood: Bool

    init(_ rule: Rule) {
      self.rule = rule
      words = rule.contains.map { SearchWords($0) }
      let pattern = rule.matches.map { try? Pattern($0) }
      matcher = pattern.flatMap { $0 }.map { PatternMatcher($0) }
      isUnderstood = rule.matches == nil || matcher != nil
    }

    var needsText: Bool { words != nil || matcher != nil }
  }

  private let blocking: [Entry]
  private let allowing: [Entry]

  /// The rules ready for use.
  package init(_ rules: [Rule]) {
    blocking = rules.filter { $0.verdict == .block }.map(Entry.init)
    allowing = rules.filter { $0.verdict == .allow }.map(Entry.init)
  }

  /// Whether there are none.
  package var isEmpty: Bool { blocking.isEmpty && allowing.isEmpty }

  /// Whether the rules hide a video: one blocks it and none allows it. `description` gives its text where it matters.
  package func hides(
    _ video: Video, in state: State, at now: Timestamp, description: (Video) -> String
  ) -> Bool {
    guard blocking.contains(where: { applies($0, to: video, in: state, at: now, description) }) else { return false }
    return !allowing.contains { applies($0, to: video, in: state, at: now, description) }
  }

  /// The rules that apply to a video, those that block first.
  package func applying(
    to video: Video, in state: State, at now: Timestamp, description: (Video) -> String
  ) -> [Rule] {
    (blocking + allowing).filter { applies($0, to: video, in: state, at: now, description) }.map(\.rule)
  }

  private func applies(
    _ entry: Entry, to video: Video, in state: State, at now: Timestamp, _ description: (Video) -> String
  ) -> Bool {
    guard entry.isUnderstood, RuleBook.isInScope(entry.rule, video, state),
      RuleBook.hasProperties(entry.rule, video, at: now)
    else { return false }
    guard entry.needsText else { return true }
    if entry.rule.field != .description, finds(entry, in: video.title) { return true }
    return entry.rule.field != .title && finds(entry, in: description(video))
  }

  private func finds(_ entry: Entry, in text: String) -> Bool {
    let folded = FoldedText.bytes(of: text)
    if let words = entry.words, !words.match(folded: folded.span) { return false }
    return entry.matcher?.matches(folded: folded.span) ?? true
  }

  private static func isInScope(_ rule: Rule, _ video: Video, _ state: State) -> Bool {
    if let tag = rule.tag, !state.tags(of: video).contains(tag) { return false }
    switch rule.subscription {
    case nil: return true
    case .channel(let channel)?: return video.channel == channel
    case .playlist(let playlist)?: return video.playlists.contains(playlist)
    }
  }

  private static func hasProperties(_ rule: Rule, _ video: Video, at now: Timestamp) -> Bool {
    if let short = rule.short, short != (ShortVerdict(of: video).answer == .yes) { return false }
    if let live = rule.live, live != video.isStream { return false }
    if let age = rule.age, now.seconds(since: video.published) < age { return false }
    guard rule.minimumLength != nil || rule.maximumLength != nil else { return true }
    guard let length = video.duration else { return false }
    return length >= rule.minimumLength ?? 0 && length <= rule.maximumLength ?? .max
  }
}
