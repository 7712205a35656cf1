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

  /// The maximum number of pages: 5,000 entries, the limit of a playlist.
  static let maxPages = 100

  /// Adds up to `count` entries of a playlist that are not known, as skipped because they are not new. If these are all
  /// there are, polls keep it complete from now on.
  package mutating func backfill(_ playlist: PlaylistID, count: Int) throws {
    let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
    var seen: Set<VideoID> = []
    var isWhole = true
    let total = try read(playlist) { videos, page in
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
    guard isWhole, let total else { return }
    let listing = PlaylistListing(total: total, listed: Clock.now(), checked: Clock.now())
    // The state of the Data API is the catalogue's, which must not show one user's older videos to others.
    guard session.library.hasCatalogue else { return api.memory.playlists[playlist] = listing }
    try session.workspace.keep(listing, of: playlist)
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
      var completion = PlaylistCompletion(playlist, of: [.init(session, listing)], api)
      defer { found += completion.found }
      try completion.run()
      api.memory.playlists[playlist] = completion.readers[0].listing
    }
  }

  /// Gives the pages of a playlist to `take` until it returns false; returns how many entries there are, nil if not all
  /// pages were read.
  private mutating func read(
    _ playlist: PlaylistID, _ take: (inout PlaylistVideos, PlaylistPage) throws -> Bool
  ) throws -> Int? {
    var (page, pages): (String?, Set<String>) = (nil, [])
    var total: Int?
    for _ in 0..<PlaylistVideos.maxPages {
      let response = try api.ask(.playlist(playlist, page: page, count: APIRequest.maximum), PlaylistPage.init)
      total = response.total ?? total
      guard try take(&self, response) else { return nil }
      page = response.next
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
