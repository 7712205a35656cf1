import Core
import EventLog
import Exporters
import Glibc

/// `METUBE_RSS_ON_NEW`: a program that runs once after a poll with new videos, which it reads on standard input in the
/// format of `list --format jsonl`. Its failure is reported and has no other effect.
///
/// The hook's cursor outlives the poll: if a poll is interrupted or killed, the next one delivers its videos.
struct NewVideoHook {
  private let line: String
  private let file: HookCursor
  /// The last discovery event delivered to the hook.
  private let last: EventID

  /// The hook of a poll that is about to start; nil if none is set.
  init?(_ session: Session) {
    file = HookCursor(session.home)
    guard let line = session.settings["ON_NEW"] else {
      // A hook set later must not receive everything found before.
      file.remove()
      return nil
    }
    self.line = line
    // A cursor from a former device ID of this machine says nothing about this device's events if its clock was ahead.
    if let reported = file.read(),
      reported.device == session.journal.device || reported.reading <= session.journal.clock.last
    {
      last = reported
    } else {
      let file = file
      let newest = NewVideoHook.newest(in: session)
      last = newest
      StandardError.reportFailure { try file.write(newest) }
    }
  }

  /// Runs the program if there are new videos that `list` would show. Throws failures to report.
  func run(_ session: Session) throws {
    let newest = NewVideoHook.newest(in: session)
    guard newest > last else { return }
    let rows = try self.rows(session)
    guard !rows.isEmpty else { return try file.write(newest) }
    var environment = Environment.variables()
    guard let words = ShellWords.split(line, home: environment["HOME"]), !words.isEmpty else {
      throw Failure(.usage, "METUBE_RSS_ON_NEW: unclosed quote")
    }
    // Keep the API key from other programs.
    environment["METUBE_RSS_API_KEY"] = nil
    guard let input = ScratchFile(holding: rows.flatMap { $0.json.object + [10] }) else {
      throw Failure(.disk, "METUBE_RSS_ON_NEW: no space for a temporary file in /tmp")
    }
    let limit = try NewVideoHook.limit(session.settings)
    let child = ChildProcess(words: words, environment: environment)
    // Its output must not mix with the poll's report.
    let ending = child.run(input: input.descriptor, output: STDERR_FILENO, within: limit, interrupt: Interrupt())
    if NewVideoHook.isReported(by: ending) { try file.write(newest) }
    if let complaint = NewVideoHook.complaint(ending, limit) {
      throw Failure(.partial, "METUBE_RSS_ON_NEW: \(words[0]) \(complaint)")
    }
  }

  /// The videos found by this device, with their discovery events.
  private static func found(in session: Session) -> [(EventID, Video)] {
    guard let device = session.journal.device else { return [] }
    return session.state.videos.filter { $0.found?.device == device }.compactMap { video in
      video.found.map { ($0, video) }
    }
  }

  /// This device's last discovery event.
  private static func newest(in session: Session) -> EventID {
    found(in: session).map(\.0).max() ?? HookCursor.start
  }

  /// Whether the videos count as delivered and are not sent again. True even if the program failed, or one that always
  /// fails would receive an ever longer list. Exit status 75 requests redelivery.
  private static func isReported(by ending: ChildProcess.Ending) -> Bool {
    switch ending {
    case .exited(let status): status != ExitStatus.temporaryFailure.rawValue
    case .killed, .timedOut: true
    case .interrupted, .notStarted: false
    }
  }

  private func rows(_ session: Session) throws -> [VideoRow] {
    let now = Clock.now()
    let new = NewVideoHook.found(in: session).filter { found, _ in found > last }
    let ids = Set(new.map(\.1.id))
    let query = VideoQuery(
      statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    let rules = RuleBook(session.state.rules, knowing: .none)
    let selection = try session.readingTexts { text in
      let decisions = TextDecisions(
        matches: TextDecision(among: nil) { ids.contains($0.id) },
        isBlocked: TextDecision(among: nil) { rules.hides($0, in: session.state, at: now, description: text) })
      do throws(QueryError) {
        return try session.state.select(query, at: now, decisions)
      } catch { throw UserMessages.query(error) }
    }
    return selection.videos.compactMap { VideoRow($0, in: session.state, at: now) }
  }

  /// The default time limit, seconds.
  static let usualLimit = 60

  /// The time limit, seconds. Throws if the setting is invalid.
  static func limit(_ settings: Settings) throws -> Int {
    guard let setting = settings["ON_NEW_SECONDS"] else { return usualLimit }
    guard let seconds = Int(setting), (1...86_400).contains(seconds) else {
      throw Failure(.usage, "METUBE_RSS_ON_NEW_SECONDS is “\(setting)”; use 1 to 86400")
    }
    return seconds
  }

  private static func complaint(_ ending: ChildProcess.Ending, _ limit: Int) -> String? {
    switch ending {
    case .exited(0): nil
    case .exited(let status): "exited with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .timedOut: "timed out after \(UserMessages.count(limit, "second")) and was stopped (METUBE_RSS_ON_NEW_SECONDS)"
    case .interrupted: "was interrupted"
    case .notStarted(let problem): "cannot be started: \(String(cString: strerror(problem)))"
    }
  }
}

/// The hook's cursor file: the ID of the last delivered event, `{"v":1,"reported":"0019a1b2c3d4e-…","c":"…"}`.
struct HookCursor {
  private let path: String

  /// The file in this machine's state folder.
  init(_ home: Home) { path = "\(home.state)/told" }

  /// A position before every event, used until the first discovery.
  static let start = EventID(reading: 0, device: DeviceID(letters: 0))

  /// The last delivered event; nil if unknown.
  func read() -> EventID? {
    do throws(LogError) {
      guard case .text(let text) = try StateFile.read(path)?.first?["told"] else { return nil }
      return text.isEmpty ? HookCursor.start : EventID(text)
    } catch {
      let words = UserMessages.unreadable(error)
      StandardError.report(
        "\(path): the METUBE_RSS_ON_NEW position \(words); the program gets videos found from now on")
      return nil
    }
  }

  /// Stores the last delivered event.
  func write(_ last: EventID) throws(Failure) {
    let text = last == HookCursor.start ? "" : last.description
    do { try StateFile.write(path, [StateRecord([("told", .text(text))])]) } catch { throw UserMessages.failure(error) }
  }

  /// Removes the cursor when no hook is set.
  func remove() { unlink(path) }
}
