import Core
import EventLog
import ReadModel

/// The log of an owner in PostgreSQL: of a user, or the catalogue. One for each connection; locks of the database
/// coordinate between processes.
package final class PostgresLog {
  /// The owner's number; 0 for the catalogue.
  package let owner: Int
  private let database: Database
  private let device: DeviceID
  /// Milliseconds since 1970.
  private let now: () -> UInt64

  /// An event and where its line begins.
  package struct Placed: Equatable {
    package var event: Event
    package var log: Int
    package var start: UInt64
  }

  /// The log of an owner, which is made if absent: of the user with this name, of the catalogue if nil.
  package init(_ database: Database, of user: String?, clock now: @escaping () -> UInt64) throws {
    (self.database, self.now) = (database, now)
    var generator = SystemRandomNumberGenerator()
    let new = DeviceID(using: &generator).description
    if let user {
      try database.run("INSERT INTO owner(name, device) VALUES (?, ?) ON CONFLICT(name) DO NOTHING", user, new)
    } else {
      try database.run("INSERT INTO owner(n, device) VALUES (0, ?) ON CONFLICT(n) DO NOTHING", new)
    }
    let known = try database.first(
      "SELECT n, device FROM owner WHERE name = ?1 OR (?1 IS NULL AND n = 0)", user
    ) { row in (owner: Int(row.int(0)), device: DeviceID(row.text(1))) }
    guard let known, let device = known.device else { throw PostgresLog.unexpected("an owner without a device") }
    (owner, self.device) = (known.owner, device)
  }

  private static func unexpected(_ what: String) -> DatabaseError { .failed(code: 0, "the log has \(what)") }

  // MARK: Appending

  /// Appends the events that `decide` derives from what the log says at its end, and returns them once they are
  /// committed.
  ///
  /// In one transaction, in which nobody else appends for the owner: `decide` returns the bodies, they get their IDs and
  /// are appended, and `fold` applies them to the read model, with the places of their lines. Whatever fails, all or
  /// nothing of it happened. `action` is nil for a command's first batch.
  package func commit(
    action: EventID?, undoing undone: EventID?, fold: ([Placed]) throws -> Void, _ decide: () throws -> [EventBody]
  ) throws -> [Event] {
    try database.transaction {
      try database.run("SELECT lock_owner(?)", owner)
      var clock = try clock()
      let bodies = try decide()
      if bodies.isEmpty { return [] }
      var lines = EventLines()
      let end = try database.first("SELECT n, length FROM log WHERE owner = ? AND name = ?", owner, "\(device)") {
        (log: Int($0.int(0)), length: UInt64($0.int(1)))
      }
      let now = now()
      if end == nil { try lines.begin(with: clock.next(now: now)) }
      let first = lines.ids.count
      var events: [Event] = []
      for body in bodies {
        let id = clock.next(now: now)
        events.append(Event(id: id, action: action ?? events.first?.id ?? id, undoes: undone, body: body))
      }
      for event in events { try lines.add(event) }
      let log = try append(lines)
      var start = (end?.length ?? 0) + UInt64(lines.lengths.prefix(first).reduce(0, +))
      var placed: [Placed] = []
      for (event, length) in zip(events, lines.lengths.dropFirst(first)) {
        placed.append(Placed(event: event, log: log, start: start))
        start += UInt64(length)
      }
      try fold(placed)
      return events
    }
  }

  /// Appends lines to this device's log of the owner; returns its number.
  private func append(_ lines: EventLines) throws -> Int {
    var ids: [UInt8] = []
    for id in lines.ids {
      for half in [id.reading, id.device.letters] {
        for shift in stride(from: 56, through: 0, by: -8) {
          ids.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
        }
      }
    }
    let lengths = "{\(lines.lengths.map(String.init).joined(separator: ","))}"
    let number = try database.integer(
      "SELECT append_lines(?, ?, ?, 1, NULL, ?, ?::integer[], ?)", owner, "\(device)", "\(device)", lines.bytes,
      lengths,
      ids)
    let log = try database.integer("SELECT n FROM log WHERE owner = ? AND name = ?", owner, "\(device)")
    guard number != nil, let log else { throw PostgresLog.unexpected("another writer of \(device)") }
    return Int(log)
  }

  /// The clock that has observed all events of the owner and of the catalogue.
  private func clock() throws -> HybridClock {
    let own = try database.first(
      """
      SELECT id FROM log_line WHERE log = (SELECT n FROM log WHERE owner = ? AND name = ?) ORDER BY start DESC LIMIT 1
      """, owner, "\(device)"
    ) { EventID(bytes: $0.blob(0)) }
    var clock = HybridClock(device: device, last: 0, own: (own ?? nil)?.reading ?? 0)
    let now = now()
    // What others wrote too far ahead of this machine's clock does not count yet.
    let limit = EventID(
      reading: max(now + HybridClock.horizon, clock.own >> 16) << 16 | 0xffff, device: DeviceID(letters: .max))
    for owner in Set([owner, 0]) {
      let last = try database.first(
        "SELECT id FROM log_line WHERE owner = ? AND id <= ? ORDER BY id DESC LIMIT 1", owner, limit
      ) { EventID(bytes: $0.blob(0)) }
      if let last, let last { clock.observe(last, now: now) }
    }
    return clock
  }

  // MARK: Reading

  /// How far the log and the catalogue reach, as an opaque text of letters and digits.
  package func position() throws -> String {
    try database.snapshot { () throws(DatabaseError) in
      Position(era: try era(), own: try count(of: owner), catalogue: try count(of: 0)).text
    }
  }

  /// Up to `most` events appended after a position, of the catalogue before the owner's, and the position after them.
  /// Nil if the text is no position, or one of a time that was undone: the cluster was restored, or a standby promoted.
  package func events(after text: String, most: Int) throws -> (events: [Placed], position: String)? {
    guard var position = Position(text) else { return nil }
    var lines: [(bytes: [UInt8], log: Int, start: UInt64)] = []
    let isKnown = try database.snapshot { () throws(DatabaseError) in
      guard position.era == (try era()), position.own <= (try count(of: owner)),
        position.catalogue <= (try count(of: 0))
      else { return false }
      if owner != 0 { try read(0, after: &position.catalogue, most, &lines) }
      try read(owner, after: &position.own, most - lines.count, &lines)
      return true
    }
    guard isKnown else { return nil }
    var reader = EventLineReader()
    let (clock, now) = (HybridClock(device: device), now())
    let events = try lines.compactMap { line in
      try reader.event(of: line.bytes, log: line.log, start: line.start)
        .map { Placed(event: $0, log: line.log, start: line.start) }
    }
    return (events.filter { !clock.isAhead($0.event.id, of: now) }, position.text)
  }

  private func read(
    _ owner: Int, after number: inout Int64, _ most: Int,
    _ lines: inout [(bytes: [UInt8], log: Int, start: UInt64)]
  ) throws(DatabaseError) {
    guard most > 0 else { return }
    var last = number
    try database.forEach(
      "SELECT number, log, start, bytes FROM log_line WHERE owner = ? AND number > ? ORDER BY number LIMIT ?", owner,
      number, most
    ) { row in
      last = row.int(0)
      lines.append((row.blob(3), Int(row.int(1)), UInt64(row.int(2))))
    }
    number = last
  }

  private func era() throws(DatabaseError) -> String { try database.first("SELECT era()") { $0.text(0) } ?? "" }

  private func count(of owner: Int) throws(DatabaseError) -> Int64 {
    try database.integer("SELECT lines FROM owner WHERE n = ?", owner) ?? 0
  }

  /// Numbers of lines in an era of the cluster.
  fileprivate struct Position {
    var era: String
    var own: Int64
    var catalogue: Int64

    /// The hexadecimal digits of `ERA:OWN:CATALOGUE`.
    var text: String { "\(era):\(own):\(catalogue)".utf8.map { String(hex: $0, digits: 2) }.joined() }
  }
}

extension PostgresLog.Position {
  fileprivate init?(_ text: String) {
    let digits = text.utf8.compactMap(HexDigit.value)
    guard text.utf8.count < 256, digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
    guard parts.count == 3, let own = Int64(parts[1]), let catalogue = Int64(parts[2]), own >= 0, catalogue >= 0 else {
      return nil
    }
    self.init(era: String(parts[0]), own: own, catalogue: catalogue)
  }
}

extension EventID {
  /// The ID of 16 bytes, as the database has it; nil if they are not 16.
  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(reading: number(bytes[..<8]), device: DeviceID(letters: number(bytes[8...])))
  }
}
