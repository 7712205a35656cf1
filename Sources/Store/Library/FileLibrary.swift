import Core
import EventLog
import Glibc
import ReadModel
import SQLDrivers

/// The log in files with its read model, opened, brought up to date and appended to together.
///
/// The log is the truth, the read model a view of it that may be built anew at any time. Use one library per thread;
/// locks coordinate between processes.
package final class FileLibrary: Library {
  package private(set) var journal: Journal
  package let model: ReadModel
  private let folders: Folders
  private let givenDevice: DeviceID?
  private let machine: String?
  private let now: () -> UInt64
  /// The coverage of the model's tables as this process knows it.
  private var coverage: [UInt8]?
  /// What is seen of the catalogue; nil without one.
  private var view: CatalogueView?

  /// Opens the log in its folders and brings the read model up to date.
  ///
  /// `device` is nil to use the ID kept in the state folder, which the first commit creates. `clock` returns milliseconds
  /// since 1970. Throws a `LogError` if our own log cannot be read, a `DatabaseError` if not even a model in memory can
  /// be made.
  package init(
    folders: Folders, device: DeviceID?, machine: String? = DeviceIdentity.machine, clock: @escaping () -> UInt64
  ) throws {
    (self.folders, givenDevice, self.machine, now) = (folders, device, machine, clock)
    let kept = ReadModel(in: folders.cache, user: 0)
    coverage = try kept?.coverage()
    if folders.catalogue != nil { view = try kept.map { try CatalogueView(resuming: $0) } ?? CatalogueView() }
    journal = try Journal(folders: folders, device: device, machine: machine, coverage: coverage, clock: clock)
    model = try kept ?? ReadModel(user: 0)
    connect()
    if kept != nil, journal.isResumed {
      try catchUp()
    } else if kept == nil, try journal.unreadBytes() == 0 {
      // Reading an empty log leaves no trace.
      _ = try model.update(from: nil) { try project([], $0) }
    } else {
      try rebuild()
    }
  }

  private func connect() {
    journal.receive = { [unowned self] event, file, line in
      if let event = take(event, file) { model.enqueue(event, file: file, line: line) }
    }
    journal.digest = { events in
      do {
        let model = try ReadModel(user: 0)
        var batch: [Event] = []
        events { batch.append($0) }
        try model.apply(batch)
        return try model.digest()
      } catch { return nil }
    }
    // A model that outlives its library goes on with the tables as they are.
    model.applyPending = { [weak self] events in try self?.apply(events) }
    model.rebuild = { [weak self] in self.flatMap { try? $0.rebuild() } != nil }
    model.foldedText = { [weak self] description in try self?.journal.foldedText(of: description) ?? [] }
  }

  /// What counts of an event that is read for the first time; nil if nothing.
  private func take(_ event: Event, _ file: Int) -> Event? {
    guard view != nil else { return event }
    if journal.isOfCatalogue(file) { return view?.take(event) }
    view?.note(event.body)
    return event
  }

  // MARK: Bringing up to date

  /// With fewer unread bytes their events wait in memory until something is read that they may change.
  private static let maxWaiting: UInt64 = 1 << 18

  /// Reads what was appended since, by whatever process.
  package func refresh() throws {
    try catchUp()
  }

  private func catchUp() throws {
    if try journal.unreadBytes() > FileLibrary.maxWaiting {
      try update([])
    } else {
      try journal.refresh()
    }
    if isStale { try rebuild() }
  }

  /// Whether the tables have to be built anew.
  private var isStale: Bool { journal.isStale || isViewIncomplete }

  /// Whether some of what was left out of the catalogue is wanted now.
  private var isViewIncomplete: Bool {
    view?.check { try journal.catalogueNamed($0) }
    return view?.isIncomplete == true
  }

  /// Applies events that were read already.
  private func apply(_ events: [ReadModel.PendingEvent]) throws {
    try update(events)
    if isStale { try rebuild() }
  }

  /// Applies events that were read already and those still unread, in one transaction of the tables.
  private func update(_ events: [ReadModel.PendingEvent]) throws {
    var events = events
    for _ in 0..<FileLibrary.maxAttempts {
      do {
        if try model.update(from: coverage, { try project(events, $0) }) { return }
        // Another process moved the tables on, perhaps beyond what was read here: the log is read again from there.
        try resume()
      } catch DatabaseError.busy {
        try model.moveToMemory()
      } catch DatabaseError.notWritable where reopen() {
        try resume()
      } catch DatabaseError.notWritable {
        try model.moveToMemory()
      } catch DatabaseError.damaged {
        return try rebuild()
      } catch is CatalogueIncomplete {
        return try rebuild()
      }
      guard let coverage, journal.rewind(to: coverage) else { return try rebuild() }
      model.dropPending()
      events = []
    }
    try rebuild()
  }

  private static let maxAttempts = 5

  /// Some of what was left out of the catalogue is wanted now.
  private struct CatalogueIncomplete: Error {}

  /// Continues from what another process put into the tables.
  private func resume() throws {
    coverage = try model.coverage()
    if view != nil { view = try CatalogueView(resuming: model) }
  }

  /// Continues with a newer build of the tables, if another process replaced ours.
  private func reopen() -> Bool {
    guard let newer = ReadModel(in: folders.cache, user: 0), newer.name != model.name else { return false }
    model.replace(by: newer)
    connect()
    return true
  }

  /// Passes events and everything unread to the tables; returns the coverage that is reached.
  private func project(
    _ events: [ReadModel.PendingEvent], _ apply: (Event, Int, UInt64) throws(DatabaseError) -> Void
  ) throws -> [UInt8] {
    for event in events { try apply(event.event, event.file, event.line) }
    try withoutActuallyEscaping(apply) { apply in
      var problem: DatabaseError?
      let receive = journal.receive
      defer { journal.receive = receive }
      journal.receive = { event, file, line in
        guard problem == nil, let event = self.take(event, file) else { return }
        do throws(DatabaseError) { try apply(event, file, line) } catch { problem = error }
      }
      try journal.refresh()
      if let problem { throw problem }
    }
    if isViewIncomplete { throw CatalogueIncomplete() }
    coverage = try journal.coverage()
    return coverage ?? []
  }

  /// Reads the whole log into new tables; again if what is read names more of the catalogue.
  private func rebuild() throws {
    if view != nil { view = CatalogueView() }
    for _ in 0..<FileLibrary.maxAttempts {
      do { return try build() } catch is CatalogueIncomplete {}
    }
    try build()
  }

  private func build() throws {
    try renewJournal()
    // Reading an empty log leaves no trace.
    let cache = try journal.unreadBytes() > 0 ? folders.cache : "/dev/null"
    let built = try ReadModel.build(
      in: cache, user: 0, foldedText: { [unowned self] in try journal.foldedText(of: $0) }
    ) { apply in
      try renewJournal()
      return try project([], apply)
    }
    model.replace(by: built)
    connect()
  }

  /// Begins to read the logs anew.
  private func renewJournal() throws {
    // What the old one still appends is read by the new one.
    journal.receive = { _, _, _ in }
    view?.restart()
    let old = journal
    journal = try Journal(folders: folders, device: givenDevice, machine: machine, coverage: nil, clock: now)
    journal.inherit(from: old)
  }

  // MARK: Appending

  /// Appends the events that `decide` derives from the state at the end of the log, and returns them once they are on
  /// disk. See `Journal.commit`.
  package func commit(
    action: EventID?, undoing undone: EventID?, _ decide: () throws -> [EventBody]
  ) throws -> [Event] {
    var problem: (any Error)?
    let appender = journal
    let events = try appender.commit(action: action, undoing: undone) {
      do {
        if isStale { try rebuild() }
        return try decide()
      } catch {
        problem = error
        return []
      }
    }
    if let problem { throw problem }
    if appender !== journal { try journal.refresh() }
    // What was appended is acknowledged; if this fails, the next reader tries again.
    if isStale { try? rebuild() }
    return events
  }

  /// What was found while appending, to be reported once.
  package func takeNews() -> [LogFinding] { journal.takeNews() }

  /// Reads every line again and compares the tables with what it says; wrong tables are built anew.
  package func verify() throws -> LogReport {
    var report = try journal.verify()
    var uncached = folders
    uncached.cache = "/dev/null"
    let replay = try FileLibrary(folders: uncached, device: givenDevice, machine: machine, clock: now)
    defer { withExtendedLifetime(replay) {} }
    let isRight = try model.isIntact() && model.digest() == replay.model.digest()
    if !isRight {
      report.wrongReadModel = "\(folders.cache)/\(ReadModel.linkName)"
      try rebuild()
    }
    return report
  }

  /// Rewrites our own file without what later lines replaced; see `Journal.compact`.
  package func compact() throws -> RewriteReport? {
    defer { if journal.isStale { try? rebuild() } }
    return try journal.compact()
  }

  /// Brings a copy of what the user sees of the catalogue up to date; returns false without a catalogue.
  package func update(_ copy: CatalogueCopy) throws -> Bool {
    guard let view else { return false }
    let (_, outlived) = try copy.update(from: journal, subjects: view.subjects) {
      journal.isAhead($0) ? nil : view.visible($0)
    }
    // The user has seen what a repair took out, or a restored backup lacks.
    for path in outlived where access(path, F_OK) == 0 { _ = try merge(file: path, taking: .lacking) }
    return true
  }

  /// Merges one log that came from elsewhere.
  package func merge(file path: String, taking: LinesTaken) throws -> MergeReport {
    // A log that is new may name something of the catalogue that was left out.
    defer { if isStale { try? rebuild() } }
    switch taking {
    case .all: return try journal.merge(file: path)
    case .mending: return try journal.merge(file: path, onlyMending: true)
    case .lacking: return try journal.keepLacking(file: path)
    }
  }

  /// Mends all logs of the folder, and repairs our own; see `Journal.mendAll` and `Journal.repair`.
  package func mendAll() throws -> (mended: [MendReport], own: RewriteReport?) {
    defer { if journal.isStale { try? rebuild() } }
    return (try journal.mendAll(), try journal.repair())
  }

  /// Appends lines that came from elsewhere; see `Journal.extend`.
  package func extend(_ log: String, at end: LogEnd, with lines: [UInt8]) throws -> Bool {
    defer { if isStale { try? rebuild() } }
    return try journal.extend(log, at: end, with: lines)
  }

  package func merge(from folder: String) throws -> [MergeReport] {
    defer { if journal.isStale { try? rebuild() } }
    return try journal.merge(from: folder)
  }
}

// MARK: Events again

extension FileLibrary {
  package func events(at positions: Set<LinePosition>) throws -> [Event] {
    let files = Dictionary(grouping: positions, by: \.file)
    return try files.keys.sorted().flatMap { file in
      try journal.events(in: file, at: (files[file] ?? []).map(\.offset)).compactMap { visible($0, in: file) }
    }
  }

  /// The visible part of an event of a file; nil if nothing counts.
  private func visible(_ event: Event, in file: Int) -> Event? {
    guard let view, journal.isOfCatalogue(file) else { return event }
    return view.visible(event)
  }

  /// Events appended after a position, up to `maximum` read; see `Journal.events(after:maximum:)`.
  package func events(after position: String, maximum: Int) throws -> (events: [Event], position: String)? {
    try journal.events(after: position, maximum: maximum).map { found in
      (found.events.compactMap { visible($0.event, in: $0.file) }, found.position)
    }
  }

  package func isAhead(_ event: Event) -> Bool { journal.isAhead(event) }

  package func text(of description: Description) throws -> String { try journal.text(of: description) }
  package func texts(of descriptions: [Description]) throws -> [String] {
    try descriptions.map { try journal.text(of: $0) }
  }
}

// MARK: The journal's part

extension FileLibrary {
  package var device: DeviceID? { journal.device }
  package var clock: HybridClock { journal.clock }
  package var position: String { journal.position }
  package var extent: [Int: UInt64] { journal.extent }
  package var hasCatalogue: Bool { folders.catalogue != nil }
  package var damage: [LogDamage] { journal.damagedLogs }
  package func refuseDamage() throws { try journal.refuseDamage() }
  /// Reads all logs from their beginnings: bytes that were read before have changed.
  package func readAnew() throws { try rebuild() }
}
