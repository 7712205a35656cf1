/// One run of the poll as a machine that is told what happened and says what to do next. It does nothing itself, and
/// knows no clock: a simulated month runs it as the program does.
///
/// It asks the plan's questions in order and at the pace; stops at once at a 403 or 429; repeats what failed in
/// passing once, at the end; notices an outage, tries the other form of feed with a few channels, and switches to it or
/// stops. Failures are counted against channels only at the end, when it is known that others were well.
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

  /// A failure that stands at the end of the run.
  package struct Failure: Equatable, Sendable {
    package var subscription: SubscriptionID
    package var answer: FeedAnswer
  }

  package private(set) var memory: PollMemory
  /// Why the run takes no further questions, if it does not.
  package private(set) var stopped: StopReason?
  /// Answers that were understood.
  package private(set) var checked = 0
  /// Feeds that failed before and are well now.
  package private(set) var recovered: [SubscriptionID] = []
  /// Whether the other form of feed is asked for because the usual one fails.
  package private(set) var usesOtherForm = false

  private let pace: Pace
  private var nextAt = 0
  private var inFlight = 0
  /// The questions not asked yet, the next one last.
  private var waiting: [FeedQuestion]
  /// What failed in passing, to be asked once more at the end.
  private var again: [FeedQuestion] = []
  private var repeated: Set<SubscriptionID> = []
  /// Questions beside the feeds of the plan, which may fill a gap; whatever comes of them blames nobody.
  private var extra: Set<FeedQuestion> = []
  /// Those of them that were not asked yet; no probe is spent on them.
  private var extraWaiting: [FeedQuestion] = []
  /// Forms of feed that were missing, in place of which the channel's own feed was asked for; and that was well.
  private var suspected: [SubscriptionID: FeedForm] = [:]
  private var missing: [SubscriptionID: MissingForm] = [:]
  private var failed: [SubscriptionID: (question: FeedQuestion, answer: FeedAnswer)] = [:]
  private var watch = OutageWatch()
  private var probe: Probe?
  private var retryAfter: Int64?

  /// A run over a plan's questions.
  package init(_ plan: PollPlan, memory: PollMemory, pace: Pace) {
    self.memory = memory
    self.pace = pace
    waiting = plan.due.reversed()
    if plan.probes > 0 { probe = Probe(purpose: .pauseOver, count: plan.probes) }
  }

  /// A few questions that decide what becomes of the others.
  private struct Probe: Equatable {
    enum Purpose { case pauseOver, otherForm }

    let purpose: Purpose
    let count: Int
    var asked = 0
    var good = 0
    var bad = 0

    init(purpose: Purpose, count: Int) {
      self.purpose = purpose
      self.count = count
    }

    /// Whether more than half were good; nil while it is not decided, and answers are still to come.
    func verdict(isLast: Bool) -> Bool? {
      if good * 2 > count { return true }
      return isLast || bad * 2 >= count ? false : nil
    }
  }

  package static func == (left: PollRun, right: PollRun) -> Bool {
    left.memory == right.memory && left.stopped == right.stopped && left.waiting == right.waiting
      && left.inFlight == right.inFlight && left.watch == right.watch
  }

  /// How many of the plan's feeds have neither an answer nor a failure.
  package var unasked: Int { Set(waiting.map(\.subscription)).count { failed[$0] == nil } }

  /// Whether there is still something to ask, if nothing stops the run.
  package var hasQuestions: Bool { !waiting.isEmpty || !again.isEmpty || !extraWaiting.isEmpty }

  /// The failures so far, by subscription.
  package var failures: [Failure] {
    failed.sorted { $0.key < $1.key }.map { Failure(subscription: $0.key, answer: $0.value.answer) }
  }

  /// How many failures there are so far.
  package var failureCount: Int { failed.count }
}

// MARK: Asking

extension PollRun {
  /// What to do now, in milliseconds of any steady clock. `jitter`, from 0 to 1, spreads the questions: each waits for
  /// half to one and a half times the interval.
  package mutating func next(at steady: Int, now: Timestamp, jitter: Double) -> Step {
    if inFlight == 0 {
      judgeProbe()
      judgeSmallRun()
    }
    guard stopped == nil else { return inFlight > 0 ? .idle : .done }
    if let probe, probe.asked == probe.count, inFlight > 0 { return .idle }
    if waiting.isEmpty, extraWaiting.isEmpty, inFlight == 0, !again.isEmpty {
      waiting = again.reversed()
      again = []
    }
    let isExtra = probe == nil && !extraWaiting.isEmpty
    guard isExtra || !waiting.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < pace.jobs else { return .idle }
    guard steady >= nextAt else { return .wait(nextAt - steady) }
    if pace.rate > 0 { nextAt = steady + Int(1000 / pace.rate * (0.5 + jitter)) }
    guard !isExtra else {
      inFlight += 1
      return .ask(extraWaiting.removeLast())
    }
    return .ask(take(at: now))
  }

  private mutating func take(at now: Timestamp) -> FeedQuestion {
    var question = waiting.removeLast()
    if usesOtherForm || probe?.purpose == .otherForm, question.form == .channel { question.form = .uploads }
    probe?.asked += 1
    inFlight += 1
    memory.feeds[question.subscription, default: FeedMemory()].asked = now
    return question
  }

  /// Adds questions that may fill a gap, to be asked next.
  package mutating func ask(alsoFor questions: [FeedQuestion]) {
    extra.formUnion(questions)
    extraWaiting += questions
  }

  /// Takes no further questions.
  package mutating func stop(_ reason: StopReason) {
    if stopped == nil { stopped = reason }
  }
}

// MARK: Answers

extension PollRun {
  /// Takes note of what came back to a question.
  package mutating func note(_ answer: FeedAnswer, to question: FeedQuestion, at now: Timestamp) {
    inFlight -= 1
    if extra.contains(question), ![403, 429].contains(answer.status) { return }
    if case .status(403, let seconds) = answer { return stop(.refused, question, answer, seconds) }
    if case .status(429, let seconds) = answer { return stop(.tooMany, question, answer, seconds) }
    if answer.isGood { noteGood(answer, question, at: now) } else { noteBad(answer, question, at: now) }
    judgeProbe()
    if stopped == nil, probe == nil, watch.isOutage { meetOutage() }
  }

  /// Takes note of a question whose answer was not waited for: it counts as not asked.
  package mutating func noteAborted(_ question: FeedQuestion) {
    inFlight -= 1
    guard !extra.contains(question) else { return extraWaiting.append(question) }
    waiting.append(question)
    let answered = memory.feeds[question.subscription]?.answered
    memory.feeds[question.subscription]?.asked = answered
  }

  private mutating func stop(
    _ reason: StopReason, _ question: FeedQuestion, _ answer: FeedAnswer, _ seconds: Int64?
  ) {
    failed[question.subscription] = (question, answer)
    retryAfter = seconds
    stop(reason)
  }

  private mutating func noteGood(_ answer: FeedAnswer, _ question: FeedQuestion, at now: Timestamp) {
    let id = question.subscription
    checked += 1
    failed[id] = nil
    watch.note(.good)
    if isProbe(question) { probe?.good += 1 }
    if question.form == .channel, let form = suspected[id] { missing[id] = MissingForm(form: form, at: now) }
    var known = memory.feeds[id] ?? FeedMemory()
    known.form = question.form
    if case .feed(let habit, let etag, let lastModified) = answer {
      (known.habit, known.etag, known.lastModified) = (habit, etag, lastModified)
    }
    if known.noteWell(answer.words, at: now) { recovered.append(id) }
    memory.feeds[id] = known
  }

  private mutating func noteBad(_ answer: FeedAnswer, _ question: FeedQuestion, at now: Timestamp) {
    let id = question.subscription
    if fallsBack(from: question, answer) {
      suspected[id] = question.form
      waiting.append(FeedQuestion(subscription: id, form: .channel))
      return
    }
    // A feed that failed before, or a question that is repeated, tells nothing new.
    if memory.feeds[id]?.failures ?? 0 == 0, !repeated.contains(id) {
      watch.note(answer.isSilence ? .silence : .bad)
    }
    if isProbe(question) { probe?.bad += 1 }
    if probe == nil, answer.isPassing, repeated.insert(id).inserted { again.append(question) }
    failed[id] = (question, answer)
  }

  /// Whether the form of feed that was chosen is missing, so that the channel's own feed is asked for instead: a channel
  /// without long videos has no `UULF…`.
  private func fallsBack(from question: FeedQuestion, _ answer: FeedAnswer) -> Bool {
    guard case .status(404, _) = answer, question.subscription.channel != nil, !usesOtherForm, probe == nil else {
      return false
    }
    return question.form != .channel && question.form != .playlist
  }
}

// MARK: Outages

extension PollRun {
  /// Whether a question is one of the probe's, and not one that was in flight when it began.
  private func isProbe(_ question: FeedQuestion) -> Bool {
    probe.map { $0.purpose == .pauseOver || question.form == .uploads } ?? false
  }

  private mutating func judgeProbe() {
    guard let decided = probe else { return }
    // One that is short of answers when none is to come any more is no good sign.
    let isLast = inFlight == 0 && decided.asked == decided.count
    guard let isGood = decided.verdict(isLast: isLast) else { return }
    probe = nil
    switch (decided.purpose, isGood) {
    case (.pauseOver, true): memory.pause = nil
    case (.pauseOver, false): meetOutage()
    case (.otherForm, true):
      usesOtherForm = true
      watch.begin()
      askFailedAgain()
    case (.otherForm, false): stop(.outage)
    }
  }

  /// A run of few answers, all of them failures, is an outage too.
  private mutating func judgeSmallRun() {
    guard stopped == nil, probe == nil, waiting.isEmpty, again.isEmpty, watch.isFailingWhole else { return }
    meetOutage()
  }

  /// The feeds as a whole fail: asks a few channels by the other form, or stops where that was tried.
  private mutating func meetOutage() {
    guard !isUnreachable else { return stop(.offline) }
    let candidates = failed.values.map(\.question).filter {
      $0.form == .channel && memory.feeds[$0.subscription]?.failures ?? 0 == 0
    }
    guard !usesOtherForm, !candidates.isEmpty else { return stop(.outage) }
    let probes = candidates.sorted { known($0) > known($1) }.prefix(PollPlan.probeCount)
    for question in probes { failed[question.subscription] = nil }
    waiting += probes
    probe = Probe(purpose: .otherForm, count: probes.count)
  }

  /// Whether what fails is the way to the feeds: of the last answers those that failed never came.
  private var isUnreachable: Bool {
    watch.isSilence ?? (checked == 0 && failed.values.allSatisfy(\.answer.isSilence))
  }

  /// When a subscription's feed was last well; those never asked come last.
  private func known(_ question: FeedQuestion) -> (Timestamp, SubscriptionID) {
    (memory.feeds[question.subscription]?.answered ?? Timestamp(seconds: 0), question.subscription)
  }

  /// Asks by the other form what failed by the usual one.
  private mutating func askFailedAgain() {
    let questions = failed.values.map(\.question).filter { $0.form == .channel }
    for question in questions { failed[question.subscription] = nil }
    waiting += questions
    again.removeAll { $0.form == .channel }
  }
}

// MARK: The end

extension PollRun {
  /// Whether the feeds as a whole were failing.
  package var isOutage: Bool { stopped == .outage || stopped == .offline }

  /// Ends the run: counts failures against channels where others were well, and sets or lifts the pause. Returns the
  /// feeds that were well before and are failing now.
  package mutating func finish(at now: Timestamp) -> [Failure] {
    // While a probe is undecided nobody knows whether it is the channels' fault.
    let isBlamed = !isOutage && stopped != .refused && stopped != .tooMany && checked > 0 && probe == nil
    setPause(at: now)
    if isBlamed { for (id, form) in missing { memory.feeds[id]?.missing = form } }
    var failing: [Failure] = []
    for failure in failures {
      let wasWell = memory.feeds[failure.subscription, default: FeedMemory()].noteFailure(
        failure.answer.words, at: now, isBlamed: isBlamed)
      if wasWell { failing.append(failure) }
    }
    return failing
  }

  private mutating func setPause(at now: Timestamp) {
    switch stopped {
    case .outage, .refused, .tooMany:
      memory.pause = Pause.after(memory.pause, reason: stopped ?? .outage, asked: retryAfter, now: now)
    case .offline:
      // The network may be back at any time: the next run need not wait, but begins with a few.
      let since = memory.pause.flatMap { $0.reason == .offline ? $0.since : nil } ?? now
      memory.pause = Pause(reason: .offline, since: since, retry: now, backoff: 0)
    case .deadline, .interrupted, nil:
      if checked > 0 { memory.pause = nil }
    }
  }
}
