/// Everything of a state but its videos, which have a form of their own.
extension State: SnapshotValue {
  static func coded(_ state: State?, by coder: inout some SnapshotCoder) -> State? {
    guard let channels = [SubscriptionID: Channel].coded(state?.channels, by: &coder),
      let handles = [String: Handle].coded(state?.handles, by: &coder),
      let gaps = [EventID: GapFound].coded(state?.gaps, by: &coder),
      let closedGaps = Set<EventID>.coded(state?.closedGaps, by: &coder),
      let runs = [LWWRegister<RunFinished>].coded(state?.runs.list, by: &coder),
      let rules = [String: RuleRegister].coded(state?.ruleRegisters, by: &coder),
      let undone = Set<EventID>.coded(state?.undone, by: &coder),
      let decisions = [DeviceID: [EventID]].coded(state?.decisions, by: &coder)
    else { return nil }
    var whole = State()
    whole.channels = channels
    whole.handles = handles
    whole.gaps = gaps
    whole.closedGaps = closedGaps
    whole.runs = RecentRuns(list: runs)
    whole.ruleRegisters = rules
    whole.undone = undone
    whole.decisions = decisions
    return whole
  }
}

extension RuleRegister: SnapshotValue {
  static func coded(_ register: RuleRegister?, by coder: inout some SnapshotCoder) -> RuleRegister? {
    guard let latest = LWWRegister<Rule?>.coded(register?.latest, by: &coder),
      let made = EventID.coded(register?.made, by: &coder)
    else { return nil }
    return RuleRegister(latest, made: made)
  }
}

extension Rule: SnapshotValue {
  static func coded(_ rule: Rule?, by coder: inout some SnapshotCoder) -> Rule? {
    guard let id = coder.text(rule?.id), let verdict = Rule.Verdict.coded(rule?.verdict, by: &coder),
      let contains = String?.coded(rule.map(\.contains), by: &coder),
      let matches = String?.coded(rule.map(\.matches), by: &coder),
      let field = Rule.Field?.coded(rule.map(\.field), by: &coder),
      let minimumLength = Int?.coded(rule.map(\.minimumLength), by: &coder),
      let maximumLength = Int?.coded(rule.map(\.maximumLength), by: &coder),
      let short = Bool?.coded(rule.map(\.short), by: &coder), let live = Bool?.coded(rule.map(\.live), by: &coder),
      let age = Int?.coded(rule.map(\.age), by: &coder), let tag = String?.coded(rule.map(\.tag), by: &coder),
      let subscription = SubscriptionID?.coded(rule.map(\.subscription), by: &coder)
    else { return nil }
    var whole = Rule(id: id, verdict: verdict)
    (whole.contains, whole.matches, whole.field) = (contains, matches, field)
    (whole.minimumLength, whole.maximumLength, whole.age) = (minimumLength, maximumLength, age)
    (whole.short, whole.live, whole.tag, whole.subscription) = (short, live, tag, subscription)
    return whole
  }
}

extension Rule.Verdict: SnapshotValue {}
extension Rule.Field: SnapshotValue {}

extension Channel: SnapshotValue {
  static func coded(_ channel: Channel?, by coder: inout some SnapshotCoder) -> Channel? {
    guard let id = SubscriptionID.coded(channel?.id, by: &coder),
      let follows = LWWRegister<Bool>?.coded(channel.map(\.follows), by: &coder),
      let givenTitle = LWWRegister<String>?.coded(channel.map(\.givenTitle), by: &coder),
      let feedName = LWWRegister<String>?.coded(channel.map(\.feedName), by: &coder),
      let tagList = LWWRegister<[String]>?.coded(channel.map(\.tagList), by: &coder),
      let feedChoice = LWWRegister<FeedForm>?.coded(channel.map(\.feedChoice), by: &coder),
      let shortsChoice = LWWRegister<ListVisibility>?.coded(channel.map(\.shortsChoice), by: &coder),
      let liveChoice = LWWRegister<ListVisibility>?.coded(channel.map(\.liveChoice), by: &coder),
      let orderChoice = LWWRegister<ListOrder>?.coded(channel.map(\.orderChoice), by: &coder),
      let seenLimit = LWWRegister<Timestamp>?.coded(channel.map(\.seenLimit), by: &coder)
    else { return nil }
    var whole = Channel(id: id)
    whole.follows = follows
    whole.givenTitle = givenTitle
    whole.feedName = feedName
    whole.tagList = tagList
    whole.feedChoice = feedChoice
    whole.shortsChoice = shortsChoice
    whole.liveChoice = liveChoice
    whole.orderChoice = orderChoice
    whole.seenLimit = seenLimit
    return whole
  }
}

extension Handle: SnapshotValue {
  static func coded(_ handle: Handle?, by coder: inout some SnapshotCoder) -> Handle? {
    guard let text = coder.text(handle?.handle),
      let decision = LWWRegister<Handle.Decision>?.coded(handle.map(\.decision), by: &coder),
      let resolution = LWWRegister<SubscriptionID>?.coded(handle.map(\.resolution), by: &coder)
    else { return nil }
    var whole = Handle(handle: text)
    whole.decision = decision
    whole.resolution = resolution
    return whole
  }
}

extension Handle.Decision: SnapshotValue {
  static func coded(_ decision: Handle.Decision?, by coder: inout some SnapshotCoder) -> Handle.Decision? {
    guard let followed = HandleFollowed?.coded(decision.map(\.followed), by: &coder),
      let action = EventID.coded(decision?.action, by: &coder)
    else { return nil }
    return Handle.Decision(followed: followed, action: action)
  }
}

extension HandleFollowed: SnapshotValue {
  static func coded(_ body: HandleFollowed?, by coder: inout some SnapshotCoder) -> HandleFollowed? {
    guard let handle = coder.text(body?.handle), let title = String?.coded(body.map(\.title), by: &coder),
      let tags = [String]?.coded(body.map(\.tags), by: &coder),
      let seenBefore = Timestamp?.coded(body.map(\.seenBefore), by: &coder)
    else { return nil }
    return HandleFollowed(handle: handle, title: title, tags: tags, seenBefore: seenBefore)
  }
}

extension GapFound: SnapshotValue {
  static func coded(_ body: GapFound?, by coder: inout some SnapshotCoder) -> GapFound? {
    guard let subscription = SubscriptionID.coded(body?.subscription, by: &coder),
      let after = Timestamp.coded(body?.after, by: &coder), let before = Timestamp.coded(body?.before, by: &coder)
    else { return nil }
    return GapFound(subscription: subscription, after: after, before: before)
  }
}

extension RunFinished: SnapshotValue {
  static func coded(_ body: RunFinished?, by coder: inout some SnapshotCoder) -> RunFinished? {
    let counts = body.map {
      [$0.checked, $0.notDue, $0.failed, $0.new, $0.changed, $0.gaps, $0.milliseconds, $0.bytes]
    }
    guard let counts = [Int].coded(counts, by: &coder), counts.count == 8,
      let outage = Bool.coded(body?.outage, by: &coder),
      let stopped = StopReason?.coded(body.map(\.stopped), by: &coder),
      let failing = [String].coded(body?.failing, by: &coder),
      let recovered = [String].coded(body?.recovered, by: &coder)
    else { return nil }
    return RunFinished(
      checked: counts[0], notDue: counts[1], failed: counts[2], new: counts[3], changed: counts[4], gaps: counts[5],
      outage: outage, stopped: stopped, milliseconds: counts[6], bytes: counts[7], failing: failing,
      recovered: recovered)
  }
}

extension VideoEnriched: SnapshotValue {
  static func coded(_ body: VideoEnriched?, by coder: inout some SnapshotCoder) -> VideoEnriched? {
    guard let video = VideoID.coded(body?.video, by: &coder),
      let duration = Int?.coded(body.map(\.duration), by: &coder),
      let live = Live?.coded(body.map(\.live), by: &coder),
      let scheduled = Timestamp?.coded(body.map(\.scheduled), by: &coder),
      let started = Timestamp?.coded(body.map(\.started), by: &coder),
      let ended = Timestamp?.coded(body.map(\.ended), by: &coder)
    else { return nil }
    return VideoEnriched(
      video: video, duration: duration, live: live, scheduled: scheduled, started: started, ended: ended)
  }
}

extension RareMembers: SnapshotValue {
  static func coded(_ members: RareMembers?, by coder: inout some SnapshotCoder) -> RareMembers? {
    guard let stamps = [Video.Member: EventID].coded(members?.stamps, by: &coder),
      let moved = LWWRegister<Timestamp>?.coded(members.map(\.moved), by: &coder),
      let visiblyChanged = EventID?.coded(members.map(\.visiblyChanged), by: &coder),
      let thumbnail = String?.coded(members.map(\.thumbnail), by: &coder),
      let channelTitle = LWWRegister<String>?.coded(members.map(\.channelTitle), by: &coder),
      let playlists = [PlaylistID].coded(members?.playlists, by: &coder),
      let enriched = LWWRegister<VideoEnriched>?.coded(members.map(\.enriched), by: &coder),
      let duration = LWWRegister<Int>?.coded(members.map(\.duration), by: &coder),
      let live = LWWRegister<Live>?.coded(members.map(\.live), by: &coder),
      let upcomingFirst = EventID?.coded(members.map(\.upcomingFirst), by: &coder),
      let upcomingLast = EventID?.coded(members.map(\.upcomingLast), by: &coder),
      let removed = LWWRegister<Bool>?.coded(members.map(\.removed), by: &coder)
    else { return nil }
    guard let until = Timestamp?.coded(members.map(\.until), by: &coder),
      let watchedAt = Timestamp?.coded(members.map(\.watchedAt), by: &coder),
      let reason = String?.coded(members.map(\.reason), by: &coder),
      let saved = LWWRegister<Bool>?.coded(members.map(\.saved), by: &coder),
      let collections = [String: LWWRegister<Bool>].coded(members?.collections, by: &coder),
      let progress = LWWRegister<Int>?.coded(members.map(\.progress), by: &coder),
      let note = LWWRegister<String>?.coded(members.map(\.note), by: &coder)
    else { return nil }
    return RareMembers(
      stamps: stamps, moved: moved, visiblyChanged: visiblyChanged, thumbnail: thumbnail, channelTitle: channelTitle,
      playlists: playlists,
      enriched: enriched, duration: duration, live: live, upcomingFirst: upcomingFirst,
      upcomingLast: upcomingLast, removed: removed, until: until, watchedAt: watchedAt,
      reason: reason, saved: saved, collections: collections, progress: progress, note: note)
  }
}
