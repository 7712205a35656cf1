import Core
import FeedParser

// MARK: Texts

extension WebFeedCollector {
  /// Takes the text of an element that ended.
  mutating func finish(_ field: WebField, _ range: Range<Int>) {
    switch field {
    case .title: entry.take(.title, range, form)
    case .otherTitle: entry.take(.otherTitle, range, form)
    case .mediaTitle: entry.take(.mediaTitle, range, form)
    case .description: entry.take(.description, range, form)
    case .summary: entry.take(.summary, range, form)
    case .content: entry.take(.content, range, form)
    case .itunesSummary: entry.take(.itunesSummary, range, form)
    case .subtitle: entry.take(.subtitle, range, form)
    case .mediaDescription: entry.take(.mediaDescription, range, form)
    default: finishValue(field, range)
    }
  }

  private mutating func finishValue(_ field: WebField, _ range: Range<Int>) {
    switch field {
    case .id: if let id = trimmed(range, limit: WebFeedLimits.id) { entry.takeID(id, isPermalink: isPermalink) }
    case .link:
      if let text = trimmed(range, limit: WebURL.limit) {
        entry.takeLink(text, frames[frames.count - 1].links, rank: 3)
      }
    case .originalLink: entry.originalLink = link(range)
    // Of several the last counts, as for other readers.
    case .published: entry.entry.published = time(range) ?? entry.entry.published
    case .updated: entry.entry.updated = time(range) ?? entry.entry.updated
    case .otherDate: entry.otherDate = time(range) ?? entry.otherDate
    case .authorName: if let name = name(range) { entry.names.addName(name) }
    case .creator: if let name = name(range) { entry.creators.addName(name) }
    case .author: entry.author = entry.author ?? name(range).map(PersonName.withoutAddress)
    case .itunesAuthor: entry.itunesAuthor = entry.itunesAuthor ?? name(range)
    case .category: entry.entry.categories.addCategory(String(decoding: entry.bytes[range], as: UTF8.self))
    case .keywords:
      for word in String(decoding: entry.bytes[range], as: UTF8.self).split(separator: ",").prefix(WebFeedLimits.list) {
        entry.entry.categories.addCategory(String(word))
      }
    case .duration:
      entry.itunesDuration = entry.itunesDuration ?? trimmed(range, limit: 64).flatMap(MediaDuration.seconds)
    case .explicit: entry.entry.isExplicit = trimmed(range, limit: 16).flatMap(Explicit.value)
    case .season: entry.entry.season = entry.entry.season ?? number(range)
    case .episode: entry.entry.episode = entry.entry.episode ?? number(range)
    case .episodeType: entry.entry.episodeType = trimmed(range, limit: 32)?.lowercased()
    case .image: entry.ownImage = entry.ownImage ?? link(range)
    case .person:
      guard let name = name(range), entry.entry.persons.count < WebFeedLimits.list else { return }
      person.name = name
      entry.entry.persons.append(person)
    default: finishFeed(field, range)
    }
  }

  /// The text without white space at its ends; nil if it is empty or too long.
  func trimmed(_ range: Range<Int>, limit: Int) -> String? {
    let bytes = entry.bytes.span.extracting(range)
    let text = bytes.extracting(bytes.trimmed)
    guard !text.isEmpty, text.count <= limit else { return nil }
    return String(utf8: text) ?? text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The text in one line.
  func line(_ range: Range<Int>) -> String? {
    PlainText.line(entry.bytes.span.extracting(range), form, limit: WebFeedLimits.title)
  }

  /// The beginning of the text in one line.
  func summary(_ range: Range<Int>) -> String? {
    PlainText.summary(entry.bytes.span.extracting(range), form, limit: WebFeed.summaryLimit)
  }

  /// The name of a person.
  func name(_ range: Range<Int>) -> String? {
    PlainText.line(entry.bytes.span.extracting(range), .guessed, limit: WebFeedLimits.title)
  }

  /// The absolute URL; nil if it is empty or unusable.
  func link(_ range: Range<Int>) -> String? {
    trimmed(range, limit: WebURL.limit).flatMap(frames[frames.count - 1].links.resolve)
  }

  /// The time; nil if it is not understood.
  func time(_ range: Range<Int>) -> Timestamp? { Timestamp(feed: entry.bytes.span.extracting(range)) }

  /// The number, of which a fraction is dropped; nil if it is not positive.
  private func number(_ range: Range<Int>) -> Int? {
    guard let digits = trimmed(range, limit: 16)?.prefix(while: { $0 != "." }), let number = Int(digits), number > 0
    else {
      return nil
    }
    return number
  }
}

extension EntryDraft {
  /// Takes an ID; the first counts.
  mutating func takeID(_ text: String, isPermalink: Bool) {
    let id = text.trimmed
    guard entry.id == nil, !id.isEmpty, id.utf8.count <= WebFeedLimits.id else { return }
    (entry.id, entry.isPermalink) = (id, isPermalink)
  }

  /// Takes a link if it is better than the one there is.
  mutating func takeLink(_ sent: String, _ links: LinkResolver, rank: Int) {
    // Of several in RSS the last counts, as for other readers.
    guard rank > linkRank || rank == 3, !sent.isEmpty, sent.utf8.count <= WebURL.limit else { return }
    let link = links.resolve(sent)
    // Without a base a relative link is kept as sent; `javascript:` and its like are not kept at all.
    guard link != nil || entry.link == nil && !sent.hasScheme else { return }
    entry.link = link
    entry.linkAsSent = sent
    if link != nil { linkRank = rank }
  }

  /// Takes a `media:content`: an image is one of the entry's, anything else a file of it.
  mutating func takeContent(_ media: WebMedia) {
    if media.kind == .image {
      pictured = pictured ?? media.url
    } else if contents.count < WebFeedLimits.media {
      contents.append(media)
    }
  }
}

extension [String] {
  /// Appends a name that is new, within the limits.
  fileprivate mutating func addName(_ name: String) {
    if count < WebFeedLimits.list, !contains(name) { append(name) }
  }
}

/// Persons as RSS names them.
enum PersonName {
  /// The name in `jane@example.org (Jane Doe)` or `Jane Doe <jane@example.org>`, else the whole text.
  static func withoutAddress(_ text: String) -> String {
    if text.contains("@"), let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close {
      let name = text[text.index(after: open)..<close].withoutBlanks
      if !name.isEmpty { return String(name) }
    }
    if let open = text.firstIndex(of: "<"), text[open...].contains("@"), text.hasSuffix(">") {
      let name = text[..<open].withoutBlanks
      if !name.isEmpty { return String(name) }
    }
    return text
  }
}

/// `itunes:explicit`
enum Explicit {
  /// Whether a word means explicit; nil for other words.
  static func value(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "yes", "true", "explicit": true
    case "no", "false", "clean": false
    default: nil
    }
  }
}
