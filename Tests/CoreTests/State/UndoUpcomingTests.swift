import SlowFold
import TestSupport
import Testing

@testable import Core

private let video = Sample.video(1)
private let later = Sample.start.adding(seconds: 1000)

private func enriched(_ second: Int64, _ live: Live, started: Int64? = nil) -> Event {
  let start = started.map { Sample.start.adding(seconds: $0) }
  return Sample.event(second, .videoEnriched(VideoEnriched(video: video, duration: nil, live: live, started: start)))
}

private func mark(_ second: Int64, _ status: Status, by device: DeviceID = Sample.device) -> Event {
  Sample.event(second, device, .statusSet(StatusSet(video: video, status: status)))
}

/// The events, followed by those that undo the last action.
private func undone(_ events: [Event]) -> [Event] {
  // The command ignores what YouTube reported.
  let decided = events.filter(\.body.isUserAction)
  let bodies = Undo.bodies(
    takingBack: [decided[decided.count - 1]], from: Sample.fold(decided), to: Sample.fold(decided.dropLast()),
    in: Sample.fold(events))
  return events + bodies.enumerated().map { Sample.event(900 + Int64($0.offset), $0.element) }
}

@Test(
  "A video skipped while upcoming, and new since its start, is new after undoing a later mark",
  arguments: [Status.watched, .skipped, .snoozed, .new])
func newAgainAfterUndo(status: Status) {
  let before = [
    Sample.event(1, Sample.found(1)), enriched(2, .upcoming), mark(3, .skipped), enriched(5, .live, started: 4),
  ]
  #expect(Sample.fold(before).videos[video]?.status(at: later) == .new)
  let after = undone(before + [mark(6, status)])
  #expect(Sample.fold(after).videos[video]?.status(at: later) == .new)
}

@Test("A skipped upcoming video is skipped after an undo, and new once it can be watched")
func stillToComeAfterUndo() {
  let before = [Sample.event(1, Sample.found(1)), enriched(2, .upcoming), mark(3, .skipped), mark(6, .watched)]
  let after = undone(before)
  #expect(Sample.fold(after).videos[video]?.status(at: later) == .skipped)
  let begun = after + [enriched(999, .live, started: 998)]
  #expect(Sample.fold(begun).videos[video]?.status(at: later) == .new)
}

@Test("If another device made the same change, there is nothing to undo")
func decidedTwice() {
  let other = Sample.otherDevice
  let twice: [EventBody] = [
    .statusSet(StatusSet(video: video, status: .watched)), .savedSet(SavedSet(video: video, saved: true)),
    .noteSet(NoteSet(video: video, text: "a")), .progressSet(ProgressSet(video: video, seconds: 5)),
    .collectionSet(CollectionSet(video: video, collection: "Later", member: true)),
  ]
  for body in twice {
    for second in [1, 3] as [Int64] {
      let (mine, its) = (Sample.event(2, body), Sample.event(second, other, body))
      let bodies = Undo.bodies(
        takingBack: [mine], from: Sample.fold([mine, its]), to: Sample.fold([its]), in: Sample.fold([mine, its]))
      #expect(bodies.isEmpty, "\(body)")
    }
  }
}
