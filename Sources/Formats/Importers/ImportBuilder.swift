import Core

/// Interprets the rows of a file as subscriptions, names, watches and collections: deduplicated, each row counted once,
/// and within the limits.
struct ImportBuilder {
  /// The result so far.
  private(set) var file: ImportedFile
  private let limits: ImportLimits
  /// The name of the file in an archive; nil outside one.
  private let entry: String?
  /// The index of each thing in `file`.
  private var subscriptions: [SubscriptionID: Int] = [:]
  private var names: [ChannelName: Int] = [:]
  private var watches: [VideoID: Int] = [:]
  private var positioned: Set<VideoID> = []
  /// The number of videos in all collections.
  private var collected = 0
  /// About how many bytes the descriptions take.
  private var descriptionBytes = 0

  init(format: ImportFormat, limits: ImportLimits, entry: String? = nil) {
    file = ImportedFile(format: format)
    (self.limits, self.entry) = (limits, entry)
  }

  /// Sets the detected format.
  mutating func recognise(_ format: ImportFormat) { file.format = format }

  /// Adds a subscription given as text.
  mutating func subscribe(to text: some StringProtocol, title: String?, tags: [String], line: Int) throws(ImportError) {
    let reference: ChannelReference
    do {
      reference = try ChannelReference(text)
    } catch .notYouTube {
      return try pass(text, line: line)
    } catch .namesVideo {
      return try list(skipped(text, line: line), in: \.videos)
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
    let location = location(line)
    switch reference {
    case .subscription(let id, let form):
      // Programs that do not know the title write the ID instead.
      let title = title == id.description ? nil : title
      try add(ImportedSubscription(id: id, title: title, tags: tags, form: form, location: location))
    case .name(let name):
      let title = title == name.description ? nil : title
      try add(UnresolvedName(name: name, title: title, tags: tags, location: location))
    }
  }

  private mutating func add(_ subscription: ImportedSubscription) throws(ImportError) {
    guard let index = subscriptions[subscription.id] else {
      subscriptions[subscription.id] = file.subscriptions.count
      return try list(subscription, in: \.subscriptions)
    }
    file.duplicates += 1
    file.subscriptions[index].title = file.subscriptions[index].title ?? subscription.title
    file.subscriptions[index].tags = file.subscriptions[index].tags.united(with: subscription.tags)
    if file.subscriptions[index].form != subscription.form { file.subscriptions[index].form = .channel }
  }

  /// Adds the feeds of other sites in a document; what is no URL is left to its row.
  mutating func add(_ content: WebOutlines.Content) throws(ImportError) {
    file.duplicates += content.duplicates
    for feed in content.feeds {
      var feed = feed
      feed.title = feed.title.flatMap(ImportBuilder.cleaned)
      feed.tags = [].united(with: feed.tags.compactMap(ImportBuilder.cleaned))
      try list(feed, in: \.feeds)
    }
  }

  private mutating func add(_ name: UnresolvedName) throws(ImportError) {
    guard let index = names[name.name] else {
      names[name.name] = file.unresolved.count
      return try list(name, in: \.unresolved)
    }
    file.duplicates += 1
    file.unresolved[index].title = file.unresolved[index].title ?? name.title
    file.unresolved[index].tags = file.unresolved[index].tags.united(with: name.tags)
  }

  /// Adds a tag to a channel in the file; ignores channels not in the file.
  mutating func tag(_ channel: ChannelID, with tag: String) {
    guard let tag = ImportBuilder.cleaned(tag), let index = subscriptions[.channel(channel)] else { return }
    file.subscriptions[index].tags = file.subscriptions[index].tags.united(with: [tag])
  }

  /// Adds a tag to every subscription and name in the file.
  mutating func tagAll(with tag: String) {
    guard let tag = ImportBuilder.cleaned(tag) else { return }
    for index in file.subscriptions.indices {
      file.subscriptions[index].tags = file.subscriptions[index].tags.united(with: [tag])
    }
    for index in file.unresolved.indices {
      file.unresolved[index].tags = file.unresolved[index].tags.united(with: [tag])
    }
  }

  /// Adds a history row, given by the address or ID of its video and, if present, of its channel, and by the position
  /// in seconds where playback stopped.
  mutating func watch(
    _ text: String, when: Timestamp?, channel: String?, progress: Int? = nil, line: Int
  ) throws(ImportError) {
    let video: VideoID
    do {
      video = try VideoID(youTubeNaming: text)
    } catch .notYouTube, .namesNothing {
      return count(\.withoutVideo)
    } catch {
      return try refuse(.reference(error), line: line)
    }
    let channel = channel.flatMap { ChannelReference.subscription(in: $0)?.channel }
    // A time before the first video ever is none.
    let when = when.flatMap { $0 < ImportBuilder.firstVideo ? nil : $0 }
    // Nor does a video last longer than a year.
    let progress = progress.flatMap { (1...31_536_000).contains($0) ? $0 : nil }
    try add(ImportedWatch(video: video, when: when, channel: channel, progress: progress))
  }

  private mutating func add(_ watch: ImportedWatch) throws(ImportError) {
    guard let index = watches[watch.video] else {
      watches[watch.video] = file.watches.count
      file.watches.append(watch)
      guard file.watches.count <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
      return
    }
    file.duplicates += 1
    file.watches[index].channel = file.watches[index].channel ?? watch.channel
    file.watches[index].progress = file.watches[index].progress ?? watch.progress
    guard let when = watch.when else { return }
    file.watches[index].when = file.watches[index].when.map { max($0, when) } ?? when
  }

  /// Adds the position, in seconds, of a video that the file does not list as watched.
  mutating func begin(_ text: String, channel: String?, progress: Int, line: Int) throws(ImportError) {
    guard let video = try? VideoID(youTubeNaming: text), watches[video] == nil, (1...31_536_000).contains(progress),
      positioned.insert(video).inserted
    else { return }
    let channel = channel.flatMap { ChannelReference.subscription(in: $0)?.channel }
    file.positions.append(ImportedWatch(video: video, when: nil, channel: channel, progress: progress))
    guard file.positions.count <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
  }

  /// Notes what the file says of a video, given by its address or ID; whatever is not a video is left to its row.
  mutating func describe(
    _ text: String, title: String?, channel: String?, channelTitle: String?, published: Timestamp? = nil,
    duration: Int? = nil, from source: String = VideoDescribed.history
  ) {
    // Not a video: its row is refused or counted elsewhere.
    guard let video = try? VideoID(youTubeNaming: text) else { return }
    // Programs that do not know the title write the address or the ID instead.
    let title = title.flatMap(ImportBuilder.cleaned).flatMap { $0.contains(video.description) ? nil : $0 }
    let channelID = channel.flatMap { ChannelReference.subscription(in: $0)?.channel }
    let channelTitle = channelTitle.flatMap(ImportBuilder.cleaned).flatMap { $0 == channelID?.description ? nil : $0 }
    let described = VideoDescribed(
      video: video, title: title, channel: channelID, channelTitle: channelTitle,
      published: published.flatMap { $0 < ImportBuilder.firstVideo ? nil : $0 },
      duration: duration.flatMap { (1...31_536_000).contains($0) ? $0 : nil }, source: source)
    add(described)
  }

  /// Adds what a file says of a video, unless there are too many.
  private mutating func add(_ described: VideoDescribed) {
    let earlier = file.descriptions[described.video]
    guard let whole = described.completing(earlier) else { return }
    if earlier == nil {
      // A value in the dictionary, and its texts.
      descriptionBytes += 250 + (whole.title?.utf8.count ?? 0) + (whole.channelTitle?.utf8.count ?? 0)
      guard descriptionBytes <= limits.descriptionBytes else { return }
    }
    file.descriptions[described.video] = whole
  }

  /// Removes from titles what Takeout puts around each of them.
  mutating func trimTakeoutTitles() {
    let affixes = TakeoutTitle(of: Set(file.descriptions.values.compactMap(\.title)))
    for (video, described) in file.descriptions {
      guard let title = described.title else { continue }
      file.descriptions[video]?.title = ImportBuilder.cleaned(affixes.removed(from: title))
    }
  }

  /// Adds a collection, one row per video; some rows may not be videos.
  mutating func collect(
    _ texts: [(text: String, line: Int)], title: String?, text: String? = nil, isKept: Bool = false, line: Int
  ) throws(ImportError) {
    var collection = ImportedCollection(
      title: title.flatMap(ImportBuilder.cleaned), text: text.flatMap(ImportBuilder.cleaned), isKept: isKept,
      videos: [], location: location(line))
    var seen: Set<VideoID> = []
    for row in texts {
      do {
        let video = try VideoID(youTubeNaming: row.text)
        if seen.insert(video).inserted { collection.videos.append(video) } else { file.duplicates += 1 }
      } catch {
        try refuse(row.text.isEmpty ? .empty : .reference(error), line: row.line)
      }
    }
    try add(collection)
  }

  private mutating func add(_ collection: ImportedCollection) throws(ImportError) {
    collected += collection.videos.count
    guard collected <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
    try list(collection, in: \.collections)
  }

  /// Adds a row that is not YouTube.
  mutating func pass(_ what: some StringProtocol, line: Int) throws(ImportError) {
    try list(skipped(what, line: line), in: \.notYouTube)
  }

  /// Adds a row that should have been understood and was not.
  mutating func refuse(_ reason: RowError, line: Int) throws(ImportError) {
    try list(RejectedRow(location: location(line), reason: reason), in: \.refused)
  }

  /// What is only counted.
  private static var counts: [WritableKeyPath<ImportedFile, Int>] {
    [\.duplicates, \.archived, \.advertisements, \.withoutVideo, \.additionTimes]
  }

  /// Counts what is not listed: `archived`, `advertisements`, `withoutVideo`, `additionTimes`.
  mutating func count(_ kind: WritableKeyPath<ImportedFile, Int>) { file[keyPath: kind] += 1 }

  private func skipped(_ what: some StringProtocol, line: Int) -> SkippedRow {
    SkippedRow(location: location(line), what: what.cut(toScalars: 200))
  }

  private func location(_ line: Int) -> RowLocation { RowLocation(entry: entry, line: line) }

  private mutating func list<Row>(_ row: Row, in rows: WritableKeyPath<ImportedFile, [Row]>) throws(ImportError) {
    file[keyPath: rows].append(row)
    try checkRows()
  }

  private func checkRows() throws(ImportError) {
    let followed = file.subscriptions.count + file.feeds.count + file.unresolved.count + file.collections.count
    guard followed + file.notYouTube.count + file.videos.count + file.refused.count <= limits.rows else {
      throw .tooManyRows(limit: limits.rows)
    }
  }

  /// Adds everything from another part of the same file. What parts follow in common is counted as repeated, or, if that
  /// is how such a file is, once.
  mutating func append(_ part: ImportBuilder, countsRepeated: Bool) throws(ImportError) {
    let duplicates = file.duplicates
    for subscription in part.file.subscriptions { try add(subscription) }
    for name in part.file.unresolved { try add(name) }
    if !countsRepeated { file.duplicates = duplicates }
    for watch in part.file.watches { try add(watch) }
    for position in part.file.positions where positioned.insert(position.video).inserted {
      file.positions.append(position)
    }
    for collection in part.file.collections { try add(collection) }
    for described in part.file.descriptions.values { add(described) }
    file.notYouTube += part.file.notYouTube
    file.videos += part.file.videos
    file.refused += part.file.refused
    for kind in ImportBuilder.counts {
      file[keyPath: kind] += part.file[keyPath: kind]
    }
    try checkRows()
  }

  /// The complete result; throws `nothingFromYouTube` if it is empty.
  consuming func finish() throws(ImportError) -> ImportedFile {
    guard hasAnything else { throw .nothingFromYouTube(file.format, rows: file.read) }
    return file
  }

  /// Whether any row relates to YouTube, including rejected ones, or is a feed of another site.
  var hasAnything: Bool {
    if !file.feeds.isEmpty || !file.subscriptions.isEmpty || !file.unresolved.isEmpty { return true }
    if !file.watches.isEmpty || !file.positions.isEmpty || !file.collections.isEmpty { return true }
    if !file.videos.isEmpty { return true }
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

extension [String] {
  /// The tags of both in order, without duplicates. The cap of a hundred per channel is beyond what any person uses.
  func united(with more: [String]) -> [String] {
    var all = self
    for tag in more where all.count < 100 && !all.contains(tag) { all.append(tag) }
    return all
  }
}
