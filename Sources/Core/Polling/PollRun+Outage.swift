/// A run's outage handling: detect one, confirm it with a healthy feed, try the other kind of feed with a few channels,
/// then switch to it or stop.
extension PollRun {
  /// Ends the current probe once its outcomes are conclusive.
  mutating func judgeProbe() {
    guard let decided = probe else { return }
    // A probe that is short of outcomes when none are pending counts against the feeds.
    let isLast = queue.inFlight == 0 && decided.isAsked
    guard let verdict = decided.verdict(isLast: isLast) else { return }
    if decided.purpose == .pauseOver, verdict == .mixed, askOneMore(decided) { return }
    probe = nil
    switch (decided.purpose, verdict) {
    case (.pauseOver, .good): memory.pause = nil
    // The rest of the run will decide; until then the backoff stays.
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

  /// Extends an undecided probe by one healthy feed; returns false if there is none, or if there are enough outcomes to
  /// decide without it.
  private mutating func askOneMore(_ undecided: Probe) -> Bool {
    guard undecided.count < OutageWatch.fewest, queue.askNext(where: isWell) != nil else { return false }
    probe?.askOneMore()
    return true
  }

  /// A short run in which everything failed is an outage too, unless the failing feeds are dead.
  mutating func judgeSmallRun() {
    guard stopped == nil, probe == nil, !queue.hasFeeds else { return }
    if watch.isFailingWhole {
      meetOutage()
    } else if checked == 0, !failed.isEmpty, !hasFailedControl {
      _ = askControl()
    }
  }

  /// Handles an apparent outage: probes the other kind of feed with a few channels, or stops if that was tried. If the
  /// failing feeds may be dead instead, a healthy feed is requested first.
  mutating func meetOutage() {
    if watch.isDoubtful, !hasFailedControl, askControl() || watch.isWellElsewhere { return }
    guard !isUnreachable else { return stop(.offline) }
    let failures = failed.values.map(\.question).filter {
      $0.form == .channel && memory.feeds[$0.subscription]?.failures ?? 0 == 0
    }
    // After a Retry-After do not request the same content by another URL.
    guard !usesOtherForm, !failures.isEmpty, retryAfter == nil else { return stop(.outage) }
    // A feed that was never healthy may be dead: probe it only if there is nothing else.
    let wasWell = failures.filter(isWell)
    let candidates = wasWell.isEmpty ? failures : wasWell
    let probes = candidates.sorted { known($0) > known($1) }.prefix(PollPlan.probeCount)
    for question in probes { failed[question.subscription] = nil }
    queue.askNext(Array(probes))
    probe = Probe(.otherForm, count: probes.count)
  }

  /// Requests a healthy feed, preferably one that is due; returns false if there is none.
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

  /// Whether the network is at fault: all recent failures were missing responses.
  private var isUnreachable: Bool {
    watch.isSilence ?? (checked == 0 && failed.values.allSatisfy(\.answer.isSilence))
  }

  /// Sort key: when the feed last responded; feeds that never did come last.
  private func known(_ question: FeedQuestion) -> (Timestamp, SubscriptionID) {
    (memory.feeds[question.subscription]?.answered ?? Timestamp(seconds: 0), question.subscription)
  }

  /// Retries all failed feeds by the other kind of feed.
  private mutating func askFailedAgain() {
    let questions = failed.values.map(\.question).filter { $0.form == .channel }
    for question in questions { failed[question.subscription] = nil }
    queue.askNext(questions)
    queue.forgetRepeats(of: .channel)
  }
}
