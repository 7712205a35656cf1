import Core
import WebFeed

/// Which unknown entries of a document are known ones under another key.
///
/// Only known entries that the document does not have under their own key can be one of them, and only if both sides are
/// unambiguous.
struct EntryMatches {
  /// The known entry behind an unknown one, by its index in the document.
  private(set) var known: [Int: KnownEntry] = [:]
  private var taken: Set<VideoID> = []
  private let document: [WebEntry]
  private let absent: [KnownEntry]

  /// `absent` are the known entries that the document does not have under their own key.
  init(of document: [WebEntry], among absent: [KnownEntry]) { (self.document, self.absent) = (document, absent) }

  /// The maximum number of matches by title in one document: many of them are a series of equal titles.
  private static let maxByTitle = 3

  /// Matches by link or ID without scheme and `www.`, then by the address of the first file without its query.
  mutating func matchAddresses(of unknown: [Int]) {
    match(unknown, entry: { [$0.link, $0.id].compactMap(\.self).map(EntryKeys.bare) }) { known in
      [known.facts.link.map(EntryKeys.bare), known.key.isEmpty ? nil : EntryKeys.bare(known.key)].compactMap(\.self)
    }
    match(unknown, entry: { $0.media.first.map { [EntryMatches.file($0.url)] } ?? [] }) { known in
      known.facts.media?.first.map { [EntryMatches.file($0.url)] } ?? []
    }
  }

  /// Matches by title, day and kind, at most three.
  mutating func matchTitles(of unknown: [Int]) {
    var further = self
    further.match(unknown, entry: { EntryMatches.label($0.title, EntryFacts($0)) }) { known in
      EntryMatches.label(known.title, known.facts)
    }
    if further.known.count - known.count <= EntryMatches.maxByTitle { self = further }
  }

  private static func file(_ url: String) -> String { EntryKeys.bare(EntryChanged.withoutQuery(url)) }

  private static func label(_ title: String?, _ facts: EntryFacts) -> [String] {
    guard let title, !title.isEmpty, let date = facts.published else { return [] }
    return ["\(date.rfc3339.prefix(10)) \(MediaKind(facts.media ?? []).rawValue) \(title)"]
  }

  /// Joins the entries that share a text with exactly one of the other side.
  private mutating func match(
    _ unknown: [Int], entry texts: (WebEntry) -> [String], known knownTexts: (KnownEntry) -> [String]
  ) {
    var old: [String: Set<Int>] = [:]
    for index in absent.indices where !taken.contains(absent[index].id) {
      for text in knownTexts(absent[index]) { old[text, default: []].insert(index) }
    }
    var new: [String: Set<Int>] = [:]
    for index in unknown where known[index] == nil {
      for text in texts(document[index]) { new[text, default: []].insert(index) }
    }
    var pairs: [(new: Int, old: Int)] = []
    for (text, indices) in new {
      guard indices.count == 1, let candidates = old[text], candidates.count == 1, let one = indices.first,
        let other = candidates.first
      else { continue }
      pairs.append((one, other))
    }
    // Two texts of one entry may name two others.
    let olds = Dictionary(grouping: pairs, by: \.new).mapValues { Set($0.map(\.old)) }
    let news = Dictionary(grouping: pairs, by: \.old).mapValues { Set($0.map(\.new)) }
    for (index, others) in olds {
      guard others.count == 1, let other = others.first, news[other]?.count == 1 else { continue }
      known[index] = absent[other]
      taken.insert(absent[other].id)
    }
  }
}
