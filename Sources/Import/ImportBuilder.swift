import Core

/// Makes of the rows of a file, as they are written there, what they name.
struct ImportBuilder {
  private var rows: GatheredRows
  /// The name of the file in an archive, nil outside one.
  private let entry: String?

  init(format: ImportFormat, limits: ImportLimits, entry: String? = nil) {
    rows = GatheredRows(format: format, limits: limits)
    self.entry = entry
  }

  /// What was gathered so far.
  var file: ImportedFile { rows.file }

  /// Sets what the file turned out to be.
  mutating func recognise(_ format: ImportFormat) { rows.file.format = format }

  /// Takes a row that holds this text to say what to follow.
  mutating func subscribe(to text: some StringProtocol, title: String?, tags: [String], line: Int) throws(ImportError) {
    let reference: ChannelReference
    do {
      reference = try ChannelReference(text)
    } catch .notYouTube {
      return try pass(String(text), line: line)
    } catch {
      return try refuse(text.withoutBlanks.isEmpty ? .empty : .reference(error), line: line)
    }
    try subscribe(to: reference, title: title, tags: tags, line: line)
  }

  /// Takes a row that says to follow this.
  mutating func subscribe(
    to reference: ChannelReference, title: String?, tags: [String], line: Int
  ) throws(ImportError) {
    let title = title.flatMap(ImportBuilder.cleaned)
    let tags = [].united(with: tags.compactMap(ImportBuilder.cleaned))
    let place = RowPlace(entry: entry, line: line)
    switch reference {
    case .subscription(let id, let form):
      // Programs that know no title write the id in its place.
      let title = title == id.description ? nil : title
      try rows.add(ImportedSubscription(id: id, title: title, tags: tags, form: form, place: place))
    case .name(let name):
      let title = title == name.description ? nil : title
      try rows.add(UnresolvedName(name: name, title: title, tags: tags, place: place))
    }
  }

  /// Gives a channel that is in the file a tag; one that is not stays out.
  mutating func tag(_ channel: ChannelID, with tag: String) {
    if let tag = ImportBuilder.cleaned(tag) { rows.tag(.channel(channel), with: tag) }
  }

  /// Gives everything to follow in the file a tag.
  mutating func tagAll(with tag: String) {
    if let tag = ImportBuilder.cleaned(tag) { rows.tagAll(with: tag) }
  }

  /// Takes a row of a history by the address or id of its video and, where the file has it, of its channel.
  mutating func watch(
    _ text: String, when: Timestamp?, channel: String?, line: Int
  ) throws(ImportError) {
    let video: VideoID
    do {
      video = try VideoID(naming: text)
    } catch .notYouTube, .namesNothing {
      return passWithoutVideo()
    } catch {
      return try refuse(.reference(error), line: line)
    }
    let channel = channel.flatMap { ChannelReference.subscription(in: $0)?.channel }
    try watch(video, when: when, channel: channel)
  }

  /// Takes a row that says a video was watched; `when` is dropped where it is before the first video of all.
  private mutating func watch(_ video: VideoID, when: Timestamp?, channel: ChannelID?) throws(ImportError) {
    let when = when.flatMap { $0 < ImportBuilder.firstVideo ? nil : $0 }
    try rows.add(ImportedWatch(video: video, when: when, channel: channel))
  }

  /// Takes a list of videos, each a row, some of them of no video.
  mutating func collect(
    _ texts: [(text: String, line: Int)], title: String?, line: Int
  ) throws(ImportError) {
    let place = RowPlace(entry: entry, line: line)
    var collection = ImportedCollection(title: title.flatMap(ImportBuilder.cleaned), videos: [], place: place)
    var seen: Set<VideoID> = []
    var repeated = 0
    for row in texts {
      do {
        let video = try VideoID(naming: row.text)
        if seen.insert(video).inserted { collection.videos.append(video) } else { repeated += 1 }
      } catch {
        try refuse(row.text.isEmpty ? .empty : .reference(error), line: row.line)
      }
    }
    try rows.add(collection, repeated: repeated)
  }

  /// Takes a row that is not YouTube.
  mutating func pass(_ what: some StringProtocol, line: Int) throws(ImportError) {
    try rows.add(ForeignRow(place: RowPlace(entry: entry, line: line), what: what.cut(toScalars: 200)))
  }

  /// Takes a row that ought to have been understood and was not.
  mutating func refuse(_ reason: RowRefusal, line: Int) throws(ImportError) {
    try rows.add(RefusedRow(place: RowPlace(entry: entry, line: line), reason: reason))
  }

  /// Takes an advertisement's row of a history.
  mutating func passAdvertisement() { rows.addAdvertisement() }

  /// Takes a row of a history that has no video.
  mutating func passWithoutVideo() { rows.addRowWithoutVideo() }

  /// Takes all that another part of the same file gave.
  mutating func append(_ part: ImportBuilder) throws(ImportError) { try rows.append(part.rows) }

  /// The whole of what was gathered; throws `nothingFromYouTube` where that is nothing.
  consuming func finish() throws(ImportError) -> ImportedFile {
    guard hasAnything else { throw .nothingFromYouTube(file.format, rows: file.read) }
    return file
  }

  /// Whether any row has to do with YouTube, even if it is refused.
  var hasAnything: Bool {
    if !file.subscriptions.isEmpty || !file.unresolved.isEmpty { return true }
    if !file.watches.isEmpty || !file.collections.isEmpty { return true }
    return file.refused.contains { ![.reference(.notAReference), .empty, .notJSON].contains($0.reason) }
  }

  /// A title or tag without blanks around it and no longer than 500 letters; nil where nothing is left.
  private static func cleaned(_ text: String) -> String? {
    let text = text.withoutBlanks.cut(toScalars: 500)
    return text.isEmpty ? nil : text
  }

  /// 2005-04-23, the day of the first video.
  private static let firstVideo = Timestamp(seconds: 1_114_214_400)
}
