import Core
import Glibc
import SlowCheck
import Testing

@testable import EventLog

/// A folder with the logs of invented videos, in one of the forms a program may find it.
final class GeneratedFolder {
  /// How the state is loaded.
  enum Way: CaseIterable {
    /// Every line is replayed.
    case cold
    /// From a checkpoint that covers everything.
    case checkpoint
    /// From a checkpoint, plus what both devices have written since.
    case tail
    /// Every line is replayed; later lines are read by the journal already open.
    case open
  }

  /// Whether `METUBE_RSS_LARGE` is in the environment, as set by `make test-large`.
  static let isLarge = getenv("METUBE_RSS_LARGE") != nil
  /// The ways to test; with many videos, only the most common one.
  static let ways: [Way] = isLarge ? [.tail] : Way.allCases
  /// The number of videos in the tests.
  static let usualCount = isLarge ? 50_000 : 1500

  let folder = TemporaryFolder()
  private(set) var log: RandomLog
  private(set) var library: SlowLibrary
  /// What the rules hide, according to the slow check.
  private(set) var blocked: Set<VideoID> = []
  private(set) var journal: Journal
  private let folders: Folders
  private var written = 0

  init(seed: UInt64, _ way: Way, videos: Int = usualCount) throws {
    log = RandomLog(seed: seed, videos: videos)
    library = SlowLibrary([])
    folders =
      way == .cold ? Folders(data: folder.path, state: folder.path, cache: "/proc/none") : folder.folders
    let folders = folders
    for _ in 0..<4 { log.addRule() }
    GeneratedFolder.write(log.events[...], to: folder)
    journal = try GeneratedFolder.open(folders)
    if way == .checkpoint || way == .tail {
      try journal.writeCheckpoint()
      journal = try GeneratedFolder.open(folders)
    }
    take(log.events[...])
    if way == .tail || way == .open { try goOn(videos: videos / 50) }
    if way == .tail { journal = try GeneratedFolder.open(folders) }
    #expect((journal.state.videos.storedCount > 0) == (way == .checkpoint || way == .tail))
  }

  private static func open(_ folders: Folders) throws -> Journal {
    try Journal(folders: folders, device: RandomLog.devices.first, machine: nil) {
      UInt64(RandomLog.now.seconds) * 1000
    }
  }

  /// Appends to each log those events that its device wrote.
  private static func write(_ events: ArraySlice<Event>, to folder: TemporaryFolder) {
    mkdir(folder.path + "/log", 0o700)
    for device in RandomLog.devices {
      var lines = LineWriter()
      for event in events where event.id.device == device { lines.write(event) }
      guard let file = fopen("\(folder.path)/log/\(device).jsonl", "a") else { preconditionFailure("no log") }
      fwrite(lines.bytes, 1, lines.bytes.count, file)
      fclose(file)
    }
  }

  /// Simulates more activity: videos arrive, old ones are marked, changed and removed, channels unfollowed, a rule
  /// added.
  func goOn(videos count: Int) throws {
    for _ in 0..<count {
      if log.once(in: 3) { log.find() }
      log.add(log.mark(log.known()))
      if log.once(in: 5) { log.add(log.change(log.known())) }
      if log.once(in: 20) { log.add(.videoRemoved(VideoRemoved(video: log.known(), removed: true))) }
    }
    log.addRule()
    try append()
  }

  /// Changes the generated log; `append` writes what is new in it.
  func change(_ body: (inout RandomLog) -> Void) { body(&log) }

  /// Appends the new events and reads them.
  func append() throws {
    let events = log.events[written...]
    GeneratedFolder.write(events, to: folder)
    take(events)
    try journal.refresh()
  }

  private func take(_ events: ArraySlice<Event>) {
    for event in events { library.take(event) }
    blocked = library.blocked(at: RandomLog.now)
    written = log.events.count
  }
}

extension GeneratedFolder {
  /// One page of the views' response, queried as `list` does.
  func select(_ question: GeneratedQuery, after: PageCursor? = nil) throws -> VideoSelection {
    var query = question.query(isSeries: library.isSeries(question), after: after)
    let moment = after?.moment ?? journal.lastMoment
    guard query.arrangement != .byTime, let after else {
      var selection = try GeneratedFolder.select(question, query, in: journal)
      if query.arrangement != .byTime {
        selection.next?.moment = moment
        selection.next?.time = RandomLog.now
      }
      return selection
    }
    query = query.whole
    let places = try GeneratedFolder.select(question, query, in: journal.past(moment)).videos.map(\.id)
    return try GeneratedFolder.select(question, query, in: journal).page(
      after: after, limit: question.limit, in: places)
  }

  private static func select(
    _ question: GeneratedQuery, _ query: VideoQuery, in journal: Journal
  ) throws -> VideoSelection {
    let (state, now, texts) = (journal.state, RandomLog.now, TextLibrary(journal))
    func text(_ video: Video) -> [UInt8] { video.description.flatMap { try? journal.foldedText(of: $0) } ?? [] }
    let search = question.search.map { TextSearch(SearchWords($0), in: texts.index) }
    let inForce = question.noRules || question.saved ? [] : state.rules
    let book = RuleBook(inForce, knowing: texts.verdicts(on: inForce))
    let decisions = TextDecisions(
      matches: search.map { search in
        TextDecision(among: search.rows(of: state)) { search.matches($0, in: state, description: text) }
      },
      isBlocked: book.isEmpty
        ? nil
        : TextDecision(among: book.rows(of: state, at: now)) {
          book.hides($0, in: state, at: now, description: text)
        })
    return try state.select(query, at: now, decisions)
  }

  /// The expected response: every video, whatever the limit.
  func answer(_ question: GeneratedQuery) -> [VideoID] {
    library.answer(to: question, at: RandomLog.now, blocked: blocked).videos
  }
}
