/// One run of the poll as a machine that is told what happened and says what to do next. It does nothing itself, and
/// knows no clock: a simulated month runs it as the program does.
///
/// It asks the plan's questions in order and at the pace; stops at once at a 403 or 429; repeats what failed in
/// passing once, at the end; notices an outage, tries the other form of feed with a few channels, and switches to it or
/// stops. Failures are counted against channels only at the end, when it is known that others were well.
package struct PollRun: Sendable {
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

  package internal(set) var memory: PollMemory
  /// Why the run takes no further questions, if it does not.
  package private(set) var stopped: StopReason?
  /// Answers that were understood.
  package private(set) var checked = 0
  /// Feeds that failed before and are well now.
  package private(set) var recovered: [SubscriptionID] = []
  /// Whether the other form of feed is asked for because the usual one fails.
  package internal(set) var usesOtherForm = false

  /// What is still to be asked.
  var queue: QuestionQueue
  /// What failed so far, and by which question.
  var failed: [SubscriptionID: (question: FeedQuestion, answer: FeedAnswer)] = [:]
  /// The last answers, which tell an outage.
  var watch = OutageWatch()
  /// The probe that goes on.
  var probe: Probe?
  /// Feeds that were well and are not due, of which one is asked before little evidence is called an outage.
  var controls: [FeedQuestion]
  /// Those of them that were asked, though they were not due.
  package internal(set) var controlsAsked: [SubscriptionID] = []
  /// Whether one of these failed.
  var hasFailedControl = false
  /// What failed while such a feed was well, whatever the run comes to.
  var confirmed: Set<SubscriptionID> = []
  /// Forms of feed that were missing, in place of which the channel's own feed was asked for; and that was well.
  private var suspected: [SubscriptionID: FeedForm] = [:]
  private var missing: [SubscriptionID: MissingForm] = [:]
  /// The seconds after which the server wants to be asked again, the most of what it said.
  private(set) var retryAfter: Int64?

  /// A run over a plan's questions.
  package init(_ plan: PollPlan, memory: PollMemory, pace: Pace) {
    self.memory = memory
    controls = plan.controls
    queue = QuestionQueue(plan.due, pace: pace)
    if plan.probes > 0 { probe = Probe(.pauseOver, count: plan.probes) }
  }

  /// How many of the plan's feeds have neither an answer nor a failure.
  package var unasked: Int { Set(queue.feeds.map(\.subscription)).count { failed[$0] == nil } }

  /// Whether there is still something to ask, if nothing stops the run.
  package var hasQuestions: Bool { !queue.isEmpty }

  /// Whether all there is to ask was asked and answered.
  package var isAnswered: Bool { queue.inFlight == 0 && !hasQuestions }

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
    if queue.inFlight == 0 {
      judgeProbe()
      judgeSmallRun()
    }
    guard stopped == nil else { return queue.inFlight > 0 ? .idle : .done }
    // The probe's answers decide what is asked next.
    if let probe, probe.isAsked, queue.inFlight > 0 { return .idle }
    let step = queue.next(at: steady, jitter: jitter, isProbing: probe != nil)
    guard case .ask(let question) = step, !queue.isFilling(question) else { return step }
    return .ask(noteAsked(question, at: now))
  }

  /// Takes note that a feed is asked now; returns the question in the form that is of use.
  private mutating func noteAsked(_ question: FeedQuestion, at now: Timestamp) -> FeedQuestion {
    var question = question
    if usesOtherForm || probe?.purpose == .otherForm, question.form == .channel { question.form = .uploads }
    probe?.noteAsked()
    memory.feeds[question.subscription, default: FeedMemory()].asked = now
    return question
  }

  /// Adds questions that may fill a gap, to be asked next.
  package mutating func ask(alsoFor questions: [FeedQuestion]) {
    queue.ask(toFill: questions)
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
    queue.noteAnswered()
    if queue.isFilling(question), ![403, 429].contains(answer.status) { return }
    if case .status(403, let seconds) = answer { return stop(.refused, question, answer, seconds) }
    if case .status(429, let seconds) = answer { return stop(.tooMany, question, answer, seconds) }
    if answer.isGood { noteGood(answer, question, at: now) } else { noteBad(answer, question, at: now) }
    judgeProbe()
    if stopped == nil, probe == nil, watch.isOutage { meetOutage() }
  }

  /// Takes note of a question whose answer was not waited for: it counts as not asked.
  package mutating func noteAborted(_ question: FeedQuestion) {
    queue.putBack(question)
    guard !queue.isFilling(question) else { return }
    let answered = memory.feeds[question.subscription]?.answered
    memory.feeds[question.subscription]?.asked = answered
  }

  /// Forgets what an answer said that could not be kept, but not that the feed was asked.
  package mutating func forgetAnswer(of subscription: SubscriptionID, before: FeedMemory?) {
    var known = before ?? FeedMemory()
    known.asked = memory.feeds[subscription]?.asked
    memory.feeds[subscription] = known
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
    watch.note(.good, wasWell: wasWell(id))
    probe?.noteAnswer(to: question, isGood: true)
    if question.form == .channel, let form = suspected[id] { missing[id] = MissingForm(form: form, at: now) }
    var known = memory.feeds[id] ?? FeedMemory()
    known.form = question.form
    if case .feed(let habit, let etag, let lastModified) = answer {
      known.habit = habit
      (known.etag, known.lastModified) = (Validator.sendable(etag), Validator.sendable(lastModified))
    }
    if known.noteWell(answer.words, at: now) { recovered.append(id) }
    memory.feeds[id] = known
  }

  private mutating func noteBad(_ answer: FeedAnswer, _ question: FeedQuestion, at now: Timestamp) {
    let id = question.subscription
    if fallsBack(from: question, answer) {
      suspected[id] = question.form
      return queue.askNext([FeedQuestion(subscription: id, form: .channel)])
    }
    // A feed that failed before, or a question that is repeated, tells nothing new.
    if memory.feeds[id]?.failures ?? 0 == 0, !queue.isRepeated(id) {
      watch.note(answer.isSilence ? .silence : .bad, wasWell: wasWell(id))
    }
    if let seconds = answer.retryAfter { retryAfter = max(retryAfter ?? 0, seconds) }
    probe?.noteAnswer(to: question, isGood: false)
    if probe == nil, answer.isPassing { queue.repeatAtEnd(question) }
    failed[id] = (question, answer)
  }

  private func wasWell(_ id: SubscriptionID) -> Bool { memory.feeds[id]?.isWell == true }

  /// Whether the form of feed that was chosen is missing, so that the channel's own feed is asked for instead: a channel
  /// without long videos has no `UULF…`.
  private func fallsBack(from question: FeedQuestion, _ answer: FeedAnswer) -> Bool {
    guard case .status(404, _) = answer, question.subscription.channel != nil, !usesOtherForm, probe == nil else {
      return false
    }
    return question.form != .channel && question.form != .playlist
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
        failure.answer.words, at: now, isBlamed: isBlamed || confirmed.contains(failure.subscription))
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
