import Core
import EventLog
import Library
import Messages
import Platform
import YouTube

/// The files of a home: the log, the read model, and this machine's polling state and memory of the Data API.
package final class FileWorkspace: Workspace {
  package let home: Home
  package let settings: Settings
  /// The log in the files.
  package let log: FileLibrary
  private let clock: () -> UInt64
  /// The logs of what the user sees of the catalogue, as last read for a device.
  private var catalogueCopy: Journal?

  /// Opens a home; `clock` returns milliseconds since 1970.
  package init(_ home: Home, clock: @escaping () -> UInt64 = Clock.milliseconds) throws {
    (self.home, self.clock) = (home, clock)
    settings = try Settings(environment: Environment.variables(), file: home.settings)
    let folders = home.folders
    log = try Session.reporting { try FileLibrary(folders: folders, device: nil, clock: clock) }
  }

  package var library: any Library { log }
  package var milliseconds: UInt64 { clock() }
  package var files: FileWorkspace? { self }

  /// All subscriptions of a log are brought up to date.
  package func limitSubscriptions(to _: Int?) {}

  /// Whether this device's own log is missing, or older than the device remembers.
  package var hasLostLog: Bool { log.journal.findings.contains { if case .lost = $0 { true } else { false } } }

  /// Whether what the user decided on other devices is unknown, because nothing was exchanged with the hub yet.
  package private(set) lazy var awaitsExchange = HubExchange.isAwaited(settings, in: home)

  // MARK: Polling

  package func pollState(for session: Session) throws -> PollState {
    var memory = try PollStateFile(session).read(at: session.now)
    let feeds = try session.state.followedFeeds
    if !feeds.isEmpty { memory.add(try session.webPollState().memory, of: feeds, at: session.now) }
    return memory
  }

  package func nextPolls(of ids: [SubscriptionID], _ memory: PollState) -> [SubscriptionID: Timestamp] {
    let pushed = PushedFeeds(home).read()
    let due = ids.compactMap { id in
      memory.feeds[id].flatMap { PollPlan.due(id, $0, pushed: pushed[id]) }.map { (id, $0) }
    }
    return Dictionary(due) { $1 }
  }

  package var hasUnstoredRequests: Bool { !RequestJournal.isEmpty(home) }
  package func pollerLife() -> PollerLife? { nil }
  package func hurry(_: [SubscriptionID]?, limit _: Int) -> Bool { true }
  package func whileAlone(_ body: () throws -> Void) throws { try whilePolling(body) }

  /// Calls `body` while no other process polls; throws at once if one does.
  package func whilePolling(_ body: () throws -> Void) throws { try whilePolling(waiting: 0, body) }

  /// The same, waiting up to `milliseconds` for the end of another poll.
  private func whilePolling(waiting milliseconds: Int, _ body: () throws -> Void) throws {
    let lock: FileLock
    do { lock = try FileLock("\(home.pollState)/poll.lock", waiting: milliseconds) } catch {
      throw UserMessages.failure(error)
    }
    defer { withExtendedLifetime(lock) {} }
    try body()
  }

  // MARK: Devices

  package var deviceLogs: any DeviceLogs { FileDeviceLogs(log, in: home.folders, clock: Clock.milliseconds) }

  package func copyCatalogue() {}

  package func catalogueLogs() throws -> (any ReadableLogs)? {
    let copy = CatalogueCopy(in: home.state + "/feeds")
    guard try log.update(copy) else { return nil }
    if let catalogueCopy, !catalogueCopy.isStale {
      try catalogueCopy.refresh()
      if !catalogueCopy.isStale { return catalogueCopy }
    }
    var journal = try FileWorkspace.journal(of: copy)
    if !journal.damagedLogs.isEmpty {
      // It is disposable.
      Directory.removeAll(copy.folders.data)
      _ = try log.update(copy)
      journal = try FileWorkspace.journal(of: copy)
    }
    catalogueCopy = journal
    return journal
  }

  private static func journal(of copy: CatalogueCopy) throws -> Journal {
    let journal = try Journal(folders: copy.folders, device: nil, coverage: nil, clock: Clock.milliseconds)
    try journal.refresh()
    return journal
  }

  package func isOfCatalogue(_ device: DeviceID) -> Bool {
    home.catalogue.map { File.exists("\($0)/log/\(device).jsonl") } ?? false
  }

  package func notice(_ damage: [LogDamage]) throws {
    let known = Set(log.damage.map(\.file))
    guard !damage.allSatisfy({ known.contains($0.file) }) else { return }
    try Session.reporting { try log.readAnew() }
  }

  // MARK: The Data API

  private var viewCounts: ViewCountFile { ViewCountFile(folder: home.catalogue.map { "\($0)/cache" } ?? home.cache) }
  package func viewCounts(of videos: [VideoID]) throws -> [VideoID: Int] { try viewCounts.counts(of: videos) }
  package func keep(views: [VideoID: Int]) throws { try viewCounts.keep(views) }
  /// The playlists of which a user of a data folder has every entry.
  package static func completePlaylists(in home: Home) -> [PlaylistID: PlaylistListing] {
    PlaylistListings.read(in: home)
  }
  package func keep(_ listing: PlaylistListing?, of playlist: PlaylistID) throws {
    var listings = PlaylistListings.read(in: home)
    listings[playlist] = listing
    try PlaylistListings.write(listings, in: home)
  }
  package func apiState() -> APIState { APIState(storedIn: home) }
  package func keep(_ memory: APIState) throws { try memory.store(in: home) }
  package func sharedUnits(ofKey _: String, budget _: Int) -> (any SharedUnits)? { nil }
  package var olderLimit: (any KeyUseLimit)? { limit(.older) }
  package var searchLimit: (any KeyUseLimit)? { limit(.search) }
  /// In a data folder the key is the operator's.
  private func limit(_ kind: ProcessKeyUse.Kind) -> ProcessKeyUse? {
    home.catalogue == nil ? nil : ProcessKeyUse(kind, home: home.data)
  }
  /// Waits for a poll that is about to end: a person asks for what is counted, and would have to ask again.
  package func whileCountingUnits(_ body: () throws -> Void) throws { try whilePolling(waiting: 2000, body) }
}

// MARK: Sessions of files

extension Session {
  /// Opens a home; `reports` is whether to report recoverable problems with it.
  package init(_ home: Home, reports: Bool) throws {
    let milliseconds = Clock.milliseconds()
    let files = try FileWorkspace(home)
    self.init(files, at: milliseconds)
    if reports {
      for finding in settings.findings { StandardError.report(finding) }
      report(files.log.journal.findings)
    }
  }

  private var fileWorkspace: FileWorkspace {
    guard let files = workspace.files else { preconditionFailure("a session of a database has no files") }
    return files
  }

  /// The home of a session of files.
  package var home: Home { fileWorkspace.home }

  /// The log of a session of files, for what concerns its files.
  package var files: FileLibrary { fileWorkspace.log }

  /// Whether this device's own log is missing, or older than the device remembers.
  package var hasLostLog: Bool { fileWorkspace.hasLostLog }

  /// Calls `body` while no other process polls these files; throws at once if one does.
  package func whilePolling(_ body: () throws -> Void) throws { try fileWorkspace.whilePolling(body) }
}
