/// The fold of the log: what is so now.
///
/// Order-free: whatever the order, repetition or interleaving in which the same events are applied, the state is the
/// same. That is the merge of two devices' logs, and the reason nothing here may look at what was applied before but
/// through a register.
package struct State: Equatable, Sendable {
  /// Every subscription ever followed, and every channel of which something is known.
  package internal(set) var channels: [SubscriptionID: Channel] = [:]
  /// Names followed that only the network can resolve.
  package internal(set) var handles: [String: Handle] = [:]
  package internal(set) var videos = VideoTable()
  /// Gaps ever found, by the id of their `gapFound`; the closed ones too.
  package internal(set) var gaps: [EventID: GapFound] = [:]
  package internal(set) var closedGaps: Set<EventID> = []
  /// The last runs of any device.
  package internal(set) var runs = RecentRuns()
  /// Every rule ever made, by id; the removed ones too.
  var ruleRegisters: [String: RuleRegister] = [:]
  /// Actions that an undo took back.
  package internal(set) var undone: Set<EventID> = []
  /// The last action of each device that was a decision and no undo.
  package internal(set) var decisions: [DeviceID: [EventID]] = [:]

  package init() {}

  /// The last run of any device, and when it ended.
  package var lastRun: LWWRegister<RunFinished>? { runs.last }

  /// The gaps that are still open, the oldest first.
  package var openGaps: [(id: EventID, gap: GapFound)] {
    gaps.filter { !closedGaps.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The subscriptions followed now, by id.
  package var followed: [Channel] { channels.values.filter(\.isFollowed).sorted { $0.id < $1.id } }

  /// The names followed that are still to be resolved, sorted.
  package var unresolved: [HandleFollowed] {
    handles.values.filter { $0.subscription == nil }.compactMap(\.followed).sorted { $0.handle < $1.handle }
  }

  /// The collections that have a video, by name, with the ids of their videos in the order in which they came into it.
  ///
  /// A video may be in one before it is found. Every video is looked at: for a command about collections, not for each
  /// row of a table.
  package var collections: [String: [VideoID]] {
    var members: [String: [(since: EventID, video: VideoID)]] = [:]
    videos.forEachCollected { video, memberships in
      for (name, since) in memberships { members[name, default: []].append((since, video.id)) }
    }
    return members.mapValues { list in list.sorted { $0.since < $1.since }.map(\.video) }
  }

  /// The rules in force, in the order in which they were made.
  package var rules: [Rule] { ruleRegisters.values.sorted { $0.made < $1.made }.compactMap(\.latest.value) }

  /// The rule with this id, or nil; and the event that said so last.
  package func rule(_ id: String) -> (rule: Rule?, changed: EventID?) {
    (ruleRegisters[id]?.latest.value, ruleRegisters[id]?.latest.id)
  }

  /// Applies one event.
  package mutating func apply(_ event: Event) {
    let id = event.id
    noteAction(of: event)
    switch event.body {
    case .channelFollowed(let followed): update(followed.subscription) { $0.apply(followed, by: id) }
    case .channelUnfollowed(let subscription): update(subscription) { $0.follows.set(false, by: id) }
    case .channelChanged(let change): update(change.subscription) { $0.apply(change, by: id) }
    case .handleFollowed(let followed): update(followed.handle) { $0.apply(followed, by: event) }
    case .handleUnfollowed(let unfollowed): update(unfollowed.handle) { $0.apply(nil, by: event) }
    case .handleResolved(let resolved): update(resolved.handle) { $0.apply(resolved, by: id) }
    case .videoFound(let found): videos.update(found.video) { $0.apply(found, by: id) }
    case .videoChanged(let change): videos.update(change.video) { $0.apply(change, by: id) }
    case .videoEnriched(let enriched): videos.update(enriched.video) { $0.apply(enriched, by: id) }
    case .videoRemoved(let removed): videos.update(removed.video) { $0.apply(removed, by: id) }
    case .statusSet(let set): videos.update(set.video) { $0.apply(set, by: id) }
    case .savedSet(let set): videos.update(set.video) { $0.apply(set, by: id) }
    case .collectionSet(let set): videos.update(set.video) { $0.apply(set, by: id) }
    case .progressSet(let set): videos.update(set.video) { $0.apply(set, by: id) }
    case .noteSet(let set): videos.update(set.video) { $0.apply(set, by: id) }
    case .ruleSet(let rule): ruleRegisters[rule.id].set(rule, by: id)
    case .ruleRemoved(let removed): ruleRegisters[removed.rule].set(nil, by: id)
    case .actionUndone: break  // What there is of it is noted above.
    case .runFinished(let run): runs.note(run, by: id)
    case .gapFound(let gap): gaps[id] = gap
    case .gapClosed(let closed): closedGaps.insert(closed.gap)
    }
  }

  private mutating func update(_ id: SubscriptionID, _ body: (inout Channel) -> Void) {
    body(&channels[id, default: Channel(id: id)])
  }

  private mutating func update(_ handle: String, _ body: (inout Handle) -> Void) {
    body(&handles[handle, default: Handle(handle: handle)])
  }
}

// MARK: Undo

extension State {
  /// The latest action of a device that its person decided and has not taken back; nil when there is none.
  package func lastDecision(of device: DeviceID) -> EventID? { decisions(of: device).first }

  /// The actions of a device that its person decided and has not taken back, the latest first.
  package func decisions(of device: DeviceID) -> [EventID] {
    (decisions[device] ?? []).reversed().filter { !undone.contains($0) }
  }

  /// How many of a device's latest actions can be undone one after the other.
  package static let undoDepth = 100

  private mutating func noteAction(of event: Event) {
    if let undone = event.undoes {
      self.undone.insert(undone)
      return
    }
    guard event.body.isUserAction else { return }
    var actions = decisions[event.id.device] ?? []
    guard let position = actions.lastIndex(where: { $0 <= event.action }) else {
      actions.insert(event.action, at: 0)
      decisions[event.id.device] = Array(actions.suffix(State.undoDepth))
      return
    }
    guard actions[position] != event.action else { return }
    actions.insert(event.action, at: position + 1)
    decisions[event.id.device] = Array(actions.suffix(State.undoDepth))
  }
}

/// The most recent runs of all devices.
///
/// Independent of order and repetition: the runs with the highest IDs are kept.
package struct RecentRuns: Equatable, Sendable {
  /// The runs and when they ended, oldest first. The failed and recovered channels stay in the log only, because they
  /// would make the size of a run unbounded.
  package private(set) var list: [LWWRegister<RunFinished>] = []

  /// The number kept: a day of an hourly timer.
  package static let most = 24

  /// An empty list.
  package init() {}

  /// Restores a list from a snapshot, oldest first.
  init(list: [LWWRegister<RunFinished>]) { self.list = list }

  /// The most recent run.
  package var last: LWWRegister<RunFinished>? { list.last }

  /// Adds a run.
  package mutating func note(_ run: RunFinished, by id: EventID) {
    let place = list.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0
    guard place == 0 || list[place - 1].id != id, !isSuperseded(id) else { return }
    var run = run
    (run.failing, run.recovered) = ([], [])
    list.insert(LWWRegister(run, by: id), at: place)
    if list.count > RecentRuns.most { list.removeFirst() }
  }

  /// Whether the list is full of later runs.
  package func isSuperseded(_ id: EventID) -> Bool {
    list.count == RecentRuns.most && list.first.map { id < $0.id } ?? false
  }
}

/// A rule as the fold keeps it: what was said of it last, and its place among the others.
struct RuleRegister: Equatable, Sendable {
  /// The rule; nil within where it was removed.
  private(set) var latest: LWWRegister<Rule?>
  /// The earliest event about it, which is the one that made it. Ids of rules made in the same second come in any order.
  private(set) var made: EventID

  /// A register of which these are the latest and the earliest event.
  init(_ latest: LWWRegister<Rule?>, made: EventID) {
    self.latest = latest
    self.made = made
  }

  /// Takes note of what an event says of the rule.
  mutating func set(_ rule: Rule?, by id: EventID) {
    latest.set(rule, by: id)
    made = min(made, id)
  }
}

extension RuleRegister? {
  /// Takes note of what an event says of the rule; nil is a rule of which nothing was said.
  mutating func set(_ rule: Rule?, by id: EventID) {
    if self == nil { self = RuleRegister(LWWRegister(rule, by: id), made: id) } else { self?.set(rule, by: id) }
  }
}
