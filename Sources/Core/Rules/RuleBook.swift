/// The person's rules, made ready to be applied to many videos.
package struct RuleBook {
  /// A rule with what looks for its texts.
  private final class Entry {
    let rule: Rule
    /// It learns from text to text, which is why an entry has an identity.
    var test: TextTest?
    /// What is known of texts already, by segment of the index.
    let verdicts: [TextVerdict]?

    init(_ rule: Rule, _ known: TextVerdicts) {
      self.rule = rule
      let condition = TextCondition(rule)
      test = condition.map { TextTest($0) }
      verdicts = condition.flatMap { known.verdicts(on: $0) }
    }
  }

  private let blocking: [Entry]
  private let allowing: [Entry]
  private let index: TextIndex
  /// The documents of each segment that some rule may ask for.
  private let asked: [DocumentSet]?
  /// Whether one asks for the empty text, which a video without a description has.
  private let isEmptyAsked: Bool
  private let unknown = Count()

  /// A number that is counted while a video is only looked at.
  private final class Count { var value = 0 }

  /// The rules ready for use, with what is known of their texts already.
  package init(_ rules: [Rule], knowing known: TextVerdicts) {
    blocking = rules.filter { $0.verdict == .block }.map { Entry($0, known) }
    allowing = rules.filter { $0.verdict == .allow }.map { Entry($0, known) }
    index = known.index
    asked = RuleBook.asked(blocking + allowing, in: known.index)
    isEmptyAsked = (blocking + allowing).contains { $0.test?.holds(folded: [UInt8]().span) ?? false }
  }

  /// How many texts were not known to the index so far.
  package var unknownTexts: Int { unknown.value }

  /// The documents that some rule's condition holds of or may hold of; nil where nothing is known of one.
  private static func asked(_ entries: [Entry], in index: TextIndex) -> [DocumentSet]? {
    var asked = index.segments.map { DocumentSet(count: $0.count) }
    for entry in entries where entry.test != nil {
      guard let verdicts = entry.verdicts else { return nil }
      for (segment, verdict) in verdicts.enumerated() {
        asked[segment].formUnion(verdict.holding)
        asked[segment].formUnion(verdict.known.inverted)
      }
    }
    return asked
  }

  /// Which of a state's videos rules may hide at `now`; nil where too little is known of their texts.
  package func rows(of state: State, at now: Timestamp) -> SievedRows? {
    guard let snapshot = state.videos.snapshot else { return nil }
    var possible = DocumentSet(count: snapshot.found)
    if blocking.contains(where: { $0.test != nil }) {
      guard let rows = rowsByTexts(of: state) else { return nil }
      possible = rows.possible
    }
    let others = blocking.filter { $0.test == nil }.map(\.rule)
    if !others.isEmpty {
      state.videos.forEachNewestFirst(.all, among: nil) { video, row in
        if let row, others.contains(where: { RuleBook.isAbout(video, $0, state, at: now) }) { possible.insert(row) }
        return true
      }
    }
    return SievedRows(snapshot: snapshot, possible: possible, certain: nil)
  }

  private func rowsByTexts(of state: State) -> SievedRows? {
    let entries = blocking.filter { $0.test != nil }
    guard let asked = RuleBook.asked(entries, in: index) else { return nil }
    let isEmptyAsked = entries.contains { $0.test?.holds(folded: [UInt8]().span) ?? false }
    let condition = TextSieve.Condition(
      documents: DocumentSet.joined(asked), isCertain: false, holdsWithout: isEmptyAsked)
    return TextSieve(index: index, conditions: [condition], channels: nil).rows(of: state.videos)
  }

  /// Whether there are none.
  package var isEmpty: Bool { blocking.isEmpty && allowing.isEmpty }

  /// Whether the rules hide a video: one blocks it and none allows it. `description` gives its text,
  /// folded, where it matters.
  package func hides(
    _ video: Video, in state: State, at now: Timestamp, description: (Video) -> [UInt8]
  ) -> Bool {
    if blocking.isEmpty { return false }
    let texts = places(of: video)
    let isBlocked = blocking.contains { applies($0, to: video, texts, in: state, at: now, description) }
    return isBlocked && !allowing.contains { applies($0, to: video, texts, in: state, at: now, description) }
  }

  /// The rules that apply to a video, those that block first.
  package func applying(
    to video: Video, in state: State, at now: Timestamp, description: (Video) -> [UInt8]
  ) -> [Rule] {
    let texts = places(of: video)
    return (blocking + allowing).filter { applies($0, to: video, texts, in: state, at: now, description) }.map(\.rule)
  }

  /// Where the index has the texts of a video.
  private struct Texts {
    var title: TextIndex.Place?
    var body: TextIndex.Place?
    /// Whether a rule asks for one of them, as far as is known.
    var areAsked = true
  }

  private func places(of video: Video) -> Texts {
    var texts = Texts()
    if index.segments.isEmpty { return texts }
    texts.title = index.place(of: video.titleKey)
    if texts.title == nil { unknown.value += 1 }
    if let description = video.description {
      texts.body = index.place(of: TextKey(description))
      if texts.body == nil { unknown.value += 1 }
    }
    texts.areAsked = areAsked(texts, hasBody: video.description != nil)
    return texts
  }

  private func areAsked(_ texts: Texts, hasBody: Bool) -> Bool {
    guard let asked, let title = texts.title, texts.body != nil || !hasBody else { return true }
    if asked[title.segment].contains(title.document) { return true }
    return texts.body.map { asked[$0.segment].contains($0.document) } ?? isEmptyAsked
  }

  private func applies(
    _ entry: Entry, to video: Video, _ texts: Texts, in state: State, at now: Timestamp,
    _ description: (Video) -> [UInt8]
  ) -> Bool {
    // Of most videos it is known that no rule asks for their texts.
    guard texts.areAsked || entry.test == nil else { return false }
    guard RuleBook.isAbout(video, entry.rule, state, at: now) else { return false }
    guard entry.test != nil else { return true }
    if entry.rule.field != .description, holds(entry, at: texts.title, { FoldedText.bytes(of: video.title) }) {
      return true
    }
    return entry.rule.field != .title && holds(entry, at: texts.body) { description(video) }
  }

  private func holds(_ entry: Entry, at place: TextIndex.Place?, _ folded: () -> [UInt8]) -> Bool {
    if let place, let known = entry.verdicts?[place.segment].holds(place.document) { return known }
    return entry.test?.holds(folded: folded().span) ?? true
  }

  /// Whether a rule is about a video whatever its texts are.
  private static func isAbout(_ video: Video, _ rule: Rule, _ state: State, at now: Timestamp) -> Bool {
    // A channel's tags take longer to look up than all the rest.
    hasProperties(rule, video, at: now) && isInScope(rule, video, state)
  }

  private static func isInScope(_ rule: Rule, _ video: Video, _ state: State) -> Bool {
    switch rule.subscription {
    case nil: break
    case .channel(let channel)?: if video.channel != channel { return false }
    case .playlist(let playlist)?: if !video.playlists.contains(playlist) { return false }
    }
    guard let tag = rule.tag else { return true }
    return state.tags(of: video).contains(tag)
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
