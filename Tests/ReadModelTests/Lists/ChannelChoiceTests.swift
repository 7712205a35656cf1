import Core
import SlowFold
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 10_000)

/// What `list` asks for when nothing is said.
private func usual(_ narrow: (inout VideoQuery) -> Void = { _ in }) -> VideoQuery {
  var query = VideoQuery(
    statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  narrow(&query)
  return query
}

@Suite("What a person chose for a channel")
struct ChannelChoiceTests {
  /// Channels whose Shorts are listed.
  private static let shorts = Set([1, 4].map(Sample.channel))
  /// Channels whose streams are not.
  private static let streams = Set([1, 2].map(Sample.channel))
  private let log: GeneratedLog

  init() throws {
    log = try GeneratedLog(seed: 9, videos: GeneratedLog.usualCount)
    for channel in ChannelChoiceTests.shorts {
      log.add(.channelChanged(ChannelChanged(subscription: .channel(channel), shorts: .show)))
    }
    for channel in ChannelChoiceTests.streams {
      log.add(.channelChanged(ChannelChanged(subscription: .channel(channel), live: .hide)))
    }
    try log.commit()
  }

  private var state: State { log.fold.state }
  private var shorts: Set<ChannelID> { ChannelChoiceTests.shorts }
  private var streams: Set<ChannelID> { ChannelChoiceTests.streams }

  /// What is listed, found by looking at each video.
  private func slowly(_ isWanted: (VideoRow) -> Bool) -> Set<VideoID> {
    var wanted: Set<VideoID> = []
    for video in log.videos {
      guard let row = VideoRow(video, in: state, at: now), row.status == .new, state.isFollowed(video),
        !video.isRemoved, !video.isUpcoming(at: now), isWanted(row)
      else { continue }
      wanted.insert(row.video)
    }
    return wanted
  }

  private func isStream(_ row: VideoRow) -> Bool { [.upcoming, .live, .ended].contains(row.live) }

  @Test("Settings of channels list Shorts and hide streams, and what is hidden is counted")
  func usualList() throws {
    let selection = try log.model.select(usual(), at: now)
    let isHiddenShort: (VideoRow) -> Bool = { $0.short == .yes && !shorts.contains($0.channel) }
    let isHiddenStream: (VideoRow) -> Bool = { isStream($0) && streams.contains($0.channel) }
    let wanted = slowly { !isHiddenShort($0) && !isHiddenStream($0) }
    #expect(Set(selection.ids) == wanted && selection.matching == wanted.count)
    #expect(selection.hidden.shorts == slowly(isHiddenShort).count)
    #expect(selection.hidden.streams == slowly { isHiddenStream($0) && !isHiddenShort($0) }.count)
    #expect(selection.hidden.shorts > 0 && selection.hidden.streams > 0)
  }

  @Test("The list's own options have the last word")
  func lastWord() throws {
    let visibilities: [(VideoQuery.Visibility, (VideoRow) -> Bool)] = [
      (.hide, { $0.short != .yes }), (.show, { _ in true }), (.only, { $0.short == .yes }),
    ]
    for (shorts, isWanted) in visibilities {
      let found = try log.model.select(usual { $0.shorts = shorts }, at: now).ids
      #expect(Set(found) == slowly { isWanted($0) && !(isStream($0) && streams.contains($0.channel)) })
    }
    let live = try log.model.select(usual { ($0.streamsOnly, $0.shorts) = (true, .show) }, at: now)
    #expect(Set(live.ids) == slowly(isStream) && live.hidden.streams == 0)
  }

  @Test("Why agrees with the list")
  func agreement() throws {
    let shown = Set(try log.model.select(usual(), at: now).ids)
    for video in log.videos {
      #expect(state.reasonsHidden(video, at: now, rules: []).isEmpty == shown.contains(video.id))
    }
  }

  @Test("Each choice is a register of its own, and an undo takes back only what it still holds")
  func registers() throws {
    let id = SubscriptionID.channel(Sample.channel(1))
    func set(_ second: Int64, _ change: (inout ChannelChanged) -> Void) -> Event {
      var changed = ChannelChanged(subscription: id)
      change(&changed)
      return Sample.event(second, .channelChanged(changed))
    }
    let events = [
      set(1) { $0.shorts = .show }, set(2) { ($0.live, $0.order) = (.hide, .oldest) },
      set(3) { ($0.live, $0.tags) = (.show, ["a"]) },
    ]
    for order in [events, events.reversed()] {
      let model = try ReadModel.empty()
      try model.apply(order)
      let channel = try model.state().channels[id]
      #expect(channel?.shorts == .show && channel?.live == .show && channel?.order == .oldest)
    }
    let state = SlowFold(events).decided
    let second = Undo.bodies(takingBack: [events[1]], from: state, to: SlowFold([events[0], events[2]]).decided)
    #expect(second == [.channelChanged(ChannelChanged(subscription: id, order: .newest))])
    let third = Undo.bodies(takingBack: [events[2]], from: state, to: SlowFold(events.prefix(2)).decided)
    #expect(third == [.channelChanged(ChannelChanged(subscription: id, tags: [], live: .hide))])
  }

  @Test("A person who prefers to see Shorts sees those of all channels but the ones that hide theirs")
  func preferredShorts() throws {
    let hiding = Sample.channel(2)
    log.add(.channelChanged(ChannelChanged(subscription: .channel(hiding), shorts: .hide)))
    log.add(.preferenceSet(PreferenceSet(name: "shorts", value: "show")))
    try log.commit()
    let selection = try log.model.select(usual(), at: now)
    let isHidden: (VideoRow) -> Bool = { row in
      row.short == .yes && row.channel == hiding || isStream(row) && streams.contains(row.channel)
    }
    #expect(Set(selection.ids) == slowly { !isHidden($0) } && selection.hidden.shorts > 0)
    try agreement()
    let counts = try log.model.channelCounts(at: now).values.reduce(0) { $0 + $1.unwatched }
    #expect(counts >= selection.matching)
    log.add(.preferenceSet(PreferenceSet(name: "shorts", value: nil)))
    try log.commit()
    try usualList()
  }
}
