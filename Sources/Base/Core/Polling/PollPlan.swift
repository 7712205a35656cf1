/// Which feeds a run requests, in which order, and why it skips the others.
package struct PollPlan: Equatable, Sendable {
  /// The feeds to request, shuffled; with probes, the feeds known to be healthy come first.
  package var due: [FeedRequest] = []
  /// The skipped subscriptions, by reason.
  package var notDue: [SubscriptionID: Reason] = [:]
  /// The number of leading requests that must succeed before the rest, after a backoff; 0 for none.
  package var probes = 0
  /// Canary feeds: healthy feeds that are not due, most likely healthy first. If everything due fails, one of them
  /// distinguishes an outage from dead feeds.
  package var canaries: [FeedRequest] = []
  /// Whether feeds responded in the last 15 minutes: what fails now does not fail because YouTube's feeds do.
  package var hasControl = false

  /// Why a run skips a subscription.
  package enum Reason: Hashable, Sendable {
    /// It was requested less than 15 minutes ago: YouTube would return the same bytes.
    case fresh
    /// Requested recently, but the result of that request is not stored.
    case unstored
    /// Its polling interval has not elapsed: it seldom publishes, or keeps failing.
    case gap
    /// The backoff after an outage or a block is not over.
    case pause(until: Timestamp)
  }

  /// What the user requested.
  package struct Demand: Equatable, Sendable {
    /// Only these subscriptions; nil for all followed ones.
    package var subscriptions: [SubscriptionID]?
    /// Whether to ignore the channels' polling intervals.
    package var ignoresGaps: Bool
    /// Whether to ignore the 15 minutes and the backoff too.
    package var ignoresFloor: Bool
    /// What each of several users follows: they take turns, so that none waits for all feeds of another one.
    package var users: [[SubscriptionID]] = []

    package init(subscriptions: [SubscriptionID]?, ignoresGaps: Bool, ignoresFloor: Bool) {
      (self.subscriptions, self.ignoresGaps, self.ignoresFloor) = (subscriptions, ignoresGaps, ignoresFloor)
    }
  }

  /// The minimum seconds between two requests for a feed: YouTube's edge caches it that long.
  package static let floor: Int64 = 900
  /// The number of probes after a backoff.
  package static let probeCount = 3

  /// Plans a run at `now`.
  package init(
    for demand: Demand, state: State, memory: PollState, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    let wanted = demand.subscriptions.map { $0.compactMap { state.channels[$0] } } ?? state.followed
    // The feeds of other sites are polled by themselves, host by host.
    for channel in wanted where channel.id.isYouTube {
      let known = memory.feeds[channel.id]
      if let reason = PollPlan.reasonToWait(channel.id, known, demand, memory, now: now) {
        notDue[channel.id] = reason
      } else {
        due.append(FeedRequest(subscription: channel.id, form: PollPlan.form(of: channel, known, now: now)))
      }
    }
    guard !due.isEmpty else { return }
    hasControl = PollPlan.hasControl(besides: due, state, memory, now: now)
    due.shuffle(using: &generator)
    due = due.inTurns(of: demand.users.shuffled(using: &generator), by: \.subscription)
    canaries = PollPlan.canaries(besides: due, of: state.followed, memory, now: now)
    if memory.pause != nil, !demand.ignoresFloor { beginWithProbes(memory) }
  }

  /// Whether most of the healthy feeds that were requested in the last 15 minutes, and are not due, responded.
  private static func hasControl(
    besides due: [FeedRequest], _ state: State, _ memory: PollState, now: Timestamp
  ) -> Bool {
    let isDue = Set(due.map(\.subscription))
    let recent = memory.feeds.filter { id, feed in
      guard feed.isWell, !feed.isUnstored, let requested = feed.requested, state.channels[id]?.isFollowed == true else {
        return false
      }
      // What a hub read or pushed says nothing about requests from here.
      guard memory.pushed[id] == nil else { return false }
      return !isDue.contains(id) && (0..<floor).contains(now.seconds(since: requested))
    }
    return recent.values.count(where: \.respondedLast) * 2 > recent.count
  }

  /// Records that canary feeds were requested although they were not due.
  package mutating func noteRequested(_ canaries: [SubscriptionID]) {
    for subscription in canaries { notDue[subscription] = nil }
  }

  /// Moves the feeds to the front whose outcomes show whether the trouble is over.
  private mutating func beginWithProbes(_ memory: PollState) {
    // A feed that failed before says nothing about YouTube; one without history may, if there is nothing better.
    let rank = { (feedRequest: FeedRequest) in
      guard let known = memory.feeds[feedRequest.subscription] else { return 1 }
      return known.isWell ? 0 : known.failures == 0 ? 1 : 2
    }
    var ranked = [0, 1, 2].map { wanted in due.filter { rank($0) == wanted } }
    let isLatest = { (feedRequest: FeedRequest) in memory.feeds[feedRequest.subscription]?.respondedLast == true }
    ranked[0] = ranked[0].filter(isLatest) + ranked[0].filter { !isLatest($0) }
    due = ranked.flatMap { $0 }
    if ranked[0].isEmpty, let canary = canaries.first {
      canaries.removeFirst()
      notDue[canary.subscription] = nil
      due.insert(canary, at: 0)
      probes = 1
    } else {
      probes = min(PollPlan.probeCount, ranked[0].isEmpty ? ranked[1].count : ranked[0].count)
    }
  }

  /// The healthy feeds that are not due: first those whose last request succeeded, the most recent first, then the
  /// others, least recently requested first. Excludes those requested in the last 15 minutes.
  private static func canaries(
    besides due: [FeedRequest], of followed: [Channel], _ memory: PollState, now: Timestamp
  ) -> [FeedRequest] {
    guard due.count < followed.count else { return [] }
    let isDue = Set(due.map(\.subscription))
    var known: [(turn: Int, wait: Int64, feedRequest: FeedRequest)] = []
    for channel in followed where channel.id.isYouTube {
      guard let feed = memory.feeds[channel.id], feed.isWell, !isDue.contains(channel.id),
        let requested = feed.lastRequest(at: now) ?? feed.requested
      else {
        continue
      }
      // A time in the future predates a clock that was set back.
      let since = now.seconds(since: requested)
      guard since >= floor || since < 0 else { continue }
      let feedRequest = FeedRequest(subscription: channel.id, form: form(of: channel, feed, now: now))
      known.append((feed.respondedLast ? 0 : 1, feed.respondedLast ? since : -since, feedRequest))
    }
    known.sort { ($0.turn, $0.wait, $0.feedRequest.subscription) < ($1.turn, $1.wait, $1.feedRequest.subscription) }
    return known.map(\.feedRequest)
  }

  private static func reasonToWait(
    _ id: SubscriptionID, _ known: FeedState?, _ demand: Demand, _ memory: PollState, now: Timestamp
  ) -> Reason? {
    guard !demand.ignoresFloor else { return nil }
    if let pause = memory.pause, pause.isActive(at: now) { return .pause(until: pause.retry) }
    // A clock that was set back must not keep a feed waiting: only requests in the past count.
    guard let known, let last = known.lastRequest(at: now) else { return nil }
    // A hub may be wrong, or lie.
    guard let silence = known.ownSilence(at: now), silence < PublishingInterval.longest || known.requested == last
    else { return nil }
    let elapsed = now.seconds(since: last)
    if elapsed < floor { return known.isUnstored ? .unstored : .fresh }
    if demand.ignoresGaps { return nil }
    let pushed = memory.pushed[id]
    guard isPushed(known, until: pushed, at: now), known.requested != last else {
      return elapsed >= gap(of: id, known, since: last, pushed: pushed, at: now) ? nil : .gap
    }
    guard silence >= jittered(ownShare, id, now.adding(seconds: -silence)) else { return .gap }
    // Not within 15 minutes of the hub's next request either.
    guard let next = memory.hubPolls[id] else { return nil }
    return next.seconds(since: now) >= floor + pollDelay ? nil : .gap
  }

  /// The seconds to wait after a device's own request, at a time; `pushed` is until when a hub announces news.
  private static func gap(
    of id: SubscriptionID, _ known: FeedState, since last: Timestamp, pushed: Timestamp?, at now: Timestamp
  ) -> Int64 {
    let least = isPushed(known, until: pushed, at: now) ? PublishingInterval.longest : 0
    return jittered(max(known.gap(at: now), least), id, last)
  }

  /// Whether a poll a day is enough. A feed that failed is tried again as soon as others.
  private static func isPushed(_ known: FeedState, until end: Timestamp?, at now: Timestamp) -> Bool {
    known.respondedLast && end.map { $0 > now } ?? false
  }

  /// When a feed that was requested will be due: the first moment at which a plan, without a pause, would include it.
  /// `pushed` is until when a hub announces its news.
  package static func due(_ id: SubscriptionID, _ known: FeedState, pushed: Timestamp?) -> Timestamp? {
    guard let last = known.requested else { return nil }
    let usual = due(id, known, since: last, pushed: nil)
    guard let pushed else { return usual }
    let daily = due(id, known, since: last, pushed: Timestamp(seconds: .max))
    // What is announced no longer is polled as before.
    return daily < pushed ? daily : min(daily, max(usual, pushed))
  }

  private static func due(
    _ id: SubscriptionID, _ known: FeedState, since last: Timestamp, pushed: Timestamp?
  ) -> Timestamp {
    var due = last.adding(seconds: floor)
    // The interval grows with the silence, up to a day; each turn comes closer from below.
    for _ in 0..<64 {
      let next = last.adding(seconds: gap(of: id, known, since: last, pushed: pushed, at: due))
      guard next > due else { break }
      due = next
    }
    return due
  }

  /// After how many seconds this device requests a feed that a hub reads: 20 hours, so that within a day comes a poll
  /// that is not within 15 minutes of the hub's.
  private static let ownShare: Int64 = 72_000

  /// How long after its plan a poll may request a feed at the end of the day, in seconds: at 2 requests a second, the
  /// last of 240.
  private static let pollDelay: Int64 = 120

  /// How often a hub looks for feeds that are due, in seconds. Not a part of an hour: the requests of a hub and of an
  /// hourly timer would keep the same distance for days, which may be less than 15 minutes.
  package static let hubInterval: Int64 = 1020

  /// The interval shortened by up to a fifth, varying by feed and request: an hourly timer that fires slightly early
  /// does not miss an interval of one hour, and feeds requested together drift apart.
  private static func jittered(_ gap: Int64, _ id: SubscriptionID, _ requested: Timestamp) -> Int64 {
    let mixed = Fingerprint.of("\(id) \(requested.seconds)")
    return gap - gap / jitterParts * Int64(mixed % 1024) / 1024
  }

  /// An interval is shortened by up to one part of so many.
  private static let jitterParts: Int64 = 5

  /// When a feed that was requested at a time is due at the earliest, however its interval is shortened.
  package static func earliestDue(_ known: FeedState, since requested: Timestamp) -> Timestamp {
    let gap = known.gap(at: requested)
    return requested.adding(seconds: max(floor, gap - gap / jitterParts))
  }

  /// How long a missing kind of feed is not requested again: a week, in seconds.
  private static let missingFormMemory: Int64 = 604_800

  /// The kind of feed to request: the configured one, unless it was missing recently.
  private static func form(of channel: Channel, _ known: FeedState?, now: Timestamp) -> FeedForm {
    guard let missing = known?.missing, missing.form == channel.feed, channel.id.channel != nil,
      now.seconds(since: missing.at) < missingFormMemory
    else { return channel.feed }
    return .channel
  }
}

/// A run's pending requests: their order, their pace, and the number in flight.
///
/// Order: requests that may fill a gap, then the plan's feeds, then, when all of these have completed, one retry of
/// transient failures.
struct RequestQueue: Equatable, Sendable {
  private let pace: PollRun.Pace
  /// When the next request may be sent, in milliseconds of a monotonic clock.
  private var nextAt = 0
  /// Whether a request may be sent at a shared pace.
  var isPermitted = false
  /// The number of requests in flight.
  private(set) var inFlight = 0
  /// The feeds not requested yet, next one last.
  private(set) var feeds: [FeedRequest]
  /// Transient failures, to be retried at the end.
  private var again: [FeedRequest] = []
  private var repeated: Set<SubscriptionID> = []
  /// Requests that may fill a gap, in addition to the plan's feeds; and those of them not sent yet.
  private var fillings: Set<FeedRequest> = []
  private var waitingFillings: [FeedRequest] = []

  /// A queue of a plan's requests, in order.
  init(_ feedRequests: [FeedRequest], pace: PollRun.Pace) {
    self.pace = pace
    feeds = feedRequests.reversed()
  }

  /// Whether no requests are left.
  var isEmpty: Bool { !hasFeeds && waitingFillings.isEmpty }

  /// Whether any of the plan's feeds is left, including retries.
  var hasFeeds: Bool { !feeds.isEmpty || !again.isEmpty }

  /// Whether a request is to fill a gap; its failure counts against no channel.
  func isFilling(_ feedRequest: FeedRequest) -> Bool { fillings.contains(feedRequest) }

  /// Whether a feed failed transiently and was, or will be, retried.
  func isRepeated(_ subscription: SubscriptionID) -> Bool { repeated.contains(subscription) }

  // MARK: Out

  /// The next step; see `PollRun.next`. Requests that fill gaps wait during a probe.
  mutating func next(at steady: Int, jitter: Double, isProbing: Bool) -> PollRun.Step {
    if feeds.isEmpty, waitingFillings.isEmpty, inFlight == 0, !again.isEmpty {
      feeds = again.reversed()
      again = []
    }
    let isFilling = !isProbing && !waitingFillings.isEmpty
    guard isFilling || !feeds.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < pace.jobs else { return .idle }
    guard isPermitted || !pace.isShared else { return .permission }
    isPermitted = false
    guard steady >= nextAt else { return .wait(nextAt - steady) }
    if pace.rate > 0, !pace.isShared { nextAt = steady + Int(1000 / pace.rate * (0.5 + jitter)) }
    inFlight += 1
    return .ask(isFilling ? waitingFillings.removeLast() : feeds.removeLast())
  }

  /// Records that a request has completed.
  mutating func noteCompleted() { inFlight -= 1 }

  // MARK: In

  /// Returns an aborted request to the queue.
  mutating func putBack(_ feedRequest: FeedRequest) {
    inFlight -= 1
    if isFilling(feedRequest) { waitingFillings.append(feedRequest) } else { feeds.append(feedRequest) }
  }

  /// Puts feeds at the front of the queue, the last of them first.
  mutating func requestNext(_ feedRequests: [FeedRequest]) { feeds += feedRequests }

  /// Moves the next matching feed to the front of the queue; returns it, or nil if none matches.
  mutating func requestNext(where isWanted: (FeedRequest) -> Bool) -> FeedRequest? {
    guard let index = feeds.lastIndex(where: isWanted) else { return nil }
    let feedRequest = feeds.remove(at: index)
    feeds.append(feedRequest)
    return feedRequest
  }

  /// Adds requests that may fill a gap.
  mutating func ask(toFill feedRequests: [FeedRequest]) {
    fillings.formUnion(feedRequests)
    waitingFillings += feedRequests
  }

  /// Schedules a retry at the end, unless the feed already had one.
  mutating func repeatAtEnd(_ feedRequest: FeedRequest) {
    if repeated.insert(feedRequest.subscription).inserted { again.append(feedRequest) }
  }

  /// Cancels the retries by this kind of feed.
  mutating func forgetRepeats(of form: FeedForm) { again.removeAll { $0.form == form } }
}

/// A request for one feed.
package struct FeedRequest: Hashable, Sendable {
  package var subscription: SubscriptionID
  package var form: FeedForm

  package init(subscription: SubscriptionID, form: FeedForm) {
    (self.subscription, self.form) = (subscription, form)
  }
}
