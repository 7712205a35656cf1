import Seeded
import SlowFold
import TestSupport
import Testing

@testable import Core

/// Random events about few videos and channels, so that they collide in every register.
private struct RandomEvents {
  var generator: SeededGenerator

  mutating func event(_ second: Int64) -> Event {
    let device = Bool.random(using: &generator) ? Sample.device : Sample.otherDevice
    var event = Sample.event(second, device, body())
    if Int.random(in: 0..<10, using: &generator) == 0 { event.undoes = Sample.id(second - 1) }
    return event
  }

  private mutating func body() -> EventBody {
    let number = UInt64.random(in: 1...4, using: &generator)
    let channel = Sample.channel(UInt64.random(in: 1...3, using: &generator))
    let video = Sample.video(number)
    let words = ["", "one", "two", "drei \u{1F600}"]
    let text = words.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<21, using: &generator) {
    case 0: return .channelFollowed(ChannelFollowed(subscription: .channel(channel), title: text, tags: [text]))
    case 1: return .channelUnfollowed(.channel(channel))
    case 2: return .channelChanged(ChannelChanged(subscription: .channel(channel), name: text))
    case 3: return .handleFollowed(HandleFollowed(handle: "@\(text)", title: text, tags: nil))
    case 4: return .handleResolved(HandleResolved(handle: "@\(text)", subscription: .channel(channel)))
    case 5, 6: return Sample.found(number, of: 1, title: text, day: Int64(number), description: text)
    case 7: return .videoChanged(VideoChanged(video: video, feed: .shorts, title: text, published: Sample.start))
    case 8: return .videoChanged(VideoChanged(video: video, zeroViews: true, description: Description(text)))
    case 9: return .videoEnriched(VideoEnriched(video: video, duration: Int(number), live: .upcoming))
    case 10: return .statusSet(StatusSet(video: video, status: .snoozed, until: Sample.start, reason: text))
    case 11: return .statusSet(StatusSet(video: video, status: .watched))
    case 12: return .savedSet(SavedSet(video: video, saved: number == 1))
    case 13: return .collectionSet(CollectionSet(video: video, collection: text, member: number < 3))
    case 14: return .handleUnfollowed(HandleUnfollowed(handle: "@\(text)"))
    case 15: return .ruleSet(Rule(id: text, verdict: number < 3 ? .block : .allow))
    case 16: return .ruleRemoved(RuleRemoved(rule: text))
    case 17:
      return .collectionChanged(CollectionChanged(collection: text, kept: number < 3, text: number > 1 ? text : nil))
    case 18: return .runFinished(Sample.run(checked: Int(number)))
    case 19: return .preferenceSet(PreferenceSet(name: text, value: number < 3 ? text : nil))
    default: return .noteSet(NoteSet(video: video, text: text))
    }
  }
}

@Test("Any order and any repetition of the same events gives one state", arguments: 0..<200 as Range<UInt64>)
func orderFree(seed: UInt64) {
  var random = RandomEvents(generator: SeededGenerator(seed: seed))
  let events = (0..<40).map { random.event(Int64($0)) }
  let expected = Sample.fold(events)
  #expect(Sample.fold(events.reversed()) == expected)
  for _ in 0..<5 {
    let shuffled = (events + events.shuffled(using: &random.generator).prefix(10)).shuffled(using: &random.generator)
    #expect(Sample.fold(shuffled) == expected)
  }
}

@Test("The later write to a field wins, separately for each field")
func lastWriterWins() throws {
  let fold = Sample.fold([
    Sample.event(5, .videoChanged(VideoChanged(video: Sample.video(1), title: "Later"))),
    Sample.event(1, Sample.found(1, title: "Found", description: "First")),
    Sample.event(
      3, .videoChanged(VideoChanged(video: Sample.video(1), title: "Early", description: Description("New")))),
  ])
  let video = try #require(fold.videos[Sample.video(1)])
  #expect(video.title == "Later")
  #expect(video.description == Description("New"))
  #expect(video.found == Sample.id(1))
  #expect(video.visiblyChanged == Sample.id(5))
}

@Test("The earliest sighting of a video counts, whatever the device")
func earliestFound() throws {
  let fold = Sample.fold([
    Sample.event(9, Sample.found(1, title: "Second", day: 2)),
    Sample.event(4, Sample.otherDevice, Sample.found(1, title: "First", day: 1)),
  ])
  let video = try #require(fold.videos[Sample.video(1)])
  #expect(video.found == Sample.id(4, Sample.otherDevice))
  #expect(video.published == Sample.start.adding(seconds: 86_400))
  #expect(video.title == "Second")
}

@Test("A second device's first sighting is not a visible change; a new title or duration is")
func visibleChange() {
  var fold = Sample.fold([
    Sample.event(1, Sample.found(1)), Sample.event(5, Sample.otherDevice, Sample.found(1, title: "Other")),
    Sample.event(6, .videoChanged(VideoChanged(video: Sample.video(1), published: Sample.start))),
  ])
  #expect(fold.videos[Sample.video(1)]?.visiblyChanged == nil)
  fold.apply(Sample.event(7, .videoEnriched(VideoEnriched(video: Sample.video(1), duration: 60, live: nil))))
  #expect(fold.videos[Sample.video(1)]?.visiblyChanged == Sample.id(7))
}

@Test("A mark on a video not found yet is applied once it is found")
func decisionBeforeSight() {
  var fold = Sample.fold([Sample.event(1, .statusSet(StatusSet(video: Sample.video(1), status: .watched)))])
  #expect(fold.videos[Sample.video(1)]?.found == nil)
  fold.apply(Sample.event(2, Sample.found(1)))
  #expect(fold.videos[Sample.video(1)]?.status(at: Sample.start) == .watched)
}

@Test("A video whose snooze has ended is new again")
func snooze() throws {
  let until = Sample.start.adding(seconds: 100)
  let fold = Sample.fold([
    Sample.event(1, Sample.found(1)),
    Sample.event(2, .statusSet(StatusSet(video: Sample.video(1), status: .snoozed, until: until))),
  ])
  let video = try #require(fold.videos[Sample.video(1)])
  #expect(video.status(at: Sample.start) == .snoozed)
  #expect(video.status(at: until) == .new)
}

@Test("A title chosen by the user takes precedence over the feed's until it is cleared")
func channelTitles() {
  let id = SubscriptionID.channel(Sample.channel(1))
  var fold = Sample.fold([Sample.event(1, .channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil)))]
  )
  #expect(fold.state.channels[id]?.title == id.description)
  fold.apply(Sample.event(2, .channelChanged(ChannelChanged(subscription: id, name: "In the feed"))))
  fold.apply(Sample.event(3, .channelChanged(ChannelChanged(subscription: id, title: "Mine"))))
  #expect(fold.state.channels[id]?.title == "Mine")
  fold.apply(Sample.event(4, .channelChanged(ChannelChanged(subscription: id, title: ""))))
  #expect(fold.state.channels[id]?.title == "In the feed")
}

@Test("Unfollowing keeps what is known, and following again restores it")
func unfollow() {
  let id = SubscriptionID.channel(Sample.channel(1))
  var fold = Sample.fold([
    Sample.event(1, .channelFollowed(ChannelFollowed(subscription: id, title: "Title", tags: ["a"]))),
    Sample.event(2, .channelUnfollowed(id)),
  ])
  #expect(fold.state.followed.isEmpty)
  fold.apply(Sample.event(3, .channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil))))
  #expect(fold.state.followed.map(\.tags) == [["a"]])
}

@Test("A gap stays open until it is closed")
func openGaps() {
  let id = SubscriptionID.channel(Sample.channel(1))
  var fold = Sample.fold([
    Sample.event(1, .gapFound(GapFound(subscription: id, after: Sample.start, before: Sample.start)))
  ])
  #expect(fold.state.openGaps.map(\.id) == [Sample.id(1)])
  fold.apply(Sample.event(2, .gapClosed(GapClosed(subscription: id, gap: Sample.id(1)))))
  #expect(fold.state.openGaps.isEmpty)
}

@Test("An unfollowed name is not looked up; followed again, it is")
func unfollowedName() {
  let followed = HandleFollowed(handle: "@somebody", title: "Some Body", tags: ["a"])
  var fold = Sample.fold([
    Sample.event(1, .handleFollowed(followed)),
    Sample.event(2, .handleUnfollowed(HandleUnfollowed(handle: "@somebody"))),
  ])
  #expect(fold.state.unresolved.isEmpty)
  fold.apply(Sample.event(3, .handleFollowed(followed)))
  #expect(fold.state.unresolved == [followed])
  #expect(fold.state.handles["@somebody"]?.action == Sample.id(3))
}
