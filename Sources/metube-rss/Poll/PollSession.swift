import Core
import EventLog
import FeedXML
import Fetch

/// One poll from the plan to the report: fetch, parse, detect, append.
///
/// Answers are gathered and appended in batches, each under the writer lock and with one write; what the machine learnt
/// by asking is the caller's to keep, after what was found is safe.
struct PollSession {
  private let session: Session
  private let feedsURL: String
  private let interrupt = Interrupt()
  private let began = Clock.steady()
  /// When no further question is asked, on the steady clock.
  private let deadline: Int?
  private var run: PollRun
  private var questions: [FeedQuestion] = []
  /// Feeds that were read and are still to be compared with the state.
  private var pending: [(question: FeedQuestion, feed: Feed)] = []
  private var flushed = Clock.steady()
  /// The action of the run's events, once the first was appended.
  private var action: EventID?
  private var progress: PollProgress
  private var problem: (any Error)?
  private(set) var memory: PollMemory
  private(set) var report = PollReport()

  /// A poll of a plan's feeds; `seconds` bounds it as a whole.
  init(_ session: Session, plan: PollPlan, pace: PollRun.Pace, memory: PollMemory, seconds: Int?) throws {
    self.session = session
    self.memory = memory
    feedsURL = try session.settings.feedsURL()
    deadline = seconds.map { Clock.steady() + $0 * 1000 }
    run = PollRun(plan.due, pace: pace)
    progress = PollProgress(total: plan.due.count)
    report.notDue = plan.notDue.count
  }

  /// Asks all that is due. Throws where the log or libcurl as a whole fails; what was appended before stays.
  mutating func finish(with fetcher: Fetcher) throws {
    var poll = self
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor, isAborted: { poll.isOver }, next: { poll.nextStep() },
        finished: { poll.take($0) })
    } catch { poll.problem = poll.problem ?? Failure(.disk, Words.fetch(error)) }
    self = poll
    progress.clear()
    if let problem { throw problem }
    try flush()
    try finishRun()
  }

  /// Whether nothing more is worth waiting for: the log fails, or the deadline passed and answers still do not come.
  private var isOver: Bool { problem != nil || deadline.map { Clock.steady() >= $0 + 1000 } ?? false }

  // MARK: Fetch

  private mutating func nextStep() -> FetchStep {
    let now = Clock.steady()
    if interrupt.hasCome() { run.stop(.interrupted) }
    if let deadline, now >= deadline { run.stop(.deadline) }
    if now - flushed >= PollSession.flushInterval { flushOrStop() }
    switch run.next(at: now, jitter: .random(in: 0...1)) {
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
    let known = memory.feeds[question.subscription]
    (request.etag, request.lastModified) = (known?.etag, known?.lastModified)
    memory.feeds[question.subscription, default: FeedMemory()].asked = Clock.now()
    return request
  }

  /// The most bytes of a feed; real ones have 25 to 78 KB.
  private static let bodyLimit = 1 << 20

  // MARK: Parse

  private mutating func take(_ outcome: FetchOutcome) {
    let question = questions[outcome.tag]
    report.bytes += outcome.bytes
    switch outcome.result {
    case .success(let answer):
      run.noteAnswer(status: answer.status)
      take(answer, to: question)
    case .failure(let failure):
      run.noteAnswer(status: nil)
      note(failure: Words.fetch(failure), status: nil, of: question)
    }
    progress.show(report)
    if pending.count >= PollSession.batch { flushOrStop() }
  }

  private mutating func take(_ answer: FetchAnswer, to question: FeedQuestion) {
    switch answer.status {
    case 200:
      do {
        pending.append((question, try Feed(xml: answer.body)))
        memory.feeds[question.subscription, default: FeedMemory()].etag = answer.etag
        memory.feeds[question.subscription, default: FeedMemory()].lastModified = answer.lastModified
      } catch { note(failure: Words.feed(error), status: 200, of: question) }
    case 304: noteWell(question, answer: "304")
    default: note(failure: "HTTP \(answer.status)", status: answer.status, of: question)
    }
  }

  private mutating func noteWell(_ question: FeedQuestion, answer: String) {
    report.checked += 1
    let wasFailing = memory.feeds[question.subscription, default: FeedMemory()].noteWell(answer, at: Clock.now())
    if wasFailing { report.recovered.append(question.subscription) }
  }

  private mutating func note(failure reason: String, status: Int?, of question: FeedQuestion) {
    report.failed += 1
    report.failures.append(
      PollReport.FeedFailure(subscription: question.subscription, reason: reason, status: status))
  }

  // MARK: Detect and append

  /// Feeds that are appended together, and the milliseconds after which fewer are.
  private static let batch = 64
  private static let flushInterval = 2000

  private mutating func flushOrStop() {
    do { try flush() } catch { problem = problem ?? error }
  }

  private mutating func flush() throws {
    flushed = Clock.steady()
    guard !pending.isEmpty else { return }
    let feeds = pending
    pending = []
    var results: [Result<Detection, FeedRefusal>] = []
    let events = try session.commit(action: action) { state in
      results = feeds.map { pair in
        Result { () throws(FeedRefusal) in try Detection(of: pair.feed, asked: pair.question, in: state) }
      }
      return results.flatMap { (try? $0.get().events) ?? [] }  // A refusal has no events; it is told below.
    }
    action = action ?? events.first?.action
    for (pair, result) in zip(feeds, results) {
      switch result {
      case .success(let detection): note(detection, of: pair.question)
      case .failure(let refusal): note(failure: Words.refusal(refusal), status: 200, of: pair.question)
      }
    }
  }

  private mutating func note(_ detection: Detection, of question: FeedQuestion) {
    report.new += detection.new
    report.changed += detection.changed
    report.gaps += detection.hasGap ? 1 : 0
    noteWell(question, answer: "200")
  }

  // MARK: The run's own event

  private mutating func finishRun() throws {
    report.stopped = run.stopped
    report.unasked = run.unasked
    report.milliseconds = Clock.steady() - began
    for failure in report.failures {
      let wasWell = memory.feeds[failure.subscription, default: FeedMemory()].noteFailure(
        failure.reason, at: Clock.now(), isBlamed: !report.outage)
      if wasWell { report.failing.append("\(failure.subscription) \(failure.reason)") }
    }
    guard report.checked + report.failed > 0 else { return }
    let event = report.event
    try session.commit(action: action) { _ in [.runFinished(event)] }
  }
}
