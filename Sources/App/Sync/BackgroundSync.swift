import App
import Core
import EventLog
import Glibc
import Library
import Messages
import Platform
import Synchronization
import Terminal

/// The exchange with the hub that no command waits for: a process of its own, started when a command ends.
package struct BackgroundSync {
  private let session: Session
  package let state: HubState

  /// That of a session; nil without a hub, and for a log in a database, which no hub exchanges with another one.
  package init?(_ session: Session) throws {
    guard let files = session.workspace.files, let url = try session.settings.hubURL() else { return nil }
    self.session = session
    state = HubState(url, in: files.home)
  }

  /// How many lines of this device's log the hub does not have yet.
  package var unsent: Int {
    get throws {
      let journal = session.files.journal
      guard let device = journal.device else { return 0 }
      return try Session.reporting {
        let isKnown = try journal.hasEnd(state.sent, in: device.description)
        return try journal.lineCount(of: device.description, after: isKnown ? state.sent.length : 0)
      }
    }
  }

  /// For how long, in seconds, what the others did is not fetched again: half of the minute within which a device that
  /// only lists is to show it, because the exchange ends after the command that starts it.
  private static let freshness: Int64 = 30
  /// How long after a failure the hub is tried again, in seconds.
  private static let pause: Int64 = 60

  /// Whether an exchange is started when a command ends.
  var isDue: Bool {
    get throws {
      // Not the session's time: a poll that just failed began before.
      let now = Clock.now()
      func isPast(_ time: Timestamp?, _ seconds: Int64) -> Bool {
        // A time in the future is from before a clock was set back.
        time.map { !(0..<seconds).contains(now.seconds(since: $0)) } ?? true
      }
      if state.failingSince != nil { return isPast(state.tried, BackgroundSync.pause) }
      if isPast(state.synced, BackgroundSync.freshness) { return true }
      // What the hub did not take once it may not take again.
      return try (state.problem == nil || isPast(state.tried, BackgroundSync.pause)) && unsent > 0
    }
  }

  /// `POSIX_SPAWN_SETSID` of glibc, which its module lacks: Ctrl-C and the end of a terminal do not reach it.
  private static let ownSession: Int32 = 0x80

  /// Starts it if something is to be sent, or was not fetched for long. What fails is in `status`.
  package static func start(_ session: Session, home: String?) {
    // Without it nothing is lost: the next command tries again, and reports what is wrong with settings or the log.
    guard let sync = try? BackgroundSync(session), (try? sync.isDue) == true else { return }
    // If one is running, it takes along what was appended meanwhile.
    guard let lock = try? FileLock("\(session.home.state)/hub.lock", waiting: 0) else { return }
    withExtendedLifetime(lock) {}
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    defer { close(nothing) }
    let arguments =
      [File.absolute("/proc/self/exe"), "sync", "--quiet", "--retries", "0"] + (home.map { ["--home=\($0)"] } ?? [])
    let child = ChildProcess(arguments: arguments, environment: Environment.variables())
    let start = child.start(
      [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { (nothing, $0) }, flags: BackgroundSync.ownSession)
    started.withLock { started in
      // A full-screen view starts many.
      started.removeAll { ChildProcess.ending(of: $0) != nil }
      if case .success(let process) = start { started.append(process) }
    }
  }

  private static let started = Mutex<[pid_t]>([])

  /// How old what is shown of other devices may be, for the heading of a list: `last sync 3 min ago`; nil without a hub.
  package static func age(_ session: Session) -> String? {
    // A setting that is invalid is reported by the commands that need the hub.
    guard let state = try? BackgroundSync(session)?.state else { return nil }
    if let since = state.failingSince { return "hub fails since \(since.local)" }
    return state.synced.map { "last sync \($0.short(at: session.local))" } ?? "never synced"
  }

  /// The lines of `status`.
  package var lines: [String] {
    var lines: [String] = []
    if let since = state.failingSince {
      let retry = state.pollsWithoutHub(at: session.now).map { ", and try it again at \($0.local)" } ?? ""
      lines.append("hub: \(state.url) fails since \(since.local); polls request the feeds from YouTube\(retry)")
    } else {
      let time = state.synced.map { "last exchange at \($0.local)" } ?? "no exchange yet"
      lines.append("hub: \(state.url), \(time); polls ask it first")
    }
    if let problem = state.problem { lines.append("hub: \(problem)") }
    // A log that cannot be read is reported apart from this.
    guard let count = try? unsent else { return lines + ["how much of this device's log is not sent yet is unknown"] }
    if count > 0 { lines.append("\(UserMessages.count(count, "line")) of this device's log not sent yet") }
    return lines
  }
}
