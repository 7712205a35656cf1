import Core
import EventLog
import ReadModel
import SQLDrivers

/// The log of an owner in PostgreSQL with its read model: of a user, who sees what concerns them of the catalogue, or the
/// catalogue itself. Lines are appended and folded in one transaction.
///
/// Use one library per connection and thread; locks of the database coordinate between processes.
package final class PostgresLibrary: Library {
  package let model: ReadModel
  package private(set) var clock: HybridClock
  /// How many of the owner's subscriptions are polled, those followed first; nil without a limit.
  package var maxSubscriptions: Int?
  /// How many lines of the catalogue were read to bring tables up to date.
  package internal(set) var linesRead = 0
  let log: PostgresLog
  package let database: Database
  /// What the tables have, as last seen.
  private(set) var stored: Reach?
  /// What the tables have, as they record it.
  private(set) var coverage: [UInt8]?
  /// The position up to which the logs were read: what is not in the tables does not concern this owner.
  private(set) var reached = Reach()
  /// The era of the line numbers: a rewrite of the logs begins a new one.
  private var era = ""
  /// Descriptions in lines that are being folded.
  var texts: [TextPosition: [UInt8]] = [:]

  /// Where a text begins.
  struct TextPosition: Hashable {
    var log: UInt32
    var offset: UInt64
  }

  /// The position up to which logs are covered.
  struct Reach: Equatable {
    /// Numbers of lines.
    var (own, catalogue): (Int64, Int64) = (0, 0)
    /// Milliseconds since 1970; later events of other devices do not count yet.
    var limit: UInt64 = 0

    init() {}

    /// Reads what `bytes` wrote; nil if it is something else.
    init?(_ bytes: [UInt8]) {
      let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 3 else { return nil }
      (own, catalogue, limit) = (numbers[0], numbers[1], UInt64(clamping: numbers[2]))
    }

    var bytes: [UInt8] { Array("\(own) \(catalogue) \(limit)".utf8) }
  }

  /// Opens the library of the user with this name, of the catalogue if nil, and brings the tables up to date; the owner is
  /// made if absent. `clock` returns milliseconds since 1970.
  package convenience init(_ database: Database, of user: String?, clock now: @escaping () -> UInt64) throws {
    try self.init(database, PostgresLog(database, of: user, makesOwner: true, clock: now))
  }

  /// The same; throws `failed` if there is no such user, because the user was renamed or removed meanwhile.
  package convenience init(_ database: Database, ofKnown user: String?, clock now: @escaping () -> UInt64) throws {
    try self.init(database, PostgresLog(database, of: user, makesOwner: user == nil, clock: now))
  }

  private init(_ database: Database, _ log: PostgresLog) throws {
    (self.database, self.log) = (database, log)
    model = ReadModel(server: database, user: Int64(log.owner))
    clock = HybridClock(device: log.device)
    // A model that outlives its library goes on with the tables as they are.
    model.foldedText = { [weak self] description in try self?.foldedText(of: description) ?? [] }
    try refresh()
  }

  /// The owner's number; 0 for the catalogue.
  package var owner: Int { log.owner }
  package var device: DeviceID? { log.device }
  package var hasCatalogue: Bool { owner != 0 }
  package var extent: [Int: UInt64] {
    [0: UInt64(clamping: stored?.catalogue ?? 0), 1: UInt64(clamping: stored?.own ?? 0)]
  }
  package func refuseDamage() throws {}

  /// Logs that are marked as damaged: they came so with a move, or it was found when their lines were read.
  package var damage: [LogDamage] {
    get throws {
      try [owner, 0].prefix(owner == 0 ? 1 : 2).flatMap { owner in
        try PostgresDeviceLogs(database, owner: owner, temporary: "", clock: log.now).damage().map { damage in
          var damage = damage
          damage.isOfCatalogue = owner != self.owner
          return damage
        }
      }
    }
  }
  package func takeNews() -> [LogFinding] { [] }
  package func isAhead(_ event: Event) -> Bool { clock.isAhead(event.id, of: log.now()) }

  // MARK: Bringing up to date

  package func refresh() throws {
    guard try hasNews(try look()) else { return }
    do {
      try writing { try catchUp($0) }
    } catch DatabaseError.busy where stored != nil {
      // Another process has been bringing the tables up to date for long; until then they say what they said.
    }
  }

  /// Refreshes the tables in the transaction that copied the logs: the planner has no statistics yet of tables that it
  /// fills.
  package func refreshAfterCopying() throws {
    try database.execute("ANALYZE log_line")
    try refresh()
    try database.execute("ANALYZE catalogue_subject, wanted")
  }

  /// Looks how far the logs and the tables are; forgets what was read of tables that another process moved on.
  private func look() throws -> PostgresLog.End {
    let end = try log.end(at: log.now())
    (clock, era) = (end.clock, end.era)
    guard end.coverage == nil || end.coverage != coverage else { return end }
    // If it cannot be read, what the tables have already is applied again.
    (coverage, stored) = (end.coverage, end.coverage.flatMap { Reach($0) })
    reached = stored ?? Reach()
    model.discardState()
    return end
  }

  /// Whether there is something to be folded.
  private func hasNews(_ end: PostgresLog.End) throws -> Bool {
    if stored == nil || end.own > reached.own { return true }
    if owner != 0, end.catalogue > reached.catalogue {
      // Where the look begins next time, in this process or another one, if nothing is found.
      if end.catalogue - (stored?.catalogue ?? 0) > PostgresLibrary.maxUnstored { return true }
      if try !numbers(after: reached.catalogue, upTo: end.catalogue, further: []).isEmpty { return true }
      reached.catalogue = end.catalogue
    }
    return try !linesNowDue(log.limit(clock)).isEmpty
  }

  /// With more lines that do not concern this owner it is recorded that they were looked at.
  static let maxUnstored: Int64 = 10_000

  /// Runs `body` in a transaction that excludes other writers for the owner; what it did is undone if it throws.
  private func writing<Result>(_ body: (PostgresLog.End) throws -> Result) throws -> Result {
    let before = (coverage, stored, reached, clock, era)
    defer { texts = [:] }
    do {
      return try model.writing { try body(try look()) }
    } catch {
      (coverage, stored, reached, clock, era) = before
      throw error
    }
  }

  /// Folds what is not in the tables yet, in a transaction that has the owner's lock.
  private func catchUp(_ end: PostgresLog.End) throws {
    let isFromBeginning = stored == nil
    while true {
      let own =
        reached.own == end.own
        ? [] : try log.lines(after: reached.own, upTo: end.own, maximum: PostgresLibrary.batch)
      var next = reached
      next.own = own.count < PostgresLibrary.batch ? end.own : own.last?.number ?? end.own
      guard next.own == end.own else {
        try fold(own, [], next)
        continue
      }
      if owner != 0 { next.catalogue = end.catalogue }
      next.limit = max(log.limit(clock), reached.limit)
      let due = try linesNowDue(next.limit)
      let (mine, others) = (due.filter { $0.owner == owner }, due.filter { $0.owner != owner })
      try fold(own + mine.map(\.line), others.map(\.line), next)
      if isFromBeginning { try forgetUnnamed() }
      return
    }
  }

  private static let batch = 20_000

  /// Lines that were too far ahead of the clock when they were read, and are not any more.
  private func linesNowDue(_ limit: UInt64) throws -> [(owner: Int, line: PostgresLog.Line)] {
    guard let stored, stored.limit > 0, limit > stored.limit else { return [] }
    return try log.lines(upTo: stored.own, stored.catalogue, from: stored.limit, to: limit)
  }

  /// Notes that the tables and what was looked at reach so far.
  func note(_ reach: Reach, isStored: Bool) {
    reached = reach
    if isStored { (coverage, stored) = (reach.bytes, reach) }
  }

  // MARK: Appending

  package func commit(
    action: EventID?, undoing undone: EventID?, _ decide: () throws -> [EventBody]
  ) throws -> [Event] {
    let events = try writing { end -> [Event] in
      try catchUp(end)
      let bodies = try decide()
      if bodies.isEmpty { return [] }
      let (events, lines) = try log.append(bodies, action: action, undoing: undone, &clock)
      var next = reached
      next.own += Int64(lines.count)
      try fold(lines, [], next)
      return events
    }
    if !events.isEmpty { notify() }
    return events
  }

  /// Notifies those who listen for news, after the commit: see `notify_owners` of the migrations.
  private func notify() {
    // What was committed stays so; listeners look for themselves now and then.
    try? database.transaction {
      try database.execute("SET LOCAL synchronous_commit = off; SELECT notify_owners('{\(number: owner)}')")
    }
  }

  // MARK: Maintenance

  /// Fills the tables from the log again.
  package func rebuild() throws {
    try writing { end in
      try database.execute("SET LOCAL statement_timeout = 0")
      try database.run("SELECT clear_model(?)", owner)
      (coverage, stored, reached) = (nil, nil, Reach())
      try catchUp(end)
    }
  }

  /// Whether the tables say what all lines say, read again; the tables are not changed.
  package func verify() throws -> Bool {
    try writing { end in
      try catchUp(end)
      return try model.digest() == replay(reached).digest()
    }
  }

  // MARK: Events again

  package var position: String { Position(era: era, own: reached.own, catalogue: reached.catalogue).text }

  package func events(after text: String, maximum: Int) throws -> (events: [Event], position: String)? {
    guard var position = Position(text), position.era == era else { return nil }
    // Another process may have read further.
    if position.own > reached.own || position.catalogue > reached.catalogue { try refresh() }
    guard position.own <= reached.own, position.catalogue <= reached.catalogue else { return nil }
    var events: [Event] = []
    if owner != 0, position.catalogue < reached.catalogue {
      let numbers = try numbers(after: position.catalogue, upTo: reached.catalogue, further: []).sorted()
      position.catalogue = numbers.count > maximum ? numbers[max(maximum, 1) - 1] : reached.catalogue
      events = try visible(self.events(of: try log.linesOfCatalogue(numbers.prefix(max(maximum, 1)))).map(\.event))
      if numbers.count >= maximum { return (events, position.text) }
    }
    let maximum = max(maximum - events.count, 1)
    let own = try log.lines(after: position.own, upTo: reached.own, maximum: maximum)
    position.own = own.count < maximum ? reached.own : own.last?.number ?? reached.own
    return (events + self.events(of: own).map(\.event), position.text)
  }

  package func events(at positions: Set<LinePosition>) throws -> [Event] {
    let lines = try log.lines(at: positions)
    let (mine, others) = (lines.filter { $0.owner == owner }, lines.filter { $0.owner != owner })
    return try visible(read(others.map(\.line)).map(\.event)) + read(mine.map(\.line)).map(\.event)
  }

  package func text(of description: Description) throws -> String { try texts(of: [description])[0] }

  /// In one round trip.
  package func texts(of descriptions: [Description]) throws -> [String] {
    let ranges = descriptions.compactMap { description in
      if case .log(let range) = description.source { range } else { nil }
    }
    var texts = try log.bytes(at: ranges).map { LogText.text(of: $0) }[...]
    return descriptions.map { description in
      if case .text(let text) = description.source { text } else { texts.removeFirst() }
    }
  }

  private func foldedText(of description: Description) throws -> [UInt8] {
    switch description.source {
    case .text(let text): return NormalizedText.bytes(of: text)
    case .log(let range):
      let known = texts[TextPosition(log: range.file, offset: range.offset)]
      return LogText.folded(try known ?? log.bytes(at: [range])[0])
    }
  }

  /// Numbers of lines in an era of the cluster.
  struct Position {
    var era: String
    var own: Int64
    var catalogue: Int64

    init(era: String, own: Int64, catalogue: Int64) { (self.era, self.own, self.catalogue) = (era, own, catalogue) }

    init?(_ text: String) {
      let digits = text.utf8.compactMap(HexDigit.value)
      guard text.utf8.count < 256, digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
      let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
      guard parts.count == 3, let own = Int64(parts[1]), let catalogue = Int64(parts[2]), own >= 0, catalogue >= 0
      else {
        return nil
      }
      self.init(era: String(parts[0]), own: own, catalogue: catalogue)
    }

    /// The hexadecimal digits of `ERA:OWN:CATALOGUE`.
    var text: String { "\(era):\(own):\(catalogue)".utf8.map { String(hex: $0, digits: 2) }.joined() }
  }
}
