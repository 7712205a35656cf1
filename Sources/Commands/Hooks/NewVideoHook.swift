import Core
import EventLog
import Exporters
import Glibc
import Library
import ReadModel

/// `METUBE_RSS_ON_NEW`: a program that runs once after a poll with new videos, which it reads on standard input in the
/// format of `list --format jsonl`. What the first response of a newly followed feed holds is not new. Its failure is
/// reported and has no other effect.
struct NewVideoHook {
  private let line: String
  /// The log's clock when the poll began: what it finds is later.
  private let start: UInt64
  /// The subscriptions whose feeds had been fetched before: the first response holds what is already old.
  private let known: Set<SubscriptionID>

  /// The hook of a poll that is about to start; nil if none is set.
  init?(_ session: Session) throws {
    guard let line = session.settings["ON_NEW"] else { return nil }
    self.line = line
    start = session.library.journal.clock.last
    known = Set(try session.state.followed.filter { $0.name != nil }.map(\.id))
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
    guard let device = session.library.journal.device else { return [] }
    let query = VideoQuery(
      statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    let last = EventID(reading: start, device: device)
    let selection = try session.query { model in
      try model.select(query, at: Clock.now(), among: try model.finds(of: device, after: last))
    }
    return try session.rows(selection.ids.filter { try session.video($0).map(isNews) ?? false })
  }

  /// Whether a feed that had been fetched before holds the video.
  private func isNews(_ video: Video) -> Bool {
    let isOfPlaylist = Array(video.feeds.forms) == [.playlist]
    return !known.isDisjoint(with: isOfPlaylist ? video.playlists.map { .playlist($0) } : video.sources)
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
