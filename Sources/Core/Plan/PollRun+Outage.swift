/// What a run does about an outage: it notices one, asks a few channels by the other form of feed, and goes on by that or
/// stops.
extension PollRun {
  /// Ends the probe that goes on where its answers decide.
  mutating func judgeProbe() {
    guard let decided = probe else { return }
    // One that is short of answers when none is to come any more is no good sign.
    let isLast = queue.inFlight == 0 && decided.isAsked
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
  mutating func judgeSmallRun() {
    guard stopped == nil, probe == nil, !queue.hasFeeds, watch.isFailingWhole else { return }
    meetOutage()
  }

  /// The feeds as a whole fail: asks a few channels by the other form, or stops where that was tried.
  mutating func meetOutage() {
    guard !isUnreachable else { return stop(.offline) }
    let candidates = failed.values.map(\.question).filter {
      $0.form == .channel && memory.feeds[$0.subscription]?.failures ?? 0 == 0
    }
    guard !usesOtherForm, !candidates.isEmpty else { return stop(.outage) }
    let probes = candidates.sorted { known($0) > known($1) }.prefix(PollPlan.probeCount)
    for question in probes { failed[question.subscription] = nil }
    queue.askNext(Array(probes))
    probe = Probe(.otherForm, count: probes.count)
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
