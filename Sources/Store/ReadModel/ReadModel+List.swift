import Core
import SQLDrivers

/// Lists of videos.
extension ReadModel {
  /// The videos a query selects at `now`; of them only `candidates`, if any are given.
  package func select(
    _ query: VideoQuery, at now: Timestamp, among candidates: NumberSet? = nil
  ) throws -> VideoSelection {
    if query.arrangement != .byTime, let after = query.after, after.number == nil {
      throw QueryError.incompleteCursor(after.video)
    }
    let selection = try read { (database) throws(DatabaseError) in
      try select(query, at: now, among: candidates, in: database)
    }
    guard let selection else { throw QueryError.unknownCursor(query.after?.video ?? VideoID(bits: 0)) }
    return selection
  }

  /// nil if the cursor's video was never found.
  private func select(
    _ query: VideoQuery, at now: Timestamp, among candidates: NumberSet?, in database: Database
  ) throws(DatabaseError) -> VideoSelection? {
    let (scan, changes) = try scan(query, at: now, among: candidates, in: database)
    let page = Page(scan, ListKey(query, changes))
    guard let cursor = query.after else { return try page.selection(after: nil) }
    guard let start = try PageStart(cursor, database, user: user, at: now) else { return nil }
    return try page.selection(after: start)
  }

  /// All videos that a query selects, in no order, whatever its limit.
  package func matches(
    _ query: VideoQuery, at now: Timestamp, among candidates: NumberSet? = nil
  ) throws -> Set<VideoID> {
    try read { (database) throws(DatabaseError) in
      var (selection, videos, entries) = (VideoSelection(), Set<VideoID>(), [ListRow]())
      try scan(query, at: now, among: candidates, in: database).scan.forEach(&selection) { row in
        if row.aClass.isEntry { entries.append(row) } else { videos.insert(VideoID(column: row.video.column)) }
      }
      return videos.union(try ListRow.ids(of: entries, in: database))
    }
  }

  /// The scan of what a query selects by number, and when the videos changed if it needs that.
  private func scan(
    _ query: VideoQuery, at now: Timestamp, among candidates: NumberSet?, in database: Database
  ) throws(DatabaseError) -> (scan: ListScan, changes: ChangeTimes?) {
    var candidates = candidates
    func narrow(_ numbers: NumberSet) {
      if candidates?.formIntersection(numbers) == nil { candidates = numbers }
    }
    let saved = query.savedOnly || query.unsavedOnly ? try numbers(ReadModel.savedNumbers, database) : nil
    if query.savedOnly, let saved { narrow(saved) }
    if query.startedOnly { narrow(try numbers(ReadModel.startedNumbers, database)) }
    let changes = try ChangeTimes(query, database, user: user)
    if query.changedSince != nil || query.changedUntil != nil, let changes { narrow(changes.numbers) }
    let scan = try ListScan(
      database, user: user, query, at: now, candidates: candidates, excluded: query.unsavedOnly ? saved : nil)
    return (scan, changes)
  }

  private func numbers(_ query: SQL, _ database: Database) throws(DatabaseError) -> NumberSet {
    var numbers = NumberSet()
    try database.forEach(query, user) { numbers.insert($0.int(0)) }
    return numbers
  }

  private static let savedNumbers: SQL = """
    SELECT v.n FROM decision d INDEXED BY decision_saved JOIN video v ON v.id = d.video
    WHERE d.owner = ? AND d.saved = 1 AND v.found IS NOT NULL
    """
  private static let startedNumbers: SQL = """
    SELECT v.n FROM decision d JOIN video v ON v.id = d.video
    WHERE d.owner = ? AND d.progress > 0 AND v.found IS NOT NULL
    """
}

/// One page of a list.
private struct Page {
  let scan: ListScan
  let query: VideoQuery
  /// The order, if it is another one than by time.
  let key: ListKey?
  /// Rows to be found before the page is full: one more than it shows, which tells whether another page follows.
  let wanted: Int

  init(_ scan: ListScan, _ key: ListKey?) {
    (self.scan, self.key) = (scan, key)
    query = scan.query
    wanted = scan.query.limit == 0 || scan.query.limit == .max ? .max : scan.query.limit + 1
  }

  func selection(after start: PageStart?) throws(DatabaseError) -> VideoSelection {
    if scan.isCountable, query.limit > 0 {
      switch query.arrangement {
      case .byTime where query.order == .published && query.key == nil && scan.channels == nil:
        return try byTime(after: start)
      case .byTime: break
      case .catchUp: return try catchUp(after: start)
      case .mix: return try mix(after: start)
      }
    }
    return try whole(after: start)
  }

  // MARK: The first rows alone

  /// Counts by class, and reads rows only until the page is full.
  private func byTime(after start: PageStart?) throws(DatabaseError) -> VideoSelection {
    var (selection, ignored) = (VideoSelection(), VideoSelection())
    let precedes = ListKey.byTime(query)
    let special = try scan.special(&selection)
    _ = try scan.countPlain(&selection)
    var rows: [ListRow] = []
    try scan.forEachByTime(isOldestFirst: query.oldestFirst, from: start?.row.published, &ignored) { row in
      if start.map({ precedes($0.row, row) }) ?? true { rows.append(row) }
      return rows.count < wanted
    }
    let last = rows.count < wanted ? nil : rows.last
    rows += special.filter { row in
      (start.map { precedes($0.row, row) } ?? true) && (last.map { precedes(row, $0) } ?? true)
    }
    return try finish(selection, rows.sorted(by: precedes), number: { _ in nil })
  }

  /// Channel by channel: the oldest row of each decides their order, and only the first channels are read.
  private func catchUp(after start: PageStart?) throws(DatabaseError) -> VideoSelection {
    var (selection, ignored) = (VideoSelection(), VideoSelection())
    let special = Dictionary(grouping: try scan.special(&selection), by: \.channel)
    let plain = try scan.countPlain(&selection)
    var starts: [(oldest: Int64, channel: Int64)] = []
    for channel in plain.channels.union(special.keys) {
      let first = plain[channel] == 0 ? [] : try scan.oldest(of: channel, limit: 1, &ignored)
      let oldest = (first + (special[channel] ?? [])).map(\.published).min()
      if let oldest { starts.append((oldest, channel)) }
    }
    let order = try ChannelOrder(starts, scan.database)
    var rows: [ListRow] = []
    for channel in order.channels(after: start) where rows.count < wanted {
      let all = try scan.oldest(of: channel, limit: 0, &ignored) + (special[channel] ?? [])
      rows += all.sorted(by: ListRow.isOlder).filter { start?.precedesInChannel($0) ?? true }
    }
    return try finish(selection, rows, number: { order.oldest[$0.channel] })
  }

  /// One of each channel in turn: only so many rows of each channel are read as the page needs turns.
  private func mix(after start: PageStart?) throws(DatabaseError) -> VideoSelection {
    var (selection, ignored) = (VideoSelection(), VideoSelection())
    let special = Dictionary(grouping: try scan.special(&selection), by: \.channel)
    let plain = try scan.countPlain(&selection)
    let counts = plain.channels.union(special.keys).map { ($0, plain[$0] + (special[$0]?.count ?? 0)) }
    // The turn that fills the page if it begins after the start's.
    let first = Int(min(max(start?.number ?? 0, 0), Int64(Int32.max)))
    var turns = first + 1
    let maximum = counts.map(\.1).max() ?? 0
    func rows(before turn: Int) -> Int { counts.reduce(0) { $0 + min($1.1, turn) } }
    while turns < maximum, rows(before: turns) - rows(before: first + (start == nil ? 0 : 1)) < wanted { turns += 1 }
    var ordered: [(turn: Int, row: ListRow)] = []
    for (channel, _) in counts {
      let some = plain[channel] == 0 ? [] : try scan.newest(of: channel, limit: turns, &ignored)
      let sorted = (some + (special[channel] ?? [])).sorted(by: ListRow.isNewer)
      ordered += sorted.prefix(turns).enumerated().map { ($0.offset, $0.element) }
    }
    return try finish(selection, mixed: ordered, after: start)
  }

  // MARK: All rows

  private func whole(after start: PageStart?) throws(DatabaseError) -> VideoSelection {
    var selection = VideoSelection()
    if query.arrangement == .byTime {
      // Of the page nothing is read for each row: that would copy it.
      let key = key
      let precedes = key?.precedes ?? ListKey.byTime(query)
      let start = start.map { key?.ranked($0.row) ?? $0.row }
      var first = FirstRows(count: wanted, by: precedes)
      try scan.forEach(&selection) { row in
        let row = key?.ranked(row) ?? row
        if start.map({ precedes($0, row) }) ?? true { first.add(row) }
      }
      return try finish(selection, first.sorted(), number: { _ in nil })
    }
    var rows: [ListRow] = []
    try scan.forEach(&selection) { rows.append($0) }
    switch query.arrangement {
    case .byTime, .catchUp:  // By time is done above.
      let channels = Dictionary(grouping: rows, by: \.channel)
      let starts = channels.compactMap { channel, rows in rows.map(\.published).min().map { ($0, channel) } }
      let order = try ChannelOrder(starts, scan.database)
      let ordered = order.channels(after: start).flatMap { channel in
        (channels[channel] ?? []).sorted(by: ListRow.isOlder).filter { start?.precedesInChannel($0) ?? true }
      }
      return try finish(selection, ordered, number: { order.oldest[$0.channel] })
    case .mix:
      let ordered = Dictionary(grouping: rows, by: \.channel).values.flatMap { rows in
        rows.sorted(by: ListRow.isNewer).enumerated().map { (turn: $0.offset, row: $0.element) }
      }
      return try finish(selection, mixed: ordered, after: start)
    }
  }

  private func finish(
    _ counted: VideoSelection, mixed: [(turn: Int, row: ListRow)], after start: PageStart?
  ) throws(DatabaseError) -> VideoSelection {
    let rest = mixed.filter { element in
      guard let start, let turn = start.number else { return true }
      return element.turn != turn ? element.turn > turn : start.precedes(element.row)
    }
    let ordered = rest.sorted { $0.turn != $1.turn ? $0.turn < $1.turn : ListRow.isNewer($0.row, $1.row) }
    let turns = Dictionary(rest.map { ($0.row.n, Int64($0.turn)) }) { first, _ in first }
    return try finish(counted, ordered.map(\.row), number: { turns[$0.n] })
  }

  /// The page's rows, and where the next one begins; `number` is what a cursor keeps beside the video.
  private func finish(
    _ counted: VideoSelection, _ rows: [ListRow], number: (ListRow) -> Int64?
  ) throws(DatabaseError) -> VideoSelection {
    var selection = counted
    let page = query.limit == 0 ? rows[...] : rows.prefix(query.limit)
    selection.ids = try ListRow.ids(of: page, in: scan.database)
    if page.count < rows.count, let last = page.last, let video = selection.ids.last {
      selection.next = PageCursor(video: video, number: number(last))
    }
    return selection
  }
}

// MARK: Where pages begin

/// Where a page begins: after a video, which need not be in the list any more.
struct PageStart {
  let row: ListRow
  /// Of a catch-up list the channel's oldest `published`, of a mix the turn.
  let number: Int64?
  /// The ID of its channel.
  let channel: String

  /// nil if the cursor's video was never found.
  init?(_ cursor: PageCursor, _ database: Database, user: Int64, at now: Timestamp) throws(DatabaseError) {
    let row = try database.first(ListingRow.queryByID, user, cursor.video) { ListingRow($0) }
    guard let row = row ?? nil else { return nil }
    (self.row, number) = (ListRow(row, at: now), cursor.number)
    channel = try database.first("SELECT id FROM channel WHERE n = ?", row.channel) { $0.text(0) } ?? ""
  }

  func precedes(_ other: ListRow) -> Bool { ListRow.isNewer(row, other) }

  /// Whether a row of the same channel is still to come; of other channels all are.
  func precedesInChannel(_ other: ListRow) -> Bool {
    other.channel != row.channel || ListRow.isOlder(row, other)
  }
}

/// The order of channels in a catch-up list: the one that waits longest first, ties by ID.
struct ChannelOrder {
  private let sorted: [(oldest: Int64, id: String, channel: Int64)]
  let oldest: [Int64: Int64]

  init(_ starts: [(oldest: Int64, channel: Int64)], _ database: Database) throws(DatabaseError) {
    let ids = database.isPostgres ? try ChannelOrder.ids(of: starts.lazy.map(\.channel), database) : [:]
    var named: [(oldest: Int64, id: String, channel: Int64)] = []
    for (oldest, channel) in starts {
      let id =
        database.isPostgres
        ? ids[channel] : try database.first("SELECT id FROM channel WHERE n = ?", channel) { $0.text(0) }
      named.append((oldest, id ?? "", channel))
    }
    sorted = named.sorted { ($0.oldest, $0.id) < ($1.oldest, $1.id) }
    oldest = Dictionary(starts.map { ($0.channel, $0.oldest) }) { first, _ in first }
  }

  /// The IDs of some channels, on PostgreSQL in one round trip.
  private static func ids(
    of channels: some Sequence<Int64>, _ database: Database
  ) throws(DatabaseError) -> [Int64: String] {
    var ids: [Int64: String] = [:]
    try database.forEach(
      "SELECT v.n, v.id FROM \(Database.rows(of: "channel", where: "n = one.value"))", Database.array(channels)
    ) { ids[$0.int(0)] = $0.text(1) }
    return ids
  }

  /// The channels from the one of a start on; one whose oldest rows were marked since is where it is now.
  func channels(after start: PageStart?) -> [Int64] {
    guard let start, let number = start.number else { return sorted.map(\.channel) }
    let own = start.row.channel
    let later = sorted.filter { $0.channel != own && ($0.oldest, $0.id) > (number, start.channel) }.map(\.channel)
    return [own] + later
  }
}

/// What a query selects: a page of videos, and how many more there are that something hides.
package struct VideoSelection: Equatable, Sendable {
  package var ids: [VideoID] = []
  /// How many match, whatever the limit and the page.
  package var matching = 0
  package var hidden = Hidden()
  /// Where the next page begins; nil on the last one.
  package var next: PageCursor?

  /// How many match otherwise but are hidden, by what hides them first.
  package struct Hidden: Equatable, Sendable {
    package var upcoming = 0
    package var shorts = 0
    /// Streams, by what the user chose for their channel.
    package var streams = 0
    /// By the user's rules.
    package var rules = 0
    /// Because the query limits the length and theirs is unknown.
    package var unknownLength = 0

    package init() {}
  }

  mutating func count(_ verdict: VideoQuery.Verdict, _ size: Int = 1) {
    switch verdict {
    case .shown: matching += size
    case .unrequested: break
    case .upcoming: hidden.upcoming += size
    case .short: hidden.shorts += size
    case .stream: hidden.streams += size
    case .blocked: hidden.rules += size
    }
  }
}

/// Why a query has no result.
package enum QueryError: Error {
  /// The cursor names a video that was never found.
  case unknownCursor(VideoID)
  /// The cursor of a catch-up list or a mix lacks its number.
  case incompleteCursor(VideoID)
}
