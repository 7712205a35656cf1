import Core
import EventLog
import Exporters
import Glibc

/// `METUBE_RSS_ON_NEW`: a program that runs once after a poll with new videos, which it reads on standard input in the
/// format of `list --format jsonl`. Its failure is reported and has no other effect.
struct NewVideoHook {
  private let line: String
  /// The log's clock when the poll began: what it finds is later.
  private let start: UInt64

  /// The hook of a poll that is about to start; nil if none is set.
  init?(_ session: Session) {
    guard let line = session.settings["ON_NEW"] else { return nil }
    self.line = line
    start = session.journal.clock.last
  }

  /// Runs the program if there are new videos that `list` would show. Throws failures to report.
  func run(_ session: Session) throws {
    let rows = try self.rows(session)
    guard !rows.isEmpty else { return }
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
    if let complaint = NewVideoHook.complaint(ending, limit) {
      throw Failure(.partial, "METUBE_RSS_ON_NEW: \(words[0]) \(complaint)")
    }
  }

  private func rows(_ session: Session) throws -> [VideoRow] {
    let now = Clock.now()
    let device = session.journal.device
    let new = session.state.videos.filter { $0.found.map { $0.device == device && $0.reading > start } ?? false }
    guard !new.isEmpty else { return [] }
    let ids = Set(new.map(\.id))
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
