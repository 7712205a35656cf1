/// One run of the poll as a machine that is told what happened and says what to do next. It does nothing itself.
package struct PollRun: Equatable, Sendable {
  /// What to do now.
  package enum Step: Equatable, Sendable {
    case ask(FeedQuestion)
    /// Nothing before this many milliseconds have passed.
    case wait(Int)
    /// Nothing before an answer comes.
    case idle
    case done
  }

  /// How fast to ask.
  package struct Pace: Equatable, Sendable {
    /// Questions a second; 0 is without limit.
    package var rate: Double
    /// Answers awaited at one time.
    package var jobs: Int

    package init(rate: Double, jobs: Int) {
      self.rate = rate
      self.jobs = jobs
    }
  }

  /// Why the run takes no further questions, if it does not.
  package private(set) var stopped: StopReason?
  /// The questions not asked yet, the next one last.
  private var waiting: [FeedQuestion]
  private var inFlight = 0
  private let pace: Pace
  private var nextAt: Int = 0

  /// A run over a plan's questions; times are milliseconds of any steady clock.
  package init(_ questions: [FeedQuestion], pace: Pace) {
    waiting = questions.reversed()
    self.pace = pace
  }

  /// How many questions were not asked.
  package var unasked: Int { waiting.count }

  /// What to do at `now`. `jitter`, from 0 to 1, spreads the questions: half to one and a half times the interval.
  package mutating func next(at now: Int, jitter: Double) -> Step {
    guard stopped == nil, !waiting.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < pace.jobs else { return .idle }
    guard now >= nextAt else { return .wait(nextAt - now) }
    if pace.rate > 0 { nextAt = now + Int(1000 / pace.rate * (0.5 + jitter)) }
    inFlight += 1
    return .ask(waiting.removeLast())
  }

  /// Takes note of an answer, whatever it was.
  package mutating func noteAnswer(status: Int?) {
    inFlight -= 1
    if status == 403 { stop(.refused) }
    if status == 429 { stop(.tooMany) }
  }

  /// Takes no further questions.
  package mutating func stop(_ reason: StopReason) {
    if stopped == nil { stopped = reason }
  }
}
