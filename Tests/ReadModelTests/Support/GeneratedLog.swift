import Core
import SlowFold

@testable import ReadModel

/// Made-up videos, the same for the same seed: streams, Shorts, lengths, marks, removals; in a model, and in the slow
/// fold beside it.
final class GeneratedLog {
  let model: ReadModel
  private(set) var fold = SlowFold()
  private var events: [Event] = []
  private var random: UInt64
  private var second: Int64 = 0
  private var count: UInt64 = 0
  private let channels: UInt64 = 23

  /// How many videos the tests of filters and modes are about.
  static let usualCount = GeneratedModel.usualCount

  init(seed: UInt64, videos: Int) throws {
    random = seed
    model = try ReadModel.empty()
    for channel in 0..<channels where channel != 3 {
      let tags = [["science"], ["music", "quiet"], []][Int(channel % 3)]
      let id = SubscriptionID.channel(Sample.channel(channel))
      add(.channelFollowed(ChannelFollowed(subscription: id, title: "Channel \(channel)", tags: tags)))
    }
    for _ in 0..<videos { find() }
    try commit()
  }

  /// Every video that was found, as the slow fold has it.
  var videos: [Video] { fold.videos.values.filter { $0.found != nil } }

  /// Some number below a bound.
  func number(below bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// Adds one more thing that happened, a second after the last.
  func add(_ body: EventBody) {
    second += 1
    events.append(Sample.event(second, body))
  }

  /// Applies what was added.
  func commit() throws {
    try model.apply(events)
    for event in events { fold.apply(event) }
    events = []
  }

  /// Finds one more video, of which something may be known or decided.
  func find() {
    count += 1
    let video = Sample.video(count)
    // A few channels publish most.
    let channel = min(number(below: channels), number(below: channels))
    let link: Link = number(below: 6) == 0 ? .short : .watch
    add(Sample.found(count, of: channel, title: "Title \(count % 40)", link: link, day: Int64(number(below: 300))))
    switch number(below: 12) {
    case 0, 1: add(.statusSet(StatusSet(video: video, status: .watched)))
    case 2: add(.statusSet(StatusSet(video: video, status: .skipped)))
    case 3:
      let until = Sample.start.adding(seconds: Int64(number(below: 20_000)))
      add(.statusSet(StatusSet(video: video, status: .snoozed, until: until)))
    case 4: add(.videoRemoved(VideoRemoved(video: video, removed: true)))
    default: break
    }
    if number(below: 9) == 0 { add(.savedSet(SavedSet(video: video, saved: true))) }
    guard number(below: 3) == 0 else { return }
    let live = Live.allCases[Int(number(below: 5))]
    let length = number(below: 4) == 0 ? nil : Int(number(below: 7200))
    let scheduled = Sample.start.adding(seconds: Int64(number(below: 40)) * 10_000 - 200_000)
    add(.videoEnriched(VideoEnriched(video: video, duration: length, live: live, scheduled: scheduled)))
  }
}
