import Seeded
import TestSupport
import Testing

@testable import Core

/// A feed that a hub polls, and a device of the hub's that polls hourly, each with its own plan, for a month.
private struct Distance {
  private static let feed = SubscriptionID.channel(Sample.channel(1))
  private static let state = Sample.state([
    Sample.event(1, .channelFollowed(ChannelFollowed(subscription: feed, title: nil, tags: nil)))
  ])
  private static let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)

  /// The feed's polling interval in seconds.
  let gap: Int64
  /// Whether the hub says when it requests the feed next.
  let says: Bool
  private var hub = PollState()
  private var device = PollState()
  private var generator: SeededGenerator
  /// The seconds of all requests for the feed, and which of them are the device's.
  private var requests: [(at: Int64, isOfDevice: Bool)] = []

  /// `hubInterval` is how often the hub looks for feeds that are due, from `phase` seconds on.
  init(gap: Int64, hubInterval: Int64, phase: Int64, says: Bool, seed: UInt64) {
    (self.gap, self.says, generator) = (gap, says, SeededGenerator(seed: seed))
    var polls = stride(from: phase, to: 30 * 86_400, by: Int64.Stride(hubInterval)).map { ($0, false) }
    polls += stride(from: 3600, to: 30 * 86_400, by: 3600).map { ($0 + .random(in: 0...600, using: &generator), true) }
    for (at, isOfDevice) in polls.sorted(by: { ($0.0, $0.1 ? 1 : 0) < ($1.0, $1.1 ? 1 : 0) }) {
      poll(at: at, isOfDevice)
    }
  }

  private mutating func poll(at seconds: Int64, _ isOfDevice: Bool) {
    let now = Sample.start.adding(seconds: seconds)
    var memory = isOfDevice ? device : hub
    (memory.pushed, memory.hubPolls) = ([:], [:])
    if isOfDevice, let known = hub.feeds[Distance.feed], let read = known.answered {
      let next = says ? PollPlan.due(Distance.feed, known, pushed: nil) : nil
      memory.noteHub(Distance.feed, at: read, known.habit, next: next, now: now)
    }
    let plan = PollPlan(for: Distance.demand, state: Distance.state, memory: memory, now: now, using: &generator)
    if !plan.due.isEmpty {
      // Polls take a while.
      let sent = seconds + .random(in: 0...60, using: &generator)
      var known = memory.feeds[Distance.feed] ?? FeedState()
      let time = Sample.start.adding(seconds: sent)
      (known.requested, known.answered) = (time, time)
      known.habit = PublishingInterval(newest: time.adding(seconds: -4 * gap), interval: 12 * gap)
      memory.feeds[Distance.feed] = known
      requests.append((sent, isOfDevice))
    }
    if isOfDevice { device = memory } else { hub = memory }
  }

  /// How many requests of the device there were.
  var own: Int { requests.count(where: \.isOfDevice) }

  /// How many requests came within 15 minutes of another one.
  var close: Int {
    let times = requests.sorted { $0.at < $1.at }
    return zip(times, times.dropFirst()).count { $1.at - $0.at < PollPlan.floor }
  }
}

/// Phases of a hub's polls to a device's, with both forms of a hub's response.
private func distances(gap: Int64, hubInterval: Int64) -> [Distance] {
  stride(from: 0 as Int64, to: 3600, by: 225).flatMap { phase in
    [true, false].map { says in
      Distance(gap: gap, hubInterval: hubInterval, phase: phase, says: says, seed: UInt64(gap + phase))
    }
  }
}

@Test(
  "A device requests feeds of its hub daily, and neither within 15 minutes after the hub's request nor before it",
  arguments: [5400, 7200, 14_400, 43_200] as [Int64])
func hubDistance(gap: Int64) {
  for distance in distances(gap: gap, hubInterval: PollPlan.hubInterval) {
    #expect(distance.own >= 29, "\(distance.own) requests of the device")
    #expect(distance.close == 0, "\(distance.close) of \(distance.own)")
  }
}

@Test("Of feeds that a hub requests hourly, few of the device's daily requests are within 15 minutes of the hub's")
func hubDistanceHourly() {
  let all = distances(gap: 3600, hubInterval: PollPlan.hubInterval)
  let (close, own) = (all.reduce(0) { $0 + $1.close }, all.reduce(0) { $0 + $1.own })
  // In a part of the hours there is no moment that is 15 minutes from both of the hub's requests.
  #expect(own >= 29 * all.count && close * 6 < own, "\(close) of \(own)")
  print("hub distance: \(close) of \(own) requests of devices for hourly feeds are within 15 minutes of the hub's")
}

@Test("A feed whose news is announced to the hub is left to the hub until it is to request it, and half an hour more")
func announcedToHub() {
  let feed = SubscriptionID.channel(Sample.channel(1))
  let habit = PublishingInterval(newest: Sample.start, interval: 3600)
  func isLeft(after seconds: Int64, next: Int64?) -> Bool {
    var memory = PollState()
    let now = Sample.start.adding(seconds: seconds)
    memory.noteHub(feed, at: Sample.start, habit, next: next.map { Sample.start.adding(seconds: $0) }, now: now)
    return memory.pushed[feed] != nil
  }
  #expect(isLeft(after: 5399, next: nil) && !isLeft(after: 5400, next: nil))
  #expect(isLeft(after: 80_000, next: 82_000) && !isLeft(after: 83_800, next: 82_000))
  #expect(isLeft(after: 88_199, next: 800_000) && !isLeft(after: 88_200, next: 800_000), "a hub may be wrong")
}
