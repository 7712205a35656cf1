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

@Test("Undoing the unfollowing of a feed that moved leaves it where it is now")
func movedFeed() throws {
  let feed = Sample.feedID("https://show.example/feed")
  var move = FeedChanged(feed: feed)
  move.url = "https://moved.example/feed"
  let before = [
    Sample.event(1, .feedFollowed(Sample.followed("https://show.example/feed"))), Sample.event(2, .feedChanged(move)),
  ]
  let unfollowed = Sample.event(3, .feedUnfollowed(feed))
  let bodies = Undo.bodies(
    takingBack: [unfollowed], from: Sample.fold(before + [unfollowed]), to: Sample.fold(before))
  guard case .feedFollowed(let followed)? = bodies.first, bodies.count == 1 else {
    Issue.record("\(bodies)")
    return
  }
  #expect(followed.isConsistent)
  let channel = Sample.fold(before + [unfollowed, Sample.event(4, bodies[0])]).state.channels[.feed(feed)]
  #expect(channel?.isFollowed == true && channel?.address == "https://moved.example/feed")
}

@Test("A feed is not followed at a URL that its ID does not stand for")
func strangeFeed() {
  var followed = Sample.followed("https://show.example/feed")
  followed.url = "https://other.example/feed"
  #expect(Sample.state([Sample.event(1, .feedFollowed(followed))]).channels.isEmpty)
}
