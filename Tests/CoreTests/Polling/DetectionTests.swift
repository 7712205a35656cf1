import SlowFold
import TestSupport
import Testing

@testable import Core

private let requested = FeedRequest(subscription: .channel(Sample.channel(1)), form: .channel)
private let named = Sample.event(
  0, .channelChanged(ChannelChanged(subscription: .channel(Sample.channel(1)), name: "A channel")))

/// The fold after reading a feed once.
private func fold(after feed: Feed) -> SlowFold {
  var fold = SlowFold()
  for (second, body) in Detection(of: feed, requested: requested, answered: nil, in: fold).events.enumerated() {
    fold.apply(Sample.event(Int64(second), body))
  }
  return fold
}

@Test("A first feed yields its videos, oldest first, and the channel's name")
func firstFeed() {
  let feed = Sample.feed([Sample.entry(2, day: 2), Sample.entry(1, day: 1)])
  let detection = Detection(of: feed, requested: requested, answered: nil, in: SlowFold())
  #expect(detection.new == 2 && detection.changed == 0 && !detection.hasGap)
  let videos = detection.events.compactMap { if case .videoFound(let found) = $0 { found.video } else { nil } }
  #expect(videos == [Sample.video(1), Sample.video(2)])
  #expect(detection.events.last == named.body)
}

@Test("The same feed again yields no events, even if views, likes and `updated` change")
func churn() {
  let feed = Sample.feed([Sample.entry(1), Sample.entry(2)])
  var later = feed
  for index in later.entries.indices {
    later.entries[index].views = 99
    later.entries[index].likes = 98
    later.entries[index].updated = Sample.start.adding(seconds: 999)
    later.entries[index].thumbnail = "https://i4.ytimg.com/vi/\(later.entries[index].video)/hqdefault.jpg"
  }
  #expect(Detection(of: later, requested: requested, answered: nil, in: fold(after: feed)) == Detection())
}

@Test("A changed title, description or date, and a link changed to a Short's, are changes")
func changes() {
  var feed = Sample.feed([Sample.entry(1)])
  let fold = fold(after: feed)
  feed.entries[0].title = "Another title"
  feed.entries[0].description = "Other words"
  feed.entries[0].link = "https://www.youtube.com/shorts/\(Sample.video(1))"
  feed.entries[0].published = Sample.start.adding(seconds: 60)
  let detection = Detection(of: feed, requested: requested, answered: nil, in: fold)
  #expect(detection.new == 0 && detection.changed == 1)
  #expect(
    detection.events == [
      .videoChanged(
        VideoChanged(
          video: Sample.video(1), title: "Another title",
          link: "https://www.youtube.com/shorts/\(Sample.video(1))", published: Sample.start.adding(seconds: 60),
          description: Description("Other words")))
    ])
}

@Test("A premiere is found although its date is old")
func oldDate() {
  let fold = fold(after: Sample.feed([Sample.entry(1, day: 30)]))
  let detection = Detection(
    of: Sample.feed([Sample.entry(1, day: 30), Sample.entry(2, day: -400)]), requested: requested, answered: nil,
    in: fold)
  #expect(detection.new == 1)
}

@Test("A video that disappeared and came back is not new")
func vanished() {
  var fold = fold(after: Sample.feed([Sample.entry(1), Sample.entry(2)]))
  let without = Detection(of: Sample.feed([Sample.entry(2)]), requested: requested, answered: nil, in: fold)
  for (second, body) in without.events.enumerated() { fold.apply(Sample.event(100 + Int64(second), body)) }
  #expect(
    Detection(of: Sample.feed([Sample.entry(1), Sample.entry(2)]), requested: requested, answered: nil, in: fold)
      == Detection())
}

@Test("A removed video is available again when a feed shows it, even if nothing else changed")
func removed() {
  let feed = Sample.feed([Sample.entry(1), Sample.entry(2)])
  var fold = fold(after: feed)
  #expect(feed.isKnown(requested: requested, to: fold))
  fold.apply(Sample.event(100, .videoRemoved(VideoRemoved(video: Sample.video(1), removed: true))))
  #expect(!feed.isKnown(requested: requested, to: fold))
  let detection = Detection(of: feed, requested: requested, answered: nil, in: fold)
  #expect(detection.events == [.videoRemoved(VideoRemoved(video: Sample.video(1), removed: false))])
  #expect(detection.new == 0 && detection.changed == 1)
}

@Test("A hint of 0 views ends with the first view and does not come back")
func zeroViews() {
  var fold = fold(after: Sample.feed([Sample.entry(1, views: 0)]))
  #expect(fold.videos[Sample.video(1)]?.hasZeroViews == true)
  let seen = Detection(of: Sample.feed([Sample.entry(1, views: 5)]), requested: requested, answered: nil, in: fold)
  #expect(seen.events == [.videoChanged(VideoChanged(video: Sample.video(1), zeroViews: false))])
  #expect(seen.changed == 0)
  for (second, body) in seen.events.enumerated() { fold.apply(Sample.event(100 + Int64(second), body)) }
  #expect(
    Detection(of: Sample.feed([Sample.entry(1, views: 0)]), requested: requested, answered: nil, in: fold)
      == Detection())
}

@Test("A channel feed with another channel's entries is rejected")
func otherChannel() {
  let feed = Sample.feed([Sample.entry(1), Sample.entry(2, of: 2)])
  #expect(feed.foreignChannel(requested: requested) == Sample.channel(2))
  #expect(Sample.feed([Sample.entry(1)]).foreignChannel(requested: requested) == nil)
  let other = FeedRequest(subscription: .channel(Sample.channel(2)), form: .channel)
  #expect(Sample.feed([]).foreignChannel(requested: other) == Sample.channel(1))
}

@Test("A followed playlist keeps each entry's own channel and never has a gap")
func playlist() throws {
  let id = try #require(PlaylistID("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va"))
  let requested = FeedRequest(subscription: .playlist(id), form: .playlist)
  #expect(Sample.feed([Sample.entry(1, of: 7)]).foreignChannel(requested: requested) == nil)
  var fold = SlowFold()
  let first = Detection(
    of: Sample.feed([Sample.entry(1, of: 7)], name: "Best of"), requested: requested, answered: nil, in: fold)
  for (second, body) in first.events.enumerated() { fold.apply(Sample.event(Int64(second), body)) }
  #expect(fold.state.channels[.playlist(id)]?.title == "Best of")
  let video = try #require(fold.videos[Sample.video(1)])
  #expect(video.channel == Sample.channel(7) && video.channelTitle == "A channel" && video.playlists == [id])
  let full = Sample.feed((10..<25).map { Sample.entry($0, of: 8, day: 9) }, name: "Best of")
  #expect(Detection(of: full, requested: requested, answered: nil, in: fold).hasGap == false)
}

@Test("A full feed without any known entry leaves a gap")
func gap() {
  let fold = fold(after: Sample.feed([Sample.entry(1, day: 1)]))
  let full = Sample.feed((10..<25).map { Sample.entry($0, day: Int64($0)) })
  let detection = Detection(of: full, requested: requested, answered: nil, in: fold)
  #expect(detection.hasGap)
  #expect(
    detection.events.last
      == .gapFound(
        GapFound(
          subscription: requested.subscription, after: Sample.start.adding(seconds: 86_400),
          before: Sample.start.adding(seconds: 10 * 86_400))))
  let overlapping = Sample.feed([Sample.entry(1, day: 1)] + (10..<24).map { Sample.entry($0, day: Int64($0)) })
  #expect(Detection(of: overlapping, requested: requested, answered: nil, in: fold).hasGap == false)
}

@Test("Videos older than the date given with follow are marked watched, but only by the first poll")
func seenBefore() {
  var fold = Sample.fold([
    Sample.event(
      -1,
      .channelFollowed(
        ChannelFollowed(
          subscription: requested.subscription, title: nil, tags: nil, seenBefore: Sample.start.adding(seconds: 86_400))
      ))
  ])
  let first = Detection(
    of: Sample.feed([Sample.entry(1, day: 0), Sample.entry(2, day: 2)]), requested: requested, answered: nil, in: fold)
  for (second, body) in first.events.enumerated() { fold.apply(Sample.event(Int64(second), body)) }
  #expect(fold.videos[Sample.video(1)]?.statusSet.status == .watched)
  #expect(fold.videos[Sample.video(1)]?.statusSet.reason == "seenBefore")
  #expect(fold.videos[Sample.video(2)]?.statusSet.status == .new)
  let premiere = Detection(of: Sample.feed([Sample.entry(3, day: -9)]), requested: requested, answered: nil, in: fold)
  for (second, body) in premiere.events.enumerated() { fold.apply(Sample.event(100 + Int64(second), body)) }
  #expect(fold.videos[Sample.video(3)]?.statusSet.status == .new)
}

@Test("A renamed channel is noticed")
func renamed() {
  let fold = fold(after: Sample.feed([Sample.entry(1)]))
  let detection = Detection(
    of: Sample.feed([Sample.entry(1)], name: "New name"), requested: requested, answered: nil, in: fold)
  #expect(detection.events == [.channelChanged(ChannelChanged(subscription: requested.subscription, name: "New name"))])
}

@Test("A feed counts as known exactly when it yields no events")
func known() {
  let first = Sample.feed([Sample.entry(1), Sample.entry(2)])
  let fold = fold(after: first)
  var feeds = [first, Sample.feed([]), Sample.feed([Sample.entry(2)]), Sample.feed([Sample.entry(2, views: 77)])]
  feeds += [Sample.feed([Sample.entry(1), Sample.entry(3)]), Sample.feed([Sample.entry(1)], name: "Another name")]
  feeds += [Sample.feed([Sample.entry(1, title: "Another title")]), Sample.feed([Sample.entry(1, day: 1)])]
  for fold in [fold, SlowFold()] {
    for feed in feeds {
      for form in [FeedForm.channel, .uploads, .videos] {
        let requested = FeedRequest(subscription: requested.subscription, form: form)
        let detection = Detection(of: feed, requested: requested, answered: nil, in: fold)
        #expect(feed.isKnown(requested: requested, to: fold) == detection.events.isEmpty)
      }
    }
  }
}
