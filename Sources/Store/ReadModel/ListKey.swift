import Core
import SQLDrivers

/// An order of a list other than by time.
struct ListKey {
  private let key: VideoQuery.Key
  private let oldestFirst: Bool
  /// When videos changed last.
  private let changes: ChangeTimes?

  /// The order of a query; nil if it is by time alone.
  init?(_ query: VideoQuery, _ changes: ChangeTimes?) {
    guard let key = query.key else { return nil }
    (self.key, oldestFirst, self.changes) = (key, query.oldestFirst, changes)
  }

  /// The row with its rank by the key, which decides before all else.
  func ranked(_ row: ListRow) -> ListRow {
    var row = row
    switch key {
    case .changed:
      let changed = changes?[row.n] ?? row.found
      row.rank = oldestFirst ? changed : -changed
    case .length(let longestFirst): row.rank = row.duration.map { Int64(longestFirst ? -$0 : $0) } ?? .max
    case .random(let seed): row.rank = ListKey.random(row.video, seed: seed)
    }
    return row
  }

  /// The order of ranked rows.
  var precedes: (ListRow, ListRow) -> Bool {
    let isByChange = key == .changed
    let isReversed = isByChange && !oldestFirst
    return { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      if isByChange { return (left.video < right.video) != isReversed && left.video != right.video }
      return ListRow.isNewer(left, right)
    }
  }

  /// The order by a time alone.
  static func byTime(_ query: VideoQuery) -> (ListRow, ListRow) -> Bool {
    let sign: Int64 = query.oldestFirst ? 1 : -1
    let isByFound = query.order == .found
    return { left, right in
      if isByFound, left.found != right.found { return sign * left.found < sign * right.found }
      if left.published != right.published { return sign * left.published < sign * right.published }
      return left.video < right.video
    }
  }

  /// FNV-1a of the letters of an ID, as a number whose order is that of the hash without a sign; of an entry the letters
  /// that a video with the same key would have.
  private static func random(_ video: VideoKey, seed: UInt64) -> Int64 {
    let letters = VideoID(column: video.column).description.utf8
    let hash = letters.reduce(seed &* 0x9e37_79b9_7f4a_7c15) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash ^ 1 << 63)
  }
}

/// When videos changed last, in seconds since 1970, by number: what a feed shows, their status, or whether they are saved.
struct ChangeTimes {
  private var times: [Int64: Int64] = [:]

  /// Those of the videos that a query's limits allow; nil if the query neither limits changes nor sorts by them.
  init?(_ query: VideoQuery, _ database: Database, user: Int64) throws(DatabaseError) {
    let isLimited = query.changedSince != nil || query.changedUntil != nil
    guard isLimited || query.key == .changed else { return nil }
    let first = EventID.first(at: query.changedSince ?? Timestamp(seconds: 0))
    // What changed before the limit is neither looked up nor sent by a server.
    try database.scan(ChangeTimes.ofFeeds, first) { note($0) }
    try database.scan(ChangeTimes.ofDecisions, user, first) { note($0) }
    if let until = query.changedUntil { times = times.filter { $0.value < until.seconds } }
  }

  private mutating func note(_ row: Statement) {
    guard let changed = row.eventID(1)?.timestamp.seconds else { return }
    times[row.int(0)] = max(changed, times[row.int(0)] ?? changed)
  }

  subscript(number: Int64) -> Int64? { times[number] }

  /// The videos by number.
  var numbers: NumberSet { NumberSet(times.keys) }

  private static let ofFeeds: SQL = """
    SELECT n, max(found, coalesce(changed, found)) FROM video
    WHERE found IS NOT NULL AND max(found, coalesce(changed, found)) >= ?1
    """
  private static let ofDecisions: SQL = """
    SELECT v.n, max(coalesce(d.status_at, v.found), coalesce(d.saved_at, v.found))
    FROM decision d JOIN video v ON v.id = d.video
    WHERE d.owner = ?1 AND v.found IS NOT NULL AND (d.status_at >= ?2 OR d.saved_at >= ?2)
    """
}

extension EventID {
  /// The lowest ID of a second.
  fileprivate static func first(at time: Timestamp) -> EventID {
    let seconds = UInt64(min(max(time.seconds, 0), 1 << 38))
    return EventID(reading: (seconds * 1000) << 16, device: DeviceID(letters: 0))
  }
}

/// The first rows of an order, out of many.
struct FirstRows {
  private let count: Int
  private let precedes: (ListRow, ListRow) -> Bool
  private var rows: [ListRow] = []
  /// The last row of the first ones when they were sorted last: what comes after it is not one of them.
  private var last: ListRow?

  init(count: Int, by precedes: @escaping (ListRow, ListRow) -> Bool) {
    (self.count, self.precedes) = (count, precedes)
  }

  mutating func add(_ row: ListRow) {
    if let last, !precedes(row, last) { return }
    rows.append(row)
    guard rows.count / 2 > count else { return }
    rows = sorted()
    last = rows.last
  }

  /// The first rows, in order.
  func sorted() -> [ListRow] { Array(rows.sorted(by: precedes).prefix(count)) }
}
