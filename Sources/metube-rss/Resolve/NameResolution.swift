import Core
import Fetch

/// Looks up the names (`@handle`, `/user/name`, `/c/name`) that were followed and only the network can turn into ids.
///
/// One at a time: the feed of a name of the old sort, else the Data API where a key is set, else the page of the channel,
/// which has a megabyte and more. What leads to no channel is remembered and asked for again after a day; an answer that
/// never came, or a failing server's, is not held against the name. A 403 or 429 ends the run and pauses the feeds too, for
/// it is the same host.
struct NameResolution {
  /// One thing to ask.
  private struct Question {
    var followed: HandleFollowed
    var name: ChannelName
    var place: NamePlace
  }

  private let session: Session
  private let feedsURL: String
  private let interrupt = Interrupt()
  /// When no further question is asked, on the steady clock.
  private let deadline: Int?
  private var questions: [Question] = []
  private var asked: Question?
  private var api: NameAPI?
  /// When the next question may go out, on the steady clock.
  private var nextQuestion = 0
  private var problem: (any Error)?
  /// What the machine remembers, with what was learnt.
  private(set) var memory: PollMemory
  /// What came of it.
  private(set) var report = NameReport()

  /// A look-up of up to `most` of the names that are due, until a `deadline` on the steady clock.
  init(_ session: Session, _ memory: PollMemory, most: Int, deadline: Int?) throws {
    self.session = session
    self.deadline = deadline
    self.memory = memory
    feedsURL = try session.settings.feedsURL()
    let names = session.state.unresolved
    let due = names.filter { memory.names[$0.handle]?.isDue(at: session.now) ?? true }
    // Not always the same ones, lest names whose pages fail keep all others from their turn.
    for followed in (due.count > most ? due.shuffled() : due).prefix(most) {
      guard let name = ChannelName(description: followed.handle) else { continue }
      questions.append(Question(followed: followed, name: name, place: name.feedPath == nil ? .api : .feed))
    }
    report.waiting = names.count - questions.count
    if !questions.isEmpty { api = NameAPI(session, deadline: deadline) }
  }

  /// Whether there is nothing to ask.
  var isEmpty: Bool { questions.isEmpty }

  /// Asks all of it. Throws where the log or libcurl as a whole fails; what was found before stays.
  mutating func run(with fetcher: Fetcher) throws {
    var run = self
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor, isAborted: { run.isOver() }, next: { run.nextStep() },
        finished: { run.take($0) })
    } catch { run.problem = run.problem ?? Words.failure(error) }
    self = run
    report.waiting += questions.count
    if let problem { throw problem }
    try api?.save()
  }

  private mutating func isOver() -> Bool {
    // One that passes when nothing is left to ask cuts nothing short.
    if let deadline, Clock.steady() >= deadline, asked != nil || !questions.isEmpty {
      report.stopped = .deadline
    } else if interrupt.hasCome() || api?.hasEnded == true {
      report.stopped = .interrupted
    }
    return problem != nil || report.ending != nil
  }

  private mutating func nextStep() -> FetchStep {
    if asked != nil { return .idle }
    askAPI()
    guard problem == nil, report.stopped == nil, let question = questions.first else { return .done }
    let now = Clock.steady()
    guard now >= nextQuestion else { return .wait(.milliseconds(nextQuestion - now)) }
    // Half a second and up to as much again, as the feeds are asked.
    nextQuestion = now + 500 + Int.random(in: 0...500)
    questions.removeFirst()
    asked = question
    return .request(request(for: question))
  }

  /// Asks the Data API for the names whose turn it is, up to the first that it has no answer to.
  private mutating func askAPI() {
    while problem == nil, !isOver(), let question = questions.first, question.place == .api {
      do {
        if let channel = try api?.channel(of: question.name) {
          questions.removeFirst()
          note(.channel(channel), question.followed)
        } else if api?.hasEnded != true {
          questions[0].place = .page
        }
      } catch { problem = error }
    }
  }

  private func request(for question: Question) -> FetchRequest {
    let path = question.place == .feed ? question.name.feedPath : nil
    var request = FetchRequest(
      tag: 0, url: feedsURL + (path ?? question.name.encodedPath), maxBodyBytes: NameResolution.bodyLimit)
    // Without it YouTube answers Europeans with a page about cookies.
    if question.place == .page { request.cookie = "SOCS=CAI" }
    return request
  }

  /// The most bytes of a page; real ones have 1.6 MB.
  private static let bodyLimit = 4 << 20

  private mutating func take(_ outcome: FetchOutcome) {
    guard let question = asked else { return }
    asked = nil
    switch outcome.result {
    case .failure(.aborted): questions.insert(question, at: 0)
    case .failure(let failure) where failure.isAnswer:
      note(NameAnswer(ofNoUse: Words.fetch(failure), from: question.place), to: question, retryAfter: nil)
    case .failure(let failure):
      questions.insert(question, at: 0)
      report.stopped = .offline
      report.trouble = Words.fetch(failure)
    case .success(let answer):
      let said = NameAnswer(status: answer.status, body: answer.body, from: question.place)
      note(said, to: question, retryAfter: answer.retryAfter)
    }
  }

  private mutating func note(_ answer: NameAnswer, to question: Question, retryAfter: RetryAfter?) {
    let handle = question.followed.handle
    switch answer {
    case .channel(let channel): note(.channel(channel), question.followed)
    case .refused(let reason):
      questions.insert(question, at: 0)
      pause(reason, after: retryAfter)
    case .undecided:
      var next = question
      next.place = .api
      questions.insert(next, at: 0)
    case .failing(let words):
      report.waiting += 1
      report.unanswered.append((handle, words))
    case .nothing(let words):
      memory.names[handle] = NameMemory(asked: Clock.now(), lastAnswer: words)
      report.failed.append((handle, words))
    }
  }

  private mutating func pause(_ reason: StopReason, after retryAfter: RetryAfter?) {
    let now = Clock.now()
    let seconds = retryAfter.map { $0.seconds(at: now) }
    memory.pause = Pause.after(memory.pause, reason: reason, asked: seconds, now: now)
    report.stopped = reason
    report.trouble = reason == .refused ? "HTTP 403" : "HTTP 429"
  }

  /// Follows the channel that a name turned out to be, as a part of the action that followed the name.
  private mutating func note(_ subscription: SubscriptionID, _ followed: HandleFollowed) {
    memory.names[followed.handle] = nil
    report.resolved.append((followed.handle, subscription))
    do {
      try session.commit(action: session.state.handles[followed.handle]?.action) { state in
        // It may have been unfollowed while it was asked for.
        guard let followed = state.handles[followed.handle]?.followed else { return [] }
        var wish = Subscribing(tags: [], seenBefore: followed.seenBefore)
        wish.add(.subscription(subscription, .channel), title: followed.title, tags: followed.tags ?? [])
        let resolved = HandleResolved(handle: followed.handle, subscription: subscription)
        return [.handleResolved(resolved)] + wish.bodies(in: state)
      }
    } catch { problem = error }
  }
}
