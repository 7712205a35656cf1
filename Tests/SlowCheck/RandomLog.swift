import Core

/// Events of invented subscriptions and videos, the same for the same seed: ties in time, streams and Shorts by every
/// evidence, settings, playlists, removals, edits, marks in any order, by two devices.
package struct RandomLog {
  /// The time of the queries: some snoozes end in this second, and some planned starts are exactly a day past.
  package static let now = Timestamp(seconds: 1_755_000_000)
  /// The devices that write the logs.
  package static let devices = ["aaaaaaaa", "k3v9x2ap"].compactMap { DeviceID($0) }
  /// The number of channels; the fourth was never followed, the eighth was unfollowed.
  static let channelCount: UInt64 = 23
  static let tags = ["science", "music", "quiet", "lists"]

  /// All events, in ID order.
  package private(set) var events: [Event] = []
  /// The videos found so far.
  package private(set) var videos: [VideoID] = []
  /// The number of rules created.
  var rules = 0
  private var random: UInt64
  private var milliseconds: UInt64 = 1_750_000_000_000

  package init(seed: UInt64, videos count: Int) {
    random = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    follow()
    for _ in 0..<count { find() }
  }

  /// The n-th channel.
  package static func channel(_ number: UInt64) -> ChannelID {
    ChannelID(high: number &* 0x1234_5678_9abc, low: ~number)
  }

  /// The n-th playlist; the second is not followed.
  package static func playlist(_ number: Int) -> PlaylistID {
    guard let id = PlaylistID("PLmadeUpmadeUpmadeUpmadeUpmadeUp0\(number)") else {
      preconditionFailure("a playlist's id")
    }
    return id
  }

  /// A random number below a bound.
  package mutating func number(below bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// True with a probability of 1 in `count`.
  package mutating func once(in count: UInt64) -> Bool { number(below: count) == 0 }

  /// A random element.
  package mutating func one<Value>(of values: [Value]) -> Value { values[Int(number(below: UInt64(values.count)))] }

  /// Adds an event a few milliseconds after the last, on one of the devices.
  package mutating func add(_ body: EventBody) {
    let device = RandomLog.devices[once(in: 5) ? 1 : 0]
    milliseconds += 1 + number(below: 40)
    let id = EventID(reading: milliseconds << 16, device: device)
    events.append(Event(id: id, action: id, body: body))
  }

  /// Random words.
  mutating func text(_ count: UInt64) -> String {
    (0..<count).map { _ in one(of: GeneratedText.words).written }.joined(separator: " ")
  }

  private mutating func follow() {
    for number in 0..<RandomLog.channelCount where number != 3 {
      let id = SubscriptionID.channel(RandomLog.channel(number))
      let tags = [["science"], ["music", "quiet"], []][Int(number % 3)]
      add(.channelFollowed(ChannelFollowed(subscription: id, title: number % 4 == 0 ? text(2) : nil, tags: tags)))
      if number % 2 == 0 { add(.channelChanged(ChannelChanged(subscription: id, name: text(1)))) }
      if number % 5 == 1 { add(.channelChanged(ChannelChanged(subscription: id, shorts: .show))) }
      if number % 5 == 2 { add(.channelChanged(ChannelChanged(subscription: id, live: .hide))) }
      if number % 7 == 4 { add(.channelChanged(ChannelChanged(subscription: id, order: .oldest))) }
      if number == 7 { add(.channelUnfollowed(id)) }
    }
    let list = SubscriptionID.playlist(RandomLog.playlist(0))
    add(.channelFollowed(ChannelFollowed(subscription: list, title: "A list", tags: ["lists"])))
    add(.channelChanged(ChannelChanged(subscription: list, shorts: .show, live: .hide)))
  }
}

// MARK: Videos

extension RandomLog {
  /// Adds one more video, perhaps with facts or marks.
  package mutating func find() {
    let video = VideoID(bits: UInt64(videos.count + 1) &* 0x9e37_79b9_7f4a_7c15)
    videos.append(video)
    add(.videoFound(found(video)))
    var bodies: [EventBody] = []
    if once(in: 3) { bodies += responses(video) }
    for _ in 0..<number(below: 3) { bodies.append(mark(video)) }
    if once(in: 9) { bodies.append(change(video)) }
    if once(in: 12) { bodies.append(.videoRemoved(VideoRemoved(video: video, removed: true))) }
    // Marks come before, between and after YouTube's responses.
    while !bodies.isEmpty { add(bodies.remove(at: Int(number(below: min(2, UInt64(bodies.count)))))) }
    if once(in: 40) { add(.videoRemoved(VideoRemoved(video: video, removed: false))) }
  }

  private mutating func found(_ video: VideoID) -> VideoFound {
    // A few channels publish most videos.
    let channel = RandomLog.channel(
      min(number(below: RandomLog.channelCount), number(below: RandomLog.channelCount)))
    let isListed = once(in: 15)
    let form: FeedForm = isListed ? .playlist : once(in: 8) ? one(of: FeedForm.allCases.dropLast()) : .channel
    let path = once(in: 6) ? "/shorts/\(video)" : "/watch?v=\(video)"
    // By the hour, and often on few of them, so that many are published in the same second.
    let hours = once(in: 3) ? number(below: 50) * 144 : number(below: 7200)
    let published = Timestamp(seconds: 1_749_996_000 - Int64(hours) * 3600)
    let isOld = once(in: 20)
    return VideoFound(
      video: video, channel: channel, channelTitle: isListed ? text(1) : nil, feed: form,
      playlist: isListed ? RandomLog.playlist(Int(number(below: 2))) : nil, title: text(2 + number(below: 4)),
      link: once(in: 50) ? "" : "https://www.youtube.com\(path)", published: published, thumbnail: nil,
      zeroViews: once(in: 10), status: isOld ? one(of: [.watched, .skipped]) : nil, reason: isOld ? "backfill" : nil,
      description: once(in: 10) ? nil : Description(text(5 + number(below: 10))))
  }

  /// One to three Data API responses about a video.
  private mutating func responses(_ video: VideoID) -> [EventBody] {
    let now = RandomLog.now.seconds
    let scheduled = one(of: [nil, now - 500_000, now - 86_401, now - 86_400, now - 86_399, now + 50_000, 4_000_000_000])
    let histories: [[Live?]] = [
      [nil], [Live.none], [.upcoming], [.upcoming], [.upcoming, .live], [.upcoming, .upcoming, .live], [.live, .ended],
      [.upcoming, .ended], [.ended], [.upcoming, Live.none], [.unknown],
    ]
    return one(of: histories).map { live in
      let length = once(in: 4) ? nil : Int(one(of: [60, 180, 181, 600, 3600, number(below: 7200)]))
      // Around the time at which it may be marked.
      let begun = Timestamp(seconds: Int64(milliseconds / 1000) + Int64(number(below: 3)) - 1)
      let started = live == .live || live == .ended ? (once(in: 6) ? nil : begun) : nil
      return .videoEnriched(
        VideoEnriched(
          video: video, duration: length, live: live, scheduled: scheduled.map { Timestamp(seconds: $0) },
          started: started))
    }
  }

  /// A random mark on a video.
  package mutating func mark(_ video: VideoID) -> EventBody {
    let now = RandomLog.now.seconds
    switch number(below: 12) {
    case 0, 1: return .statusSet(StatusSet(video: video, status: .watched))
    case 2, 3: return .statusSet(StatusSet(video: video, status: .skipped))
    case 4: return .statusSet(StatusSet(video: video, status: .new))
    case 5, 6:
      let until = one(of: [now - 100_000, now - 1, now, now + 1, 4_000_000_000])
      return .statusSet(StatusSet(video: video, status: .snoozed, until: Timestamp(seconds: until)))
    case 7: return .progressSet(ProgressSet(video: video, seconds: 5))
    case 8: return .noteSet(NoteSet(video: video, text: text(2)))
    case 9: return .collectionSet(CollectionSet(video: video, collection: "Later", member: true))
    default: return .savedSet(SavedSet(video: video, saved: !once(in: 4)))
    }
  }

  /// A random change that a feed shows.
  package mutating func change(_ video: VideoID) -> EventBody {
    switch number(below: 5) {
    case 0: return .videoChanged(VideoChanged(video: video, title: text(3)))
    case 1: return .videoChanged(VideoChanged(video: video, link: "https://www.youtube.com/shorts/\(video)"))
    case 2: return .videoChanged(VideoChanged(video: video, feed: one(of: [.shorts, .videos, .live])))
    case 3: return .videoChanged(VideoChanged(video: video, feed: .playlist, playlist: RandomLog.playlist(0)))
    default: return .videoChanged(VideoChanged(video: video, description: Description(text(6))))
    }
  }

  /// A video found before.
  package mutating func known() -> VideoID { videos[Int(number(below: UInt64(videos.count)))] }
}
