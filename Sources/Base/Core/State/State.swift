/// Current state, but for the videos: what is followed, rules, gaps and the last runs; thousands of values at most.
package struct State: Equatable, Sendable {
  /// Every subscription ever followed, and every channel with a known property.
  package var channels: [SubscriptionID: Channel] = [:]
  /// Names followed that only the network can resolve.
  package var handles: [String: Handle] = [:]
  /// Gaps ever found, by the ID of their `gapFound`; the closed ones too.
  package var gaps: [EventID: GapFound] = [:]
  package var closedGaps: Set<EventID> = []
  /// The last runs of any device.
  package var runs = RecentRuns()
  /// Every rule ever made, by ID; the removed ones too.
  package var ruleRegisters: [String: RuleRegister] = [:]

  /// What was said of collections apart from their videos, by name.
  package var collections: [String: CollectionRegister] = [:]
  package var preferences = PreferenceRegisters()
  /// The feeds that are one show, each with the one that goes on for both; the latter's ID comes first.
  package var mergedFeeds: Set<FeedMerged> = []

  package init() {}

  /// The last run of any device, and when it ended.
  package var lastRun: LWWRegister<RunFinished>? { runs.last }

  /// The gaps that are still open, the oldest first.
  package var openGaps: [(id: EventID, gap: GapFound)] {
    gaps.filter { !closedGaps.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether anything is followed now.
  package var followsAny: Bool { channels.values.contains(where: \.isFollowed) }

  /// The subscriptions followed now, by ID.
  package var followed: [Channel] {
    // Sorting IDs moves less than sorting channels.
    channels.keys.filter { channels[$0]?.isFollowed == true }.sorted().compactMap { channels[$0] }
  }

  /// The names followed that are still to be resolved, sorted.
  package var unresolved: [HandleFollowed] {
    handles.values.filter { $0.subscription == nil }.compactMap(\.followed).sorted { $0.handle < $1.handle }
  }

  /// The rules in force, in the order in which they were made.
  package var rules: [Rule] {
    ruleRegisters.values.sorted { ($0.made, $0.latest.id) < ($1.made, $1.latest.id) }.compactMap(\.latest.value)
  }

  /// The rule with this ID, or nil; and the event that said so last.
  package func rule(_ id: String) -> (rule: Rule?, changed: EventID?) {
    (ruleRegisters[id]?.latest.value, ruleRegisters[id]?.latest.id)
  }

  /// How many of a device's latest actions can be undone one after the other.
  package static let undoDepth = 100
}

/// The most recent runs of all devices.
///
/// Independent of order and repetition: the runs with the highest IDs are kept.
package struct RecentRuns: Equatable, Sendable {
  /// The runs and when they ended, oldest first. The failed and recovered channels stay in the log only, because they
  /// would make the size of a run unbounded.
  package private(set) var list: [LWWRegister<RunFinished>] = []

  /// The number kept: a day of an hourly timer.
  package static let maximum = 24

  /// An empty list.
  package init() {}

  /// The runs of a list that was kept, the oldest first.
  package init(list: [LWWRegister<RunFinished>]) { self.list = list }

  /// The most recent run.
  package var last: LWWRegister<RunFinished>? { list.last }

  /// Adds a run.
  package mutating func note(_ run: RunFinished, by id: EventID) {
    let index = list.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0
    guard index == 0 || list[index - 1].id != id, !isSuperseded(id) else { return }
    var run = run
    (run.failing, run.recovered) = ([], [])
    list.insert(LWWRegister(run, by: id), at: index)
    if list.count > RecentRuns.maximum { list.removeFirst() }
  }

  /// Whether the list is full of later runs.
  package func isSuperseded(_ id: EventID) -> Bool {
    list.count == RecentRuns.maximum && list.first.map { id < $0.id } ?? false
  }
}

/// What the user said of a collection apart from its videos.
package struct CollectionRegister: Equatable, Sendable {
  /// Whether it exists without videos too.
  package var kept: LWWRegister<Bool>?
  package var text: LWWRegister<String>?

  package init() {}

  /// Takes note of what an event says.
  package mutating func apply(_ change: CollectionChanged, by id: EventID) {
    if let isKept = change.kept { kept.set(isKept, by: id) }
    if let description = change.text { text.set(description, by: id) }
  }
}

/// A rule as the fold keeps it: what was said of it last, and its position among the others.
package struct RuleRegister: Equatable, Sendable {
  /// The rule; nil within where it was removed.
  package private(set) var latest: LWWRegister<Rule?>
  /// The earliest event about it, which is the one that made it. Ids of rules made in the same second come in any order.
  package private(set) var made: EventID

  /// A register with this latest event, made by the earliest one.
  package init(_ latest: LWWRegister<Rule?>, made: EventID) {
    (self.latest, self.made) = (latest, made)
  }

  /// Takes note of what an event says of the rule.
  package mutating func set(_ rule: Rule?, by id: EventID) {
    latest.set(rule, by: id)
    made = min(made, id)
  }
}

extension RuleRegister? {
  /// Records what an event says about the rule; a nil rule has no event yet.
  package mutating func set(_ rule: Rule?, by id: EventID) {
    if self == nil { self = RuleRegister(LWWRegister(rule, by: id), made: id) } else { self?.set(rule, by: id) }
  }
}

extension State {
  /// The title of a video's channel, else the channel name the video came with, else the channel ID; empty if the channel
  /// is unknown.
  package func channelTitle(of video: Video) -> String {
    if let channel = channel(of: video), channel.hasTitle { return channel.title }
    let described = video.found == nil ? video.described?.value.channelTitle : nil
    return video.channelTitle ?? described ?? video.source?.description ?? ""
  }

  private func channel(of video: Video) -> Channel? { video.source.flatMap { channels[$0] } }

  /// The tags of a video's channel and of the followed playlists it was seen in, sorted, without duplicates.
  package func tags(of video: Video) -> [String] {
    let own = channel(of: video)?.tags ?? []
    guard !video.playlists.isEmpty else { return own }
    let others = video.playlists.flatMap { channels[.playlist($0)]?.tags ?? [] }
    return Set(own + others).sorted()
  }

  /// Whether its channel or one of its playlists is followed.
  package func isFollowed(_ video: Video) -> Bool {
    if channel(of: video)?.isFollowed == true { return true }
    return video.playlists.contains { channels[.playlist($0)]?.isFollowed == true }
  }

  /// Whether the user chose to see the Shorts of a video's channel, or of a playlist it is in.
  package func listsShorts(of video: Video) -> Bool {
    hasSource(video) { $0.shorts == .show }
  }

  /// Whether the user chose to see no streams of a video's channel, or of a playlist it is in.
  package func hidesStreams(of video: Video) -> Bool {
    hasSource(video) { $0.live == .hide }
  }

  /// Whether the user chose to see no Shorts of a video's channel, or of a playlist it is in.
  package func hidesShorts(of video: Video) -> Bool {
    hasSource(video) { $0.shortsChoice?.value == .hide }
  }

  private func hasSource(_ video: Video, _ isSuch: (Channel) -> Bool) -> Bool {
    if channel(of: video).map(isSuch) ?? false { return true }
    return video.playlists.contains { channels[.playlist($0)].map(isSuch) ?? false }
  }
}
