import Core
import WebFeed

/// What a document of a feed says that is not known yet, as the events to append.
package struct EntryDetection: Equatable, Sendable {
  /// What to append, in this order.
  package private(set) var events: [EventBody] = []
  /// How many entries are new.
  package private(set) var found = 0
  /// How many known entries changed visibly.
  package private(set) var changed = 0
  /// Whether the feed renumbered its entries: they were found again, as skipped, which is to be reported.
  package private(set) var isRenumbered = false
  /// Whether no known entry remains in the document, so that entries in between may have been missed.
  package private(set) var hasGap = false

  /// The maximum number of entries of a first document that become entries; the others are only known.
  package static let firstMaximum = 100

  private let document: WebFeed
  private let known: KnownWebFeed
  private let now: Timestamp
  private let isFirst: Bool
  /// The date before which new entries count as seen; nil if absent.
  private let seenBefore: Timestamp?

  /// Compares a document with what is known. `answered` is when the feed was read last, nil if never; `now` the time of
  /// the events.
  package init(of document: WebFeed, known: KnownWebFeed, answered: Timestamp?, now: Timestamp) {
    (self.document, self.known, self.now) = (document, known, now)
    isFirst = known.entries.isEmpty && known.keys.isEmpty
    let limit = known.channel?.seenLimit
    let isSince = answered.flatMap { answered in limit.map { answered > $0.id.timestamp } } ?? false
    seenBefore = isFirst || !isSince ? limit?.value : nil
    noteFeed()
    compare()
  }

  // MARK: The feed

  private mutating func noteFeed() {
    let details = known.channel?.feedDetails ?? FeedDetails()
    var change = FeedChanged(feed: known.feed)
    func news(_ text: String?, _ before: String?) -> String? { text.flatMap { $0.isEmpty || $0 == before ? nil : $0 } }
    change.name = news(document.title, known.channel?.name)
    change.site = news(document.link, details.site?.value)
    change.image = news(document.image, details.image?.value)
    change.language = news(document.language, details.language?.value)
    if details.keyKind == nil { change.keyKind = EntryKeys.kind(for: document.entries) }
    if change != FeedChanged(feed: known.feed) { events.append(.feedChanged(change)) }
  }

  // MARK: The entries

  private mutating func compare() {
    let kind = known.channel?.feedDetails.keyKind?.value ?? EntryKeys.kind(for: document.entries) ?? .id
    let keys = EntryKeys.keys(of: document.entries, kind, known: Set(known.entries.map(\.key)))
    let byID = Dictionary(
      known.entries.flatMap { entry in ([entry.id] + entry.aliases).map { ($0, entry) } }
    ) { first, _ in first }
    var (unknown, present): ([Int], Set<VideoID>) = ([], [])
    var isKnownLeft = false
    for (index, key) in keys.enumerated() {
      guard let id = key.map({ VideoID(of: $0, in: known.feed) }) else { continue }
      if let entry = byID[id] {
        // Two entries of a document may have become one.
        if present.insert(entry.id).inserted { note(EntryChanged(from: entry, to: document.entries[index], now: now)) }
        isKnownLeft = true
      } else if known.keys.contains(id.high) {
        isKnownLeft = true
      } else {
        unknown.append(index)
      }
    }
    let ids = keys.map { key in key.map { VideoID(of: $0, in: known.feed) } }
    if isFirst { return findFirst(unknown, keys) }
    let matched = join(unknown, ids, present)
    let titles = isRenumbered ? Set(known.entries.map(\.title)) : []
    hasGap = !document.entries.isEmpty && !isKnownLeft && !isRenumbered && matched.count == unknown.count
    for index in matched {
      let isAgain = isRenumbered && document.entries[index].title.map(titles.contains) ?? false
      find(index, keys[index], status: isAgain ? (.skipped, EntryFound.renumbered) : seen(index))
    }
  }

  /// Joins unknown entries with known ones; returns those that are left.
  private mutating func join(_ unknown: [Int], _ ids: [VideoID?], _ present: Set<VideoID>) -> [Int] {
    let absent = known.entries.filter { !present.contains($0.id) }
    guard !unknown.isEmpty, !absent.isEmpty else { return unknown }
    var matches = EntryMatches(of: document.entries, among: known.entries, present: present)
    matches.matchAddresses(of: unknown)
    let rest = unknown.filter { matches.known[$0] == nil }
    isRenumbered = isRenumbering(rest, absent)
    if !isRenumbered { matches.matchTitles(of: rest) }
    for (index, entry) in matches.known.sorted(by: { $0.key < $1.key }) {
      var change = EntryChanged(from: entry, to: document.entries[index], now: now)
      change.alias = ids[index]
      note(change)
    }
    return unknown.filter { matches.known[$0] == nil }
  }

  /// Whether over half of a document is new although its titles are known.
  private func isRenumbering(_ unknown: [Int], _ absent: [KnownEntry]) -> Bool {
    let titles = Set(absent.map(\.title))
    let repeated = Set(unknown.compactMap { document.entries[$0].title }.filter(titles.contains))
    // A few equal titles may be a series.
    return repeated.count >= 3 && unknown.count * 2 > document.entries.count && repeated.count * 2 > unknown.count
  }

  private mutating func note(_ change: EntryChanged) {
    guard !change.isEmpty else { return }
    if change.isVisible { changed += 1 }
    events.append(.entryChanged(change))
  }

  /// Finds the newest entries of a first document; the others are known.
  private mutating func findFirst(_ indices: [Int], _ keys: [EntryKey?]) {
    // Those without a date stand where the document has them.
    let dated = indices.filter { document.entries[$0].published != nil }
    let isDated = dated.count * 2 > indices.count
    let order = isDated ? indices.sorted { (date($1), $0) < (date($0), $1) } : indices
    let newest = Set(order.prefix(EntryDetection.firstMaximum))
    // Before those that are found: a log that ends in between must not make all the others new.
    let rest = indices.filter { !newest.contains($0) }.compactMap { index in
      keys[index].map { VideoID(of: $0, in: known.feed).high }
    }
    for start in stride(from: 0, to: rest.count, by: EntriesKnown.maximum) {
      let part = rest[start..<min(start + EntriesKnown.maximum, rest.count)]
      events.append(.entriesKnown(EntriesKnown(feed: known.feed, keys: Array(part))))
    }
    for index in indices where newest.contains(index) { find(index, keys[index], status: seen(index)) }
  }

  private func date(_ index: Int) -> Timestamp {
    min(document.entries[index].published ?? document.entries[index].updated ?? Timestamp(seconds: .min), now)
  }

  /// The mark of an entry that counts as seen.
  private func seen(_ index: Int) -> (Status, String)? {
    guard let seenBefore, let published = EntryFacts(document.entries[index]).published, published < seenBefore else {
      return nil
    }
    return (.watched, "seenBefore")
  }

  private mutating func find(_ index: Int, _ key: EntryKey?, status: (status: Status, reason: String)?) {
    guard let key else { return }
    let entry = document.entries[index]
    // What a renumbered feed has again is nothing new.
    if status?.reason != EntryFound.renumbered { found += 1 }
    events.append(
      .entryFound(
        EntryFound(
          entry: VideoID(of: key, in: known.feed), feed: known.feed, key: key.text, title: entry.keptTitle,
          facts: EntryFacts(entry), status: status?.status, reason: status?.reason)))
  }
}
