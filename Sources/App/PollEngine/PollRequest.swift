import App
import Core
import EventLog
import Exporters
import HTTPClient
import Library
import Messages
import Platform
import ReadModel
import Sync

/// How the feeds of a home's subscriptions are checked.
package struct PollRequest: Sendable {
  /// IDs, URLs, handles or titles; empty for all that are due.
  package var channels: [String] = []
  /// Every subscription, due or not.
  var now = false
  /// Also feeds checked in the last 15 minutes, and during a backoff.
  var force = false
  /// Concurrent requests, 1 to 256.
  var jobs = 4
  /// Requests per second; 0 is unlimited.
  var rate = 2.0
  /// Seconds after which polling stops; nil without a limit.
  package var deadline: Int?
  /// Whether every feed is requested from YouTube, whatever the hub has.
  package var direct = false
  /// Retries after 1, 2, 4 … seconds if the hub does not respond.
  var hubRetries = 3
  /// Whether the Data API is used during an outage.
  var apiFallback = false
  /// Whether only failures are reported.
  package var isQuiet = false
  /// Whether progress is shown even if standard error is not a terminal.
  var showsProgress = false
  /// The feeds that are read instead of YouTube's; nothing is requested then.
  package var samples: SampleFeeds?
  /// Whether feeds of other sites are polled too; a hub does not.
  package var takesWebFeeds = false

  package init(
    channels: [String] = [], now: Bool = false, force: Bool = false, jobs: Int = 4, rate: Double = 2.0,
    deadline: Int? = nil, direct: Bool = false, hubRetries: Int = 3, apiFallback: Bool = false, isQuiet: Bool = false,
    showsProgress: Bool = false
  ) {
    (
      self.channels, self.now, self.force, self.jobs, self.rate, self.deadline, self.direct, self.hubRetries,
      self.apiFallback, self.isQuiet, self.showsProgress
    ) = (channels, now, force, jobs, rate, deadline, direct, hubRetries, apiFallback, isQuiet, showsProgress)
  }

  /// Polls while no other process does, which `Session.whilePolling` sees to; `folder` is that of `--home`. What users
  /// follow is polled in their turns. `report` is called with the results before hooks run and `exports`, which refreshes
  /// the exports of the settings. Throws an `ExitStatus` if something failed that is reported.
  package func poll(
    _ session: Session, _ users: FollowedByUsers = FollowedByUsers(), folder: String?,
    exports: @escaping (Session) -> Void, report: (PollSession, PollPlan) throws -> Void
  ) throws {
    // With an unwritable log no result could be saved, and every poll would repeat the requests.
    try Session.reporting { try session.library.refuseDamage() }
    let end = deadline.map { Clock.steady() + $0 * 1000 }
    let finishing = try PostPollTasks(session, deadline: end, exports: exports)
    let hub = direct ? nil : try HubNews(session, retries: hubRetries)
    let news = hub?.fetch(isForced: force, isQuiet: isQuiet)
    var work = try prepare(session, users, news, until: end)
    let unkept = try request(&work)
    let isInterrupted = work.poll.report.run.stopped == .interrupted
    if apiFallback, work.isFailing, !isInterrupted { finishing.fallBack(work.memory, work.file) }
    // The tasks below run even if the report cannot be written.
    let reported = Result { try report(work.poll, work.plan) }
    // Its hub does it for all devices of the user.
    if !isInterrupted { finishing.run(describes: samples == nil && news == nil) }
    StandardError.reportFailure { try session.query { try $0.settle() } }
    // Interrupted, it leaves that to later commands.
    if news == nil, hub != nil { BackgroundSync.start(session, home: folder) }
    if news != nil, !work.poll.isToEnd { hub?.send(until: work.poll.interrupt) }
    if let unkept { throw unkept }
    try reported.get()
    if let status = status(of: work) { throw status }
  }

  /// A poll between its parts.
  private struct Work {
    var poll: PollSession
    var plan: PollPlan
    var memory: PollState
    let file: PollStateFile
    /// What is to be requested of other sites; nil if no feed of them is followed.
    var web: WebPollWork?
    /// The report on the handles that were looked up, if any were.
    let names: HandleReport?
    /// Whether the hub brought news.
    let isRelayed: Bool
    var isFailing: Bool { memory.pause?.reason == .outage || poll.run.hasNothingToCompare }
  }

  /// Reads the polling state, looks up handles and plans. `news` are of the hub, nil if it gave none.
  private func prepare(
    _ session: Session, _ users: FollowedByUsers, _ news: HubNews.Feeds?, until end: Int?
  ) throws -> Work {
    let file = try PollStateFile(session)
    let stored = news == nil ? file.readToAsk(at: session.now) : file.read(at: session.now)
    var (memory, names) = try lookUpNames(session, users, stored, file, until: end)
    memory.pushed = PushedFeeds(session.home).read()
    let read = memory.feeds
    // Not the session's time: at that, a pause after the refusal of a name has not begun.
    let time = Clock.now()
    news?.add(to: &memory, at: time)
    let wanted = try wanted(in: session)
    let plan = try plan(session, wanted, users, memory, isRefused: names?.refusal != nil, at: time)
    var poll = try PollSession(
      session, plan, memory, file, PollRun.Pace(rate: rate, jobs: jobs), deadline: end,
      progress: ProgressLine(isForced: showsProgress))
    if let names, let ending = names.ending { poll.stop(ending, namesLeft: names.waiting) }
    if let refusal = names?.refusal { poll.skip(refusal) }
    if names?.stopped == .offline, plan.due.isEmpty { poll.skip(.offline) }
    var work = Work(poll: poll, plan: plan, memory: memory, file: file, names: names, isRelayed: memory.feeds != read)
    if takesWebFeeds, samples == nil {
      work.web = try WebPollWork(session, wanted, ignoresGaps: now || force, ignoresFloor: force, at: time)
    }
    return work
  }

  /// Requests the due feeds, appends what is new and writes the polling state; returns the failure of that write, or of
  /// the feeds of other sites. The events are already in the log then, and are reported and exported all the same.
  private func request(_ work: inout Work) throws -> (any Error)? {
    let isRequesting = !work.plan.due.isEmpty || work.names?.ending != nil
    guard isRequesting || work.isRelayed || work.web?.isEmpty == false else {
      if let web = work.web { work.poll.add(WebPollReport(web.plan), action: nil) }
      return nil
    }
    let fetcher: any FeedTransport = try samples ?? HTTPSession(work.poll.session.settings, jobs: jobs)
    if isRequesting { try work.poll.fetch(with: fetcher) }
    // The other part may take minutes.
    if isRequesting, work.web?.isEmpty == false { try? work.file.write(work.poll.run.memory) }
    let web = Result { try requestWeb(&work) }
    work.memory = try work.poll.finish(with: fetcher)
    work.plan.noteRequested(work.poll.run.canariesRequested)
    var problem: (any Error)?
    do { try work.file.write(work.memory) } catch { problem = Failure(PollError.stateUnsaved(error)) }
    switch web {
    case .success(nil): break
    case .success(var poll?):
      do { try poll.keep() } catch { problem = problem ?? Failure(PollError.stateUnsaved(error)) }
    case .failure(let error): problem = error
    }
    return problem
  }

  /// Polls the feeds of other sites, which are part of the same run; nil if none is followed.
  private func requestWeb(_ work: inout Work) throws -> WebPollSession? {
    guard let web = work.web else { return nil }
    let session = work.poll.session
    var poll = try WebPollSession(
      session, web, isOnline: work.poll.report.run.checked > 0, action: work.poll.action,
      interrupt: work.poll.interrupt, deadline: work.poll.deadline, progress: ProgressLine(isForced: showsProgress))
    let result = Result {
      if !web.isEmpty { try poll.poll(with: HTTPSession(session.settings, jobs: WebPollSession.jobs)) }
    }
    work.poll.add(poll.report, action: poll.action)
    try result.get()
    return poll
  }

  /// Looks up a few of the followed handles that are still unresolved, so that this poll already fetches their feeds.
  /// Returns the new polling state, and a report if any was looked up.
  private func lookUpNames(
    _ session: Session, _ users: FollowedByUsers, _ memory: PollState, _ file: PollStateFile, until end: Int?
  ) throws -> (PollState, HandleReport?) {
    let isPaused = memory.pause?.isActive(at: session.now) ?? false
    guard samples == nil, channels.isEmpty, force || !isPaused, try !session.state.unresolved.isEmpty else {
      return (memory, nil)
    }
    var names = try HandleLookup(
      session, memory, inTurnsOf: users.handles, maximum: PollRequest.maxNames, isForced: force, deadline: end)
    guard !names.isEmpty else { return (memory, nil) }
    defer { for line in names.report.complaints { StandardError.report(line) } }
    try names.run(with: HTTPSession(session.settings, jobs: jobs))
    try file.write(names.memory)
    return (names.memory, names.report)
  }

  /// Limit of handles looked up per poll, because each may cost a page of a megabyte; `channels --resolve` has none.
  private static let maxNames = 10

  /// Which feeds are polled and which are not. If the server just refused, `--force` does not override the backoff.
  private func plan(
    _ session: Session, _ wanted: [SubscriptionID], _ users: FollowedByUsers, _ memory: PollState, isRefused: Bool,
    at time: Timestamp
  ) throws -> PollPlan {
    var demand = PollPlan.Demand(
      subscriptions: wanted.isEmpty ? nil : wanted, ignoresGaps: now || !wanted.isEmpty || force,
      ignoresFloor: force && !isRefused)
    demand.users = users.subscriptions
    var generator = SystemRandomNumberGenerator()
    return try PollPlan(for: demand, state: session.state, memory: memory, now: time, using: &generator)
  }

  /// The subscriptions that are named; empty for all.
  private func wanted(in session: Session) throws -> [SubscriptionID] {
    guard !channels.isEmpty else { return [] }
    let names = try ChannelResolver(session.state, alsoUnfollowed: false)
    return try channels.map { try names.resolve($0) }
  }

  private func status(of work: Work) -> ExitStatus? {
    let run = work.poll.report.run
    switch run.stopped {
    case .outage, .offline, .refused, .tooMany: return .temporaryFailure
    case .interrupted, .deadline: return .partial
    case nil: break
    }
    let isPaused =
      work.plan.due.isEmpty && work.plan.notDue.values.contains { if case .pause = $0 { true } else { false } }
    if isPaused { return .temporaryFailure }
    // A dead feed of another site is no failure of the poll.
    let report = work.poll.report
    if report.hasNewFailures || report.unblamed > 0 || run.unrequested > 0 { return .partial }
    // No feed was due, and the handles could not be looked up.
    if work.names?.stopped != nil { return .temporaryFailure }
    // One that was mistyped would never be noticed, or one whose channel is gone.
    return work.names?.failed.isEmpty ?? true ? nil : .partial
  }
}

extension PollSession {
  /// Reports what failed on standard error; returns the report with the pause that is in force.
  package func reportFailures() throws -> PollReport {
    var report = report
    report.pause = run.memory.pause.flatMap { $0.isActive(at: Clock.now()) ? $0 : nil }
    let failing = try session.query { try $0.state(of: report.failures.map(\.subscription)) }
    for line in UserMessages.failures(report, run.memory, failing) { StandardError.report(line) }
    if let web = report.web {
      let named = try session.query { try $0.state(of: web.named) }
      for line in UserMessages.failures(web, named) { StandardError.report(line) }
      report.remarks = UserMessages.remarks(web, named)
    }
    return report
  }
}

/// What each user of a hub follows, if it has several.
package struct FollowedByUsers {
  package var subscriptions: [[SubscriptionID]] = []
  /// The names that are not yet resolved: `@handle`.
  package var handles: [[String]] = []

  package init(subscriptions: [[SubscriptionID]] = [], handles: [[String]] = []) {
    (self.subscriptions, self.handles) = (subscriptions, handles)
  }
}

/// The result of a poll; its JSON members and their order are the contract of `poll --format json`.
package struct PollReport {
  /// The run as it is logged.
  package var run = RunFinished(
    checked: 0, notDue: 0, failed: 0, new: 0, changed: 0, gaps: 0, outage: false, stopped: nil, milliseconds: 0,
    bytes: 0, failing: [], recovered: [])
  /// The ongoing pause in requests, if any.
  var pause: Backoff?
  package var failures: [PollRun.Failure] = []
  /// Whether the channel feeds failed and the playlist feeds were requested instead.
  var usedOtherForm = false
  /// The number of names not looked up because the run stopped during the lookup.
  var namesLeft = 0
  /// Whether everything failed and nothing shows whether YouTube or the feeds are at fault.
  var hasNothingToCompare = false
  /// The number of failures that count against no feed.
  var unblamed = 0
  /// Whether feeds of YouTube began to fail in this run.
  private(set) var hasNewFailures = false
  /// The results for feeds of other sites; nil if none is followed.
  private(set) var web: WebPollReport?
  /// What the text says of these feeds.
  var remarks: [String] = []

  /// Copies the results of a run; `failing` are the feeds that began to fail in it.
  mutating func take(_ failing: [PollRun.Failure], of poll: PollRun) {
    failures = poll.failures
    usedOtherForm = poll.usesOtherForm
    hasNothingToCompare = poll.hasNothingToCompare
    unblamed = failures.count { poll.memory.feeds[$0.subscription]?.failures ?? 0 == 0 }
    run.checked = poll.checked
    run.notDue -= poll.canariesRequested.count
    run.failed = failures.count
    run.outage = poll.isOutage
    run.stopped = poll.stopped
    run.unrequested = poll.unrequested
    run.failing = failing.map { "\($0.subscription) \($0.text)" }
    hasNewFailures = !failing.isEmpty
    run.recovered = poll.recovered.map(\.description)
  }

  /// Adds the results for feeds of other sites.
  mutating func add(_ web: WebPollReport) {
    self.web = web
    web.add(to: &run)
  }

  /// The report as one JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    run.addCounts(to: &line)
    line.add("pausedUntil", pause?.retry)
    line.add("pauseReason", pause?.reason.rawValue)
    line.add("unrequested", run.unrequested)
    line.add("failures", objects: failures.map(PollReport.json) + (web?.failures ?? []))
    web?.add(to: &line)
    return line
  }

  private static func json(_ failure: PollRun.Failure) -> JSONLine {
    var line = JSONLine()
    line.add("channel", failure.subscription.description)
    line.add("reason", failure.text)
    line.add("status", failure.outcome.status)
    return line
  }
}

extension RunFinished {
  /// Adds the members that `poll` and `status` show of a run.
  func addCounts(to line: inout JSONLine) {
    line.add("checked", checked)
    line.add("notDue", notDue)
    line.add("failed", failed)
    line.add("new", new)
    line.add("changed", changed)
    line.add("gaps", gaps)
    line.add("outage", outage)
    line.add("stopped", stopped?.rawValue)
    line.add("seconds", milliseconds: milliseconds)
    line.add("bytes", bytes)
  }
}
