/// One subscription as shown by every view; the members and their order are the contract of `channels --format jsonl`.
package struct ChannelRow: Equatable, Sendable {
  package var channel: SubscriptionID
  package var title: String
  package var url: String
  package var tags: [String]
  package var feed: FeedForm
  /// The number of new videos, without Shorts and upcoming ones.
  package var unwatched: Int
  package var lastPublished: Timestamp?
  package var lastChecked: Timestamp?
  package var failingSince: Timestamp?
  package var failures: Int
  package var lastOutcome: String?
  package var verdict: Verdict
  /// Whether its Shorts are listed.
  package var shorts: ListVisibility
  /// Whether its streams and premieres are listed.
  package var live: ListVisibility
  /// The order of its own list.
  package var order: ListOrder
  /// The usual interval between videos in seconds, according to the last response.
  package var interval: Int64?
  /// The URL of its picture.
  package var avatar: String?
  /// Nil if unknown or hidden.
  package var subscribers: Int?
  /// The number of its public videos on YouTube.
  package var videoCount: Int?

  /// The health of a feed.
  package enum Verdict: String, Sendable {
    case well
    /// Never requested.
    case unknown
    case failing
    /// Evidence over days shows that the channel is dead.
    case gone
  }
}

/// How many videos of a subscription are new to the user, and when the newest one was published.
package struct ChannelCount: Equatable, Sendable {
  package var unwatched = 0
  package var lastPublished: Timestamp?

  package init() {}
}

extension ChannelRow {
  /// The rows of all that is followed, in no order, with the counts of each.
  package static func rows(
    in state: State, memory: PollState, counts: [SubscriptionID: ChannelCount]
  ) -> [ChannelRow] {
    var rows: [ChannelRow] = []
    rows.reserveCapacity(counts.count)
    let usualShorts = state.preferences.usualShorts
    for channel in state.channels.values where channel.isFollowed {
      let count = counts[channel.id] ?? ChannelCount()
      rows.append(
        ChannelRow(channel, count, memory: memory.feeds[channel.id], usualShorts: usualShorts))
    }
    return rows
  }

  /// Whether its feed is failing, or its channel is dead.
  package var isFailing: Bool { verdict == .failing || verdict == .gone }

  /// The number of subscribers as YouTube writes it: `842`, `12.3K`, `1.23M`; nil if unknown.
  package var subscribersShort: String? { subscribers.map(ChannelRow.short) }

  /// A number as YouTube writes it: `842`, `12.3K`, `1.23M`.
  package static func short(_ count: Int) -> String {
    for (unit, letter) in [(1_000_000_000, "B"), (1_000_000, "M"), (1000, "K")] where count >= unit {
      let whole = count / unit
      // Three digits, as YouTube counts; cut off, not rounded.
      let scale = whole >= 100 ? 1 : whole >= 10 ? 10 : 100
      var digits = String(count % unit / (unit / scale))
      digits = String(repeating: "0", count: max(0, String(scale).count - 1 - digits.count)) + digits
      while digits.last == "0" { digits.removeLast() }
      return scale == 1 || digits.isEmpty ? "\(whole)\(letter)" : "\(whole).\(digits)\(letter)"
    }
    return String(count)
  }

  /// The rows by title.
  package static func byTitle(_ rows: [ChannelRow]) -> [ChannelRow] {
    // Indices are cheaper to move than rows.
    let keys = rows.map { $0.title.lowercased() }
    let indices = rows.indices.sorted { (keys[$0], rows[$0].channel) < (keys[$1], rows[$1].channel) }
    return indices.map { rows[$0] }
  }

  private init(_ channel: Channel, _ count: ChannelCount, memory: FeedState?, usualShorts: ListVisibility) {
    let failures = memory?.failures ?? 0
    self.init(
      channel: channel.id, title: channel.title, url: channel.url, tags: channel.tags, feed: channel.feed,
      unwatched: count.unwatched, lastPublished: count.lastPublished, lastChecked: memory?.answered,
      failingSince: memory?.failingSince, failures: failures, lastOutcome: memory?.lastOutcome,
      verdict: Verdict(memory),
      shorts: channel.shorts(usual: usualShorts), live: channel.live, order: channel.order,
      interval: memory?.habit?.interval,
      avatar: channel.avatar, subscribers: channel.enriched?.value.subscribers,
      videoCount: channel.enriched?.value.videos)
  }

  /// The sort order of rows.
  package enum Order: String, CaseIterable, Sendable {
    case title
    /// Most new videos first.
    case unwatched
    /// Most recently published first.
    case published
    /// Least recently requested first.
    case checked
    /// Most failures first.
    case failures
    /// Shortest publishing interval first.
    case habit
    /// By tags; untagged last.
    case tags
    /// Worst health first.
    case verdict
  }

  /// The rows, stably sorted.
  package static func sorted(_ rows: [ChannelRow], by order: Order) -> [ChannelRow] {
    // They come by title.
    guard order != .title else { return rows }
    let never = Timestamp(seconds: .min)
    let indices = rows.indices.sorted { left, right in
      let (one, other) = (rows[left], rows[right])
      return switch order {
      case .title: left < right
      case .unwatched: (other.unwatched, left) < (one.unwatched, right)
      case .published: (other.lastPublished ?? never, left) < (one.lastPublished ?? never, right)
      case .checked: (one.lastChecked ?? never, left) < (other.lastChecked ?? never, right)
      case .failures: (other.failures, left) < (one.failures, right)
      case .habit: (one.interval ?? .max, left) < (other.interval ?? .max, right)
      case .tags:
        one.tags.isEmpty != other.tags.isEmpty
          ? other.tags.isEmpty
          : one.tags != other.tags ? one.tags.lexicographicallyPrecedes(other.tags) : left < right
      case .verdict: (one.verdict.rank, left) < (other.verdict.rank, right)
      }
    }
    return indices.map { rows[$0] }
  }
}

extension ChannelRow.Verdict {
  fileprivate init(_ memory: FeedState?) {
    guard let memory else { self = .unknown; return }
    // A feed that never responded is failing even if an outage may be the reason.
    let isFailing = memory.failures > 0 || memory.answered == nil && memory.lastOutcome != nil
    self = memory.isGone ? .gone : isFailing ? .failing : memory.answered == nil ? .unknown : .well
  }

  /// The sort rank, worst first.
  fileprivate var rank: Int {
    switch self {
    case .gone: 0
    case .failing: 1
    case .unknown: 2
    case .well: 3
    }
  }
}
