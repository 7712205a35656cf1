import Core
import EventLog
import Glibc
import Terminal

/// The context of a command: the user's files, the settings and the start time.
struct Session {
  let home: Home
  let settings: Settings
  let journal: Journal
  let now: Timestamp

  /// Opens the files that the options select; reports recoverable problems with them.
  init(_ options: CommonOptions) throws { try self.init(options, reports: true) }

  /// Opens the files that the options select; `reports` is whether to report recoverable problems with them.
  init(_ options: CommonOptions, reports: Bool) throws {
    let environment = Environment.variables()
    home = try Home(folder: options.home, environment: environment)
    settings = try Settings(environment: environment, file: home.settings)
    now = Clock.now()
    do {
      journal = try Journal(folders: home.folders, device: nil, clock: Clock.milliseconds)
    } catch { throw UserMessages.failure(error) }
    if reports { report(journal.findings) }
  }

  private func report(_ findings: [LogFinding]) {
    for finding in findings { if let words = UserMessages.finding(finding) { StandardError.report(words) } }
  }

  /// Calls `body` holding the poll lock; throws at once if another process holds it.
  func whilePolling(_ body: () throws -> Void) throws {
    let lock: FileLock
    do { lock = try FileLock(home.folders.pollLock, waiting: 0) } catch { throw UserMessages.failure(error) }
    defer { withExtendedLifetime(lock) {} }
    try body()
  }

  /// The session as of `time`, when `last` was the last event.
  func past(_ last: EventID, at time: Timestamp) throws -> Session {
    do { return Session(self, journal: try journal.past(last), now: time) } catch { throw UserMessages.failure(error) }
  }

  private init(_ session: Session, journal: Journal, now: Timestamp) {
    (home, settings, self.journal, self.now) = (session.home, session.settings, journal, now)
  }

  /// The start time in the local time zone.
  var local: LocalTime { LocalTime(now, offset: Clock.offset) }

  /// The current state.
  var state: State { journal.state }

  /// Appends the events that `decide` derives from the up-to-date state, as one batch; returns them.
  @discardableResult
  func commit(
    action: EventID? = nil, undoing: EventID? = nil, _ decide: (State) -> [EventBody]
  ) throws -> [Event] {
    defer { report(journal.takeNews()) }
    do { return try journal.commit(action: action, undoing: undoing, decide) } catch {
      throw UserMessages.failure(error)
    }
  }
}
