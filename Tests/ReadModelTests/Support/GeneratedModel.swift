import Core
import Glibc
import SQLDrivers
import SlowCheck
import TestSupport
import Testing

@testable import ReadModel

/// A model of made-up videos, beside the slow check, come about in one of the ways in which a program may find it.
final class GeneratedModel {
  /// How the tables were filled.
  enum Way: CaseIterable {
    /// At once, in memory or on PostgreSQL.
    case memory
    /// In many batches.
    case batches
    /// In a file, and what both devices wrote since in batches.
    case file
    /// At once, the last event first.
    case reversed
  }

  /// Whether `METUBE_RSS_LARGE` is in the environment, as `make test-large` has it.
  static let isLarge = getenv("METUBE_RSS_LARGE") != nil
  /// The ways that the tests go; with many videos the one that most starts go, and on PostgreSQL those without a file.
  static let ways: [Way] =
    TestEngine.isPostgres ? [.memory, .batches, .reversed] : isLarge ? [.file] : Way.allCases
  /// How many videos the tests are about.
  static let usualCount = isLarge ? 50_000 : 1000

  private let folder = TemporaryFolder()
  private(set) var log: RandomLog
  private(set) var library = SlowLibrary([])
  /// What the rules hide, by the slow check.
  private(set) var blocked: Set<VideoID> = []
  private(set) var model: ReadModel
  private let texts: DescriptionTexts
  private var applied = 0

  init(seed: UInt64, _ way: Way, videos: Int = usualCount) throws {
    log = RandomLog(seed: seed, videos: videos)
    for _ in 0..<4 { log.addRule() }
    let events = StoredEvent.all(log.events)
    texts = DescriptionTexts(log.events)
    switch way {
    case .memory: model = try .built(events, texts)
    case .batches:
      model = try .built([], texts)
      for start in stride(from: 0, to: events.count, by: events.count / 7) {
        try model.add(events[start..<min(start + events.count / 7, events.count)])
      }
    case .file: model = try .built(events, in: folder.path, texts)
    case .reversed: model = try .built(events.reversed(), texts)
    }
    take()
    if way == .file || way == .batches { try goOn(videos: videos / 50) }
    if way == .file {
      model = try #require(ReadModel(in: folder.path, user: 0))
      model.foldedText = texts.folded
    }
  }

  /// More happens: videos arrive, old ones are marked, changed and removed, a rule is made.
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

  /// Changes the log; `append` applies what is new in it.
  func change(_ body: (inout RandomLog) -> Void) { body(&log) }

  /// Applies what was added.
  func append() throws {
    texts.add(log.events[applied...])
    try model.add(StoredEvent.all(log.events)[applied...])
    take()
  }

  private func take() {
    for event in log.events[applied...] { library.take(event) }
    blocked = library.blocked(at: RandomLog.now)
    applied = log.events.count
  }
}

extension GeneratedModel {
  /// One page of what the model selects.
  func select(_ question: GeneratedQuery, after: PageCursor? = nil) throws -> VideoSelection {
    var query = question.query(isSeries: library.isSeries(question), after: after)
    query.ignoresRules = question.noRules
    let candidates = try question.search.map { try model.search($0) }
    return try model.select(query, at: RandomLog.now, among: candidates)
  }

  /// What it should select: every video, whatever the limit.
  func result(_ question: GeneratedQuery) -> [VideoID] {
    library.result(of: question, at: RandomLog.now, blocked: blocked).videos
  }
}

extension ReadModel {
  /// A model in a folder, built at once.
  static func built(
    _ events: some Sequence<StoredEvent>, in folder: String, _ texts: DescriptionTexts = DescriptionTexts([])
  ) throws -> ReadModel {
    try build(in: folder, user: 0, foldedText: texts.folded) {
      (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
      for stored in events { try apply(stored.event, stored.file, stored.line) }
      return [1]
    }
  }
}

extension SlowResult.Hidden {
  /// What the model counts.
  init(_ hidden: VideoSelection.Hidden) {
    self.init(
      upcoming: hidden.upcoming, shorts: hidden.shorts, streams: hidden.streams, rules: hidden.rules,
      unknownLength: hidden.unknownLength)
  }
}
