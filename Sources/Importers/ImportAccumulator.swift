import Core

/// The contents of a file found so far: deduplicated, with every row counted once, and within the limits.
struct ImportAccumulator {
  /// The result so far.
  var file: ImportedFile
  private let limits: ImportLimits
  /// The index of each thing in `file`.
  private var subscriptions: [SubscriptionID: Int] = [:]
  private var names: [ChannelName: Int] = [:]
  private var watches: [VideoID: Int] = [:]
  /// The number of videos in all collections.
  private var collected = 0

  init(format: ImportFormat, limits: ImportLimits) {
    file = ImportedFile(format: format)
    self.limits = limits
  }

  /// Adds a channel or playlist to follow.
  mutating func add(_ subscription: ImportedSubscription) throws(ImportError) {
    file.read += 1
    guard let index = subscriptions[subscription.id] else {
      subscriptions[subscription.id] = file.subscriptions.count
      file.subscriptions.append(subscription)
      return try checkRows()
    }
    file.duplicates += 1
    var known = file.subscriptions[index]
    known.title = known.title ?? subscription.title
    known.tags = known.tags.united(with: subscription.tags)
    if known.form != subscription.form { known.form = .channel }
    file.subscriptions[index] = known
  }

  /// Adds a channel given by name.
  mutating func add(_ name: UnresolvedName) throws(ImportError) {
    file.read += 1
    guard let index = names[name.name] else {
      names[name.name] = file.unresolved.count
      file.unresolved.append(name)
      return try checkRows()
    }
    file.duplicates += 1
    file.unresolved[index].title = file.unresolved[index].title ?? name.title
    file.unresolved[index].tags = file.unresolved[index].tags.united(with: name.tags)
  }

  /// Adds a watched video.
  mutating func add(_ watch: ImportedWatch) throws(ImportError) {
    file.read += 1
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

  /// Adds a collection; `repeated` is the number of its rows that repeated a video.
  mutating func add(_ collection: ImportedCollection, repeated: Int) throws(ImportError) {
    file.read += collection.videos.count + repeated
    file.duplicates += repeated
    file.collections.append(collection)
    collected += collection.videos.count
    guard collected <= limits.watches else { throw .tooManyRows(limit: limits.watches) }
    try checkRows()
  }

  /// Adds a row that is not YouTube.
  mutating func add(_ row: SkippedRow) throws(ImportError) {
    file.read += 1
    file.notYouTube.append(row)
    try checkRows()
  }

  /// Adds a row that names a video.
  mutating func addVideo(_ row: SkippedRow) throws(ImportError) {
    file.read += 1
    file.videos.append(row)
    try checkRows()
  }

  /// Adds a row that should have been understood and was not.
  mutating func add(_ row: RejectedRow) throws(ImportError) {
    file.read += 1
    file.refused.append(row)
    try checkRows()
  }

  /// Counts a channel that the user had unfollowed in the other program.
  mutating func addArchived() {
    file.read += 1
    file.archived += 1
  }

  /// Counts an advertisement in a history.
  mutating func addAdvertisement() {
    file.read += 1
    file.advertisements += 1
  }

  /// Counts a history row without a video.
  mutating func addRowWithoutVideo() {
    file.read += 1
    file.withoutVideo += 1
  }

  /// Adds a tag to a known subscription.
  mutating func tag(_ subscription: SubscriptionID, with tag: String) {
    guard let index = subscriptions[subscription] else { return }
    file.subscriptions[index].tags = file.subscriptions[index].tags.united(with: [tag])
  }

  /// Adds a tag to every subscription and name.
  mutating func tagAll(with tag: String) {
    for index in file.subscriptions.indices {
      file.subscriptions[index].tags = file.subscriptions[index].tags.united(with: [tag])
    }
    for index in file.unresolved.indices {
      file.unresolved[index].tags = file.unresolved[index].tags.united(with: [tag])
    }
  }

  /// Adds everything from another part of the same file.
  mutating func append(_ part: ImportAccumulator) throws(ImportError) {
    for subscription in part.file.subscriptions { try add(subscription) }
    for name in part.file.unresolved { try add(name) }
    for watch in part.file.watches { try add(watch) }
    for collection in part.file.collections { try add(collection, repeated: 0) }
    file.notYouTube += part.file.notYouTube
    file.videos += part.file.videos
    file.archived += part.file.archived
    file.refused += part.file.refused
    file.duplicates += part.file.duplicates
    file.advertisements += part.file.advertisements
    file.withoutVideo += part.file.withoutVideo
    file.read += part.file.notYouTube.count + part.file.refused.count + part.file.duplicates
    file.read += part.file.videos.count + part.file.archived + part.file.advertisements + part.file.withoutVideo
    try checkRows()
  }

  private func checkRows() throws(ImportError) {
    let followed = file.subscriptions.count + file.unresolved.count + file.collections.count
    guard followed + file.notYouTube.count + file.videos.count + file.refused.count <= limits.rows else {
      throw .tooManyRows(limit: limits.rows)
    }
  }
}

extension [String] {
  /// The tags of both in order, without duplicates. The cap of a hundred per channel is beyond what any person uses.
  func united(with more: [String]) -> [String] {
    var all = self
    for tag in more where all.count < 100 && !all.contains(tag) { all.append(tag) }
    return all
  }
}
