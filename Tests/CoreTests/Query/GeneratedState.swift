import Glibc
import TestSupport

@testable import Core

/// A state of invented videos, the same for the same seed: streams, Shorts, durations, marks, playlists, removals.
struct GeneratedState {
  private(set) var state = State()
  private var random: UInt64
  private(set) var second: Int64 = 0
  private(set) var count: UInt64 = 0
  let channels: UInt64 = 23

  /// The number of videos in the filter and mode tests: 50,000 with `METUBE_RSS_LARGE` in the environment, as set by
  /// `make test-large`.
  static let usualCount = getenv("METUBE_RSS_LARGE") == nil ? 1500 : 50_000

  init(seed: UInt64, videos: Int) {
    random = seed
    for channel in 0..<channels where channel != 3 {
      let tags = [["science"], ["music", "quiet"], []][Int(channel % 3)]
      let id = SubscriptionID.channel(Sample.channel(channel))
      apply(.channelFollowed(ChannelFollowed(subscription: id, title: "Channel \(channel)", tags: tags)))
    }
    for _ in 0..<videos { find() }
  }

  /// A random number below a bound.
  mutating func number(below bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// Applies one more event, a second after the last.
  mutating func apply(_ body: EventBody) {
    second += 1
    state.apply(Sample.event(second, body))
  }

  /// Adds one more video, perhaps with facts or marks.
  mutating func find() {
    count += 1
    let video = Sample.video(count)
    // A few channels publish most videos.
    let channel = min(number(below: channels), number(below: channels))
    let link: Link = number(below: 6) == 0 ? .short : .watch
    apply(
      Sample.found(
        count, of: channel, title: "Title \(count % 40)", link: link, day: Int64(number(below: 300)), description: nil))
    switch number(below: 12) {
    case 0, 1: apply(.statusSet(StatusSet(video: video, status: .watched)))
    case 2: apply(.statusSet(StatusSet(video: video, status: .skipped)))
    case 3:
      let until = Sample.start.adding(seconds: Int64(number(below: 20_000)))
      apply(.statusSet(StatusSet(video: video, status: .snoozed, until: until)))
    case 4: apply(.videoRemoved(VideoRemoved(video: video, removed: true)))
    default: break
    }
    if number(below: 9) == 0 { apply(.savedSet(SavedSet(video: video, saved: true))) }
    guard number(below: 3) == 0 else { return }
    let live = Live.allCases[Int(number(below: 5))]
    let length = number(below: 4) == 0 ? nil : Int(number(below: 7200))
    let scheduled = Sample.start.adding(seconds: Int64(number(below: 40)) * 10_000 - 200_000)
    apply(.videoEnriched(VideoEnriched(video: video, duration: length, live: live, scheduled: scheduled)))
  }
}
