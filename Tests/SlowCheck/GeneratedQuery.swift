import Core

/// A query for `list`: every option of it.
package struct GeneratedQuery: Sendable {
  package enum Mode: CaseIterable, Sendable { case byTime, catchUp, mix }

  package var channels: [SubscriptionID] = []
  package var tags: [String] = []
  package var search: String?
  package var since: Int64?
  package var until: Int64?
  package var statuses: Set<Status> = []
  package var all = false
  package var saved = false
  package var live = false
  package var minimum: Int?
  package var maximum: Int?
  package var shorts: VideoQuery.Visibility?
  package var upcoming: VideoQuery.Visibility?
  package var noRules = false
  package var mode = Mode.byTime
  package var byFound = false
  package var oldest = false
  package var newest = false
  package var limit = 0

  package init() {}

  /// A query with random options, using a log's numbers.
  package init(_ log: inout RandomLog) {
    narrowByChoice(&log)
    narrowByWhatItIs(&log)
    mode = log.one(of: [.byTime, .byTime, .catchUp, .mix])
    limit = log.one(of: [0, 1, 20, 50, 1000])
    guard mode == .byTime else { return }
    byFound = log.once(in: 2)
    oldest = log.once(in: 2)
    newest = !oldest && log.once(in: 4)
  }

  private mutating func narrowByChoice(_ log: inout RandomLog) {
    if !log.once(in: 3) { statuses = Set(Status.allCases.filter { _ in log.once(in: 2) }) }
    all = log.once(in: 6)
    if log.once(in: 4) {
      channels = (0...log.number(below: 5)).map { _ in
        .channel(RandomLog.channel(log.number(below: RandomLog.channelCount)))
      }
    }
    if log.once(in: 12) { channels.append(.playlist(RandomLog.playlist(0))) }
    if log.once(in: 4) { tags = [log.one(of: RandomLog.tags), log.one(of: RandomLog.tags)] }
    saved = log.once(in: 6)
    if log.once(in: 4) { search = GeneratedQuery.words(&log) }
    noRules = log.once(in: 4)
  }

  private mutating func narrowByWhatItIs(_ log: inout RandomLog) {
    shorts = log.one(of: [nil, nil, .hide, .show, .only])
    upcoming = log.one(of: [nil, nil, .hide, .show, .only])
    live = log.once(in: 8)
    if log.once(in: 8) { minimum = Int(log.one(of: [0, 60, 180, 181, 600, log.number(below: 4000)])) }
    if log.once(in: 8) { maximum = Int(log.one(of: [60, 180, 600, log.number(below: 7000)])) }
    // On the hour, where videos are, or between.
    if log.once(in: 5) {
      since = 1_749_996_000 - Int64(log.number(below: 50)) * 144 * 3600 + Int64(log.number(below: 3)) - 1
    }
    if log.once(in: 5) {
      until = 1_749_996_000 - Int64(log.number(below: 20)) * 144 * 3600 + Int64(log.number(below: 3)) - 1
    }
  }

  /// One or two words of texts: as written, in plain letters, or a part.
  private static func words(_ log: inout RandomLog) -> String {
    (0...log.number(below: 2)).map { _ in
      let word = log.one(of: GeneratedText.words)
      switch log.number(below: 3) {
      case 0: return word.written
      case 1: return word.plain
      default: return String(word.plain.dropFirst(word.plain.count / 3).prefix(4))
      }
    }.joined(separator: " ")
  }

  /// The selected statuses; nil for all.
  var wanted: Set<Status>? { statuses.isEmpty ? (all || saved ? nil : [.new]) : statuses }

  /// Whether it includes unfollowed channels and videos no longer on YouTube.
  var alsoGone: Bool { all || saved }
}

// MARK: For the program

extension GeneratedQuery {
  /// The query that `list` makes of it; `isSeries` is whether it selects only channels set to oldest first.
  package func query(isSeries: Bool, after: PageCursor? = nil) -> VideoQuery {
    var query = VideoQuery(
      statuses: wanted, shorts: shorts, upcoming: upcoming, subscriptions: channels.isEmpty ? nil : Set(channels),
      tags: Set(tags), since: since.map { Timestamp(seconds: $0) }, until: until.map { Timestamp(seconds: $0) },
      order: byFound ? .found : .published, oldestFirst: oldest || !newest && mode == .byTime && isSeries, limit: limit)
    (query.savedOnly, query.streamsOnly) = (saved, live)
    (query.hidesNothing, query.alsoGone) = (saved, alsoGone)
    (query.minimumLength, query.maximumLength) = (minimum, maximum)
    query.arrangement =
      switch mode {
      case .byTime: .byTime
      case .catchUp: .catchUp
      case .mix: .mix
      }
    query.after = after
    return query
  }

  /// The command-line options.
  package var arguments: [String] {
    var arguments = channels.flatMap { ["--channel", "\($0)"] } + tags.flatMap { ["--tag", $0] }
    if let search { arguments += ["--search", search] }
    if let since { arguments += ["--since", Timestamp(seconds: since).rfc3339] }
    if let until { arguments += ["--until", Timestamp(seconds: until).rfc3339] }
    // Every other status by its short form.
    for (number, status) in statuses.sorted(by: { $0.rawValue < $1.rawValue }).enumerated() {
      arguments +=
        number % 2 == 0 ? ["--status", status.rawValue] : ["--\(status == .new ? "unwatched" : status.rawValue)"]
    }
    if let minimum { arguments += ["--min-duration", "\(minimum)s"] }
    if let maximum { arguments += ["--max-duration", "\(maximum)s"] }
    if let shorts { arguments += ["--shorts", shorts.rawValue] }
    if let upcoming { arguments += ["--upcoming", upcoming.rawValue] }
    if byFound { arguments += ["--sort", "found"] }
    let flags = [
      (all, "--all"), (saved, "--saved"), (live, "--live"), (noRules, "--no-rules"), (oldest, "--oldest"),
      (newest, "--newest"), (mode == .catchUp, "--catch-up"), (mode == .mix, "--mix"),
    ]
    return arguments + flags.filter(\.0).map(\.1) + ["--limit", "\(limit)"]
  }
}
