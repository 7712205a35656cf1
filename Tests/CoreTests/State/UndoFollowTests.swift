import SlowFold
import TestSupport
import Testing

@testable import Core

@Test("Repeated undo of follows and unfollows restores the tags, title and feed of each")
func followedWithTags() {
  let id = SubscriptionID.channel(Sample.channel(1))
  func follow(_ second: Int64, _ title: String?, _ tags: [String]?, _ feed: FeedForm?) -> Event {
    Sample.event(
      second, .channelFollowed(ChannelFollowed(subscription: id, title: title, tags: tags, feed: feed)))
  }
  let done = [
    follow(1, "First", ["a"], nil), Sample.event(2, .channelUnfollowed(id)), follow(3, "Second", ["b"], .videos),
  ]
  var (events, gone) = (done, Set<EventID>())
  func undo(_ number: Int) {
    let without = { (actions: Set<EventID>) in
      Sample.fold(events.filter { !actions.contains($0.action) && !($0.undoes.map(actions.contains) ?? false) })
    }
    let action = done[number].action
    let bodies = Undo.bodies(takingBack: [done[number]], from: without(gone), to: without(gone.union([action])))
    for (index, body) in bodies.enumerated() {
      var event = Sample.event(100 - Int64(number) * 10 + Int64(index), body)
      event.undoes = action
      events.append(event)
    }
    gone.insert(action)
  }
  undo(2)
  #expect(Sample.fold(events).state.channels[id]?.isFollowed == false)
  undo(1)
  let channel = Sample.fold(events).state.channels[id]
  #expect(channel?.isFollowed == true && channel?.tags == ["a"])
  #expect(channel?.title == "First" && channel?.feed == .channel)
  undo(0)
  #expect(Sample.fold(events).state.channels[id]?.isFollowed == false)
}
