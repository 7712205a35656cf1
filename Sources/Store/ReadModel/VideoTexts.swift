import Core
import SQLDrivers

/// Reads titles and descriptions, normalised.
struct VideoTexts {
  private let database: Database
  private let foldedText: (Description) throws -> [UInt8]

  /// What is called with a video, its title, and what reads its description, once at most.
  typealias Body = (Row, [UInt8], () throws -> [UInt8]) throws -> Void

  /// A video and where its texts are.
  struct Row {
    var n: Int64
    /// The number of its channel.
    var channel: Int64
    /// The fingerprint of its description; nil if it has none.
    var fingerprint: Int64?
  }

  init(_ database: Database, _ foldedText: @escaping (Description) throws -> [UInt8]) {
    (self.database, self.foldedText) = (database, foldedText)
  }

  private static let query: SQL = "\(columns) FROM video v \(joinedText)"
  private static let columns: SQL =
    "SELECT v.n, v.title, v.text, v.text_file, v.text_offset, v.text_length, t.text, v.channel"
  private static let joinedText: SQL =
    "LEFT JOIN text t ON t.fingerprint = v.text AND v.text_file IS NULL WHERE v.found IS NOT NULL"
  private static let queryByNumber: SQL = "\(query) AND v.n = ?"
  private static let queryByIDs: SQL =
    "\(columns) FROM \(Database.rows(of: "video", where: "id = one.value")) \(joinedText)"

  /// Calls `body` with every video that was found and whose number is in a range, in the order of their numbers.
  func forEach(in numbers: Range<Int64> = 0..<(.max), body: Body) throws {
    let statement = try database.prepareScan("\(VideoTexts.query) AND v.n >= ? AND v.n < ? ORDER BY v.n")
    numbers.lowerBound.bind(to: statement)
    numbers.upperBound.bind(to: statement)
    defer { statement.reset() }
    while try statement.step() { try read(statement, body) }
  }

  /// Calls `body` with a video, if it was found.
  func read(_ video: VideoID, _ body: Body) throws {
    let statement = try database.prepare("\(VideoTexts.query) AND v.id = ?")
    video.bind(to: statement)
    defer { statement.reset() }
    if try statement.step() { try read(statement, body) }
  }

  /// Calls `body` with the videos of some numbers that were found, from one state of the tables.
  func forEach(of numbers: NumberSet, _ body: Body) throws {
    let isAlone = !database.isInTransaction
    if isAlone { try database.beginReading() }
    defer { if isAlone { database.endReading() } }
    for number in numbers {
      try Interruption.check()
      let statement = try database.prepare(VideoTexts.queryByNumber)
      number.bind(to: statement)
      defer { statement.reset() }
      if try statement.step() { try read(statement, body) }
    }
  }

  /// Calls `body` with those of some videos that were found, on PostgreSQL in few round trips.
  func forEach(of videos: some Sequence<VideoID>, _ body: Body) throws {
    let statement = try database.prepareScan(VideoTexts.queryByIDs)
    Database.array(videos.lazy.map(\.column)).bind(to: statement)
    defer { statement.reset() }
    while try statement.step() { try read(statement, body) }
  }

  /// Those of some videos whose descriptions have the words of a term, but not the term.
  func without(_ term: SearchTerm, _ videos: NumberSet) throws -> NumberSet {
    var without = NumberSet()
    try forEach(of: videos) { row, _, description in
      if !term.begins(in: try description()) { without.insert(row.n) }
    }
    return without
  }

  private func read(_ row: Statement, _ body: Body) throws {
    var read: [UInt8]?
    try body(Row(n: row.int(0), channel: row.int(7), fingerprint: row.optionalInt(2)), row.foldedText(1)) {
      if let read { return read }
      let text = try VideoTexts.description(row).map(foldedText) ?? []
      read = text
      return text
    }
  }

  private static func description(_ row: Statement) -> Description? {
    guard let fingerprint = row.optionalInt(2) else { return nil }
    guard let file = row.optionalInt(3) else { return Description(row.text(6)) }
    let range = LogRange(file: UInt32(file), length: UInt32(row.int(5)), offset: UInt64(row.int(4)))
    return Description(fingerprint: UInt64(bitPattern: fingerprint), range: range)
  }
}

extension Statement {
  /// The text of a column, normalised.
  func foldedText(_ column: Int) -> [UInt8] { NormalizedText.bytes(of: text(column)) }
}
