/// The questions that a run has still to ask: in which order, how fast, and how many answers are awaited.
///
/// What may fill a gap goes out first, then the plan's feeds, and when all of these are answered what failed in passing,
/// once more.
struct QuestionQueue: Equatable, Sendable {
  private let pace: PollRun.Pace
  /// When the next question may go out, in milliseconds of a steady clock.
  private var nextAt = 0
  /// How many answers are awaited.
  private(set) var inFlight = 0
  /// The feeds not asked yet, the next one last.
  private(set) var feeds: [FeedQuestion]
  /// What failed in passing, to be asked once more at the end.
  private var again: [FeedQuestion] = []
  private var repeated: Set<SubscriptionID> = []
  /// Questions beside the feeds of the plan, which may fill a gap, and those of them that were not asked yet.
  private var fillings: Set<FeedQuestion> = []
  private var waitingFillings: [FeedQuestion] = []

  /// A queue of a plan's questions, the first of them first.
  init(_ questions: [FeedQuestion], pace: PollRun.Pace) {
    self.pace = pace
    feeds = questions.reversed()
  }

  /// Whether nothing is left to ask.
  var isEmpty: Bool { !hasFeeds && waitingFillings.isEmpty }

  /// Whether a feed of the plan is left to ask, for the first time or again.
  var hasFeeds: Bool { !feeds.isEmpty || !again.isEmpty }

  /// Whether a question is there to fill a gap; whatever comes of it blames nobody.
  func isFilling(_ question: FeedQuestion) -> Bool { fillings.contains(question) }

  /// Whether a feed failed in passing and was, or will be, asked once more.
  func isRepeated(_ subscription: SubscriptionID) -> Bool { repeated.contains(subscription) }

  // MARK: Out

  /// What to do now; see `PollRun.next`. A probe spends no question on a gap.
  mutating func next(at steady: Int, jitter: Double, isProbing: Bool) -> PollRun.Step {
    if feeds.isEmpty, waitingFillings.isEmpty, inFlight == 0, !again.isEmpty {
      feeds = again.reversed()
      again = []
    }
    let isFilling = !isProbing && !waitingFillings.isEmpty
    guard isFilling || !feeds.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < pace.jobs else { return .idle }
    guard steady >= nextAt else { return .wait(nextAt - steady) }
    if pace.rate > 0 { nextAt = steady + Int(1000 / pace.rate * (0.5 + jitter)) }
    inFlight += 1
    return .ask(isFilling ? waitingFillings.removeLast() : feeds.removeLast())
  }

  /// Takes note that a question is answered.
  mutating func noteAnswered() { inFlight -= 1 }

  // MARK: In

  /// Takes back a question whose answer was not waited for.
  mutating func putBack(_ question: FeedQuestion) {
    inFlight -= 1
    if isFilling(question) { waitingFillings.append(question) } else { feeds.append(question) }
  }

  /// Has feeds asked before all others, the last of them first.
  mutating func askNext(_ questions: [FeedQuestion]) { feeds += questions }

  /// Has the next feed that is so asked before all others; returns it, or nil where none is.
  mutating func askNext(where isWanted: (FeedQuestion) -> Bool) -> FeedQuestion? {
    guard let place = feeds.lastIndex(where: isWanted) else { return nil }
    let question = feeds.remove(at: place)
    feeds.append(question)
    return question
  }

  /// Has questions asked that may fill a gap.
  mutating func ask(toFill questions: [FeedQuestion]) {
    fillings.formUnion(questions)
    waitingFillings += questions
  }

  /// Has a feed asked once more at the end, unless it was.
  mutating func repeatAtEnd(_ question: FeedQuestion) {
    if repeated.insert(question.subscription).inserted { again.append(question) }
  }

  /// Has nothing asked once more by this form of feed.
  mutating func forgetRepeats(of form: FeedForm) { again.removeAll { $0.form == form } }
}
