import Core
import EventLog
import Glibc

/// `METUBE_RSS_ON_NEW`: a program that is run once after a poll with new videos, which it reads on its standard input as
/// `list --format jsonl` writes them. Its failure is told and harms nothing.
///
/// How far it was told outlives the poll: what one found that was interrupted or killed, the next hands on.
struct NewVideoHook {
  private let line: String
  private let file: ToldFile
  /// The last find that it was told of.
  private let last: EventID

  /// The hook of a poll that is about to begin; nil where none is set.
  init?(_ session: Session) {
    file = ToldFile(session.home)
    guard let line = session.settings["ON_NEW"] else {
      // Whoever names a program later is not to be told of all that came before.
      file.remove()
      return nil
    }
    self.line = line
    // How far another id of this machine was told says nothing of this one's finds, where its clock was ahead.
    if let told = file.read(), told.device == session.journal.device || told.reading <= session.journal.clock.last {
      last = told
    } else {
      let file = file
      let newest = NewVideoHook.newest(in: session)
      last = newest
      Messages.tellFailure { try file.write(newest) }
    }
  }

  /// Runs the program where something new is to be seen: what `list` shows. Throws what is to be told.
  func run(_ session: Session) throws {
    let newest = NewVideoHook.newest(in: session)
    guard newest > last else { return }
    let rows = try self.rows(session)
    guard !rows.isEmpty else { return try file.write(newest) }
    var environment = Environment.variables()
    guard let words = CommandWords.split(line, home: environment["HOME"]), !words.isEmpty else {
      throw Failure(.usage, "METUBE_RSS_ON_NEW: a quote is left open")
    }
    // The key is nobody else's business.
    environment["METUBE_RSS_API_KEY"] = nil
    guard let input = ScratchFile(holding: rows.flatMap { $0.json.object + [10] }) else {
      throw Failure(.disk, "METUBE_RSS_ON_NEW: no room for a temporary file")
    }
    let limit = try NewVideoHook.limit(session.settings)
    let child = ChildProcess(words: words, environment: environment)
    // What it says is no part of the poll's report.
    let ending = child.run(input: input.descriptor, output: STDERR_FILENO, within: limit, interrupt: Interrupt())
    if NewVideoHook.isTold(by: ending) { try file.write(newest) }
    if let complaint = NewVideoHook.complaint(ending, limit) {
      throw Failure(.inPart, "METUBE_RSS_ON_NEW: \(words[0]) \(complaint)")
    }
  }

  /// The videos this device found, with the events that did.
  private static func found(in session: Session) -> [(EventID, Video)] {
    guard let device = session.journal.device else { return [] }
    return session.state.videos.filter { $0.found?.device == device }.compactMap { video in
      video.found.map { ($0, video) }
    }
  }

  /// The last event by which this device found a video.
  private static func newest(in session: Session) -> EventID {
    found(in: session).map(\.0).max() ?? ToldFile.start
  }

  /// Whether the program had what it was given, so that it is not given it again: also where it failed then, lest one
  /// that fails each time is given ever more. 75 is its word that it wants all of it once more.
  private static func isTold(by ending: ChildProcess.Ending) -> Bool {
    switch ending {
    case .exited(let status): status != ExitStatus.later.rawValue
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
      } catch { throw Words.query(error) }
    }
    return selection.videos.compactMap { VideoRow($0, in: session.state, at: now) }
  }

  /// How long it may run, in seconds, unless the person says otherwise.
  static let usualLimit = 60

  /// How long it may run, in seconds. Throws where the person's own limit is none.
  static func limit(_ settings: Settings) throws -> Int {
    guard let setting = settings["ON_NEW_SECONDS"] else { return usualLimit }
    guard let seconds = Int(setting), (1...86_400).contains(seconds) else {
      throw Failure(.usage, "METUBE_RSS_ON_NEW_SECONDS is \(setting): it takes 1 to 86400")
    }
    return seconds
  }

  private static func complaint(_ ending: ChildProcess.Ending, _ limit: Int) -> String? {
    switch ending {
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .timedOut: "ran for more than \(Words.count(limit, "second")) and was ended (METUBE_RSS_ON_NEW_SECONDS)"
    case .interrupted: "was ended by an interrupt"
    case .notStarted(let problem): "cannot be run: \(String(cString: strerror(problem)))"
    }
  }
}
