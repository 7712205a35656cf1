import Core

extension Feed {
  /// The feed an Atom document says (RFC 4287), or the reason why nothing of it is used.
  package init(xml bytes: [UInt8]) throws(XMLDamage) {
    let document = try Document(bytes, limit: Limits.feed.bytes)
    var builder = FeedBuilder(limits: .feed)
    try parse(document, into: &builder, handler: FeedBuilder.handler)
    self = builder.feed
  }
}

/// Makes a feed of the events of an Atom document.
struct FeedBuilder: DocumentBuilder {
  let limits: Limits
  var damage: XMLDamage?
  /// What was read so far.
  private(set) var feed = Feed(
    title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: nil, entries: [], deletedEntries: [])

  private let vocabulary = FeedVocabulary.shared
  private var seen = FeedVocabulary.SeenNames()
  /// The innermost open element that is read.
  private var place = Place.document
  /// How many elements are open in it that are not.
  private var passedOver = 0
  private var depth = 0
  private var value: [UInt8] = []
  private var entry = EntryDraft()
  private var deleted: DeletedEntry?

  init(limits: Limits) {
    self.limits = limits
    value.reserveCapacity(8 << 10)
    feed.entries.reserveCapacity(15)
  }

  mutating func start(_ name: ElementName, _ attributes: Attributes, line: Int) {
    depth += 1
    guard depth <= limits.depth else { return refuse(.tooDeep(limit: limits.depth, line: line)) }
    guard passedOver == 0, let child = vocabulary.child(name, in: place, &seen) else {
      if place == .document { refuse(.notAFeed(root: name.evidence)) }
      passedOver += 1
      return
    }
    place = child
    if !value.isEmpty { value.removeAll(keepingCapacity: true) }
    switch place {
    case .entry: entry = EntryDraft()
    case .link: takeLink(attributes)
    case .thumbnail: entry.thumbnail = attributes.withValue(of: "url") { String(attribute: $0) }
    case .likes: entry.likes = attributes.withValue(of: "count") { Int64(digits: $0) }
    case .views: entry.views = attributes.withValue(of: "views") { Int64(digits: $0) }
    case .deletedEntry: startDeletedEntry(attributes, line: line)
    default: break
    }
  }

  mutating func text(_ piece: Span<UInt8>, line: Int) {
    guard passedOver == 0, vocabulary.hasText(place) else { return }
    guard value.count + piece.count <= limits.field else {
      return refuse(.fieldTooLong(limit: limits.field, line: line))
    }
    piece.withUnsafeBufferPointer { value.append(contentsOf: $0) }
  }

  mutating func end(line: Int) {
    depth -= 1
    guard passedOver == 0 else {
      passedOver -= 1
      return
    }
    if place == .entry {
      endEntry(line: line)
    } else if place == .deletedEntry {
      endDeletedEntry()
    } else if vocabulary.hasText(place) {
      takeValue()
    }
    place = vocabulary.parent(of: place)
  }

  mutating func doctype(root: String, line: Int) {
    refuse(root == "feed" ? .doctype(line: line) : .notAFeed(root: root))
  }
}

extension FeedBuilder {
  private mutating func takeValue() {
    switch place {
    case .feedTitle: feed.title = String(value.span)
    case .feedChannel: feed.channel = ChannelID(value.span) ?? ChannelID(withoutPrefix: value.span)
    case .feedPlaylist: feed.playlist = PlaylistID(String(value.span))
    case .feedAuthorName: feed.authorName = String(value.span)
    case .feedAuthorURI: feed.authorChannel = FeedBuilder.channel(ofPage: value.span)
    case .deletedByURI:
      let channel = FeedBuilder.channel(ofPage: value.span)
      deleted?.channel = channel
    default: takeEntryValue()
    }
  }

  private mutating func takeEntryValue() {
    switch place {
    case .video: entry.video = found(VideoID(value.span), .video)
    case .channel: entry.channel = found(ChannelID(value.span), .channel)
    case .title: entry.title = String(value.span)
    case .authorName:
      entry.authorName = String(value.span, reusing: feed.entries.last?.authorName ?? feed.authorName)
    case .published: entry.published = found(Timestamp(rfc3339: value.span), .published)
    case .updated: entry.updated = found(Timestamp(rfc3339: value.span), .updated)
    case .mediaTitle: entry.mediaTitle = String(value.span, reusing: entry.title)
    case .description: entry.description = String(value.span)
    default: break
    }
  }

  /// A field's value, or nil with a note that it was none.
  private mutating func found<Value>(_ value: Value?, _ field: EntryField) -> Value? {
    if value == nil, entry.invalid == nil { entry.invalid = field }
    return value
  }

  /// The link is the one to the video's page: `rel` is `alternate`, or missing, which means the same (RFC 4287, 4.2.7.2).
  private mutating func takeLink(_ attributes: Attributes) {
    let isAlternate = attributes.withValue(of: "rel") { $0.holds("alternate") as Bool } ?? true
    guard isAlternate else { return }
    entry.link = attributes.withValue(of: "href") { String(attribute: $0) }
  }

  private mutating func endEntry(line: Int) {
    guard feed.entries.count < limits.entries else { return refuse(.tooManyEntries(limit: limits.entries)) }
    do throws(XMLDamage) {
      feed.entries.append(try entry.entry(author: feed.authorName, line: line))
    } catch {
      refuse(error)
    }
  }

  private mutating func startDeletedEntry(_ attributes: Attributes, line: Int) {
    guard feed.deletedEntries.count < limits.entries else { return refuse(.tooManyEntries(limit: limits.entries)) }
    let video = attributes.withValue(of: "ref") { FeedBuilder.video(ofReference: $0) }
    let when = attributes.withValue(of: "when") { Timestamp(rfc3339: $0) }
    guard let video else { return refuse(.badEntry(line: line, field: .video, flaw: .invalid)) }
    guard let when else { return refuse(.badEntry(line: line, field: .when, flaw: .invalid)) }
    deleted = DeletedEntry(video: video, when: when, channel: nil)
  }

  private mutating func endDeletedEntry() {
    if let deleted { feed.deletedEntries.append(deleted) }
    deleted = nil
  }

  /// The video in `yt:video:dQw4w9WgXcQ`, or nil.
  private static func video(ofReference bytes: Span<UInt8>) -> VideoID? {
    let text = String(bytes)
    return text.hasPrefix("yt:video:") ? VideoID(text.dropFirst(9)) : nil
  }

  /// The channel in `https://www.youtube.com/channel/UC…`, or nil.
  private static func channel(ofPage bytes: Span<UInt8>) -> ChannelID? {
    let text = String(bytes)
    let prefixes = ["https://www.youtube.com/channel/", "http://www.youtube.com/channel/"]
    for prefix in prefixes where text.hasPrefix(prefix) { return ChannelID(text.dropFirst(prefix.count)) }
    return nil
  }
}
