import TestSupport
import Testing

@testable import Core

@Test("Unfollowed subscriptions, and names that no longer need a lookup, are forgotten")
func followed() {
  let (kept, left) = (Polling.subscription(1), Polling.subscription(2))
  let state = Sample.state([
    Sample.event(1, .channelFollowed(ChannelFollowed(subscription: kept, title: nil, tags: nil))),
    Sample.event(2, .channelFollowed(ChannelFollowed(subscription: left, title: nil, tags: nil))),
    Sample.event(3, .channelUnfollowed(left)),
    Sample.event(4, .handleFollowed(HandleFollowed(handle: "@somebody", title: nil, tags: nil))),
  ])
  var memory = PollState()
  for subscription in [kept, left, Polling.subscription(3)] { memory.feeds[subscription] = FeedState() }
  for name in ["@somebody", "@nobody"] {
    memory.names[name] = HandleState(requested: Sample.start, lastOutcome: "HTTP 404")
  }
  memory.pause = PollState.lost(at: Sample.start).pause
  let following = memory.following(state)
  #expect(following.feeds.keys.map(\.self) == [kept] && following.names.keys.map(\.self) == ["@somebody"])
  #expect(following.pause == memory.pause)
}
