/// Distinguishes an outage of the feeds as a whole from failures of single channels, by a run's most recent responses.
///
/// A feed that has failed for weeks says nothing about today. A feed that never worked may be dead just as well as
/// affected by an outage, so evidence from such feeds alone is doubtful.
package struct OutageDetector: Sendable {
  /// The outcome of a request.
  enum Outcome: Equatable, Sendable { case good, bad, silence }

  /// The most recent outcomes, newest last.
  private var outcomes: [(outcome: Outcome, wasWell: Bool)] = []
  /// The number of outcomes in the whole run.
  private(set) var total = 0
  private(set) var good = 0

  /// The maximum number of recent outcomes considered.
  static let window = 20
  /// The minimum number of outcomes required.
  static let fewest = 10
  /// The share of failures that makes an outage, in percent: 12 of 20.
  static let share = 60

  /// Records an outcome, and whether the feed was healthy before.
  mutating func note(_ outcome: Outcome, wasWell: Bool) {
    total += 1
    if outcome == .good { good += 1 }
    outcomes.append((outcome, wasWell))
    if outcomes.count > OutageDetector.window { outcomes.removeFirst() }
  }

  /// Whether the recent outcomes amount to an outage.
  var isOutage: Bool {
    guard outcomes.count >= OutageDetector.fewest else { return false }
    return OutageDetector.isFailing(outcomes.map(\.outcome))
  }

  /// Whether an apparent outage may not be one: there are too few outcomes, or no majority of failures among feeds that
  /// were healthy.
  var isDoubtful: Bool { outcomes.count < OutageDetector.fewest || !OutageDetector.isFailing(ofWell) }

  /// Whether most feeds that were healthy still respond.
  var isWellElsewhere: Bool { !ofWell.isEmpty && !OutageDetector.isFailing(ofWell) }

  private var ofWell: [Outcome] { outcomes.filter(\.wasWell).map(\.outcome) }

  private static func isFailing(_ outcomes: [Outcome]) -> Bool {
    !outcomes.isEmpty && outcomes.count { $0 != .good } * 100 >= outcomes.count * share
  }

  /// Whether a run too short for an outage verdict failed completely.
  var isFailingWhole: Bool { total > 0 && total < OutageDetector.fewest && good == 0 }

  /// Whether all recent failures were missing responses; nil if there were no failures.
  var isSilence: Bool? {
    outcomes.allSatisfy { $0.outcome == .good } ? nil : !outcomes.contains { $0.outcome == .bad }
  }

  /// Discards all outcomes: the following requests test something else.
  mutating func begin() { self = OutageDetector() }
}

/// The most recent outcomes of feeds that are known to exist because they have responded, be it in this run.
///
/// While most of them respond, those that never did are no evidence of an outage: a user may follow any number of
/// invented IDs.
struct ExistingFeeds: Sendable {
  private var outcomes: [(isGood: Bool, at: Timestamp)] = []

  /// Records the outcome of such a feed.
  mutating func note(isGood: Bool, at now: Timestamp) {
    outcomes.append((isGood, now))
    if outcomes.count > OutageDetector.window { outcomes.removeFirst() }
  }

  /// Whether most of those of the last 15 minutes responded.
  func areResponding(at now: Timestamp) -> Bool {
    let recent = outcomes.filter { now.seconds(since: $0.at) < PollPlan.floor }
    return recent.count { $0.isGood } * 2 > recent.count
  }
}

/// A few requests whose outcomes decide about the rest of the run.
struct Probe: Equatable, Sendable {
  /// What the probe tests.
  enum Purpose: Equatable, Sendable {
    /// Whether the trouble behind a backoff is over.
    case pauseOver
    /// Whether the other kind of feed works while the usual one fails.
    case otherForm
    /// Whether a canary feed still works while other feeds fail.
    case canary(SubscriptionID)
  }

  /// The verdict on the outcomes.
  enum Verdict: Sendable {
    case good
    case bad
    /// Some succeeded, but not more than half.
    case mixed
  }

  let purpose: Purpose
  private(set) var count: Int
  private var requested = 0
  private var good = 0
  private var bad = 0

  /// A probe of `count` requests.
  init(_ purpose: Purpose, count: Int) {
    (self.purpose, self.count) = (purpose, count)
  }

  /// Whether all its requests were sent.
  var isRequested: Bool { requested == count }

  /// Records that one of its requests was sent.
  mutating func noteRequested() { requested += 1 }

  /// Extends it by one request.
  mutating func requestOneMore() { count += 1 }

  /// Records an outcome, unless the request was already in flight when the probe began.
  mutating func noteResponse(to feedRequest: FeedRequest, isGood: Bool) {
    switch purpose {
    case .pauseOver: break
    case .otherForm: guard feedRequest.form == .uploads else { return }
    case .canary(let subscription): guard feedRequest.subscription == subscription else { return }
    }
    if isGood { good += 1 } else { bad += 1 }
  }

  /// The verdict; nil while undecided and outcomes are still pending.
  func verdict(isLast: Bool) -> Verdict? {
    if good * 2 > count { return .good }
    guard isLast || good + bad == count else { return nil }
    return good > 0 ? .mixed : .bad
  }
}

/// A run's outage handling: detect one, confirm it with a healthy feed, try the other kind of feed with a few channels,
/// then switch to it or stop.
extension PollRun {
  /// Ends the current probe once its outcomes are conclusive.
  mutating func judgeProbe(at now: Timestamp) {
    guard let decided = probe else { return }
    // A probe that is short of outcomes when none are pending counts against the feeds.
    let isLast = queue.inFlight == 0 && decided.isRequested
    guard let verdict = decided.verdict(isLast: isLast) else { return }
    if decided.purpose == .pauseOver, verdict == .mixed, requestOneMore(decided) { return }
    probe = nil
    switch (decided.purpose, verdict) {
    case (.pauseOver, .good): memory.pause = nil
    // The rest of the run will decide; until then the backoff stays.
    case (.pauseOver, .mixed): break
    case (.pauseOver, .bad): meetOutage(at: now)
    case (.canary, .bad):
      hasFailedCanary = true
      meetOutage(at: now)
    case (.canary, .good), (.canary, .mixed):
      confirmed.formUnion(failed.keys)
      memory.pause = nil
      watch.begin()
      watch.note(.good, wasWell: true)
    case (.otherForm, .good), (.otherForm, .mixed):
      usesOtherForm = true
      watch.begin()
      existing = ExistingFeeds()
      askFailedAgain()
    case (.otherForm, .bad): endInOutage()
    }
  }

  /// Extends an undecided probe by one healthy feed; returns false if no such feed is left, or if there are enough outcomes to
  /// decide without it.
  private mutating func requestOneMore(_ undecided: Probe) -> Bool {
    guard undecided.count < OutageDetector.fewest, queue.requestNext(where: isWell) != nil else { return false }
    probe?.requestOneMore()
    return true
  }

  /// A short run in which everything failed is an outage too, unless the failing feeds are dead.
  mutating func judgeSmallRun(at now: Timestamp) {
    guard stopped == nil, probe == nil, !queue.hasFeeds, !hasNothingToCompare else { return }
    if watch.isFailingWhole {
      meetOutage(at: now)
    } else if checked == 0, !failed.isEmpty, !hasFailedCanary {
      _ = requestCanary()
    }
  }

  /// Handles an apparent outage: probes the other kind of feed with a few channels, or stops if that was tried. If the
  /// failing feeds may be dead instead, a healthy feed is requested first.
  mutating func meetOutage(at now: Timestamp) {
    if watch.isDoubtful, !hasFailedCanary, requestCanary() || watch.isWellElsewhere { return }
    guard !isUnreachable else { return stop(.offline) }
    if watch.isDoubtful, !hasFailedCanary, hasControl || existing.areResponding(at: now) { return blameUnknown() }
    let failures = failed.values.map(\.feedRequest).filter {
      $0.form == .channel && memory.feeds[$0.subscription]?.failures ?? 0 == 0
    }
    // After a Retry-After do not request the same content by another URL.
    guard !usesOtherForm, !failures.isEmpty, retryAfter == nil else { return endInOutage() }
    // A feed that was never healthy may be dead: probe it only if there is nothing else.
    let wasWell = failures.filter(isWell)
    let candidates = wasWell.isEmpty ? failures : wasWell
    let probes = candidates.sorted { lastResponse($0) > lastResponse($1) }.prefix(PollPlan.probeCount)
    for feedRequest in probes { noteSubstituted(feedRequest.subscription) }
    queue.requestNext(Array(probes))
    probe = Probe(.otherForm, count: probes.count)
  }

  /// Other feeds responded minutes ago, so what never worked is to blame. A feed that did work is not: the outage may
  /// have begun since.
  private mutating func blameUnknown() {
    confirmed.formUnion(failed.keys.filter { !wasWell($0) })
    if !failed.keys.contains(where: wasWell) { memory.pause = nil }
    // Of thousands of them it is not asked again at each.
    if watch.isOutage { watch.begin() }
  }

  /// Stops the run, unless the failures are few and of feeds that never worked: these may be dead, and a pause would
  /// keep all others waiting.
  private mutating func endInOutage() {
    let areFew = watch.total < OutageDetector.fewest && !queue.hasFeeds
    guard areFew, !hasFailedCanary, !failed.keys.contains(where: wasWell) else { return stop(.outage) }
    hasNothingToCompare = true
  }

  /// Requests a healthy feed, preferably one that is due; returns false if no such feed is left.
  private mutating func requestCanary() -> Bool {
    var canary = queue.requestNext(where: isWell)
    if canary == nil, !canaries.isEmpty {
      let next = canaries.removeFirst()
      queue.requestNext([next])
      canariesRequested.append(next.subscription)
      canary = next
    }
    guard let canary else { return false }
    probe = Probe(.canary(canary.subscription), count: 1)
    return true
  }

  private func isWell(_ feedRequest: FeedRequest) -> Bool {
    memory.feeds[feedRequest.subscription]?.isWell == true && failed[feedRequest.subscription] == nil
  }

  /// Whether the network is at fault: all recent failures were missing responses.
  private var isUnreachable: Bool {
    watch.isSilence ?? (checked == 0 && failed.values.allSatisfy(\.outcome.isSilence))
  }

  /// Sort key: when the feed last responded; feeds that never did come last.
  private func lastResponse(_ feedRequest: FeedRequest) -> (Timestamp, SubscriptionID) {
    (memory.feeds[feedRequest.subscription]?.answered ?? Timestamp(seconds: 0), feedRequest.subscription)
  }

  /// Retries all failed feeds by the other kind of feed.
  private mutating func askFailedAgain() {
    let feedRequests = failed.values.map(\.feedRequest).filter { $0.form == .channel }
    for feedRequest in feedRequests { noteSubstituted(feedRequest.subscription) }
    queue.requestNext(feedRequests)
    queue.forgetRepeats(of: .channel)
  }
}
