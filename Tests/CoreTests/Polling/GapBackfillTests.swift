import Seeded
import TestSupport
import Testing

@testable import Core

private let found = GapFound(
  subscription: .channel(Sample.channel(1)), after: Sample.start, before: Sample.start.adding(seconds: 10 * 86_400))

/// A list of `count` entries, the oldest from this day.
private func entries(_ count: UInt64, from day: Int64) -> [Entry] {
  (0..<count).map { Sample.entry($0 + 100, day: day + Int64($0)) }
}

@Test("A gap is closed when every list reaches back to it, is not full, or is missing")
func gapClosed() {
  var filling = GapBackfill(Sample.id(1), found)
  filling.note(entries(15, from: -1), of: .videos)
  filling.note(entries(3, from: 5), of: .shorts)
  #expect(filling.closing == nil)
  filling.note(nil, of: .live)
  #expect(filling.closing == .gapClosed(GapClosed(subscription: found.subscription, gap: Sample.id(1))))
}

@Test("A full list that ends before the gap leaves it open")
func gapOpen() {
  var filling = GapBackfill(Sample.id(1), found)
  filling.note(entries(15, from: 1), of: .shorts)
  filling.note(nil, of: .videos)
  filling.note(nil, of: .live)
  #expect(filling.closing == nil)
}

@Test("If all lists are missing, nothing is proven")
func gapInOutage() {
  var filling = GapBackfill(Sample.id(1), found)
  for form in [FeedForm.videos, .shorts, .live] { filling.note(nil, of: form) }
  #expect(filling.closing == nil)
}

@Test("A playlist has no lists of its own")
func playlistGap() throws {
  let playlist = try #require(PlaylistID("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va"))
  let gap = GapFound(subscription: .playlist(playlist), after: Sample.start, before: Sample.start)
  #expect(GapBackfill(Sample.id(1), gap).feedRequests.isEmpty)
}

@Test("Requests for a gap go out next, and their failures blame no channel")
func extraQuestions() {
  var generator = SeededGenerator(seed: 1)
  let none = PollPlan.Demand(subscriptions: [], ignoresGaps: true, ignoresFloor: true)
  let plan = PollPlan(for: none, state: State(), memory: PollState(), now: Sample.start, using: &generator)
  var run = PollRun(plan, memory: PollState(), pace: PollRun.Pace(rate: 0, jobs: 1))
  #expect(run.next(at: 0, now: Sample.start, jitter: 0) == .done)
  run.ask(alsoFor: GapBackfill(Sample.id(1), found).feedRequests)
  #expect(run.unrequested == 0 && run.hasRequests)
  var requested: [FeedForm] = []
  while case .ask(let feedRequest) = run.next(at: 0, now: Sample.start, jitter: 0) {
    requested.append(feedRequest.form)
    run.note(.status(404, retryAfter: nil), to: feedRequest, at: Sample.start)
  }
  #expect(Set(requested) == [.videos, .shorts, .live])
  #expect(run.finish(at: Sample.start).isEmpty && run.failures.isEmpty && run.stopped == nil)
}
