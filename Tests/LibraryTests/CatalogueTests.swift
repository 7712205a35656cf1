import Core
import EventLog
import Glibc
import Library
import ReadModel
import SlowFold
import TestSupport
import Testing

/// A data folder: one catalogue, and the logs of users beside it.
private struct DataFolder {
  let folder = TemporaryFolder()

  var catalogue: Folders {
    let path = folder.path + "/catalogue"
    return Folders(data: path, state: path + "/state", cache: path + "/cache")
  }

  func user(_ name: String, cached: Bool = true) -> Folders {
    let path = folder.path + "/users/" + name
    var folders = Folders(data: path, state: path + "/state", cache: cached ? path + "/cache" : "/dev/null")
    folders.catalogue = catalogue.log
    return folders
  }

  func append(_ bodies: [EventBody], to folders: Folders, as device: String, at time: UInt64 = now) throws {
    for path in [folder.path + "/users", folders.data] { mkdir(path, 0o700) }
    let library = try library(folders, device, at: time)
    _ = try library.commit(action: nil, undoing: nil) { bodies }
    withExtendedLifetime(library) {}
  }

  /// Every event of a log folder, in the order of the files.
  func events(of folders: Folders) throws -> [Event] {
    var own = folders
    own.catalogue = nil
    var events: [Event] = []
    let journal = try Journal(
      folders: own, device: DeviceID("k3v9x2ap"), machine: nil, coverage: nil, clock: { now + 1_000_000 })
    journal.receive = { event, _, _ in events.append(event) }
    try journal.refresh()
    return events
  }
}

/// What a user is to see of an event about a feed or an entry; nil within if nothing, nil if it is about neither.
private func visibleFeedBody(
  _ body: EventBody, _ subscriptions: Set<SubscriptionID>, _ videos: Set<VideoID>
) -> EventBody?? {
  switch body {
  case .feedFollowed, .feedUnfollowed: return .some(nil)
  case .feedMerged(let merged):
    return .some([merged.feed, merged.into].contains { subscriptions.contains(.feed($0)) } ? body : nil)
  case .entriesKnown(let known): return .some(subscriptions.contains(.feed(known.feed)) ? body : nil)
  case .entryChanged(let change): return .some(videos.contains(change.entry) ? body : nil)
  case .entryFound(var found):
    guard videos.contains(found.entry) else { return .some(nil) }
    if found.reason != "renumbered" { (found.status, found.reason) = (nil, nil) }
    return .some(.entryFound(found))
  case .feedChanged(let change):
    var seen = FeedChanged(feed: change.feed)
    (seen.url, seen.name, seen.site) = (change.url, change.name, change.site)
    (seen.image, seen.language, seen.keyKind) = (change.image, change.language, change.keyKind)
    guard subscriptions.contains(.feed(change.feed)), seen != FeedChanged(feed: change.feed) else { return .some(nil) }
    return .some(.feedChanged(seen))
  default: return nil
  }
}

/// What a user is to see, by rules that know nothing of files: the own events, and of the catalogue what concerns what
/// they name.
private func fold(_ own: [Event], _ catalogue: [Event]) -> SlowFold {
  var (subscriptions, handles, videos) = (Set<SubscriptionID>(), Set<String>(), Set<VideoID>())
  for event in own {
    switch event.body {
    case .channelFollowed(let followed): subscriptions.insert(followed.subscription)
    case .channelUnfollowed(let id): subscriptions.insert(id)
    case .channelChanged(let change): if change.isUserAction { subscriptions.insert(change.subscription) }
    case .handleFollowed(let followed): handles.insert(followed.handle)
    case .handleUnfollowed(let unfollowed): handles.insert(unfollowed.handle)
    case .handleResolved(let resolved): handles.insert(resolved.handle)
    case .feedFollowed(let followed): subscriptions.insert(.feed(followed.feed))
    case .feedUnfollowed(let feed): subscriptions.insert(.feed(feed))
    case .feedChanged(let change): if change.isUserAction { subscriptions.insert(.feed(change.feed)) }
    case .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .entryFound, .entryChanged:
      if let id = event.body.video { videos.insert(id) }
    default: break
    }
  }
  func isNamed(_ playlist: PlaylistID?) -> Bool { playlist.map { subscriptions.contains(.playlist($0)) } ?? false }
  for event in catalogue {
    switch event.body {
    case .videoFound(let found) where subscriptions.contains(.channel(found.channel)) || isNamed(found.playlist):
      videos.insert(found.video)
    case .videoChanged(let change) where isNamed(change.playlist): videos.insert(change.video)
    case .entryFound(let found) where subscriptions.contains(.feed(found.feed)): videos.insert(found.entry)
    default: break
    }
  }
  let seen = catalogue.compactMap { event -> Event? in
    if let body = visibleFeedBody(event.body, subscriptions, videos) {
      return body.map { Event(id: event.id, action: event.action, body: $0) }
    }
    var event = event
    event.undoes = nil
    switch event.body {
    case .videoFound(var found):
      guard videos.contains(found.video) else { return nil }
      (found.status, found.reason, found.playlist) = (nil, nil, isNamed(found.playlist) ? found.playlist : nil)
      event.body = .videoFound(found)
    case .videoChanged(var change):
      if !isNamed(change.playlist) { change.playlist = nil }
      guard videos.contains(change.video), !change.isEmpty else { return nil }
      event.body = .videoChanged(change)
    case .videoEnriched, .videoRemoved, .videoDescribed:
      return event.body.video.map(videos.contains) == true ? event : nil
    case .channelChanged(let change):
      guard change.name != nil, subscriptions.contains(change.subscription) else { return nil }
      event.body = .channelChanged(ChannelChanged(subscription: change.subscription, name: change.name))
    case .channelEnriched(let known): return subscriptions.contains(.channel(known.channel)) ? event : nil
    case .handleResolved(let resolved): return handles.contains(resolved.handle) ? event : nil
    case .gapFound(let gap): return subscriptions.contains(gap.subscription) ? event : nil
    case .gapClosed(let closed): return subscriptions.contains(closed.subscription) ? event : nil
    case .runFinished: break
    default: return nil
    }
    return event
  }
  return SlowFold(own + seen)
}

@Suite("A user's log and the catalogue")
struct CatalogueTests {
  @Test("Whatever order two logs grow in, a user has what their own log names", arguments: 0..<12)
  func anyOrder(seed: UInt64) throws {
    let data = DataFolder()
    var maker = EventMaker(seed: 900 + seed)
    let users = [(name: "ann", device: "annannan"), (name: "bob", device: "bobbobbo")]
    // Stays open while others append, as a server does.
    mkdir(data.folder.path + "/users", 0o700)
    mkdir(data.user("ann").data, 0o700)
    let open = try library(data.user("ann"), "annannan", at: now + 1_000_000)
    for step in 0..<10 as Range<UInt64> {
      let bodies = maker.events(6).map(\.body)
      switch (step + seed) % 3 {
      case 0:
        let device = step.isMultiple(of: 2) ? "cccccccc" : "dddddddd"
        try data.append(bodies, to: data.catalogue, as: device, at: now + step)
      case let user:
        let user = users[Int(user) - 1]
        try data.append(bodies, to: data.user(user.name), as: user.device, at: now + step)
      }
      try open.refresh()
      let catalogue = try data.events(of: data.catalogue)
      for user in users {
        let expected = fold(try data.events(of: data.user(user.name)), catalogue)
        for cached in [true, false] {
          let library = try library(data.user(user.name, cached: cached), user.device, at: now + 1_000_000)
          #expect(try library.agrees(with: expected), "step \(step) \(user.name) \(cached)")
          withExtendedLifetime(library) {}
        }
        if user.name == "ann" { #expect(try open.agrees(with: expected), "step \(step), open") }
      }
    }
    withExtendedLifetime(open) {}
  }

  private static let channel = Sample.channel(1)
  private static let video = Sample.video(1)

  private static func followed(_ channel: ChannelID) -> EventBody {
    .channelFollowed(ChannelFollowed(subscription: .channel(channel), title: nil, tags: nil))
  }

  private static func found(_ status: Status? = nil) -> EventBody {
    .videoFound(
      VideoFound(
        video: video, channel: channel, channelTitle: nil, feed: .channel, playlist: nil, title: "A title",
        link: "https://www.youtube.com/watch?v=\(video)", published: Sample.start, thumbnail: nil, zeroViews: false,
        status: status, reason: nil, description: nil))
  }

  /// Every order of four steps.
  private static let orders: [[Int]] = (0..<24).map { number in
    var (rest, order, digits) = (Array(0..<4), [Int](), number)
    for count in (1...4).reversed() {
      order.append(rest.remove(at: digits % count))
      digits /= count
    }
    return order
  }

  @Test(
    "A video that the feeds of two channels and a playlist show is the same in any order", arguments: orders,
    [true, false])
  func foundTwice(order: [Int], staysOpen: Bool) throws {
    let data = DataFolder()
    let playlist = PlaylistID(of: Sample.channel(3), form: .videos)
    func found(_ channel: ChannelID, _ playlist: PlaylistID?, _ title: String) -> EventBody {
      .videoFound(
        VideoFound(
          video: CatalogueTests.video, channel: channel, channelTitle: nil, feed: .channel, playlist: playlist,
          title: title, link: "https://www.youtube.com/watch?v=\(CatalogueTests.video)", published: Sample.start,
          thumbnail: nil, zeroViews: false, status: nil, reason: nil, description: nil))
    }
    let enriched = EventBody.videoEnriched(
      VideoEnriched(
        video: CatalogueTests.video, duration: 100, live: nil, scheduled: nil, started: nil, ended: nil))
    let steps: [(folders: Folders, device: String, bodies: [EventBody])] = [
      (data.catalogue, "cccccccc", [found(CatalogueTests.channel, nil, "By the channel"), enriched]),
      (data.catalogue, "cccccccc", [found(Sample.channel(2), playlist, "By the playlist")]),
      (
        data.user("ann"), "annannan",
        [.channelFollowed(ChannelFollowed(subscription: .playlist(playlist), title: nil, tags: nil))]
      ),
      (data.user("ann"), "annannan", [CatalogueTests.followed(CatalogueTests.channel)]),
    ]
    mkdir(data.folder.path + "/users", 0o700)
    mkdir(data.user("ann").data, 0o700)
    let open = staysOpen ? try library(data.user("ann"), "annannan", at: now + 1_000_000) : nil
    for (time, step) in order.enumerated() {
      try data.append(steps[step].bodies, to: steps[step].folders, as: steps[step].device, at: now + UInt64(time))
      try open?.refresh()
      let expected = fold(try data.events(of: data.user("ann")), try data.events(of: data.catalogue))
      if let open { #expect(try open.agrees(with: expected), "step \(time), open") }
      for cached in [true, false] {
        let library = try library(data.user("ann", cached: cached), "annannan", at: now + 1_000_000)
        #expect(try library.agrees(with: expected), "step \(time), cached \(cached)")
        withExtendedLifetime(library) {}
      }
    }
    withExtendedLifetime(open) {}
  }

  @Test("Videos found for the first time are added to the tables, not a reason to build them again")
  func foundFirst() throws {
    let data = DataFolder()
    try data.append([CatalogueTests.followed(Sample.channel(2))], to: data.catalogue, as: "cccccccc")
    try data.append([CatalogueTests.followed(CatalogueTests.channel)], to: data.user("ann"), as: "annannan")
    func tables() throws -> (name: String?, videos: Int) {
      let library = try library(data.user("ann"), "annannan")
      defer { withExtendedLifetime(library) {} }
      return (library.model.name, try library.model.videoCount())
    }
    let before = try tables()
    try data.append([CatalogueTests.found()], to: data.catalogue, as: "cccccccc")
    let after = try tables()
    #expect((before.videos, after.videos) == (0, 1))
    #expect(before.name != nil && before.name == after.name)
  }

  @Test("A channel that others follow already shows its known videos to a new follower, and to no other user")
  func newFollower() throws {
    let data = DataFolder()
    try data.append(
      [CatalogueTests.followed(CatalogueTests.channel), CatalogueTests.found(.watched)], to: data.catalogue,
      as: "cccccccc")
    try data.append([CatalogueTests.followed(Sample.channel(2))], to: data.user("ann"), as: "annannan")
    let ann = try library(data.user("ann"), "annannan")
    #expect(try ann.video(CatalogueTests.video) == nil)
    #expect(try ann.model.state().channels.keys.sorted() == [.channel(Sample.channel(2))])
    _ = try ann.commit(action: nil, undoing: nil) { [CatalogueTests.followed(CatalogueTests.channel)] }
    let video = try #require(try ann.video(CatalogueTests.video))
    #expect(video.found != nil && video.statusChanged == nil, "a status in the catalogue belongs to no user")
    #expect(try ann.verify().wrongReadModel == nil)
    withExtendedLifetime(ann) {}
  }

  @Test("Nothing is written into the catalogue, and its events are found again by their positions")
  func readOnly() throws {
    let data = DataFolder()
    try data.append([CatalogueTests.found()], to: data.catalogue, as: "cccccccc")
    try data.append([CatalogueTests.followed(CatalogueTests.channel)], to: data.user("ann"), as: "annannan")
    let ann = try library(data.user("ann"), "annannan")
    #expect(try ann.events(about: CatalogueTests.video).count == 1)
    let position = ann.journal.position
    try data.append(
      [.savedSet(SavedSet(video: CatalogueTests.video, saved: true)), .channelUnfollowed(.channel(Sample.channel(9)))],
      to: data.catalogue, as: "cccccccc")
    try ann.refresh()
    let later = try #require(try ann.events(after: position, maximum: 10))
    #expect(later.events.isEmpty && later.position == ann.journal.position && later.position != position)
    #expect(try ann.compact() == nil)
    #expect(data.folder.names(in: "catalogue/log") == ["cccccccc.jsonl"])
    #expect(data.folder.names(in: "users/ann/log") == ["annannan.jsonl"])
    withExtendedLifetime(ann) {}
  }
}
