import Core
import Fetch

/// One poll from the plan to the report: fetch, parse, detect, append. What to ask, and when to stop, is `PollRun`'s.
///
/// libcurl asks for the next question and hands over each answer (fetch), which is read at once (parse). Feeds with
/// something new are gathered and compared with the state in batches (detect), each under the writer lock and with one
/// write (append). What the machine learnt by asking is the caller's to keep, after what was found is safe.
struct PollSession {
  private let session: Session
  private let feedsURL: String
  private let interrupt = Interrupt()
  private let began = Clock.steady()
  /// When no further question is asked, on the steady clock.
  private let deadline: Int?
  /// When answers that still do not come are given up, once the run is to end.
  private var givenUp: Int?
  private(set) var run: PollRun
  /// What was asked, by the tags of the requests.
  private var questions: [FeedQuestion] = []
  /// Feeds that were read and are still to be compared with the state, with what was remembered of them before.
  private var pending: [(question: FeedQuestion, feed: Feed, before: FeedMemory?)] = []
  /// When feeds were appended last, on the steady clock.
  private var appended = Clock.steady()
  /// The action of the run's events, once the first was appended.
  private var action: EventID?
  /// The gaps that this poll found, and what may fill them.
  private var gaps: [SubscriptionID: GapFilling] = [:]
  private var progress: PollProgress
  /// Why the log or libcurl as a whole failed, which ends the poll.
  private var problem: (any Error)?
  private(set) var report = PollReport()

  /// A poll of a plan's feeds; `deadline` is on the steady clock.
  init(_ session: Session, _ plan: PollPlan, _ memory: PollMemory, _ pace: PollRun.Pace, deadline: Int?) throws {
    self.session = session
    feedsURL = try session.settings.feedsURL()
    self.deadline = deadline
    run = PollRun(plan, memory: memory, pace: pace)
    progress = PollProgress(total: plan.due.count)
    report.notDue = plan.notDue.count
  }

  /// Has the poll ask nothing, for it was to end while names were looked up.
  mutating func stop(_ reason: StopReason, namesLeft: Int) {
    run.stop(reason)
    report.namesLeft = namesLeft
  }

  /// Has the report say why nothing is asked.
  mutating func skip(_ reason: StopReason) { report.stopped = reason }

  /// Asks all that is due. Throws where the log or libcurl as a whole fails; what was appended before stays, and `run`
  /// remembers what was asked, and whether to pause.
  mutating func askAll(with fetcher: Fetcher) throws {
    // What was read last may show a gap, and that another question.
    repeat {
      do {
        try fetcher.run(
          wakeDescriptor: interrupt.descriptor, isAborted: { isOver() }, next: { nextStep() }, finished: { take($0) })
      } catch { problem = problem ?? Words.failure(error) }
      if problem == nil { appendNews() }
    } while problem == nil && run.stopped == nil && run.hasQuestions
    progress.clear()
    // What is in no log has to be read again.
    for feed in pending { run.forgetAnswer(of: feed.question.subscription, before: feed.before) }
    report.take(run.finish(at: Clock.now()), of: run)
    if let problem { throw problem }
    try appendRun()
  }

  /// Whether nothing more is worth waiting for: the log fails, or the run is to end and answers still do not come.
  private mutating func isOver() -> Bool {
    let now = Clock.steady()
    if interrupt.hasCome() { stop(.interrupted, at: now) }
    // One that passes when all is answered cuts nothing short.
    if let deadline, now >= deadline, !run.isAnswered { stop(.deadline, at: now) }
    return problem != nil || givenUp.map { now >= $0 } ?? false
  }

  /// Whether the person or the deadline ends the poll, for what is asked beside the feeds.
  var isToEnd: Bool { interrupt.hasCome() || deadline.map { Clock.steady() >= $0 } ?? false }

  /// Asks nothing more, and gives what is in flight a last second.
  private mutating func stop(_ reason: StopReason, at now: Int) {
    run.stop(reason)
    givenUp = givenUp ?? now + 1000
  }

  // MARK: Fetch

  private mutating func nextStep() -> FetchStep {
    let now = Clock.steady()
    if now - appended >= PollSession.appendInterval { appendNews() }
    showProgress()  // Also while no answer comes.
    switch run.next(at: now, now: Clock.now(), jitter: .random(in: 0...1)) {
    case .ask(let question): return .request(request(for: question))
    case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
    case .idle: return .idle
    case .done: return .done
    }
  }

  private mutating func request(for question: FeedQuestion) -> FetchRequest {
    questions.append(question)
    let path = question.form.path(of: question.subscription) ?? ""
    var request = FetchRequest(tag: questions.count - 1, url: feedsURL + path, maxBodyBytes: PollSession.bodyLimit)
    if let known = validators(of: question) { (request.etag, request.lastModified) = (known.etag, known.lastModified) }
    return request
  }

  /// What is remembered of the feed that a question asks for, where it came with validators: those of another form of
  /// feed would leave this one unread.
  private func validators(of question: FeedQuestion) -> FeedMemory? {
    guard let known = run.memory.feeds[question.subscription], known.form == question.form else { return nil }
    return known.etag != nil || known.lastModified != nil ? known : nil
  }

  private mutating func showProgress() {
    progress.show(checked: run.checked, new: report.new, failed: run.failureCount)
  }

  /// The most bytes of a feed; real ones have 25 to 78 KB.
  private static let bodyLimit = 1 << 20

  // MARK: Parse

  private mutating func take(_ outcome: FetchOutcome) {
    let question = questions[outcome.tag]
    report.bytes += outcome.bytes
    if case .failure(.aborted) = outcome.result { return run.noteAborted(question) }
    let now = Clock.now()
    let reading = FeedReading(outcome.result, to: question, isTagged: validators(of: question) != nil, at: now)
    // A feed that says nothing new, as most do, need not wait for the lock.
    if let feed = reading.feed, !feed.isKnown(asked: question, to: session.state) {
      pending.append((question, feed, run.memory.feeds[question.subscription]))
    }
    if reading.feed != nil || reading.answer.status == 404 {
      gaps[question.subscription]?.note(reading.feed?.entries, of: question.form)
    }
    run.note(reading.answer, to: question, at: now)
    showProgress()
    if pending.count >= PollSession.batch { appendNews() }
  }

  // MARK: Detect and append

  /// Feeds with something new that are appended together, and the milliseconds after which fewer are.
  private static let batch = 32
  private static let appendInterval = 2000

  private mutating func appendNews() {
    guard problem == nil else { return }
    do { try detectAndAppend() } catch { problem = error }
  }

  private mutating func detectAndAppend() throws {
    appended = Clock.steady()
    guard !pending.isEmpty else { return }
    let feeds = pending
    var detections: [Detection] = []
    let events = try session.commit(action: action) { state in
      detections = feeds.map { Detection(of: $0.feed, asked: $0.question, answered: $0.before?.answered, in: state) }
      return detections.flatMap(\.events)
    }
    pending = []
    action = action ?? events.first?.action
    for detection in detections {
      report.new += detection.new
      report.changed += detection.changed
      report.gaps += detection.hasGap ? 1 : 0
    }
    for event in events {
      guard case .gapFound(let gap) = event.body else { continue }
      let filling = GapFilling(event.id, gap)
      gaps[gap.subscription] = filling
      run.ask(alsoFor: filling.questions)
    }
  }

  // MARK: The run's own event

  private mutating func appendRun() throws {
    report.milliseconds = Clock.steady() - began
    let closed = gaps.values.compactMap(\.closing)
    report.gaps -= closed.count
    guard report.checked + report.failures.count > 0 else { return }
    let event = report.event
    try session.commit(action: action) { _ in closed + [.runFinished(event)] }
  }
}
