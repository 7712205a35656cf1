import EventLog
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import Core

/// A month of hourly runs over a simulated YouTube, with the program's own plan, run and detection, without waiting.
private struct Month {
  private(set) var youTube: SimulatedYouTube
  private(set) var fold = SlowFold()
  private(set) var memory = PollState()
  private(set) var requests = 0
  private(set) var outages = 0
  /// When each video was first found; one found again is added to `twice`.
  private(set) var found: [VideoID: Timestamp] = [:]
  private(set) var twice: Set<VideoID> = []
  /// Every video that appeared in a feed that was read.
  private(set) var shown: Set<VideoID> = []
  /// The channels ever reported as dead.
  private(set) var gone: Set<SubscriptionID> = []
  private var generator: SeededGenerator
  private var clock = HybridClock(device: Sample.device)

  init(channels: Int, days: Int64, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    youTube = SimulatedYouTube(channels: channels, days: days, from: Sample.start, using: &generator)
    for channel in youTube.channels {
      let followed = ChannelFollowed(subscription: .channel(channel.id), title: nil, tags: nil)
      apply([.channelFollowed(followed)], at: Sample.start)
    }
    for hour in 0..<(days * 24) {
      poll(at: Sample.start.adding(seconds: hour * 3600 + .random(in: 0...300, using: &generator)))
    }
  }

  private mutating func apply(_ bodies: [EventBody], at now: Timestamp) {
    for body in bodies {
      let id = clock.next(now: UInt64(now.seconds) * 1000)
      fold.apply(Event(id: id, action: id, body: body))
    }
  }

  private mutating func poll(at now: Timestamp) {
    let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
    let plan = PollPlan(for: demand, state: fold.state, memory: memory, now: now, using: &generator)
    var run = PollRun(plan, memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
    while case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0) {
      requests += 1
      run.note(outcome(feedRequest, at: now), to: feedRequest, at: now)
    }
    _ = run.finish(at: now)
    if run.isOutage { outages += 1 }
    memory = run.memory
    askPages(at: now, after: run)
  }

  private mutating func outcome(_ feedRequest: FeedRequest, at now: Timestamp) -> FeedOutcome {
    guard let id = feedRequest.subscription.channel, !youTube.isFailing(at: now),
      let feed = youTube.feed(of: id, at: now)
    else { return .status(404, retryAfter: nil) }
    let detection = Detection(of: feed, requested: feedRequest, answered: nil, in: fold)
    for case .videoFound(let event) in detection.events {
      if found.updateValue(now, forKey: event.video) != nil { twice.insert(event.video) }
    }
    for entry in feed.entries { shown.insert(entry.video) }
    apply(detection.events, at: now)
    return .feed(PublishingInterval(of: feed), etag: nil, lastModified: nil)
  }

  private mutating func askPages(at now: Timestamp, after run: PollRun) {
    guard run.stopped == nil, run.checked > 0 else { return }
    for (id, feed) in memory.feeds where feed.needsPage(at: now) {
      requests += 1
      let isThere = id.channel.flatMap { youTube.feed(of: $0, at: now) } != nil
      memory.feeds[id]?.notePage(isMissing: !isThere, at: now)
      if memory.feeds[id]?.isGone == true { gone.insert(id) }
    }
  }

  /// The sorted delays in seconds between upload and discovery, without uploads from just before or during an outage.
  var delays: [Int64] {
    youTube.channels.flatMap(\.uploads).compactMap { upload -> Int64? in
      guard upload.visible > Sample.start, !isNearOutage(upload.visible), let time = found[upload.video] else {
        return nil
      }
      return time.seconds(since: upload.visible)
    }.sorted()
  }

  private func isNearOutage(_ time: Timestamp) -> Bool {
    (0...6).contains { youTube.isFailing(at: time.adding(seconds: Int64($0) * 1800)) }
  }
}

@Test("A month of hourly polls with daily outages finds every video shown exactly once, and blames no channel wrongly")
func month() {
  let days: Int64 = 30
  let month = Month(channels: 500, days: days, seed: 2026)
  #expect(month.twice.isEmpty)
  #expect(month.shown.allSatisfy { month.found[$0] != nil })

  // All but the flood and the ended channels publish so rarely that nothing can be missed, given a day to be polled.
  let end = Sample.start.adding(seconds: (days - 1) * 86_400)
  for channel in month.youTube.channels.dropFirst() where channel.terminated == nil {
    let missed = channel.uploads.suffix(15).filter { $0.visible > Sample.start && $0.visible < end }.filter {
      month.found[$0.video] == nil
    }
    #expect(missed.isEmpty, "\(channel.name)")
  }
  // What the flood of one channel pushed out during an outage is reported as a gap.
  let flood = month.youTube.channels[0]
  let lost = flood.uploads.filter { $0.visible > Sample.start && $0.visible < end && month.found[$0.video] == nil }
  for upload in lost {
    #expect(
      month.fold.state.openGaps.contains { $0.gap.after <= upload.published && upload.published <= $0.gap.before })
  }
  let ended = Set(month.youTube.channels.filter { $0.terminated != nil }.map { SubscriptionID.channel($0.id) })
  #expect(month.gone == ended)
  #expect(month.fold.state.channels[.channel(month.youTube.channels[1].id)]?.name == "Another name")
  #expect(month.memory.feeds.filter { $0.value.failures > 0 }.allSatisfy { ended.contains($0.key) })

  let delays = month.delays
  let median = delays.isEmpty ? 0 : delays[delays.count / 2]
  let each = Double(month.requests) / Double(days) / 500
  print(
    "month: \(month.requests / Int(days)) requests a day for 500 channels (\((each * 10).rounded() / 10) each, hourly",
    "would be 24), median delay \(median / 60) min, \(month.found.count) found, \(lost.count) lost to the flood,",
    "\(month.outages) runs stopped by an outage")
  #expect(month.requests < 500 * 24 * Int(days) / 2)
}
