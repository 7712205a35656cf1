import Core

/// Gathers the rows of a file into an `ImportedFile`, each thing once.
struct ImportBuilder {
  /// What was gathered so far.
  private(set) var file: ImportedFile
  private let limits: ImportLimits
  /// The name of the file in an archive, nil outside one.
  private let entry: String?
  private var subscriptions: [SubscriptionID: Int] = [:]
  private var names: [ChannelName: Int] = [:]
  private var watches: [VideoID: Int] = [:]
  private var collected = 0

  init(format: ImportFormat, limits: ImportLimits, entry: String? = nil) {
    file = ImportedFile(format: format)
    self.limits = limits
    self.entry = entry
  }

  /// Sets what the file turned out to be.
  mutating func recognise(_ format: ImportFormat) { file.format = format }

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
    let tags = ImportBuilder.united([], tags.compactMap(ImportBuilder.cleaned))
    let place = RowPlace(entry: entry, line: line)
    switch reference {
    case .subscription(let id, let form):
      // Programs that know no title write the id in its place.
      let title = title == id.description ? nil : title
      try add(ImportedSubscription(id: id, title: title, tags: tags, form: form, place: place))
    case .name(let name):
      let title = title == name.description ? nil : title
      try add(UnresolvedName(name: name, title: title, tags: tags, place: place))
    }
  }

  /// Gives a channel that is in the file a tag; one that is not stays out.
  mutating func tag(_ channel: ChannelID, with tag: String) {
    guard let index = subscriptions[.channel(channel)], let tag = ImportBuilder.cleaned(tag) else { return }
    file.subscriptions[index].tags = ImportBuilder.united(file.subscriptions[index].tags, [tag])
  }

  /// Gives everything to follow in the file a tag.
  mutating func tagAll(with tag: String) {
    guard let tag = ImportBuilder.cleaned(tag) else { return }
    for index in file.subscriptions.indices {
      file.subscriptions[index].tags = ImportBuilder.united(file.subscriptions[index].tags, [tag])
    }
    for index in file.unresolved.indices {
      file.unresolved[index].tags = ImportBuilder.united(file.unresolved[index].tags, [tag])
    }
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
    try add(ImportedWatch(video: video, when: when, channel: channel))
  }

  /// Takes a list of videos, each a row, some of them of no video.
  mutating func collect(
    _ texts: [(text: String, line: Int)], title: String?, line: Int
  ) throws(ImportError) {
    let place = RowPlace(entry: entry, line: line)
    var collection = ImportedCollection(title: title.flatMap(ImportBuilder.cleaned), videos: [], place: place)
    var seen: Set<VideoID> = []
    for row in texts {
      do {
        let video = try VideoID(naming: row.text)
        file.read += 1
        if seen.insert(video).inserted { collection.videos.append(video) } else { file.duplicates += 1 }
      } catch {
        try refuse(row.text.isEmpty ? .empty : .reference(error), line: row.line)
      }
    }
    try add(collection)
  }

  /// Takes a row that is not YouTube.
  mutating func pass(_ what: some StringProtocol, line: Int) throws(ImportError) {
    file.read += 1
    file.notYouTube.append(ForeignRow(place: RowPlace(entry: entry, line: line), what: what.cut(toScalars: 200)))
    try checkRows()
  }

  /// Takes a row that ought to have been understood and was not.
  mutating func refuse(_ reason: RowRefusal, line: Int) throws(ImportError) {
    file.read += 1
    file.refused.append(RefusedRow(place: RowPlace(entry: entry, line: line), reason: reason))
    try checkRows()
  }

  /// Takes an advertisement's row of a history.
  mutating func passAdvertisement() {
    file.read += 1
    file.advertisements += 1
  }

  /// Takes a row of a history that has no video.
  mutating func passWithoutVideo() {
    file.read += 1
    file.withoutVideo += 1
  }

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
}

extension ImportBuilder {
  /// Takes all that another part of the same file gave.
  mutating func append(_ part: ImportBuilder) throws(ImportError) {
    for subscription in part.file.subscriptions { try add(subscription) }
    for name in part.file.unresolved { try add(name) }
    for watch in part.file.watches { try add(watch) }
    for collection in part.file.collections {
      file.read += collection.videos.count
      try add(collection)
    }
    file.notYouTube += part.file.notYouTube
    file.refused += part.file.refused
    file.duplicates += part.file.duplicates
    file.advertisements += part.file.advertisements
    file.withoutVideo += part.file.withoutVideo
    file.read += part.file.notYouTube.count + part.file.refused.count + part.file.duplicates
    file.read += part.file.advertisements + part.file.withoutVideo
    try checkRows()
  }

  private mutating func add(_ subscription: ImportedSubscription) throws(ImportError) {
    file.read += 1
    guard let index = subscriptions[subscription.id] else {
      subscriptions[subscription.id] = file.subscriptions.count
      file.subscriptions.append(subscription)
      return try checkRows()
    }
    file.duplicates += 1
    var known = file.subscriptions[index]
    known.title = known.title ?? subscription.title
    known.tags = ImportBuilder.united(known.tags, subscription.tags)
    if known.form != subscription.form { known.form = .channel }
    file.subscriptions[index] = known
  }

  private mutating func add(_ name: UnresolvedName) throws(ImportError) {
    file.read += 1
    guard let index = names[name.name] else {
      names[name.name] = file.unresolved.count
      file.unresolved.append(name)
      return try checkRows()
    }
    file.duplicates += 1
    file.unresolved[index].title = file.unresolved[index].title ?? name.title
    file.unresolved[index].tags = ImportBuilder.united(file.unresolved[index].tags, name.tags)
  }

  private mutating func add(_ watch: ImportedWatch) throws(ImportError) {
    file.read += 1
    guard let index = watches[watch.video] else {
      watches[watch.video] = file.watches.count
      file.watches.append(watch)
      guard file.watches.count <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
      return
    }
    file.duplicates += 1
    file.watches[index].channel = file.watches[index].channel ?? watch.channel
    guard let when = watch.when else { return }
    file.watches[index].when = file.watches[index].when.map { max($0, when) } ?? when
  }

  private mutating func add(_ collection: ImportedCollection) throws(ImportError) {
    file.collections.append(collection)
    collected += collection.videos.count
    guard collected <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
    try checkRows()
  }

  private func checkRows() throws(ImportError) {
    let followed = file.subscriptions.count + file.unresolved.count + file.collections.count
    guard followed + file.notYouTube.count + file.refused.count <= limits.rows else {
      throw .tooManyRows(limit: limits.rows)
    }
  }

  /// Tags in their order, each once; what goes beyond a hundred for one channel is no tagging by a person.
  private static func united(_ tags: [String], _ more: [String]) -> [String] {
    var all = tags
    for tag in more where all.count < 100 && !all.contains(tag) { all.append(tag) }
    return all
  }

  /// A title or tag without blanks around it and no longer than 500 letters; nil where nothing is left.
  private static func cleaned(_ text: String) -> String? {
    let text = text.withoutBlanks.cut(toScalars: 500)
    return text.isEmpty ? nil : text
  }

  /// 2005-04-23, the day of the first video.
  private static let firstVideo = Timestamp(seconds: 1_114_214_400)
}
