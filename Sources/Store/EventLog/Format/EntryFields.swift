import Core

// The schemas of feeds of other sites than YouTube and their entries.

extension FieldCoder {
  /// What a decision of the user is about: `video`, or `entry` for an entry. A program that knows no entries understands
  /// such a line as little as one of an unknown kind.
  mutating func subject(_ id: VideoID?) throws(NotUnderstood) -> VideoID {
    if let video = try option("video", id.flatMap { $0.isEntry ? nil : $0 }) { return video }
    return try member("entry", id.map(EntryID.init)).id
  }

  /// A channel or playlist: events about feeds are of other kinds.
  mutating func youTubeSubscription(_ id: SubscriptionID?) throws(NotUnderstood) -> SubscriptionID {
    let id = try member("subscription", id)
    guard id.isYouTube else { throw NotUnderstood() }
    return id
  }
}

/// The ID of an entry as the value of a member.
struct EntryID: FieldValue {
  var id: VideoID

  init(_ id: VideoID) { self.id = id }

  func write(to line: inout LineWriter) { line.quote(id) }

  init?(_ value: LineValue) {
    guard value.sort == .text, let id = VideoID(value.bytes.bindMemory(to: UInt8.self).span), id.isEntry else {
      return nil
    }
    self.id = id
  }
}

/// The body of a `feedUnfollowed` is the feed alone.
extension FeedID: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try coder.member("feed", body)
  }
}

extension FeedFollowed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try FeedFollowed(
      feed: coder.member("feed", body?.feed), url: coder.member("url", body?.url),
      title: coder.option("title", body?.title), tags: coder.option("tags", body?.tags),
      seenBefore: coder.option("seenBefore", body?.seenBefore))
  }
}

extension FeedChanged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    var change = FeedChanged(feed: try coder.member("feed", body?.feed))
    change.url = try coder.option("url", body?.url)
    change.name = try coder.option("name", body?.name)
    change.title = try coder.option("title", body?.title)
    change.tags = try coder.option("tags", body?.tags)
    change.site = try coder.option("site", body?.site)
    change.image = try coder.option("image", body?.image)
    change.language = try coder.option("language", body?.language)
    change.keyKind = try coder.option("keyKind", body?.keyKind)
    change.shorts = try coder.option("shorts", body?.shorts)
    change.live = try coder.option("live", body?.live)
    change.order = try coder.option("order", body?.order)
    return change
  }
}

extension FeedMerged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try FeedMerged(feed: coder.member("feed", body?.feed), into: coder.member("into", body?.into))
  }
}

extension EntriesKnown: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try EntriesKnown(feed: coder.member("feed", body?.feed), keys: coder.member("keys", body?.keys))
  }
}

extension EntryFound: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    // The required members come first in a line.
    let entry = try coder.member("entry", body.map { EntryID($0.entry) }).id
    let feed = try coder.member("feed", body?.feed)
    let key = try coder.member("key", body?.key)
    let title = try coder.member("title", body?.title)
    let (status, reason) = try (coder.option("status", body?.status), coder.option("reason", body?.reason))
    return try EntryFound(
      entry: entry, feed: feed, key: key, title: title, facts: .coded(body?.facts, by: &coder), status: status,
      reason: reason)
  }
}

extension EntryChanged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    let entry = try coder.member("entry", body.map { EntryID($0.entry) }).id
    let title = try coder.option("title", body?.title)
    let alias = try coder.option("alias", body?.alias.map(EntryID.init))?.id
    return try EntryChanged(entry: entry, title: title, facts: .coded(body?.facts, by: &coder), alias: alias)
  }
}

extension EntryFacts: FieldSchema {
  /// The longest duration believed, in seconds: 11 days.
  private static let longest = 1_000_000

  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    var facts = EntryFacts()
    facts.link = try coder.option("link", body?.link)
    facts.published = try coder.option("published", body?.published)
    facts.media = try coder.option("media", body?.media.map(MediaList.init))?.files
    // A log may say any number.
    let duration = try coder.option("duration", body?.duration)
    facts.duration = duration.flatMap { $0 < 0 ? nil : min($0, longest) }
    facts.image = try coder.option("image", body?.image)
    facts.author = try coder.option("author", body?.author)
    facts.season = try coder.option("season", body?.season)
    facts.episode = try coder.option("episode", body?.episode)
    facts.isExplicit = try coder.option("explicit", body?.isExplicit)
    facts.description = try coder.option("description", body?.description)
    return facts
  }
}

/// The files of an entry as an array of strings, three for each: its URL, its type and its size, empty if unknown.
struct MediaList: FieldValue {
  var files: [EntryMedia]

  init(_ files: [EntryMedia]) { self.files = files }

  func write(to line: inout LineWriter) {
    files.flatMap { [$0.url, $0.type, $0.length.map(String.init) ?? ""] }.write(to: &line)
  }

  init?(_ value: LineValue) {
    guard let texts = [String](value), texts.count.isMultiple(of: 3) else { return nil }
    files = stride(from: 0, to: texts.count, by: 3).map { index in
      EntryMedia(url: texts[index], type: texts[index + 1], length: Int(texts[index + 2]).flatMap { $0 < 0 ? nil : $0 })
    }
  }
}

extension EntryKeyKind: FieldValue {}
