/// What a run does about an outage: it notices one, makes sure by a feed that was well, asks a few channels by the other
/// form of feed, and goes on by that or stops.
extension PollRun {
  /// Ends the probe that goes on where its answers decide.
  mutating func judgeProbe() {
    guard let decided = probe else { return }
    // One that is short of answers when none is to come any more is no good sign.
    let isLast = queue.inFlight == 0 && decided.isAsked
    guard let verdict = decided.verdict(isLast: isLast) else { return }
    if decided.purpose == .pauseOver, verdict == .mixed, askOneMore(decided) { return }
    probe = nil
    switch (decided.purpose, verdict) {
    case (.pauseOver, .good): memory.pause = nil
    // The rest of the run shows which it is; until then the pause is remembered.
    case (.pauseOver, .mixed): break
    case (.pauseOver, .bad): meetOutage()
    case (.control, .bad):
      hasFailedControl = true
      meetOutage()
    case (.control, .good), (.control, .mixed):
      confirmed.formUnion(failed.keys)
      memory.pause = nil
      watch.begin()
      watch.note(.good, wasWell: true)
    case (.otherForm, .good), (.otherForm, .mixed):
      usesOtherForm = true
      watch.begin()
      askFailedAgain()
    case (.otherForm, .bad): stop(.outage)
    }
  }

  /// Has an undecided probe ask one more feed that was well; returns whether there is one, and it is not time for the
  /// last answers to decide.
  private mutating func askOneMore(_ undecided: Probe) -> Bool {
    guard undecided.count < OutageWatch.fewest, queue.askNext(where: isWell) != nil else { return false }
    probe?.askOneMore()
    return true
  }

  /// A run of few answers, all of them failures, is an outage too, unless they are those of feeds that are gone.
  mutating func judgeSmallRun() {
    guard stopped == nil, probe == nil, !queue.hasFeeds else { return }
    if watch.isFailingWhole {
      meetOutage()
    } else if checked == 0, !failed.isEmpty, !hasFailedControl {
      _ = askControl()
    }
  }

  /// The feeds as a whole fail: asks a few channels by the other form, or stops where that was tried. Where they may as
  /// well be gone, one that was well is asked first.
  mutating func meetOutage() {
    if watch.isDoubtful, !hasFailedControl, askControl() || watch.isWellElsewhere { return }
    guard !isUnreachable else { return stop(.offline) }
    let failures = failed.values.map(\.question).filter {
      $0.form == .channel && memory.feeds[$0.subscription]?.failures ?? 0 == 0
    }
    // A server that said when to be asked again is not asked for the same in other words.
    guard !usesOtherForm, !failures.isEmpty, retryAfter == nil else { return stop(.outage) }
    // What was never well may be gone: it is asked only where nothing else is there.
    let wasWell = failures.filter(isWell)
    let candidates = wasWell.isEmpty ? failures : wasWell
    let probes = candidates.sorted { known($0) > known($1) }.prefix(PollPlan.probeCount)
    for question in probes { failed[question.subscription] = nil }
    queue.askNext(Array(probes))
    probe = Probe(.otherForm, count: probes.count)
  }

  /// Asks a feed that was well, one that is due before others; returns whether there is one.
  private mutating func askControl() -> Bool {
    var control = queue.askNext(where: isWell)
    if control == nil, !controls.isEmpty {
      let next = controls.removeFirst()
      queue.askNext([next])
      controlsAsked.append(next.subscription)
      control = next
    }
    guard let control else { return false }
    probe = Probe(.control(control.subscription), count: 1)
    return true
  }

  private func isWell(_ question: FeedQuestion) -> Bool {
    memory.feeds[question.subscription]?.isWell == true && failed[question.subscription] == nil
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
    queue.askNext(questions)
    queue.forgetRepeats(of: .channel)
  }
}
