/// Puts the videos of a query into their order and takes one page of them.
///
/// It holds keys, not videos, and where only the first few are wanted it holds few keys.
struct Ranking {
  /// How many videos were added to be shown.
  private(set) var count = 0
  private let query: VideoQuery
  private let moment: EventID?
  private var keys: [Key] = []
  /// The place after which the page begins, once its video was added.
  private var start: Key?
  /// How many keys stand behind the start, where they are cut.
  private var waiting = 0

  /// The place of a video: two numbers with the channel between them, then the id.
  fileprivate struct Key {
    var first: Int64
    var channel: ChannelID
    var second: Int64
    var video: VideoID
    var isShown: Bool
  }

  /// A ranking for `query`; `moment` is what its first page knew last.
  init(_ query: VideoQuery, at moment: EventID?) {
    self.query = query
    self.moment = moment
  }

  /// Begins the page after a video, which need not match any more where only its own times make its place.
  mutating func begin(after video: Video) {
    guard query.arrangement == .byTime, let found = video.found else { return }
    start = key(of: video, found, isShown: false)
  }

  /// Whether the place is known after which the page begins, if it begins after one.
  var knowsStart: Bool { query.after == nil || start != nil }

  /// Whether a video that no longer has the status asked for had it on the first page, as far as one can tell.
  func keepsPlace(of video: Video) -> Bool {
    guard query.after != nil, query.arrangement != .byTime, let moment, let changed = video.statusChanged else {
      return false
    }
    return changed > moment
  }

  /// Adds a video; one that is not shown only keeps the places of the others.
  mutating func add(_ video: Video, isShown: Bool) {
    guard let found = video.found else { return }
    if query.arrangement != .byTime, let moment, found > moment { return }
    if isShown { count += 1 }
    let key = key(of: video, found, isShown: isShown)
    if video.id == query.after?.video { start = key }
    keys.append(key)
    cut()
  }

  private func key(of video: Video, _ found: EventID, isShown: Bool) -> Key {
    let published = video.published.seconds
    let sign: Int64 = query.oldestFirst ? 1 : -1
    let first = sign * (query.order == .found ? found.timestamp.seconds : published)
    return switch query.arrangement {
    case .byTime:
      Key(first: first, channel: Ranking.noChannel, second: sign * published, video: video.id, isShown: isShown)
    case .catchUp: Key(first: 0, channel: video.channel, second: published, video: video.id, isShown: isShown)
    case .mix: Key(first: 0, channel: video.channel, second: -published, video: video.id, isShown: isShown)
    }
  }

  /// The videos of the page, and where the next one begins.
  mutating func page() -> (videos: [VideoID], next: PageCursor?) {
    switch query.arrangement {
    case .byTime: break
    case .catchUp: catchUp()
    case .mix: mix()
    }
    if query.arrangement != .byTime { start = keys.first { $0.video == query.after?.video } }
    let isWhole = start == nil && keys.allSatisfy(\.isShown)
    let rest = isWhole ? keys : keys.filter { key in key.isShown && start.map { $0 < key } ?? true }
    let shown = Ranking.first(query.limit, of: rest)
    guard let last = shown.last, shown.count < rest.count || waiting > 0 else { return (shown.map(\.video), nil) }
    let next = PageCursor(video: last.video, moment: query.arrangement == .byTime ? nil : moment)
    return (shown.map(\.video), next)
  }

  /// The first so many keys in order; all of them where the number is 0.
  private static func first(_ limit: Int, of keys: [Key]) -> [Key] {
    guard limit > 0, limit < keys.count / 4 else {
      return limit > 0 ? Array(keys.sorted().prefix(limit)) : keys.sorted()
    }
    var first: [Key] = []
    var last: Key?
    for key in keys where last.map({ key < $0 }) ?? true {
      first.append(key)
      guard first.count >= 2 * limit + 100 else { continue }
      first.sort()
      first.removeLast(first.count - limit)
      last = first.last
    }
    return Array(first.sorted().prefix(limit))
  }

  private static let noChannel = ChannelID(high: 0, low: 0)

  /// Drops the keys that cannot come onto the first page any more.
  private mutating func cut() {
    guard query.arrangement == .byTime, query.after == nil, query.limit > 0,
      (keys.count - 1000) / 2 > query.limit
    else { return }
    keys.sort()
    waiting += keys.count - query.limit
    keys.removeLast(keys.count - query.limit)
  }

  /// Puts first when the oldest video of the channel was published.
  private mutating func catchUp() {
    var numbers = ChannelNumbers()
    var oldest: [Int64] = []
    for key in keys {
      let number = numbers.add(key.channel)
      if number == oldest.count { oldest.append(key.second) } else { oldest[number] = min(oldest[number], key.second) }
    }
    for index in keys.indices {
      if let number = numbers.number(of: keys[index].channel) { keys[index].first = oldest[number] }
    }
  }

  /// Puts first in which turn of its channel a video is; within a turn the channels stand by time.
  private mutating func mix() {
    // Most often they come that way.
    if !zip(keys, keys.dropFirst()).allSatisfy({ $0.isBefore($1) }) { keys.sort { $0.isBefore($1) } }
    var numbers = ChannelNumbers()
    var turns: [Int64] = []
    for index in keys.indices {
      let number = numbers.add(keys[index].channel)
      if number == turns.count { turns.append(0) }
      keys[index].first = turns[number]
      turns[number] += 1
      keys[index].channel = Ranking.noChannel
    }
  }
}

extension Ranking.Key {
  /// Whether it stands before another whatever their channels.
  fileprivate func isBefore(_ other: Self) -> Bool {
    second != other.second ? second < other.second : video < other.video
  }
}

extension Ranking.Key: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.channel != right.channel { return left.channel < right.channel }
    if left.second != right.second { return left.second < right.second }
    return left.video < right.video
  }

  static func == (left: Self, right: Self) -> Bool { left.video == right.video }
}
