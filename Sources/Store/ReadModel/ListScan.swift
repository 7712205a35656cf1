import Core
import SQLDrivers

/// Reads listing rows for one query and decides the verdict of each.
struct ListScan {
  let database: Database
  let user: Int64
  let query: VideoQuery
  let now: Timestamp
  /// Only these videos, by number; nil is all.
  let candidates: NumberSet?
  /// All but these videos.
  private let excluded: NumberSet?
  private let verdicts: VerdictTable
  /// The marks of each channel, by its number.
  private let marks: [SourceMarks]
  /// The channels and playlists requested by name, and those requested by each set of tags. A video has a source in each.
  private let wanted: [Set<Int64>]
  /// The channels that videos outside playlists can be of; nil is all.
  let channels: Set<Int64>?
  /// The values of `open` that rows of the query can have.
  private let openValues: [Int]

  init(
    _ database: Database, user: Int64, _ query: VideoQuery, at now: Timestamp, candidates: NumberSet?,
    excluded: NumberSet? = nil
  ) throws(DatabaseError) {
    var query = query
    if query.shorts == nil { query.showsShorts = try PreferenceRegisters(database, user: user).showsShorts }
    (self.database, self.user, self.query, self.now) = (database, user, query, now)
    (self.candidates, self.excluded) = (candidates, excluded)
    verdicts = VerdictTable(query)
    openValues = !query.alsoGone && query.statuses?.isSubset(of: [.new, .snoozed]) ?? false ? [1] : [1, 0]
    marks = try ListScan.marks(database, user)
    var wanted: [Set<Int64>] = []
    if let subscriptions = query.subscriptions {
      var named: Set<Int64> = []
      for subscription in subscriptions {
        let number = try database.integer("SELECT n FROM channel WHERE id = ?", subscription)
        if let number { named.insert(number) }
      }
      wanted.append(named)
    }
    for tags in (query.tags.isEmpty ? [] : [query.tags]) + query.alsoTagged {
      wanted.append(try ListScan.channels(with: tags, database, user))
    }
    self.wanted = wanted
    channels = wanted.first.map { wanted.dropFirst().reduce($0) { $0.intersection($1) } }
  }

  private static func marks(_ database: Database, _ user: Int64) throws(DatabaseError) -> [SourceMarks] {
    var marks: [SourceMarks] = []
    try database.forEach("SELECT channel, marks FROM subscription WHERE owner = ?", user) {
      (row) throws(DatabaseError) in
      let number = try row.channelNumber(0)
      while number >= marks.count { marks.append([]) }
      marks[number] = SourceMarks(rawValue: row.bits(1))
    }
    return marks
  }

  private static func channels(
    with tags: Set<String>, _ database: Database, _ user: Int64
  ) throws(DatabaseError) -> Set<Int64> {
    var channels: Set<Int64> = []
    try database.forEach("SELECT channel, tags FROM subscription WHERE owner = ? AND tags IS NOT NULL", user) { row in
      if !tags.isDisjoint(with: TagList.tags(row.text(1))) { channels.insert(row.int(0)) }
    }
    return channels
  }

  /// Whether counts by class are enough to count the videos that match.
  var isCountable: Bool {
    candidates == nil && excluded == nil && query.since == nil && query.until == nil && !limitsLength && !limitsFound
  }

  /// The range of `published` that the query allows.
  private var earliest: Int64 { query.since?.seconds ?? .min }
  private var latest: Int64 { query.until?.adding(seconds: -1).seconds ?? .max }

  private var limitsFound: Bool { query.foundSince != nil || query.foundUntil != nil }
  private var limitsLength: Bool { query.minimumLength != nil || query.maximumLength != nil }

  // MARK: Verdicts

  /// The verdict of a plain video by its channel and class.
  func verdict(of channel: Int64, _ aClass: VideoClass) -> VideoQuery.Verdict { verdicts[aClass, marks(of: channel)] }

  private func marks(of channel: Int64) -> SourceMarks {
    marks.indices.contains(Int(channel)) ? marks[Int(channel)] : []
  }

  /// What the scan says of a row: nil if the query does not match it for other reasons than what hides it.
  private func judge(_ row: ListRow, _ selection: inout VideoSelection) throws(DatabaseError) -> Bool {
    if let channels, !row.isInPlaylists, !channels.contains(row.channel) { return false }
    if let candidates, !candidates.contains(row.n) { return false }
    if let excluded, excluded.contains(row.n) { return false }
    if let since = query.foundSince, row.found < since.seconds { return false }
    if let until = query.foundUntil, row.found >= until.seconds { return false }
    if let since = query.since, row.published < since.seconds { return false }
    if let until = query.until, row.published >= until.seconds { return false }
    let verdict = row.isInPlaylists ? try verdictFromPlaylists(row) : verdicts[row.aClass, marks(of: row.channel)]
    guard verdict != .unrequested else { return false }
    if limitsLength {
      guard let duration = row.duration else {
        selection.hidden.unknownLength += 1
        return false
      }
      guard duration >= query.minimumLength ?? 0, duration <= query.maximumLength ?? .max else { return false }
    }
    selection.count(verdict)
    return verdict == .shown
  }

  /// The verdict of a video that has several sources.
  private func verdictFromPlaylists(_ row: ListRow) throws(DatabaseError) -> VideoQuery.Verdict {
    let sources = try sources(of: row)
    if wanted.contains(where: { $0.isDisjoint(with: sources) }) { return .unrequested }
    return verdicts[row.aClass, sources.reduce([]) { $0.union(marks(of: $1)) }]
  }

  /// The channel of a video and the playlists it was seen in.
  func sources(of row: ListRow) throws(DatabaseError) -> [Int64] {
    guard row.isInPlaylists else { return [row.channel] }
    var sources = [row.channel]
    try database.forEach("SELECT playlist FROM playlist_video WHERE video = ?", row.video) { sources.append($0.int(0)) }
    return sources
  }

  // MARK: Rows

  /// The shown ones of the rows that are not plain, and the verdicts of all of them in `selection`; `note` gets each row.
  func special(
    _ selection: inout VideoSelection, _ note: (ListRow) -> Void = { _ in }
  ) throws(DatabaseError) -> [ListRow] {
    var shown: [ListRow] = []
    try database.forEach(ListRow.specialQuery, user, now) { (row) throws(DatabaseError) in
      let row = ListRow(row)
      note(row)
      if try judge(row, &selection) { shown.append(row) }
    }
    return shown
  }

  /// Counts the plain rows by their classes; returns how many of each channel are shown.
  func countPlain(_ selection: inout VideoSelection) throws(DatabaseError) -> PlainCounts {
    var (shown, counted) = (PlainCounts(), selection)
    func take(_ row: Statement) throws(DatabaseError) {
      let (channel, count) = (row.int(0), Int(row.int(2)))
      let verdict = verdict(of: channel, VideoClass(rawValue: Int(row.int(1))))
      counted.count(verdict, count)
      if verdict == .shown { shown.add(count, of: channel) }
    }
    if let channels {
      for channel in channels {
        try database.forEach(
          "SELECT channel, class, count FROM tally WHERE owner = ? AND channel = ?", user, channel, body: take)
      }
    } else {
      try database.forEach("SELECT channel, class, count FROM tally WHERE owner = ?", user, body: take)
    }
    selection = counted
    return shown
  }

  /// Calls `body` with the shown plain rows by `published`, ties by ID, until it returns false; counts the verdicts of the
  /// rows it met. None before `start` in this order.
  func forEachByTime(
    isOldestFirst: Bool, from start: Int64?, _ selection: inout VideoSelection, _ body: (ListRow) -> Bool
  ) throws(DatabaseError) {
    let parts = openValues.map { open -> SQL in
      """
      SELECT \(ListRow.plainColumns) FROM listing WHERE owner = ?1 AND open = \(number: open)
        AND published BETWEEN ?2 AND ?3 \("AND found BETWEEN ?4 AND ?5", if: limitsFound)
      """
    }
    let statement = try database.prepareScan(
      "\(.joined(parts, by: " UNION ALL ")) ORDER BY published \("DESC", if: !isOldestFirst), video")
    user.bind(to: statement)
    max(earliest, isOldestFirst ? start ?? .min : .min).bind(to: statement)
    min(latest, isOldestFirst ? .max : start ?? .max).bind(to: statement)
    if limitsFound {
      (query.foundSince?.seconds ?? .min).bind(to: statement)
      (query.foundUntil?.adding(seconds: -1).seconds ?? .max).bind(to: statement)
    }
    defer { statement.reset() }
    while try statement.step() {
      let row = ListRow(statement)
      if try judge(row, &selection), !body(row) { return }
    }
  }

  /// The shown plain rows of one channel, the newest first, at most `limit`; counts the verdicts of the rows it met.
  func newest(
    of channel: Int64, limit: Int, _ selection: inout VideoSelection
  ) throws(DatabaseError) -> [ListRow] {
    try rows(of: channel, limit: limit, isReversed: false, &selection)
  }

  /// The shown plain rows of one channel, the oldest first, ties by descending ID, at most `limit`.
  func oldest(
    of channel: Int64, limit: Int, _ selection: inout VideoSelection
  ) throws(DatabaseError) -> [ListRow] {
    try rows(of: channel, limit: limit, isReversed: true, &selection)
  }

  private func rows(
    of channel: Int64, limit: Int, isReversed: Bool, _ selection: inout VideoSelection
  ) throws(DatabaseError) -> [ListRow] {
    var rows: [ListRow] = []
    for open in openValues {
      let statement = try database.prepare(isReversed ? ListScan.oldestOfChannel : ListScan.newestOfChannel)
      user.bind(to: statement)
      channel.bind(to: statement)
      open.bind(to: statement)
      earliest.bind(to: statement)
      latest.bind(to: statement)
      defer { statement.reset() }
      var count = 0
      while limit == 0 || count < limit, try statement.step() {
        let row = ListRow(statement)
        if try judge(row, &selection) {
          rows.append(row)
          count += 1
        }
      }
    }
    guard openValues.count > 1 else { return rows }
    rows.sort { $0.published != $1.published ? ($0.published > $1.published) != isReversed : $0.video < $1.video }
    return limit == 0 ? rows : Array(rows.prefix(limit))
  }

  private static let newestOfChannel: SQL = "\(ofChannel) ORDER BY published DESC, video"
  private static let oldestOfChannel: SQL = "\(ofChannel) ORDER BY published, video DESC"
  private static let ofChannel: SQL = """
    SELECT \(ListRow.plainColumns) FROM listing INDEXED BY listing_channel
    WHERE owner = ? AND channel = ? AND open = ? AND published BETWEEN ? AND ?
    """

  /// Calls `body` with every shown row, in no order, with the verdicts of all rows in `selection`.
  func forEach(_ selection: inout VideoSelection, _ body: (ListRow) -> Void) throws(DatabaseError) {
    if let candidates, try areFew(candidates) { return try forEach(of: candidates, &selection, body) }
    for row in try special(&selection) { body(row) }
    if let channels, channels.count < 100 {
      for channel in channels {
        for row in try newest(of: channel, limit: 0, &selection) { body(row) }
      }
    } else {
      try forEachByTime(isOldestFirst: false, from: nil, &selection) { row in
        body(row)
        return true
      }
    }
  }

  /// Whether rows are found sooner one by one than by reading all: one takes 5 µs, and 0.25 µs where all are read.
  private func areFew(_ candidates: NumberSet) throws(DatabaseError) -> Bool {
    Int64(candidates.count) * 20 <= (try database.integer("SELECT max(n) FROM video") ?? 0)
  }

  private func forEach(
    of candidates: NumberSet, _ selection: inout VideoSelection, _ body: (ListRow) -> Void
  ) throws(DatabaseError) {
    if database.isPostgres {
      let numbers = Database.array(candidates)
      return try database.forEach(ListingRow.queryByNumbers, user, numbers) { (row) throws(DatabaseError) in
        guard let row = ListingRow(row).map({ ListRow($0, at: now) }) else { return }
        if try judge(row, &selection) { body(row) }
      }
    }
    for number in candidates {
      let found = try database.first(ListingRow.queryByNumber, user, number) { ListingRow($0) } ?? nil
      guard let row = found.map({ ListRow($0, at: now) }) else { continue }
      if try judge(row, &selection) { body(row) }
    }
  }
}

/// How many plain rows of each channel are shown.
struct PlainCounts {
  /// The counts, by the channel's number.
  private var counts: [Int] = []

  /// Adds to the number of rows of a channel; an unknown channel, as in a damaged file, is ignored.
  mutating func add(_ count: Int, of channel: Int64) {
    guard PlainCounts.numbers.contains(channel) else { return }
    while channel >= counts.count { counts.append(0) }
    counts[Int(channel)] += count
  }

  /// The numbers that channels can have.
  fileprivate static let numbers: Range<Int64> = 0..<1 << 24

  subscript(channel: Int64) -> Int { counts.indices.contains(Int(channel)) ? counts[Int(channel)] : 0 }

  /// The channels that have any.
  var channels: Set<Int64> { Set(counts.indices.filter { counts[$0] > 0 }.map { Int64($0) }) }
}

extension Statement {
  /// The number of a channel. Throws `damaged` if the column holds something else.
  fileprivate func channelNumber(_ column: Int) throws(DatabaseError) -> Int {
    let number = int(column)
    guard PlainCounts.numbers.contains(number) else {
      throw .damaged(code: 0, "the number of a channel is out of range")
    }
    return Int(number)
  }
}

/// A video at the moment of a query: where it stands in the orders of lists, and its class.
struct ListRow {
  var n: Int64
  var video: VideoKey
  /// The number of its channel.
  var channel: Int64
  var published: Int64
  /// Seconds since 1970.
  var found: Int64
  var aClass: VideoClass
  var isInPlaylists: Bool
  /// Its length in seconds, if known.
  var duration: Int?
  /// Its position in the order of a key; see `ListKey`.
  var rank: Int64 = 0
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
      n: row.int(5), video: VideoKey(column: row.int(0)), channel: row.int(1), published: row.int(3), found: row.int(4),
      aClass: VideoClass(rawValue: Int(row.int(2))), isInPlaylists: row.bool(6),
      duration: row.optionalInt(7).map { Int($0) })
  }

  /// What `init` reads of `listing`.
  static let plainColumns: SQL = "video, channel, class, published, found, n, 0, duration"

  /// Selects every special row of user ?1 at the moment ?2.
  static let specialQuery: SQL = """
    SELECT video, channel,
      CASE WHEN later_at <= ?2 THEN later_class WHEN then_at <= ?2 THEN then_class ELSE class END
        | iif(blocked_since <= ?2 AND ?2 < blocked_until, 64, 0),
      published, found, n, playlists, duration
    FROM special WHERE owner = ?1
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
