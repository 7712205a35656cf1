import Core
import Glibc
import SQLDrivers

/// What the log says, as tables for queries: a disposable SQLite database, made from the log alone.
///
/// One for each thread; several processes may share the file. Nothing in it is truth: whatever is in doubt, it is built
/// anew from the log.
package final class ReadModel {
  /// Where the tables are.
  package enum Storage: Equatable {
    case file
    /// The file is up to date but cannot be written.
    case readOnlyFile
    /// Nothing can be kept; the tables are gone with the process.
    case memory
    /// In PostgreSQL, shared by all processes.
    case server
  }

  package private(set) var storage: Storage
  /// The terminal's user is 0.
  let user: Int64
  let folder: String?
  /// The name of the file that the link stood for when it was opened; nil in memory.
  package private(set) var name: String?
  private(set) var database: Database
  /// Events that are in the log but not in the tables yet.
  private var pending: [PendingEvent] = []
  private var pendingSubjects: Set<EventSubject> = []
  /// Videos with sights in feeds that are not in the tables yet, or that are gone or back.
  private var pendingVideos: Set<VideoID> = []
  /// Channels with found videos that are not in the tables yet.
  private var pendingChannels: Set<ChannelID> = []
  private var cachedState: State?
  /// Whether a transaction is open that excludes other writers.
  private var isWriting = false
  /// The index of descriptions; nil until the first search.
  var textIndex: TextIndex?
  /// Builds the tables anew after damage was met; returns false if it cannot.
  package var rebuild: (() -> Bool)?
  /// Applies events of the log that are not in the tables yet.
  package var applyPending: (([PendingEvent]) throws -> Void)?
  /// The text of a description, normalised for search.
  package var foldedText: (Description) throws -> [UInt8] = { description in
    if case .text(let text) = description.source { NormalizedText.bytes(of: text) } else { [] }
  }

  /// An event, the number of its file and the offset of its line.
  package struct PendingEvent {
    package var event: Event
    package var file: Int
    package var line: UInt64

    package init(event: Event, file: Int, line: UInt64) { (self.event, self.file, self.line) = (event, file, line) }
  }

  /// An empty model in memory.
  package init(user: Int64) throws(DatabaseError) {
    self.user = user
    folder = nil
    storage = .memory
    database = try Database(":memory:", .memory)
    try database.execute(.sqlite("\(Schema.tables) \(Schema.listings) \(Schema.documents) \(Schema.indexes)"))
  }

  /// The model of a user in PostgreSQL, whose tables `Database.migrate` made. Its transactions are part of the one that
  /// the connection has open, if any.
  package init(server database: Database, user: Int64) {
    (self.database, self.user) = (database, user)
    (folder, storage) = (nil, .server)
  }

  /// A model on tables in memory, or in a file that is being built.
  init(_ database: Database, user: Int64, foldedText: @escaping (Description) throws -> [UInt8]) {
    (self.database, self.user, self.foldedText) = (database, user, foldedText)
    (folder, storage) = (nil, .memory)
  }

  /// Opens the model in a cache folder; nil if there is none to rely on.
  package init?(in folder: String, user: Int64) {
    (self.user, self.folder) = (user, folder)
    let file = ReadModel.file(in: folder)
    name = file.target
    do throws(DatabaseError) {
      guard let opened = try file.open() else { return nil }
      (database, storage) = (opened.database, opened.isWritable ? .file : .readOnlyFile)
      guard try coverage() != nil else { return nil }
    } catch { return nil }
  }

  private static func file(in folder: String) -> CacheFile {
    CacheFile(folder: folder, prefix: "read-v", version: Schema.version, applicationID: Schema.applicationID)
  }

  /// The name in the cache folder.
  package static let linkName = file(in: "").linkName

  // MARK: Coverage

  /// How much of the logs the tables hold, as recorded when events were applied; nil if they were never filled.
  package func coverage() throws(DatabaseError) -> [UInt8]? {
    try database.use(owner: user)
    return try database.snapshot { () throws(DatabaseError) in
      try database.first("SELECT value FROM meta WHERE key = 'coverage'") { $0.blob(0) }
    }
  }

  // MARK: Filling

  /// Applies events in one transaction. `body` gives each event with the number of its file and where its line begins,
  /// and returns the coverage that is reached. Does nothing but return false if the tables' coverage is no longer
  /// `known`, because another process moved them on.
  package func update<Failure: Error>(
    from known: [UInt8]?, _ body: ((Event, Int, UInt64) throws(DatabaseError) -> Void) throws(Failure) -> [UInt8]
  ) throws -> Bool {
    try project(from: known) { projector in
      try body { (event, file, line) throws(DatabaseError) in try projector.apply(event, file: file, line: line) }
    }
  }

  /// Updates the tables with events that are known beforehand, which takes few round trips on PostgreSQL.
  package func update(from known: [UInt8]?, to coverage: [UInt8], _ events: [PendingEvent]) throws -> Bool {
    try project(from: known) { projector in
      try projector.lookUp(events)
      for event in events { try projector.apply(event.event, file: event.file, line: event.line) }
      return coverage
    }
  }

  private func project(from known: [UInt8]?, _ body: (inout Projector) throws -> [UInt8]) throws -> Bool {
    let isApplied = try writing {
      guard try coverage() == known else { return false }
      let (isEmpty, hasEntries) = try contents()
      var projector = Projector(database, user: user, isFirstBuild: known == nil || isEmpty, hasEntries: hasEntries)
      let coverage = try body(&projector)
      try finish(&projector)
      try database.run(Schema.setMeta, "coverage", coverage)
      return true
    }
    if isApplied { cachedState = nil }
    return isApplied
  }

  /// Applies events that no file has, for tests and what-if questions.
  package func apply(_ events: some Sequence<Event>) throws {
    try writing {
      var projector = Projector(database, user: user, isFirstBuild: false, hasEntries: true)
      for event in events { try projector.apply(event, file: 0, line: 0) }
      try finish(&projector)
    }
    cachedState = nil
  }

  /// Runs `body` in a transaction that excludes other writers, or within the one that is open; what it did is undone if
  /// it throws.
  package func writing<Result>(_ body: () throws -> Result) throws -> Result {
    if isWriting { return try body() }
    try database.use(owner: user)
    isWriting = true
    defer { isWriting = false }
    do {
      return try database.nestedTransaction {
        try database.lockWriting(user)
        return try body()
      }
    } catch {
      discardState()
      throw error
    }
  }

  /// Forgets what was read of the tables before another process changed them.
  package func discardState() { cachedState = nil }

  private func finish(_ projector: inout Projector) throws {
    try projector.applyWaiting()
    if database.isPostgres, projector.isFirstBuild { try projector.analyze() }
    try projector.dropOldRuns()
    try updateRules(&projector)
    if database.isPostgres {
      let search = PostgresSearch(database: database, user: user, foldedText: foldedText)
      try projector.isFirstBuild ? search.updateAll() : search.update(projector.textChanges)
    } else {
      try SearchDocuments.note(projector.textChanges, in: database)
    }
    try projector.updateListings()
  }

  // MARK: Building

  /// Builds a model from nothing and replaces the one in the folder by it; in memory if that fails.
  package static func build<Failure: Error>(
    in folder: String, user: Int64,
    foldedText: @escaping (Description) throws -> [UInt8],
    _ body: ((Event, Int, UInt64) throws(DatabaseError) -> Void) throws(Failure) -> [UInt8]
  ) throws -> ReadModel {
    do {
      if let model = try buildFile(in: folder, user: user, foldedText: foldedText, body) { return model }
    } catch let error as DatabaseError {
      guard case .notWritable = error else { throw error }
    }
    let model = try ReadModel(user: user)
    model.foldedText = foldedText
    _ = try model.update(from: nil, body)
    return model
  }

  private static func buildFile<Failure: Error>(
    in folder: String, user: Int64, foldedText: @escaping (Description) throws -> [UInt8],
    _ body: ((Event, Int, UInt64) throws(DatabaseError) -> Void) throws(Failure) -> [UInt8]
  ) throws -> ReadModel? {
    let file = ReadModel.file(in: folder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST,
      let name = try fill(file, user: user, foldedText: foldedText, body), file.publish(name)
    else { return nil }
    let model = ReadModel(in: folder, user: user)
    model?.foldedText = foldedText
    return model
  }

  /// Fills a new file; returns its name, nil if there can be none. The file is closed then.
  private static func fill<Failure: Error>(
    _ file: CacheFile, user: Int64, foldedText: @escaping (Description) throws -> [UInt8],
    _ body: ((Event, Int, UInt64) throws(DatabaseError) -> Void) throws(Failure) -> [UInt8]
  ) throws -> String? {
    guard let (database, name) = file.make() else { return nil }
    do {
      try file.begin(database)
      try database.execute(
        .sqlite("PRAGMA locking_mode = EXCLUSIVE; \(Schema.tables) \(Schema.listings) \(Schema.documents)"))
      _ = try ReadModel(database, user: user, foldedText: foldedText).update(from: nil, body)
      try database.execute(.sqlite(Schema.indexes))
      return name
    } catch {
      file.remove(name)
      throw error
    }
  }

  /// Moves the tables into memory, where they can be brought up to date though the file cannot.
  package func moveToMemory() throws(DatabaseError) {
    let copy = try Database(":memory:", .memory)
    try copy.copy(database)
    database = copy
    storage = .memory
  }

  // MARK: Reading

  /// Takes events that were appended to the log; they are applied before something is read that they may change.
  package func enqueue(_ event: Event, file: Int, line: UInt64) {
    pending.append(PendingEvent(event: event, file: file, line: line))
    if let subject = EventSubject(event.body) { pendingSubjects.insert(subject) }
    switch event.body {
    case .videoFound(let found):
      pendingVideos.insert(found.video)
      pendingChannels.insert(found.channel)
    case .videoChanged, .videoRemoved, .videoDescribed, .entryFound, .entryChanged:
      if let video = event.body.video { pendingVideos.insert(video) }
    default: break
    }
  }

  /// Reads what depends on one video or channel alone.
  func read<Result>(
    about subject: EventSubject, _ body: (Database) throws(DatabaseError) -> Result
  ) throws -> Result {
    pendingSubjects.contains(subject) ? try read(body) : try snapshot(body)
  }

  /// Reads what YouTube showed of some videos, from one state of the tables.
  func read<Result>(
    aboutFeedsOf videos: [VideoID], _ body: (Database) throws(DatabaseError) -> Result
  ) throws -> Result {
    if videos.contains(where: pendingVideos.contains) { try flush() }
    return try snapshot(body)
  }

  /// Reads what depends on the videos of some channels, from one state of the tables.
  func read<Result>(
    aboutVideosOf channels: [ChannelID], _ body: (Database) throws(DatabaseError) -> Result
  ) throws -> Result {
    if channels.contains(where: pendingChannels.contains) { try flush() }
    return try snapshot(body)
  }

  /// Reads one state of the tables, up to date with the log; builds them anew and tries again if they are damaged.
  func read<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws -> Result {
    try flush()
    return try snapshot(body)
  }

  /// Reads in one snapshot, but in files each query for itself, so that `body` can write too.
  func readAndWrite<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws -> Result {
    try flush()
    return try database.isPostgres ? snapshot(body) : recovering(body)
  }

  /// Reads the tables and the events that are not in them yet, where applying these would take longer.
  func readWithPending<Result>(
    _ body: (Database, [PendingEvent]) throws(DatabaseError) -> Result
  ) throws -> Result {
    try snapshot { (database) throws(DatabaseError) in try body(database, pending) }
  }

  /// Each query outside a transaction would lock the file for itself.
  private func snapshot<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws -> Result {
    try recovering { (database) throws(DatabaseError) in
      try database.snapshot { () throws(DatabaseError) in try body(database) }
    }
  }

  private func recovering<Result>(_ body: (Database) throws(DatabaseError) -> Result) throws -> Result {
    do throws(DatabaseError) {
      try database.use(owner: user)
      return try body(database)
    } catch {
      guard case .damaged = error, let rebuild, rebuild() else { throw error }
      return try body(database)
    }
  }

  /// Applies what is pending.
  private func flush() throws {
    guard !pending.isEmpty else { return }
    let events = pending
    dropPending()
    cachedState = nil
    try applyPending?(events)
  }

  /// Applies what is pending if it is much, because another process would read and parse it again.
  package func settle() throws {
    if pending.count > ReadModel.maxPending { try flush() }
  }

  private static let maxPending = 300

  /// Forgets what is pending, because the log is read again from where the tables end.
  package func dropPending() { (pending, pendingSubjects, pendingVideos, pendingChannels) = ([], [], [], []) }

  /// Goes on with another model's tables.
  package func replace(by other: ReadModel) {
    (database, storage, name) = (other.database, other.storage, other.name)
    dropPending()
    cachedState = nil
  }

  /// What is known of a subscription; nil if nothing is.
  package func channel(_ id: SubscriptionID) throws -> Channel? {
    if let cachedState, let subject = EventSubject(.channelUnfollowed(id)), !pendingSubjects.contains(subject) {
      return cachedState.channels[id]
    }
    // A server's catalogue may have a million.
    return try (storage == .server ? state(of: [id]) : state()).channels[id]
  }

  /// A state that knows some subscriptions alone: reading all takes as long as a whole `list`.
  package func state(of subscriptions: some Sequence<SubscriptionID>) throws -> State {
    let arePending = subscriptions.contains { id in
      EventSubject(.channelUnfollowed(id)).map(pendingSubjects.contains) ?? true
    }
    if arePending { try flush() }
    if let cachedState { return cachedState }
    return try snapshot { (database) throws(DatabaseError) in try State(database, user: user, of: subscriptions) }
  }

  /// The channel that a name was resolved to; nil if it was not.
  package func resolution(of handle: String) throws -> SubscriptionID? {
    try flush()
    return try snapshot { (database) throws(DatabaseError) in
      try State.resolution(of: handle, in: database, user: user)
    }
  }

  /// A state that knows the last runs, the gaps and the handles alone.
  package func polls() throws -> State {
    if let cachedState, pending.isEmpty { return cachedState }
    return try read { (database) throws(DatabaseError) in try State(pollsIn: database, user: user) }
  }

  /// Channels, handles, gaps, runs and rules: thousands at most, read as a whole once.
  package func state() throws -> State {
    try flush()
    if let cachedState { return cachedState }
    let state = try snapshot { (database) throws(DatabaseError) in try State(database, user: user) }
    cachedState = state
    return state
  }
}
