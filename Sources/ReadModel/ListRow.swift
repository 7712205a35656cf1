import Core

/// A video at the moment of a query: where it stands in the orders of lists, and its class.
struct ListRow {
  var n: Int64
  var video: VideoID
  /// The number of its channel.
  var channel: Int64
  var published: Int64
  /// Seconds since 1970.
  var found: Int64
  var aClass: VideoClass
  var isInPlaylists: Bool
  /// Its length in seconds, if known.
  var duration: Int?
}

extension ListRow {
  /// A row as lists keep it, at a moment.
  init(_ row: ListingRow, at now: Timestamp) {
    self.init(
      n: row.n, video: row.video, channel: row.channel, published: row.published, found: row.found,
      aClass: row.at(now), isInPlaylists: row.isInPlaylists, duration: row.duration)
  }

  /// Reads the columns of `plainColumns` or those that `specialQuery` selects.
  init(_ row: Statement) {
    self.init(
      n: row.int(5), video: VideoID(column: row.int(0)), channel: row.int(1), published: row.int(3), found: row.int(4),
      aClass: VideoClass(rawValue: Int(row.int(2))), isInPlaylists: row.bool(6),
      duration: row.optionalInt(7).map { Int($0) })
  }

  /// What `init` reads of `listing`.
  static let plainColumns = "video, channel, class, published, found, n, 0, duration"

  /// Selects every special row of user ?1 at the moment ?2.
  static let specialQuery: SQL = """
    SELECT video, channel,
      CASE WHEN later_at <= ?2 THEN later_class WHEN then_at <= ?2 THEN then_class ELSE class END
        | iif(blocked_since <= ?2 AND ?2 < blocked_until, 64, 0),
      published, found, n, playlists, duration
    FROM special WHERE user = ?1
    """
}

// MARK: Orders

extension ListRow {
  static func isNewer(_ left: ListRow, _ right: ListRow) -> Bool {
    left.published != right.published ? left.published > right.published : left.video < right.video
  }

  static func isOlder(_ left: ListRow, _ right: ListRow) -> Bool {
    left.published != right.published ? left.published < right.published : left.video < right.video
  }
}

/// The order of a list by time.
enum ListKey {
  static func order(_ query: VideoQuery) -> (ListRow, ListRow) -> Bool {
    let sign: Int64 = query.oldestFirst ? 1 : -1
    let isByFound = query.order == .found
    return { left, right in
      if isByFound, left.found != right.found { return sign * left.found < sign * right.found }
      if left.published != right.published { return sign * left.published < sign * right.published }
      return left.video < right.video
    }
  }
}

/// The first rows of an order, out of many.
struct FirstRows {
  private let count: Int
  private let precedes: (ListRow, ListRow) -> Bool
  private var rows: [ListRow] = []
  /// The last row of the first ones when they were sorted last: what comes after it is none of them.
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
