import Core
import WebFeed

/// What identifies the entries of a document within their feed.
///
/// The kind of key is chosen once for a feed, by its first document, and logged: an ID scheme that changes makes every
/// entry new.
package enum EntryKeys {
  /// The kind for a feed with this first document: the first one that at most one entry in twenty lacks or repeats; nil
  /// of a document without entries.
  package static func kind(for entries: [WebEntry]) -> EntryKeyKind? {
    guard !entries.isEmpty else { return nil }
    let order: [EntryKeyKind] = [.id, .link, .media]
    return order.first { kind in
      let texts = entries.compactMap { text(of: $0, kind) }
      let bad = entries.count - Set(texts).count
      return bad * 20 <= entries.count
    } ?? .title
  }

  /// The key of each entry, nil of those that repeat another one: by the feed's kind, or by the next one that an entry
  /// has.
  ///
  /// Of a repeated key the last entry, usually the oldest, has it as it is, the others with their link; an entry whose key
  /// with its link is one of `known` keeps that when the others are gone.
  package static func keys(of entries: [WebEntry], _ kind: EntryKeyKind, known: Set<String>) -> [EntryKey?] {
    var (keys, seen) = ([EntryKey?](repeating: nil, count: entries.count), Set<EntryKey>())
    for (index, entry) in entries.enumerated().reversed() {
      guard let plain = key(of: entry, kind) else { continue }
      let longer = entry.link.map { EntryKey(plain.kind, "\(plain.text) \(normalized($0))") }
      if let longer, known.contains(longer.text), seen.insert(longer).inserted {
        keys[index] = longer
      } else if seen.insert(plain).inserted {
        keys[index] = plain
      } else if let longer, seen.insert(longer).inserted {
        keys[index] = longer
      }
    }
    return keys
  }

  /// The key by a kind, or by the next one that the entry has; nil if it has neither ID, link, file, date nor title.
  private static func key(of entry: WebEntry, _ kind: EntryKeyKind) -> EntryKey? {
    let order = EntryKeyKind.allCases
    let start = order.firstIndex(of: kind) ?? 0
    for kind in order[start...] + order[..<start] {
      if let text = text(of: entry, kind) { return EntryKey(kind, text) }
    }
    return nil
  }

  private static func text(of entry: WebEntry, _ kind: EntryKeyKind) -> String? {
    switch kind {
    case .id: return entry.id.map(normalized)
    case .link: return entry.link.map(normalized)
    case .media: return entry.media.first.map { normalized($0.url) }
    case .title:
      let parts = [entry.published?.rfc3339, entry.title].compactMap(\.self)
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
  }

  /// An ID or URL without `http://` or `https://`, and without parameters that only tell where a reader came from.
  static func normalized(_ text: String) -> String {
    withoutTracking(String(withoutScheme(text)))
  }

  /// The same without `www.`, for comparisons with what was known before.
  static func bare(_ text: String) -> String {
    let text = normalized(text)
    return text.hasPrefix("www.") ? String(text.dropFirst(4)) : text
  }

  private static func withoutScheme(_ text: String) -> Substring {
    for scheme in ["https://", "http://"] where text.prefix(scheme.count).lowercased() == scheme {
      return text.dropFirst(scheme.count)
    }
    return text[...]
  }

  /// `utm_…` and `fbclid` differ from fetch to fetch and name nothing.
  static func withoutTracking(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return text }
    let rest = text[text.index(after: mark)...]
    let query = rest.prefix { $0 != "#" }
    let parameters = query.split(separator: "&", omittingEmptySubsequences: false)
    let kept = parameters.filter { !$0.hasPrefix("utm_") && !$0.hasPrefix("fbclid=") }
    guard kept.count < parameters.count else { return text }
    return text[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + rest[query.endIndex...]
  }
}
