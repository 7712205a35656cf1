import App
import Core
import EventLog
import Library
import Platform
import ReadModel
import YouTube

/// The entries of followed playlists beyond the 15 that a feed has, from the Data API, in the playlists' own order.
package struct PlaylistVideos {
  private let session: Session
  private let api: APISession
  /// The videos found so far, also if a request failed.
  package private(set) var found = 0

  package init(_ session: Session, _ api: APISession) { (self.session, self.api) = (session, api) }

  /// The maximum pages read: 5,000 entries, as many as a playlist may have.
  private static let maxPages = 100

  /// Adds up to `count` entries of a playlist that are not known, as skipped because they are not new. If these are all
  /// there are, polls keep it complete from now on.
  package mutating func backfill(_ playlist: PlaylistID, count: Int) throws {
    let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
    var seen: Set<VideoID> = []
    var isWhole = true
    let total = try read(playlist, from: nil) { videos, page in
      let entries = page.entries.filter { seen.insert($0.video).inserted }
      let events = try videos.session.commit {
        let backfill = Backfill(
          entries, try videos.session.known(of: entries, request), playlist, room: count - videos.found)
        if backfill.isCut { isWhole = false }
        return backfill.events
      }
      videos.count(events)
      return isWhole
    }
    // Polls of a catalogue must not add one user's older videos for all users.
    guard isWhole, let total, !session.library.hasCatalogue else { return }
    api.memory.playlists[playlist] = PlaylistListing(total: total, listed: Clock.now(), checked: Clock.now())
  }

  /// Adds what complete playlists gained, as new.
  package mutating func complete() throws {
    for (playlist, listing) in api.memory.playlists.sorted(by: {
      ($0.value.checked, $0.key) < ($1.value.checked, $1.key)
    }) {
      guard try session.state.channels[.playlist(playlist)]?.isFollowed == true else {
        api.memory.playlists[playlist] = nil
        continue
      }
      guard listing.isDue(at: Clock.now()) else { continue }
      try complete(playlist, listing)
    }
  }

  private mutating func complete(_ playlist: PlaylistID, _ listing: PlaylistListing) throws {
    let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
    var listing = listing
    listing.checked = Clock.now()
    let first: PlaylistPage
    do {
      first = try api.ask(.playlist(playlist, page: nil, count: APIRequest.maximum), PlaylistPage.init)
    } catch APIRefusal.api(.missing) {
      api.memory.playlists[playlist] = listing
      return
    }
    let known = try session.known(of: first.entries, request)
    let areAllKnown = first.entries.allSatisfy { known.videos[$0.video]?.isInPlaylist == true }
    if listing.isOutdated(by: first, areAllKnown: areAllKnown, at: listing.checked) {
      let total = try read(playlist, from: first) { videos, page in
        let feed = Feed(
          title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: playlist, entries: page.entries,
          deletedEntries: [])
        videos.count(try videos.session.commit { try videos.session.detect(feed, request, answered: nil).events })
        return true
      }
      if let total { (listing.total, listing.listed) = (total, listing.checked) }
    }
    api.memory.playlists[playlist] = listing
  }

  /// Gives the pages of a playlist to `take` until it returns false; returns how many entries there are, nil if not all
  /// pages were read.
  private mutating func read(
    _ playlist: PlaylistID, from first: PlaylistPage?, _ take: (inout PlaylistVideos, PlaylistPage) throws -> Bool
  ) throws -> Int? {
    var (page, pages): (String?, Set<String>) = (nil, [])
    var total: Int?
    for number in 0..<PlaylistVideos.maxPages {
      let answer: PlaylistPage
      if number == 0, let first {
        answer = first
      } else {
        answer = try api.ask(.playlist(playlist, page: page, count: APIRequest.maximum), PlaylistPage.init)
      }
      total = answer.total ?? total
      guard try take(&self, answer) else { return nil }
      page = answer.next
      // A page token seen before means a loop.
      guard let page, pages.insert(page).inserted else { return total ?? 0 }
    }
    return nil
  }

  private mutating func count(_ events: [Event]) {
    found += events.count { if case .videoFound = $0.body { true } else { false } }
  }
}

/// What older entries of a playlist add.
struct Backfill {
  private(set) var events: [EventBody] = []
  /// Whether entries were left out because there was no room.
  private(set) var isCut = false

  /// Of the entries of a playlist those that are not known, up to `room`; for the others that they are in it.
  init(_ entries: [Entry], _ known: KnownFeed, _ playlist: PlaylistID, room: Int) {
    var room = room
    for entry in entries {
      if let video = known.videos[entry.video] {
        guard !video.isInPlaylist else { continue }
        var change = VideoChanged(video: entry.video)
        change.playlist = playlist
        if !video.feeds.contains(FeedForms(.playlist)) { change.feed = .playlist }
        events.append(.videoChanged(change))
      } else if room > 0 {
        room -= 1
        events.append(.videoFound(VideoFound(backfilled: entry, form: .playlist, playlist: playlist)))
      } else {
        isCut = true
      }
    }
  }
}

extension Session {
  /// What is known of entries that a request brought.
  func known(of entries: [Entry], _ request: FeedRequest) throws -> KnownFeed {
    try query { try $0.known(of: [(entries.map(\.video), request)])[0] }
  }
}
