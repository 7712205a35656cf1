import Core
import EventLog
import Exporters
import FeedParser
import Importers
import Library
import Messages
import Platform
import ReadModel
import SQLDrivers

/// How files of other programs are imported.
package struct ImportRequest: Equatable, Sendable {
  /// Tags to add to imported subscriptions.
  var tag: [String] = []
  /// Videos published before this count as watched: `2026-11-01`.
  var seenBefore: String?
  /// Keep the tags of channels already followed.
  var onlyNew = false
  /// Also mark watched videos of channels that are not followed.
  var allHistory = false
  /// Only say what would be done.
  var dryRun = false
  /// Whether feeds of other sites in OPML documents are followed; a hub does not poll them.
  package var takesFeeds = false

  package init(
    tag: [String] = [], seenBefore: String? = nil, onlyNew: Bool = false, allHistory: Bool = false, dryRun: Bool = false
  ) {
    (self.tag, self.seenBefore, self.onlyNew, self.allHistory, self.dryRun) = (
      tag, seenBefore, onlyNew, allHistory, dryRun
    )
  }

  /// Imports the files; returns what became of each, and the worst failure of those that were passed to `report` instead.
  /// `account` reads the Google account's subscriptions.
  package func reports(
    of inputs: [ImportInput], in session: Session, account: (Session) throws -> ImportedFile,
    report: (Failure) -> Void
  ) throws -> (reports: [ImportReport], worst: ExitStatus?) {
    let date = try seenBefore.map { try TimeArgument($0, before: session.now, .seenBefore).time }
    let known = try TagNames(session.state)
    let tags = try tag.map(known.given)
    var target = try ImportTarget(session, isDry: dryRun)
    var reports: [ImportReport] = []
    var worst: ExitStatus?
    func attempt(_ body: () throws -> Void) throws {
      do { try body() } catch let failure as Failure {
        report(failure)
        let isOfAccount = failure.status != .disk && inputs.count == 1 && inputs[0].isGoogleAccount
        worst = failure.status == .disk || worst == .disk ? .disk : isOfAccount ? failure.status : .invalidInput
      }
    }
    // Follow the channels of every file before importing any history, so that the order of the files does not matter.
    for input in inputs where worst != .disk {
      try attempt {
        var result = try read(input, session, account)
        if result.archive != nil { return reports.append(result) }
        try follow(&result, tags, seenBefore: date, &target)
        reports.append(result)
      }
    }
    let hasHistory = reports.contains { report in
      !report.file.watches.isEmpty || !report.file.positions.isEmpty || !report.file.collections.isEmpty
    }
    if hasHistory, worst != .disk { try attempt { try takeHistories(&reports, &target) } }
    return (reports, worst)
  }

  /// Reads a file. An archive of another home is imported at once. The file is opened once: a pipe cannot be read again.
  private func read(
    _ input: ImportInput, _ session: Session, _ account: (Session) throws -> ImportedFile
  ) throws -> ImportReport {
    if input.isGoogleAccount { return ImportReport(path: input.name, file: try account(session)) }
    let file = try ImportFileSource(input)
    defer { file.progress.clear() }
    let archive = ArchiveImport(
      path: input.name, source: file.source, session: session, isDry: dryRun,
      hasOptions: !tag.isEmpty || seenBefore != nil || onlyNew)
    guard let result = try archive.run() else {
      return ImportReport(path: input.name, file: try read(file, named: input.name))
    }
    var report = ImportReport(path: input.name, file: .archive)
    report.archive = result
    return report
  }

  private func read(_ file: ImportFileSource, named path: String) throws -> ImportedFile {
    do {
      return try ImportedFile.read(
        file.source, takesFeeds: takesFeeds, limits: .standard, database: ImportRequest.rows
      ) { try Outline.read(opml: $0) }
    } catch let error as ImportError {
      throw Failure(ActionError.unimportable(path: path, error))
    } catch let damage as ParseError {
      throw Failure(ActionError.damagedDocument(path: path, damage))
    }
  }

  /// The rows of queries on another program's database.
  private static func rows(_ bytes: [UInt8], _ queries: [TableQuery]) throws(ImportError) -> [[[String?]]?] {
    do {
      let database = try ForeignDatabase(bytes)
      return try queries.map { try database.rows($0.sql, of: $0.tables, limit: $0.limit) }
    } catch { throw .damagedDatabase }
  }

  /// Follows the subscriptions in a file, with one write to the log.
  private func follow(
    _ report: inout ImportReport, _ tags: [String], seenBefore: Timestamp?, _ target: inout ImportTarget
  ) throws {
    var wanted = FollowChanges(tags: tags, seenBefore: seenBefore, source: report.file.source)
    for row in report.file.subscriptions {
      wanted.add(.subscription(row.id, row.form), title: row.title, tags: row.tags)
    }
    for row in report.file.unresolved { wanted.add(.name(row.name), title: row.title, tags: row.tags) }
    for feed in report.file.feeds { wanted.add(feed: feed.url, title: feed.title, tags: feed.tags) }
    let subscribing = wanted
    let ids = report.file.subscriptions.map(\.id)
    let feeds = report.file.feeds.map { FeedAddress($0.url) }
    var (new, newFeeds) = (0, 0)
    let events = try target.commit { model in
      let state = try model.state()
      new = ids.count { state.channels[$0]?.isFollowed != true }
      newFeeds = state.unfollowed(feeds)
      return try subscribing.bodies(in: model).filter { try !onlyNew || !$0.isOfFollowed(in: model) }
    }
    (report.new, report.newFeeds) = (new, newFeeds)
    report.tagged = events.count(where: \.isChange)
    report.seen = events.count { if case .statusSet = $0 { true } else { false } }
  }

  private func takeHistories(_ reports: inout [ImportReport], _ target: inout ImportTarget) throws {
    let interrupt = Interrupt()
    let followed = Set(try target.model.state().followed.compactMap(\.id.channel))
    for index in reports.indices {
      let path = reports[index].path
      var history = ImportHistory(report: reports[index], takesAll: allHistory, followed: followed)
      defer { reports[index] = history.report }
      try history.take(into: &target, interrupt)
      if history.report.isCutShort {
        StandardError.report("\(path): interrupted; marks made so far are kept; import it again to continue")
        return
      }
    }
  }
}

extension State {
  /// How many different feeds at these addresses are not followed.
  fileprivate func unfollowed(_ addresses: [FeedAddress]) -> Int {
    guard !addresses.isEmpty else { return 0 }
    let known = feedsByAddress
    let ids = Set(addresses.map { known[$0] ?? FeedID(of: $0) })
    return ids.count { channels[.feed($0)]?.isFollowed != true }
  }
}

extension EventBody {
  /// Whether it changes a subscription of any kind.
  fileprivate var isChange: Bool {
    switch self {
    case .channelChanged, .feedChanged: true
    default: false
    }
  }

  /// Whether it only changes an existing subscription.
  fileprivate func isOfFollowed(in model: ReadModel) throws -> Bool {
    func isFollowed(_ id: SubscriptionID) throws -> Bool { try model.channel(id)?.isFollowed == true }
    return switch self {
    case .channelChanged, .feedChanged: true
    case .channelFollowed(let followed): try isFollowed(followed.subscription)
    case .feedFollowed(let followed): try isFollowed(.feed(followed.feed))
    case .statusSet(let set): try model.video(set.video).map { try isFollowed(.channel($0.channel)) } ?? false
    default: false
    }
  }
}

extension ImportError {
  /// Whether the cause is the disk, not the content of the file.
  var isOfDisk: Bool {
    switch self {
    case .unreadable(let problem): problem != 0
    case .inEntry(_, let error): error.isOfDisk
    default: false
    }
  }
}

/// Receives the events of an import: appends them to the log, or in a dry run applies them to a copy of the read model.
struct ImportTarget {
  private let session: Session
  /// The action ID of the import's events; nil until the first append.
  private var action: EventID?
  /// What a dry run changes; nil otherwise.
  private let rehearsal: ReadModel?
  private var clock: HybridClock

  init(_ session: Session, isDry: Bool) throws {
    self.session = session
    rehearsal = isDry ? try session.query { try $0.copyInMemory() } : nil
    clock = session.library.clock
  }

  /// The current state and videos, or in a dry run the resulting ones.
  var model: ReadModel { rehearsal ?? session.library.model }

  /// Appends the events that `decide` derives from the model, with one write, and returns their bodies.
  mutating func commit(_ decide: (ReadModel) throws -> [EventBody]) throws -> [EventBody] {
    guard let rehearsal else {
      let events = try session.commit(action: action) { try decide(session.library.model) }
      action = action ?? events.first?.action
      return events.map(\.body)
    }
    return try Session.reporting {
      let bodies = try decide(rehearsal)
      let events = bodies.map { body in
        // Later than any event the log may hold, including other devices' events of the next day.
        let id = clock.next(now: Clock.milliseconds() + 2 * HybridClock.horizon)
        return Event(id: id, action: id, body: body)
      }
      try rehearsal.apply(events)
      return bodies
    }
  }
}
