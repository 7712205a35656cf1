import Core
import WebFeed

/// Which unknown entries of a document are known ones under another key.
///
/// Only known entries that the document does not have under their own key can be one of them, and only by a text that no
/// other entry, known or of the document, has. Where one would replace another, title and date decide: an entry that is
/// found twice is a nuisance, one that disappears in another is lost.
struct EntryMatches {
  /// The known entry behind an unknown one, by its index in the document.
  private(set) var known: [Int: KnownEntry] = [:]
  private var taken: Set<VideoID> = []
  private let document: [WebEntry]
  private let all: [KnownEntry]
  /// Those of `all` that the document has under their own key.
  private let present: Set<VideoID>

  /// `present` are those of the known entries that the document has under their own key.
  init(of document: [WebEntry], among all: [KnownEntry], present: Set<VideoID>) {
    (self.document, self.all, self.present) = (document, all, present)
  }

  /// The maximum number of matches by title in one document: many of them are a series of equal titles.
  private static let maxByTitle = 3

  /// Matches by link or ID without scheme and `www.`, then by the address of the first file without its query.
  mutating func matchAddresses(of unknown: [Int]) {
    let (document, all) = (document, all)
    match(unknown, entry: { [$0.link, $0.id].compactMap(\.self).map(EntryKeys.bare) }) { known in
      [known.facts.link.map(EntryKeys.bare), known.key.isEmpty ? nil : EntryKeys.bare(known.key)].compactMap(\.self)
    } agrees: { index, other in
      // Both differ where a page shows what is current.
      !EntryMatches.differ(document[index].title, all[other].title)
        || !EntryMatches.differ(EntryMatches.day(EntryFacts(document[index])), EntryMatches.day(all[other].facts))
    }
    match(unknown, entry: { $0.media.first.map { [EntryMatches.file($0.url)] } ?? [] }) { known in
      known.facts.media?.first.map { [EntryMatches.file($0.url)] } ?? []
    } agrees: { index, other in
      // Programs send every file from one address.
      EntryMatches.isSame(document[index].title, all[other].title)
        || EntryMatches.isSame(EntryFacts(document[index]).published, all[other].facts.published)
    }
  }

  /// Matches by title, day and kind, at most three; at the same second unless all of a longer document is new.
  mutating func matchTitles(of unknown: [Int]) {
    var further = self
    let isRewritten = present.isEmpty && unknown.count >= EntryMatches.fewest
    let (document, all) = (document, all)
    further.match(unknown, entry: { EntryMatches.label($0.title, EntryFacts($0)) }) { known in
      EntryMatches.label(known.title, known.facts)
    } agrees: { index, other in
      isRewritten || EntryMatches.isSame(EntryFacts(document[index]).published, all[other].facts.published)
    }
    if further.known.count - known.count <= EntryMatches.maxByTitle { self = further }
  }

  /// From how many entries on a document without a known key shows that its keys changed.
  private static let fewest = 3

  private static func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
    if let one, let other { one != other } else { false }
  }

  private static func isSame<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
    if let one, let other { one == other } else { false }
  }

  private static func file(_ url: String) -> String { EntryKeys.bare(EntryChanged.withoutQuery(url)) }

  private static func day(_ facts: EntryFacts) -> Substring? { facts.published.map { $0.rfc3339.prefix(10) } }

  private static func label(_ title: String?, _ facts: EntryFacts) -> [String] {
    guard let title, !title.isEmpty, let day = day(facts) else { return [] }
    return ["\(day) \(MediaKind(facts.media ?? []).rawValue) \(title)"]
  }

  /// Joins the entries that share a text with exactly one of the other side, if they agree.
  private mutating func match(
    _ unknown: [Int], entry texts: (WebEntry) -> [String], known knownTexts: (KnownEntry) -> [String],
    agrees: (_ index: Int, _ known: Int) -> Bool
  ) {
    let old = EntryMatches.indices(of: all, by: knownTexts)
    let new = EntryMatches.indices(of: document, by: texts)
    let open = Set(unknown.filter { known[$0] == nil })
    var pairs: [(new: Int, old: Int)] = []
    for (text, indices) in new {
      guard indices.count == 1, let one = indices.first, open.contains(one), let candidates = old[text],
        candidates.count == 1, let other = candidates.first, !present.contains(all[other].id),
        !taken.contains(all[other].id), agrees(one, other)
      else { continue }
      pairs.append((one, other))
    }
    // Two texts of one entry may name two others.
    let olds = Dictionary(grouping: pairs, by: \.new).mapValues { Set($0.map(\.old)) }
    let news = Dictionary(grouping: pairs, by: \.old).mapValues { Set($0.map(\.new)) }
    for (index, others) in olds {
      guard others.count == 1, let other = others.first, news[other]?.count == 1 else { continue }
      known[index] = all[other]
      taken.insert(all[other].id)
    }
  }

  /// The indices of the values that have each text.
  private static func indices<Value>(of values: [Value], by texts: (Value) -> [String]) -> [String: Set<Int>] {
    var indices: [String: Set<Int>] = [:]
    for (index, value) in values.enumerated() {
      for text in texts(value) { indices[text, default: []].insert(index) }
    }
    return indices
  }
}
