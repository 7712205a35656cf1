/// The user's rules, prepared for matching many videos.
package struct RuleBook {
  /// A rule with its text matcher and cached results.
  private final class Entry {
    let rule: Rule
    /// Mutable, as it adapts from text to text; therefore `Entry` is a class.
    var test: TextTest?
    /// Cached results by index segment; nil if there are none.
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
  /// The documents of each segment that some rule matches or may match; nil if unknown.
  private let requested: [DocumentSet]?
  /// Whether some rule matches the empty text, which a video without a description has.
  private let isEmptyAsked: Bool
  private let unknown = Count()

  /// A counter that can be incremented in a non-mutating function.
  private final class Count { var value = 0 }

  /// Prepares the rules, with the cached results of their text conditions.
  package init(_ rules: [Rule], knowing known: TextVerdicts) {
    blocking = rules.filter { $0.verdict == .block }.map { Entry($0, known) }
    allowing = rules.filter { $0.verdict == .allow }.map { Entry($0, known) }
    index = known.index
    requested = RuleBook.requested(blocking + allowing, in: known.index)
    isEmptyAsked = (blocking + allowing).contains { $0.test?.holds(folded: [UInt8]().span) ?? false }
  }

  /// The number of texts so far that were not in the index.
  package var unknownTexts: Int { unknown.value }

  /// The documents for which some rule's condition holds or may hold; nil if one has no cached results.
  private static func requested(_ entries: [Entry], in index: TextIndex) -> [DocumentSet]? {
    var requested = index.segments.map { DocumentSet(count: $0.count) }
    for entry in entries where entry.test != nil {
      guard let verdicts = entry.verdicts else { return nil }
      for (segment, verdict) in verdicts.enumerated() {
        requested[segment].formUnion(verdict.holding)
        requested[segment].formUnion(verdict.known.inverted)
      }
    }
    return requested
  }

  /// The snapshot rows that rules may hide at `now`; nil if too few cached results exist.
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
    guard let requested = RuleBook.requested(entries, in: index) else { return nil }
    let isEmptyAsked = entries.contains { $0.test?.holds(folded: [UInt8]().span) ?? false }
    let condition = TextSieve.Condition(
      documents: DocumentSet.joined(requested), isCertain: false, holdsWithout: isEmptyAsked)
    return TextSieve(index: index, conditions: [condition], channels: nil).rows(of: state.videos)
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { blocking.isEmpty && allowing.isEmpty }

  /// Whether the rules hide a video: one blocks it and none allows it. `description` returns its normalised text; it is
  /// called only if needed.
  package func hides(
    _ video: Video, in state: State, at now: Timestamp, description: (Video) -> [UInt8]
  ) -> Bool {
    if blocking.isEmpty { return false }
    let texts = places(of: video)
    let isBlocked = blocking.contains { applies($0, to: video, texts, in: state, at: now, description) }
    return isBlocked && !allowing.contains { applies($0, to: video, texts, in: state, at: now, description) }
  }

  /// The rules that apply to a video, blocking ones first.
  package func applying(
    to video: Video, in state: State, at now: Timestamp, description: (Video) -> [UInt8]
  ) -> [Rule] {
    let texts = places(of: video)
    return (blocking + allowing).filter { applies($0, to: video, texts, in: state, at: now, description) }.map(\.rule)
  }

  /// The locations of a video's texts in the index.
  private struct Texts {
    var title: TextIndex.Place?
    var body: TextIndex.Place?
    /// Whether some rule matches, or may match, one of them.
    var areRequested = true
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
    texts.areRequested = areRequested(texts, hasBody: video.description != nil)
    return texts
  }

  private func areRequested(_ texts: Texts, hasBody: Bool) -> Bool {
    guard let requested, let title = texts.title, texts.body != nil || !hasBody else { return true }
    if requested[title.segment].contains(title.document) { return true }
    return texts.body.map { requested[$0.segment].contains($0.document) } ?? isEmptyAsked
  }

  private func applies(
    _ entry: Entry, to video: Video, _ texts: Texts, in state: State, at now: Timestamp,
    _ description: (Video) -> [UInt8]
  ) -> Bool {
    // For most videos the cache shows that no rule matches their texts.
    guard texts.areRequested || entry.test == nil else { return false }
    guard RuleBook.isAbout(video, entry.rule, state, at: now) else { return false }
    guard entry.test != nil else { return true }
    if entry.rule.field != .description, holds(entry, at: texts.title, { NormalizedText.bytes(of: video.title) }) {
      return true
    }
    return entry.rule.field != .title && holds(entry, at: texts.body) { description(video) }
  }

  private func holds(_ entry: Entry, at place: TextIndex.Place?, _ folded: () -> [UInt8]) -> Bool {
    if let place, let known = entry.verdicts?[place.segment].holds(place.document) { return known }
    return entry.test?.holds(folded: folded().span) ?? true
  }

  /// Whether a rule's conditions other than text hold.
  private static func isAbout(_ video: Video, _ rule: Rule, _ state: State, at now: Timestamp) -> Bool {
    // Looking up a channel's tags takes longer than everything else.
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
