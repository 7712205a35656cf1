import Core
import SQLDrivers
import SlowFold
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 10_000)

/// A query made at random, and the same as a condition on a row.
private struct RandomQuery {
  var query: VideoQuery
  private var conditions: [(VideoRow, Video) -> Bool] = []
  private var random: UInt64
  private let log: GeneratedLog
  private var state: State { log.fold.state }
  private var digit: String?

  init(seed: UInt64, in log: GeneratedLog) {
    random = seed &* 0x9e37_79b9_7f4a_7c15
    self.log = log
    query = VideoQuery(
      statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    narrowByChoice()
    narrowByWhatItIs()
    arrange()
  }

  private mutating func number(_ bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  private mutating func sometimes() -> Bool { number(3) == 0 }

  private mutating func narrowByChoice() {
    if !sometimes() {
      let statuses = Set(Status.allCases.filter { $0 == .new || $0.rawValue.utf8.count % 2 == Int(random % 2) })
      query.statuses = statuses
      conditions.append { [state] in statuses.contains($0.status) && !$1.isRemoved && state.isFollowed($1) }
    }
    if sometimes() {
      let channels = Set((0..<6 as Range<UInt64>).map { Sample.channel($0) })
      query.subscriptions = Set(channels.map { .channel($0) })
      conditions.append { row, _ in channels.contains(row.channel) }
    }
    if sometimes() {
      query.tags = ["science"]
      conditions.append { row, _ in row.tags.contains("science") }
    }
    if sometimes() {
      query.savedOnly = true
      conditions.append { row, _ in row.saved }
    }
    if sometimes() {
      let digit = String(number(4))
      self.digit = digit
      conditions.append { row, _ in row.title.contains(digit) }
    }
  }

  private mutating func narrowByWhatItIs() {
    if sometimes() {
      query.shorts = [.hide, .only][Int(number(2))]
      let isWanted = query.shorts == .only
      conditions.append { row, _ in (row.short == .yes) == isWanted }
    }
    if sometimes() {
      query.upcoming = [.hide, .only][Int(number(2))]
      let isWanted = query.upcoming == .only
      conditions.append { $1.isUpcoming(at: now) == isWanted && $0.video == $1.id }
    }
    if number(6) == 0 {
      query.streamsOnly = true
      conditions.append { row, _ in [.upcoming, .live, .ended].contains(row.live) }
    }
    if number(6) == 0 {
      query.minimumLength = Int(number(4000))
      conditions.append { [query] row, _ in row.durationSeconds.map { $0 >= query.minimumLength ?? 0 } ?? false }
    }
    if sometimes() {
      let (since, until) = (Int64(number(150)), Int64(150 + number(150)))
      query.since = Sample.start.adding(seconds: since * 86_400)
      query.until = Sample.start.adding(seconds: until * 86_400)
      conditions.append { [query] row, _ in
        row.published >= query.since ?? row.published && row.published.seconds < query.until?.seconds ?? 0
      }
    }
  }

  private mutating func arrange() {
    query.limit = [0, 1, 20, 1000][Int(number(4))]
    query.arrangement = [.byTime, .byTime, .catchUp, .mix][Int(number(4))]
    guard query.arrangement == .byTime else { return }
    query.order = VideoQuery.Order.allCases[Int(number(2))]
    query.oldestFirst = number(2) == 0
  }

  /// The videos among which it selects, found by something else: here those with a digit in their title.
  func candidates() throws -> NumberSet? {
    guard let digit else { return nil }
    var numbers = NumberSet()
    try log.model.read { (database) throws(DatabaseError) in
      try database.forEach("SELECT n, title FROM video") { row in
        if row.text(1).contains(digit) { numbers.insert(row.int(0)) }
      }
    }
    return numbers
  }

  /// The result, by looking at each row, one condition after the other, and sorting all that is left.
  func slowly() -> [VideoID] {
    var rows: [VideoRow] = []
    for video in log.videos {
      guard let row = VideoRow(video, in: state, at: now), conditions.allSatisfy({ $0(row, video) }) else { continue }
      rows.append(row)
    }
    return arranged(rows).map(\.video)
  }

  private func arranged(_ rows: [VideoRow]) -> [VideoRow] {
    let newest = rows.sorted { ($1.published, $0.video) < ($0.published, $1.video) }
    switch query.arrangement {
    case .byTime: return byTime(rows)
    case .catchUp:
      let groups = Dictionary(grouping: rows, by: \.channel).values
        .map { $0.sorted { ($0.published, $0.video) < ($1.published, $1.video) } }
      return Array(groups.sorted { ($0[0].published, $0[0].channel) < ($1[0].published, $1[0].channel) }.joined())
    case .mix:
      var taken: [ChannelID: Int] = [:]
      let turns = newest.map { row -> (turn: Int, row: VideoRow) in
        taken[row.channel, default: 0] += 1
        return (taken[row.channel] ?? 0, row)
      }
      return turns.sorted { left, right in
        left.turn != right.turn
          ? left.turn < right.turn : (right.row.published, left.row.video) < (left.row.published, right.row.video)
      }.map(\.row)
    }
  }

  private func byTime(_ rows: [VideoRow]) -> [VideoRow] {
    rows.sorted { left, right in
      let (one, other) = query.oldestFirst ? (left, right) : (right, left)
      let (first, last) = query.order == .found ? (one.found, other.found) : (one.published, other.published)
      if first != last { return first < last }
      if one.published != other.published { return one.published < other.published }
      return left.video < right.video
    }
  }
}

@Test("Any filters together, in any order and mode, find what a look at each row finds")
func randomQueries() throws {
  let log = try GeneratedLog(seed: 21, videos: GeneratedLog.usualCount)
  var (results, shown) = (0, 0)
  for seed in 1...60 as ClosedRange<UInt64> {
    let random = RandomQuery(seed: seed, in: log)
    let selection = try log.model.select(random.query, at: now, among: random.candidates())
    let wanted = random.slowly()
    let page = random.query.limit == 0 ? wanted : Array(wanted.prefix(random.query.limit))
    #expect(selection.ids == page, "seed \(seed): \(random.query)")
    #expect(
      selection.matching == wanted.count && (selection.next != nil) == (page.count < wanted.count), "seed \(seed)")
    results += wanted.isEmpty ? 0 : 1
    shown += page.count
  }
  #expect(results > 30 && shown > 1000, "the queries are about something")
}
