import App
import Core
import EventLog
import Library
import Platform
import ReadModel
import SQLDrivers
import YouTube

/// The part of a hub's database that is one owner's: the log, the read model, and the state that all pollers share. It
/// opens no file of the machine.
package final class DatabaseWorkspace: Workspace {
  package let settings: Settings
  private let log: PostgresLibrary
  private let clock: () -> UInt64

  /// Opens the log of a user, or the catalogue's if nil; `clock` returns milliseconds since 1970.
  package init(
    _ database: Database, of user: String?, _ settings: Settings, clock: @escaping () -> UInt64 = Clock.milliseconds
  ) throws {
    (self.settings, self.clock) = (settings, clock)
    log = try Session.reporting { try PostgresLibrary(database, of: user, clock: clock) }
  }

  /// Opens the log of a user, or the catalogue's if nil, for a poller. Throws if the user is gone or has another name now:
  /// what the poller has to append must not make a new user of the old name.
  package init(_ database: Database, ofKnown user: String?, _ settings: Settings) throws {
    (self.settings, clock) = (settings, Clock.milliseconds)
    log = try Session.reporting { try PostgresLibrary(database, ofKnown: user, clock: Clock.milliseconds) }
  }

  private var database: Database { log.database }

  package var library: any Library { log }
  package var milliseconds: UInt64 { clock() }
  package var files: FileWorkspace? { nil }
  package func limitSubscriptions(to count: Int?) { log.maxSubscriptions = count }

  // MARK: Polling

  package func pollState(for session: Session) throws -> PollState {
    let state = try session.state
    var memory = PollState()
    memory.feeds = try PollRows.states(of: state.followed.map(\.id), in: database)
    memory.names = try PollRows.states(ofNames: state.unresolved.map(\.handle), in: database)
    memory.pause = try PollRows.pause(in: database)
    return memory
  }

  package func nextPolls(of ids: [SubscriptionID], _: PollState) throws -> [SubscriptionID: Timestamp] {
    try PollRows.nextRequests(of: ids, in: database)
  }

  /// A poller writes what it found, and that it requested it, at once.
  package var hasUnstoredRequests: Bool { false }
  package func pollerLife() throws -> PollerLife? { try PollerLife(database) }

  package func hurry(_ ids: [SubscriptionID]?, limit: Int) throws -> Bool {
    let isRunning = try Session.reporting {
      try database.integer(
        "SELECT hurry_followed(unix_time(), ?, ?::text[], ?)::integer", log.owner,
        ids.map { Database.array($0.map(\.description)) }, limit)
    }
    return isRunning != 1
  }

  package func whileAlone(_ body: () throws -> Void) throws {
    // A number that no other schema has.
    let lock: SQL = "'api_key'::regclass::oid::bigint"
    let isLocked = try Session.reporting {
      try database.integer("SELECT pg_try_advisory_lock(\(lock))::integer") == 1
    }
    guard isLocked else {
      throw Failure(.temporaryFailure, "older videos are being fetched for somebody else; try again in a minute")
    }
    // It fails only without a connection, with whose end PostgreSQL releases the lock.
    defer { _ = try? database.integer("SELECT pg_advisory_unlock(\(lock))::integer") }
    try body()
  }

  // MARK: Devices

  package var deviceLogs: any DeviceLogs { log.deviceLogs(temporary: ScratchFile.folder) }
  package func copyCatalogue() throws { try log.copyCatalogue() }

  /// They are among the device logs, as `copyCatalogue` copied them.
  package func catalogueLogs() -> (any ReadableLogs)? { nil }

  package func isOfCatalogue(_ device: DeviceID) throws -> Bool {
    try Session.reporting {
      try database.integer("SELECT 1 FROM log WHERE owner = 0 AND device = ? LIMIT 1", "\(device)") != nil
    }
  }

  /// Damage is marked in the tables.
  package func notice(_: [LogDamage]) {}

  // MARK: The Data API

  package func viewCounts(of videos: [VideoID]) throws -> [VideoID: Int] {
    try ViewCountTable(database).counts(of: videos)
  }
  package func keep(views: [VideoID: Int]) throws { try ViewCountTable(database).keep(views) }
  package func apiState() -> APIState { APIState() }
  package func keep(_: APIState) {}

  package func sharedUnits(ofKey key: String, budget: Int) -> (any SharedUnits)? {
    APIKeyTable(database, key: key, budget: budget)
  }

  package func keep(_ listing: PlaylistListing?, of playlist: PlaylistID) throws {
    try Session.reporting {
      try database.run(
        "SELECT keep_playlist(?, ?, ?, ?, ?)", log.owner, playlist.description, listing?.total, listing?.listed,
        listing?.checked)
    }
  }

  package var olderLimit: (any KeyUseLimit)? { KeyUse(database, .older, owner: log.owner) }
  package var searchLimit: (any KeyUseLimit)? { KeyUse(database, .search, owner: log.owner) }
  package func whileCountingUnits(_ body: () throws -> Void) throws { try body() }
}
