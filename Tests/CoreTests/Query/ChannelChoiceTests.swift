import TestSupport
import Testing

@testable import Core

private let now = Sample.start.adding(seconds: 10_000)

/// The query of `list` without options.
private func usual(_ narrow: (inout VideoQuery) -> Void = { _ in }) -> VideoQuery {
  var query = VideoQuery(
    statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  narrow(&query)
  return query
}

@Suite("Per-channel settings")
struct ChannelChoiceTests {
  /// Channels whose Shorts are listed.
  private static let shorts = Set([1, 4].map(Sample.channel))
  /// Channels whose streams are not listed.
  private static let streams = Set([1, 2].map(Sample.channel))
  private static let chosen: State = {
    var generated = GeneratedState(seed: 9, videos: GeneratedState.usualCount)
    for channel in shorts {
      generated.apply(.channelChanged(ChannelChanged(subscription: .channel(channel), shorts: .show)))
    }
    for channel in streams {
      generated.apply(.channelChanged(ChannelChanged(subscription: .channel(channel), live: .hide)))
    }
    return generated.state
  }()

  private var state: State { ChannelChoiceTests.chosen }
  private var shorts: Set<ChannelID> { ChannelChoiceTests.shorts }
  private var streams: Set<ChannelID> { ChannelChoiceTests.streams }

  /// The videos listed, found by testing each one.
  private func slowly(_ isWanted: (VideoRow) -> Bool) -> Set<VideoID> {
    var wanted: Set<VideoID> = []
    state.videos.forEach { video in
      guard let row = VideoRow(video, in: state, at: now), row.status == .new, state.isFollowed(video),
        !video.isRemoved, !state.isUpcoming(video, at: now), isWanted(row)
      else { return }
      wanted.insert(row.video)
    }
    return wanted
  }

  private func isStream(_ row: VideoRow) -> Bool { [.upcoming, .live, .ended].contains(row.live) }

  @Test("Per-channel settings show Shorts and hide streams, and hidden videos are counted")
  func usualList() throws {
    let selection = try state.select(usual(), at: now, .none)
    let isHiddenShort: (VideoRow) -> Bool = { $0.short == .yes && !shorts.contains($0.channel) }
    let isHiddenStream: (VideoRow) -> Bool = { isStream($0) && streams.contains($0.channel) }
    let wanted = slowly { !isHiddenShort($0) && !isHiddenStream($0) }
    #expect(Set(selection.videos.map(\.id)) == wanted && selection.matching == wanted.count)
    #expect(selection.hidden.shorts == slowly(isHiddenShort).count)
    #expect(selection.hidden.streams == slowly { isHiddenStream($0) && !isHiddenShort($0) }.count)
    #expect(selection.hidden.shorts > 0 && selection.hidden.streams > 0)
  }

  @Test("The list's own options take precedence")
  func lastWord() throws {
    let visibilities: [(VideoQuery.Visibility, (VideoRow) -> Bool)] = [
      (.hide, { $0.short != .yes }), (.show, { _ in true }), (.only, { $0.short == .yes }),
    ]
    for (shorts, isWanted) in visibilities {
      let found = try state.select(usual { $0.shorts = shorts }, at: now, .none).videos.map(\.id)
      #expect(Set(found) == slowly { isWanted($0) && !(isStream($0) && streams.contains($0.channel)) })
    }
    let live = try state.select(usual { ($0.streamsOnly, $0.shorts) = (true, .show) }, at: now, .none)
    #expect(Set(live.videos.map(\.id)) == slowly(isStream) && live.hidden.streams == 0)
  }

  @Test("A channel's new count is what the list shows of it, and `why` agrees with the list")
  func agreement() throws {
    let listed = try state.select(usual(), at: now, .none).videos
    let counts = Dictionary(grouping: listed, by: \.channel).mapValues(\.count)
    let rows = ChannelRow.rows(in: state, memory: PollState(), at: now, isBlocked: nil)
    for row in rows { #expect(row.unwatched == row.channel.channel.flatMap { counts[$0] } ?? 0) }
    let shown = Set(listed.map(\.id))
    state.videos.forEach { video in
      #expect(state.reasonsHidden(video, at: now, rules: []).isEmpty == shown.contains(video.id))
    }
  }

  @Test("Each setting is a register of its own, and an undo reverts only what still holds its value")
  func registers() {
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
    for state in [Sample.state(events), Sample.state(events.reversed())] {
      let channel = state.channels[id]
      #expect(channel?.shorts == .show && channel?.live == .show && channel?.order == .oldest)
    }
    let state = Sample.state(events)
    let second = Undo.bodies(takingBack: [events[1]], from: state, to: Sample.state([events[0], events[2]]))
    #expect(second == [.channelChanged(ChannelChanged(subscription: id, order: .newest))])
    let third = Undo.bodies(takingBack: [events[2]], from: state, to: Sample.state(Array(events.prefix(2))))
    #expect(third == [.channelChanged(ChannelChanged(subscription: id, tags: [], live: .hide))])
  }
}
