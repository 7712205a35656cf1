import SlowFold
import TestSupport
import Testing

@testable import Core

/// The events that undo the last action among these.
private func undo(_ events: [Event]) -> [EventBody] {
  let fold = Sample.fold(events)
  guard let action = fold.decisions(of: Sample.device).first else { return [] }
  let before = Sample.fold(events.filter { $0.action != action && $0.undoes != action })
  return Undo.bodies(takingBack: events.filter { $0.action == action }, from: fold, to: before)
}

@Test("An undo restores the previous status")
func undoStatus() {
  let video = Sample.video(1)
  let bodies = undo([
    Sample.event(1, Sample.found(1)),
    Sample.event(2, .statusSet(StatusSet(video: video, status: .skipped))),
    Sample.event(3, .statusSet(StatusSet(video: video, status: .watched))),
  ])
  #expect(bodies == [.statusSet(StatusSet(video: video, status: .skipped))])
}

@Test("An undo keeps what a later action has overwritten")
func undoOverwritten() {
  let video = Sample.video(1)
  let bodies = undo([
    Sample.event(2, .statusSet(StatusSet(video: video, status: .watched))),
    Sample.event(3, Sample.otherDevice, .statusSet(StatusSet(video: video, status: .skipped))),
  ])
  #expect(bodies.isEmpty)
}

@Test("A second undo reverts the action before, never an undo")
func undoTwice() {
  let (first, second) = (Sample.video(1), Sample.video(2))
  var events = [
    Sample.event(1, .statusSet(StatusSet(video: first, status: .watched))),
    Sample.event(2, .statusSet(StatusSet(video: second, status: .watched))),
  ]
  var back = Sample.event(3, .statusSet(StatusSet(video: second, status: .new)))
  back.undoes = Sample.id(2)
  events.append(back)
  let unset = StatusSet(video: first, status: .new, reason: StatusSet.undone)
  #expect(undo(events) == [.statusSet(unset)])
}

@Test("Undo unfollows what an import followed, and follows what was unfollowed")
func undoFollow() {
  let id = SubscriptionID.channel(Sample.channel(1))
  let follow = Sample.event(1, .channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil)))
  #expect(undo([follow]) == [.channelUnfollowed(id)])
  let back = undo([follow, Sample.event(2, .channelUnfollowed(id))])
  #expect(back == [.channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil))])
}

@Test("Polls are not actions to undo")
func undoNothing() {
  #expect(Sample.fold([Sample.event(1, Sample.found(1))]).decisions(of: Sample.device).first == nil)
}

@Test("Undo removes a video added to a collection, and restores a removed one")
func undoCollection() {
  func set(_ second: Int64, _ member: Bool) -> Event {
    Sample.event(second, .collectionSet(CollectionSet(video: Sample.video(1), collection: "Later", member: member)))
  }
  #expect(undo([set(1, true)]) == [set(2, false).body])
  #expect(undo([set(1, true), set(2, false)]) == [set(1, true).body])
}

@Test("Undo unfollows a followed name, and follows an unfollowed one as it was")
func undoName() {
  let followed = Sample.event(1, .handleFollowed(HandleFollowed(handle: "@somebody", title: "Some", tags: nil)))
  let unfollowed = EventBody.handleUnfollowed(HandleUnfollowed(handle: "@somebody"))
  #expect(undo([followed]) == [unfollowed])
  #expect(undo([followed, Sample.event(2, unfollowed)]) == [followed.body])
}
