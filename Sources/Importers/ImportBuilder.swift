import Core

/// Interprets the rows of a file as subscriptions, names, watches and collections.
struct ImportBuilder {
  private var rows: ImportAccumulator
  /// The name of the file in an archive; nil outside one.
  private let entry: String?

  init(format: ImportFormat, limits: ImportLimits, entry: String? = nil) {
    rows = ImportAccumulator(format: format, limits: limits)
    self.entry = entry
  }

  /// The result so far.
  var file: ImportedFile { rows.file }

  /// Sets the detected format.
  mutating func recognise(_ format: ImportFormat) { rows.file.format = format }

  /// Adds a subscription given as text.
  mutating func subscribe(to text: some StringProtocol, title: String?, tags: [String], line: Int) throws(ImportError) {
    let reference: ChannelReference
    do {
      reference = try ChannelReference(text)
    } catch .notYouTube {
      return try pass(String(text), line: line)
    } catch .namesVideo {
      return try rows.addVideo(skipped(text, line: line))
    } catch {
      return try refuse(text.withoutBlanks.isEmpty ? .empty : .reference(error), line: line)
    }
    try subscribe(to: reference, title: title, tags: tags, line: line)
  }

  /// Adds a subscription.
  mutating func subscribe(
    to reference: ChannelReference, title: String?, tags: [String], line: Int
  ) throws(ImportError) {
    let title = title.flatMap(ImportBuilder.cleaned)
    let tags = [].united(with: tags.compactMap(ImportBuilder.cleaned))
    let place = RowLocation(entry: entry, line: line)
    switch reference {
    case .subscription(let id, let form):
      // Programs that do not know the title write the ID instead.
      let title = title == id.description ? nil : title
      try rows.add(ImportedSubscription(id: id, title: title, tags: tags, form: form, place: place))
    case .name(let name):
      let title = title == name.description ? nil : title
      try rows.add(UnresolvedName(name: name, title: title, tags: tags, place: place))
    }
  }

  /// Adds a tag to a channel in the file; ignores channels not in the file.
  mutating func tag(_ channel: ChannelID, with tag: String) {
    if let tag = ImportBuilder.cleaned(tag) { rows.tag(.channel(channel), with: tag) }
  }

  /// Adds a tag to every subscription in the file.
  mutating func tagAll(with tag: String) {
    if let tag = ImportBuilder.cleaned(tag) { rows.tagAll(with: tag) }
  }

  /// Adds a history row, given by the address or ID of its video and, if present, of its channel, and by the position
  /// in seconds where playback stopped.
  mutating func watch(
    _ text: String, when: Timestamp?, channel: String?, progress: Int? = nil, line: Int
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
    // A time before the first video ever is none.
    let when = when.flatMap { $0 < ImportBuilder.firstVideo ? nil : $0 }
    // Nor does a video last longer than a year.
    let progress = progress.flatMap { (1...31_536_000).contains($0) ? $0 : nil }
    try rows.add(ImportedWatch(video: video, when: when, channel: channel, progress: progress))
  }

  /// Adds a collection, one row per video; some rows may not be videos.
  mutating func collect(
    _ texts: [(text: String, line: Int)], title: String?, line: Int
  ) throws(ImportError) {
    let place = RowLocation(entry: entry, line: line)
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

  /// Adds a row that is not YouTube.
  mutating func pass(_ what: some StringProtocol, line: Int) throws(ImportError) {
    try rows.add(skipped(what, line: line))
  }

  private func skipped(_ what: some StringProtocol, line: Int) -> SkippedRow {
    SkippedRow(place: RowLocation(entry: entry, line: line), what: what.cut(toScalars: 200))
  }

  /// Adds a row that should have been understood and was not.
  mutating func refuse(_ reason: RowError, line: Int) throws(ImportError) {
    try rows.add(RejectedRow(place: RowLocation(entry: entry, line: line), reason: reason))
  }

  /// Counts a channel that the user had unfollowed in the other program.
  mutating func passArchived() { rows.addArchived() }

  /// Counts an advertisement in a history.
  mutating func passAdvertisement() { rows.addAdvertisement() }

  /// Counts a history row without a video.
  mutating func passWithoutVideo() { rows.addRowWithoutVideo() }

  /// Adds everything from another part of the same file.
  mutating func append(_ part: ImportBuilder) throws(ImportError) { try rows.append(part.rows) }

  /// The complete result; throws `nothingFromYouTube` if it is empty.
  consuming func finish() throws(ImportError) -> ImportedFile {
    guard hasAnything else { throw .nothingFromYouTube(file.format, rows: file.read) }
    return file
  }

  /// Whether any row relates to YouTube, including rejected ones.
  var hasAnything: Bool {
    if !file.subscriptions.isEmpty || !file.unresolved.isEmpty { return true }
    if !file.watches.isEmpty || !file.collections.isEmpty || !file.videos.isEmpty { return true }
    return file.refused.contains { ![.reference(.notAReference), .empty, .notJSON].contains($0.reason) }
  }

  /// A title or tag, trimmed and cut at 500 characters; nil if empty.
  private static func cleaned(_ text: String) -> String? {
    let text = text.withoutBlanks.cut(toScalars: 500)
    return text.isEmpty ? nil : text
  }

  /// 2005-04-23, the day of the first video.
  private static let firstVideo = Timestamp(seconds: 1_114_214_400)
}
