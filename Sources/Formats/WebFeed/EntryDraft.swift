import Core

/// What has been read of an entry; a feed may say the same in several ways, of which `finish` chooses.
struct EntryDraft {
  /// The texts of an entry, the preferred first.
  enum Text: Int, CaseIterable {
    case title, otherTitle, mediaTitle
    case description, summary, content, itunesSummary, subtitle, mediaDescription
  }

  /// Where a text is in `bytes`, and how it is written.
  struct Written {
    var range: Range<Int>
    var form: PlainText.Form
  }

  var entry = WebEntry()
  /// The texts as written, one after the other.
  var bytes: [UInt8] = []
  private var texts = [Written?](repeating: nil, count: Text.allCases.count)

  /// Enclosures, then `media:content`, then alternatives.
  var enclosures: [WebMedia] = []
  var contents: [WebMedia] = []
  var alternatives: [WebMedia] = []
  /// The URL of the entry's own image, thumbnails, and images among its media.
  var ownImage: String?
  var thumbnail: String?
  var pictured: String?
  /// Names by `author/name`, `itunes:author`, `dc:creator` and RSS `author`.
  var names: [String] = []
  var itunesAuthor: String?
  var creators: [String] = []
  var author: String?
  /// How good the link is: 0 without one, 3 the best.
  var linkRank = 0
  var originalLink: String?
  /// `dc:date` and `created`, for an entry without a better date.
  var otherDate: Timestamp?
  var itunesDuration: Int?

  /// Makes it empty, keeping its memory.
  mutating func clear() {
    var kept: [UInt8] = []
    swap(&kept, &bytes)
    kept.removeAll(keepingCapacity: true)
    self = EntryDraft()
    bytes = kept
  }

  /// Takes a text; the first of a kind that is not blank counts.
  mutating func take(_ text: Text, _ range: Range<Int>, _ form: PlainText.Form) {
    guard texts[text.rawValue] == nil, !bytes.span.extracting(range).trimmed.isEmpty else { return }
    texts[text.rawValue] = Written(range: range, form: form)
  }

  /// The same for a text that is not in `bytes` yet.
  mutating func take(_ text: Text, _ value: String, _ form: PlainText.Form) {
    let start = bytes.count
    bytes += value.utf8.prefix(WebFeedLimits.text)
    take(text, start..<bytes.count, form)
  }

  /// The finished entry.
  mutating func finish() -> WebEntry {
    for text in [Text.title, .otherTitle, .mediaTitle] where entry.title == nil {
      entry.title = convert(text) { PlainText.line($0, $1, limit: WebFeedLimits.title) }
    }
    finishMedia()
    finishTexts()
    entry.author = names.isEmpty ? nil : names.joined(separator: ", ")
    entry.author = entry.author ?? itunesAuthor ?? (creators.isEmpty ? author : creators.joined(separator: ", "))
    if entry.link == nil {
      entry.link = originalLink
      if entry.isPermalink, let id = entry.id, entry.link == nil { entry.link = LinkResolver(base: nil).resolve(id) }
    }
    entry.published = entry.published ?? otherDate
    return entry
  }

  private mutating func finishTexts() {
    for text in [Text.description, .summary, .content, .itunesSummary, .subtitle, .mediaDescription]
    where entry.summary == nil {
      entry.summary = convert(text) { PlainText.summary($0, $1, limit: WebFeed.summaryLimit) }
    }
    guard entry.media.contains(where: \.isPlayable) else { return }
    for text in [Text.content, .description, .summary, .itunesSummary, .mediaDescription] where entry.notes == nil {
      entry.notes = convert(text) { PlainText.notes($0, $1, limit: WebFeed.notesLimit) }
    }
  }

  private func convert(_ text: Text, _ make: (Span<UInt8>, PlainText.Form) -> String?) -> String? {
    guard let written = texts[text.rawValue] else { return nil }
    return make(bytes.span.extracting(written.range), written.form)
  }

  private mutating func finishMedia() {
    for media in enclosures + contents + alternatives { add(media) }
    chooseDefault()
    if itunesDuration != nil, !entry.media.isEmpty, entry.media[0].duration == nil {
      entry.media[0].duration = itunesDuration
    }
    entry.duration = itunesDuration ?? entry.media.lazy.compactMap(\.duration).first
    entry.image =
      ownImage ?? thumbnail ?? pictured ?? entry.media.first { $0.kind == .image }?.url
  }

  /// Makes one file the default, and the first: what can be played before what cannot, as a torrent, and of those what the
  /// feed calls so.
  private mutating func chooseDefault() {
    let chosen =
      entry.media.firstIndex { $0.isDefault && $0.isPlayable } ?? entry.media.firstIndex(where: \.isPlayable)
      ?? entry.media.firstIndex(where: \.isDefault) ?? 0
    for index in entry.media.indices { entry.media[index].isDefault = index == chosen }
    if chosen > 0 { entry.media.insert(entry.media.remove(at: chosen), at: 0) }
  }

  /// Adds a file, or what is new about one that is there.
  private mutating func add(_ media: WebMedia) {
    guard let index = entry.media.firstIndex(where: { $0.url == media.url }) else {
      if entry.media.count < WebFeedLimits.media { entry.media.append(media) }
      return
    }
    entry.media[index].complete(with: media)
  }
}

extension WebMedia {
  /// Fills what is missing from another description of the same file.
  fileprivate mutating func complete(with other: WebMedia) {
    type = type ?? other.type
    if kind == .other { kind = other.kind }
    length = length ?? other.length
    duration = duration ?? other.duration
    height = height ?? other.height
    bitrate = bitrate ?? other.bitrate
    title = title ?? other.title
    language = language ?? other.language
    isDefault = isDefault || other.isDefault
  }
}

/// Limits of what is kept of one feed.
enum WebFeedLimits {
  /// Bytes of one text as written; what is beyond is not read.
  static let text = 16 << 10
  /// Characters of a title, name or category.
  static let title = 500
  /// Bytes of an ID.
  static let id = 2048
  /// Files of one entry.
  static let media = 64
  /// Categories, persons, transcripts of one entry or feed; hubs of one feed.
  static let list = 32
}
