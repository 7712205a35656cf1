import App
import Core
import HTTPClient
import Library
import Messages
import Platform
import PollEngine
import ReadModel

/// One of any number of pollers that share their work by a database: each claims feeds that are due, requests them, and
/// appends what they say to the catalogue; with an API key it then looks up what they lack.
package final class SharedPoller {
  private var session: Session
  private let tables: PollTables
  private let fetcher: HTTPSession
  private let options: SharedPollOptions
  private let interrupt = Interrupt()
  /// Whether it ends once nothing is due.
  private let isOnce: Bool
  /// Follows the channel of a name that was resolved for a user who follows the name.
  private let settle: (String) throws -> Void
  /// What adds lengths and the like; nil without an API key.
  private let lookups: SharedLookups?
  /// What looks up titles of videos that no feed has shown; nil if the settings forbid it.
  private let titles: SharedTitles?
  /// What keeps playlists complete; nil without an API key.
  private let playlists: SharedPlaylists?

  /// A poller of the catalogue `session`, whose tables are in the same database, as are the logs of users, `log`.
  package init(
    _ session: Session, _ tables: PollTables, _ options: SharedPollOptions, isOnce: Bool,
    log: @escaping (String) throws -> Session, settle: @escaping (String) throws -> Void
  ) throws {
    (self.session, self.tables, self.options, self.settle) = (session, tables, options, settle)
    self.isOnce = isOnce
    fetcher = try HTTPSession(session.settings, jobs: options.jobs)
    lookups = try SharedLookups(session, tables, isOnce: isOnce)
    titles = try SharedTitles(session, tables, lookups, fetcher, options, isOnce: isOnce, log: log)
    playlists = lookups.map { SharedPlaylists(tables, $0, log: log) }
  }

  /// Polls what is due until a signal arrives; with `isOnce` until nothing is. Problems are reported.
  package func run() throws {
    var failures = 0
    while !interrupt.isSignalled() {
      do {
        let isFull = try poll()
        failures = 0
        if lookUp() || isFull { continue }
        if isOnce { break }
      } catch {
        // Not that of the address of the database, say: it worked before.
        if isOnce { throw error }
        StandardError.reportFailure { throw error }
        failures += 1
      }
      guard interrupt.waits(milliseconds: min(SharedPoller.idle << failures, SharedPoller.longestIdle)) else { break }
    }
    // Without the server, which forgets a poller that is silent.
    if failures == 0 { try tables.leave() }
  }

  /// How long to wait for feeds to become due, in milliseconds; doubled with each failure up to a minute.
  private static let idle = 2000
  private static let longestIdle = 60_000

  /// Looks up names and polls one batch; returns whether more may be due.
  private func poll() throws -> Bool {
    try session.refresh()
    try tables.lookAtClock()
    // Whatever is wrong with it, feeds are polled.
    StandardError.reportFailure { try tables.clearRemoved() }
    let names = try lookUpNames()
    let claim = try tables.claim(options.batch, for: options.lease)
    guard !claim.feeds.isEmpty else { return names > 0 }
    let batch: Batch
    do { batch = try prepare(claim) } catch {
      // Nothing was requested.
      StandardError.reportFailure { try tables.release(claim.feeds.keys) }
      throw error
    }
    // Requests may have been paused meanwhile.
    if batch.plan.due.isEmpty { try tables.release(batch.claimed.keys) } else { try poll(batch) }
    return claim.feeds.count >= options.batch
  }

  /// Sends a request to the Data API or to oEmbed, if anything is to be looked up, titles first, for which users wait;
  /// returns whether more is. Whatever is wrong with it, feeds are polled.
  private func lookUp() -> Bool {
    var (isSent, isMoreDue) = (false, false)
    StandardError.reportFailure {
      (isSent, isMoreDue) = try titles?.run(isVerbose: options.isVerbose) ?? (false, false)
    }
    guard !isSent else { return isMoreDue }
    StandardError.reportFailure { isSent = try playlists?.run() ?? false }
    guard !isSent else { return true }
    StandardError.reportFailure {
      if try lookups?.run(session, isVerbose: options.isVerbose) ?? false { isMoreDue = true }
    }
    return isMoreDue
  }

  /// Claimed feeds that are about to be polled.
  private struct Batch {
    /// What is claimed, with canaries.
    var claimed: [SubscriptionID: FeedState]
    var memory: PollState
    var plan: PollPlan
    /// When the claims end, in seconds of the server's clock.
    var end: Int64
  }

  /// With fewer healthy feeds than this, a batch may need others to find out whether YouTube's feeds work at all.
  private static let minWell = 10
  private static let canaries = 2

  /// Gives up what has no followers, lets the catalogue follow the others, and plans their requests.
  private func prepare(_ claim: PollTables.Claim) throws -> Batch {
    let dropped = try tables.drop(claim.feeds.keys)
    var claimed = claim.feeds
    for id in dropped { claimed[id] = nil }
    let due = Array(claimed.keys)
    try follow(tables.followed(due), besides: dropped)
    let isDoubtful = due.count { claimed[$0]?.isWell == true } < SharedPoller.minWell
    if isDoubtful, !due.isEmpty {
      claimed.merge(try tables.claimCanaries(SharedPoller.canaries, for: options.lease).feeds) { $1 }
    }
    var memory = PollState()
    (memory.feeds, memory.pause) = (claimed, try tables.pause())
    var demand = PollPlan.Demand(subscriptions: due, ignoresGaps: true, ignoresFloor: false)
    demand.users = claim.users
    let state = try session.query { try $0.state(of: claimed.keys) }
    var generator = SystemRandomNumberGenerator()
    var plan = PollPlan(for: demand, state: state, memory: memory, now: tables.now, using: &generator)
    if isDoubtful { plan.hasControl = try tables.hasControl() }
    return Batch(claimed: claimed, memory: memory, plan: plan, end: claim.end)
  }

  private func poll(_ batch: Batch) throws {
    let store = SharedPollStore(tables, batch.claimed, batch.memory.pause)
    let pace = SharedPace(tables, rate: options.rate, until: Int(batch.end) * 1000)
    var poll = try PollSession(
      session, batch.plan, batch.memory, store, PollRun.Pace(rate: options.rate, jobs: options.jobs, isShared: true),
      sharedPace: pace.turns, deadline: nil, progress: ProgressLine())
    let result = Result { try poll.poll(with: fetcher) }
    let known: PollState
    switch result {
    case .success(let memory): known = memory
    case .failure: known = poll.run.memory
    }
    // Another poller wrote why it stops.
    if pace.pause == nil { try store.write(known) }
    try store.finish(known, requested: poll.requested)
    _ = try result.get()
    try report(poll, known)
  }

  // MARK: The catalogue

  /// Makes the catalogue follow what users follow, and unfollow the rest.
  private func follow(_ wanted: [SubscriptionID: FeedForm?], besides dropped: [SubscriptionID]) throws {
    func changes() throws -> [EventBody] {
      let state = try session.query { try $0.state(of: Array(wanted.keys) + dropped) }
      let unfollowed = dropped.filter { state.channels[$0]?.isFollowed == true }.map { EventBody.unfollowing($0) }
      return wanted.sorted { $0.key < $1.key }.compactMap { id, form in state.following(id, form: form) } + unfollowed
    }
    if try !changes().isEmpty { try session.commit { try changes() } }
  }

  // MARK: Names

  private static let maxNames = 5

  /// Looks up a few of the names that users follow; returns how many were claimed.
  private func lookUpNames() throws -> Int {
    let claimed = try tables.claimNames(SharedPoller.maxNames, for: options.lease)
    guard !claimed.isEmpty else { return 0 }
    let dropped = Set(try tables.dropNames(claimed))
    var names = claimed.filter { !dropped.contains($0) }
    let known = try names.filter { name in try session.query { try $0.resolution(of: name) } != nil }
    for name in known { try noteResolved(name) }
    names.removeAll(where: known.contains)
    let now = tables.clock.milliseconds
    let pace = SharedPace(tables, rate: options.rate, until: now + options.lease * 1000)
    var memory = PollState()
    memory.pause = try tables.pause()
    let store = SharedPollStore(tables, [:], memory.pause)
    var lookup = try HandleLookup(
      session, memory, of: names.map { HandleFollowed(handle: $0, title: nil, tags: nil) }, deadline: nil,
      pace: pace.turns
    ) { followed, subscription in
      try self.session.commit {
        [.handleResolved(HandleResolved(handle: followed.handle, subscription: subscription))]
      }
    }
    let result = Result { try lookup.run(with: fetcher) }
    try store.write(lookup.memory)
    let resolved = Set(lookup.report.resolved.map(\.name))
    for name in names {
      guard !resolved.contains(name) else {
        try noteResolved(name)
        continue
      }
      var state = lookup.memory.names[name]
      let now = tables.now
      state?.requested = now
      let wait: Int64 = state.map { $0.isUndecided ? PollPlan.floor : 86_400 } ?? SharedPoller.nameWait
      try tables.finish(name, state, due: now.adding(seconds: wait))
    }
    if let trouble = lookup.report.trouble { StandardError.report("handles cannot be looked up now: \(trouble)") }
    try result.get()
    return claimed.count
  }

  /// Follows the channel of a name for all who follow the name.
  private func noteResolved(_ name: String) throws {
    for user in try tables.followers(of: name) { try settle(user) }
    try tables.finish(name, nil, due: nil)
  }

  /// After how many seconds a name that was not looked up after all is tried again.
  private static let nameWait: Int64 = 60

  // MARK: Reports

  /// Adds a batch to the sum of runs, logs that when it is time, and reports what stopped the batch.
  private func report(_ poll: PollSession, _ memory: PollState) throws {
    let run = poll.report.run
    if run.checked + run.failed > 0 { try tables.add(run) }
    let isPause = run.stopped.map { ![.deadline, .interrupted].contains($0) } ?? false
    if try isPause || tables.hasRun() {
      var last = run
      if !isPause { last.stopped = nil }
      try session.commit { try tables.takeRun(last).map { [.runFinished($0)] } ?? [] }
    }
    if options.isVerbose {
      let failed = run.failed > 0 ? ", \(run.failed) failed" : ""
      StandardError.report(
        "\(UserMessages.count(run.checked, "feed")) checked: \(run.new) new, \(run.changed) changed\(failed)")
    }
    if isPause, let reason = run.stopped {
      let retry = memory.pause.map { $0.reason == .offline ? "" : "; retry after \($0.retry.local)" } ?? ""
      StandardError.report("stopped: \(UserMessages.stopped(reason))\(retry)")
    }
  }
}

/// How a poller works that shares its work.
package struct SharedPollOptions: Sendable {
  /// Host and process, for people.
  package var name: String
  /// The name of the address that requests leave from: pollers with the same one keep one pace.
  package var address: String
  /// Concurrent requests.
  package var jobs = 4
  /// Requests per second of all pollers with the same address; 0 is unlimited.
  package var rate = 2.0
  /// The maximum number of feeds in one batch.
  package var batch = 32
  /// How long a claim lasts, in seconds.
  package var lease = 300
  /// Whether each batch is reported.
  package var isVerbose = false

  package init(name: String, address: String) { (self.name, self.address) = (name, address) }
}

extension State {
  /// The event that makes a catalogue follow a feed by a kind of feed, nil for the usual one; nil if it does already, or
  /// if it is no feed of YouTube's: no poll requests others.
  package func following(_ id: SubscriptionID, form: FeedForm?) -> EventBody? {
    guard id.isYouTube else { return nil }
    let channel = channels[id]
    let wanted = form ?? Channel(id: id).feed
    let change = wanted == (channel?.feed ?? Channel(id: id).feed) ? nil : wanted
    if channel?.isFollowed != true {
      return .channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil, feed: change))
    }
    return change.map { .channelChanged(ChannelChanged(subscription: id, feed: $0)) }
  }
}
