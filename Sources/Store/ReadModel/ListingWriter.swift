import Core
import SQLDrivers

/// Writes the rows that lists read, and counts them by class.
struct ListingWriter {
  private let database: Database
  private let user: Int64
  private var counts: [ChannelClass: Int] = [:]
  /// Rows to be written in the order of their table.
  private var plain: [PlainRow] = []

  private struct ChannelClass: Hashable {
    var channel: Int64
    var number: Int
  }

  /// A row of `listing`; small, for a first build keeps all of them.
  private struct PlainRow {
    var published: Int64
    /// The ID as its column, which takes less time to compare.
    var video: Int64
    var channel: Int64
    var found: Int64
    var n: Int64
    var duration: Int32?
    var aClass: UInt16
    var isOpen: Bool

    init(_ row: ListingRow) {
      (published, video, channel, found, n) = (row.published, row.video.column, row.channel, row.found, row.n)
      duration = row.duration.map { Int32(clamping: $0) }
      (aClass, isOpen) = (UInt16(truncatingIfNeeded: row.plainClass.rawValue), row.isOpen)
    }

    static func precedes(_ left: PlainRow, _ right: PlainRow) -> Bool {
      if left.isOpen != right.isOpen { return right.isOpen }
      return left.published != right.published ? left.published > right.published : left.video < right.video
    }
  }

  init(_ database: Database, user: Int64) {
    (self.database, self.user) = (database, user)
  }

  mutating func insert(_ row: ListingRow) throws(DatabaseError) {
    guard row.isPlain else { return try insertSpecial(row) }
    try insert([PlainRow(row)], ListingWriter.insertOne)
  }

  /// Takes a row that `insertCollected` writes, in the order of the table.
  mutating func collect(_ row: ListingRow) throws(DatabaseError) {
    guard row.isPlain else { return try insertSpecial(row) }
    plain.append(PlainRow(row))
  }

  mutating func insertCollected() throws(DatabaseError) {
    plain.sort(by: PlainRow.precedes)
    var rest = plain[...]
    while rest.count >= ListingWriter.batch {
      try insert(rest.prefix(ListingWriter.batch), ListingWriter.insertBatch)
      rest = rest.dropFirst(ListingWriter.batch)
    }
    for row in rest { try insert([row], ListingWriter.insertOne) }
    plain = []
  }

  /// Within one statement a row that follows the last one is appended without a search; with `OR FAIL`, without copying
  /// pages to take rows back.
  private static let batch = 100
  private static let insertOne: SQL = "INSERT INTO listing VALUES \(placeholders)"
  private static let insertBatch: SQL = """
    INSERT OR FAIL INTO listing VALUES \(.repeated(placeholders, batch))
    """
  private static let placeholders: SQL = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"

  private mutating func insert(_ rows: some Sequence<PlainRow>, _ sql: SQL) throws(DatabaseError) {
    let statement = try database.prepare(sql)
    for row in rows {
      user.bind(to: statement)
      row.isOpen.bind(to: statement)
      row.published.bind(to: statement)
      row.video.bind(to: statement)
      row.channel.bind(to: statement)
      Int64(row.aClass).bind(to: statement)
      row.found.bind(to: statement)
      row.n.bind(to: statement)
      row.duration.map { Int64($0) }.bind(to: statement)
      counts[ChannelClass(channel: row.channel, number: Int(row.aClass)), default: 0] += 1
    }
    try statement.send()
  }

  mutating func remove(_ row: ListingRow) throws(DatabaseError) {
    guard row.isPlain else {
      return try database.send("DELETE FROM special WHERE owner = ? AND n = ?", user, row.n)
    }
    try database.send(
      "DELETE FROM listing WHERE owner = ? AND open = ? AND published = ? AND video = ?", user, row.isOpen,
      row.published, row.video)
    counts[ChannelClass(channel: row.channel, number: row.plainClass.rawValue), default: 0] -= 1
  }

  private func insertSpecial(_ row: ListingRow) throws(DatabaseError) {
    let later = row.timeline.later
    let (then, last) = (later.first, later.count > 1 ? later[1] : nil)
    try database.send(
      "INSERT INTO special VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", user, row.n, row.isOpen,
      row.published, row.video, row.channel, row.timeline.first.rawValue, row.found, row.duration, then?.from,
      then?.class.rawValue, last?.from, last?.class.rawValue, row.blocked?.lowerBound, row.blocked?.upperBound,
      row.isInPlaylists)
  }

  /// Writes the counts.
  mutating func finish() throws(DatabaseError) {
    for (key, count) in counts where count != 0 {
      try database.send(
        """
        INSERT INTO tally VALUES (?, ?, ?, ?)
        ON CONFLICT(owner, channel, class) DO UPDATE SET count = tally.count + excluded.count
        """, user, key.channel, key.number, count)
    }
    for (key, count) in counts where count < 0 {
      try database.send(
        "DELETE FROM tally WHERE owner = ? AND channel = ? AND class = ? AND count = 0", user, key.channel, key.number)
    }
    counts = [:]
  }
}

extension Projector {
  /// Remembers what lists have of a video before it is changed.
  mutating func touch(_ video: VideoID) throws(DatabaseError) {
    if isFirstBuild {
      unusual.insert(video.column)
    } else {
      try touch(VideoKey(video))
    }
  }

  /// The same after a first build.
  mutating func touch(_ video: VideoKey) throws(DatabaseError) {
    if touched[video] == nil { touched[video] = .some(try listingRow(of: video)) }
  }

  private func listingRow(of video: VideoKey) throws(DatabaseError) -> ListingRow? {
    try database.first(ListingRow.queryByID, user, video) { ListingRow($0) } ?? nil
  }

  /// The rows of many videos, on PostgreSQL in one round trip.
  func listingRows(of videos: some Sequence<VideoKey>) throws(DatabaseError) -> [VideoKey: ListingRow] {
    var rows: [VideoKey: ListingRow] = [:]
    try database.forEach(ListingRow.queryByIDs, user, Database.array(videos.lazy.map(\.column))) { row in
      if let row = ListingRow(row) { rows[row.video] = row }
    }
    return rows
  }

  /// Brings the tables of lists up to date with what was applied.
  mutating func updateListings() throws(DatabaseError) {
    var writer = ListingWriter(database, user: user)
    if isFirstBuild { try collectListings(&writer) }
    let rows = database.isPostgres ? try listingRows(of: touched.keys) : [:]
    for (video, before) in touched {
      let now = database.isPostgres ? rows[video] : try listingRow(of: video)
      guard now != before else { continue }
      if let before { try writer.remove(before) }
      if let now { try writer.insert(now) }
    }
    try writer.finish()
    touched = [:]
  }

  private func collectListings(_ writer: inout ListingWriter) throws(DatabaseError) {
    try database.scan(ListingRow.firstSights) { (row) throws(DatabaseError) in
      guard unusual.contains(row.int(1)) else {
        if let known = ListingRow(firstSight: row) { try writer.collect(known) }
        return
      }
      let known = try database.first(ListingRow.queryByNumber, user, row.int(0)) { ListingRow($0) } ?? nil
      if let known { try writer.collect(known) }
    }
    try writer.insertCollected()
  }
}
