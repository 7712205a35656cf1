import Core
import WebFeed

extension EntryFacts {
  /// What a document says of an entry.
  package init(_ entry: WebEntry) {
    self.init()
    // As sent, unless that means something only in the document.
    link = entry.linkAsSent.flatMap { WebURL($0) == nil ? nil : $0 } ?? entry.link
    published = entry.published ?? entry.updated
    if !entry.media.isEmpty { media = entry.media.map(EntryMedia.init) }
    duration = entry.duration ?? entry.media.first?.duration
    (image, author, season, episode) = (entry.image, entry.author, entry.season, entry.episode)
    isExplicit = entry.isExplicit
    let text = entry.media.contains(where: \.isPlayable) ? entry.notes ?? entry.summary : entry.summary
    description = text.flatMap { $0.isEmpty ? nil : Description($0) }
  }
}

extension EntryMedia {
  fileprivate init(_ media: WebMedia) {
    self.init(url: media.url, type: media.type ?? "", length: media.length.flatMap { Int(exactly: $0) })
  }
}

extension WebEntry {
  /// The title to keep: its own, else the beginning of its text, else its link.
  package var keptTitle: String { title ?? substituteTitle ?? link ?? "" }
}

extension EntryChanged {
  /// What a document says differently from what is known of an entry.
  ///
  /// What it no longer says stays. Its date stays as it was first seen, unless the entry still waits for it: many feeds
  /// write a new one at every edit. Addresses of files and pictures that differ in their query alone are the same, and links
  /// that differ in what only tells where a reader came from.
  package init(from known: KnownEntry, to entry: WebEntry, now: Timestamp) {
    self.init(entry: known.id)
    let (old, new) = (known.facts, EntryFacts(entry))
    if let title = entry.title, title != known.title { self.title = title }
    if new.link.map(EntryKeys.withoutTracking) != old.link.map(EntryKeys.withoutTracking) { facts.link = new.link }
    if let date = new.published, let before = old.published, before > now, date != before { facts.published = date }
    if new.media.map(EntryChanged.addresses) != old.media.map(EntryChanged.addresses) { facts.media = new.media }
    if new.duration != old.duration { facts.duration = new.duration }
    if new.image.map(EntryChanged.withoutQuery) != old.image.map(EntryChanged.withoutQuery) { facts.image = new.image }
    if new.author != old.author { facts.author = new.author }
    if new.season != old.season { facts.season = new.season }
    if new.episode != old.episode { facts.episode = new.episode }
    if new.isExplicit != old.isExplicit { facts.isExplicit = new.isExplicit }
    if new.description != old.description { facts.description = new.description }
  }

  private static func addresses(_ media: [EntryMedia]) -> [String] { media.map { withoutQuery($0.url) } }

  /// An address without its query, which may have a signature that changes with every fetch.
  static func withoutQuery(_ address: String) -> String { String(address.prefix { $0 != "?" }) }
}
