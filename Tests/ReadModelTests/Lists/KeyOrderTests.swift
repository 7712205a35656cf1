import Core
import SlowFold
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 10_000)

/// An order by a key, and a limit on when videos were found or changed.
private struct KeyQuery: Sendable, CustomTestStringConvertible {
  var key: VideoQuery.Key?
  var oldestFirst = false
  var limit: Limit?
  var unsavedOnly = false
  var statuses: Set<Status>?
  var alsoTagged: [Set<String>] = []

  enum Limit { case foundSince, foundUntil, changedSince, changedUntil }

  var testDescription: String { "\(key.map { "\($0)" } ?? "time") \(oldestFirst) \(unsavedOnly) \(alsoTagged)" }

  static let all: [KeyQuery] = [
    KeyQuery(key: .changed), KeyQuery(key: .changed, oldestFirst: true), KeyQuery(key: .length(longestFirst: true)),
    KeyQuery(key: .length(longestFirst: false)), KeyQuery(key: .random(seed: 20_784)),
    KeyQuery(key: .changed, limit: .changedSince), KeyQuery(limit: .changedSince),
    KeyQuery(limit: .changedUntil), KeyQuery(limit: .foundSince), KeyQuery(oldestFirst: true, limit: .foundUntil),
    KeyQuery(unsavedOnly: true), KeyQuery(key: .length(longestFirst: true), unsavedOnly: true),
    KeyQuery(key: .changed, statuses: [.watched]), KeyQuery(alsoTagged: [["science"], ["science", "news"]]),
    KeyQuery(alsoTagged: [["science"], []]),
  ]

  /// The page after a cursor; `moment` is the time of the limit.
  func query(limit: Int, after: PageCursor?, moment: Timestamp) -> VideoQuery {
    var query = VideoQuery(
      statuses: statuses, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: oldestFirst, limit: limit)
    (query.key, query.unsavedOnly, query.alsoTagged, query.after) = (key, unsavedOnly, alsoTagged, after)
    query.ignoresRules = true
    switch self.limit {
    case nil: break
    case .foundSince: query.foundSince = moment
    case .foundUntil: query.foundUntil = moment
    case .changedSince: query.changedSince = moment
    case .changedUntil: query.changedUntil = moment
    }
    return query
  }
}

/// The same by a look at every video, sorted in memory.
private struct InMemory {
  let log: GeneratedLog
  let moments: [VideoID: (found: Timestamp, changed: Timestamp)]
  let rows: [VideoRow]

  init(_ log: GeneratedLog) throws {
    self.log = log
    let ids = log.videos.map(\.id)
    var moments: [VideoID: (found: Timestamp, changed: Timestamp)] = [:]
    for (id, moment) in zip(ids, try log.model.moments(of: ids)) { moments[id] = moment }
    self.moments = moments
    rows = log.videos.compactMap { VideoRow($0, in: log.fold.state, at: now) }
  }

  /// A time before which half of the videos changed last.
  var moment: Timestamp { moments.values.map(\.changed).sorted()[moments.count / 2] }

  func result(_ wanted: KeyQuery) -> [VideoID] {
    let query = wanted.query(limit: 0, after: nil, moment: moment)
    var rows = rows.filter { row in
      guard let times = moments[row.video], let video = log.fold.videos[row.video] else { return false }
      if let statuses = query.statuses {
        guard statuses.contains(row.status), !video.isRemoved, log.fold.state.isFollowed(video) else { return false }
      }
      return times.found >= query.foundSince ?? times.found && query.foundUntil.map { times.found < $0 } ?? true
        && times.changed >= query.changedSince ?? times.changed && query.changedUntil.map { times.changed < $0 } ?? true
        && !(query.unsavedOnly && row.saved) && query.alsoTagged.allSatisfy { !$0.isDisjoint(with: row.tags) }
    }
    rows.sort { left, right in
      if left.published != right.published { return (left.published < right.published) == query.oldestFirst }
      return left.video < right.video
    }
    return sorted(rows, by: query).map(\.video)
  }

  /// Rows that are sorted by time, in the order of a key.
  private func sorted(_ rows: [VideoRow], by query: VideoQuery) -> [VideoRow] {
    switch query.key {
    case nil: return rows
    case .changed:
      let sorted = rows.sorted { left, right in
        let (one, other) = (moments[left.video]?.changed ?? now, moments[right.video]?.changed ?? now)
        return one != other ? one < other : left.video < right.video
      }
      return query.oldestFirst ? sorted : sorted.reversed()
    case .length(let longestFirst):
      let known = rows.filter { $0.durationSeconds != nil }.enumerated().sorted { left, right in
        let (one, other) = (left.element.durationSeconds ?? 0, right.element.durationSeconds ?? 0)
        return one != other ? (one > other) == longestFirst : left.offset < right.offset
      }
      return known.map(\.element) + rows.filter { $0.durationSeconds == nil }
    case .random(let seed):
      let keyed = rows.map { row in
        let start = seed &* 0x9e37_79b9_7f4a_7c15
        return (row.video.description.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, row)
      }
      return keyed.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

@Test("All pages of an order by a key together are what sorting in memory gives", arguments: KeyQuery.all)
private func pagesByKey(wanted: KeyQuery) throws {
  let log = try GeneratedLog(seed: 31, videos: 150)
  let memory = try InMemory(log)
  let expected = memory.result(wanted)
  #expect(wanted.alsoTagged.contains([]) == expected.isEmpty)
  let whole = try log.model.select(wanted.query(limit: 0, after: nil, moment: memory.moment), at: now)
  #expect(whole.ids == expected && whole.matching == expected.count)
  #expect(
    try log.model.matches(wanted.query(limit: 1, after: nil, moment: memory.moment), at: now) == Set(expected))
  for limit in [4, 60] {
    var (shown, cursor) = ([VideoID](), PageCursor?.none)
    repeat {
      let page = try log.model.select(wanted.query(limit: limit, after: cursor, moment: memory.moment), at: now)
      #expect(page.matching == expected.count && (page.ids.count == limit || page.next == nil))
      shown += page.ids
      cursor = page.next
    } while cursor != nil && shown.count < 150
    #expect(shown == expected, "\(limit)")
  }
}

@Test("Another seed gives another order of the same videos")
func seeds() throws {
  let log = try GeneratedLog(seed: 32, videos: 200)
  let orders = try [1, 2].map { seed in
    try log.model.select(
      KeyQuery(key: .random(seed: seed)).query(limit: 0, after: nil, moment: now), at: now
    ).ids
  }
  #expect(orders[0] != orders[1] && Set(orders[0]) == Set(orders[1]) && orders[0].count > 100)
}
