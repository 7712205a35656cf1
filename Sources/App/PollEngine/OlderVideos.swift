import App
import Core
import ReadModel
import YouTube

/// Videos older than the feeds' 15 entries, from the Data API's upload playlists.
package struct OlderVideos {
  private let session: Session
  private let api: APISession

  /// For the channels in a session's state.
  package init(_ session: Session, _ api: APISession) {
    self.session = session
    self.api = api
  }

  /// The maximum pages read per playlist: 2,000 videos.
  private static let maxPages = 40

  /// Fills a gap: appends the videos published in it as new, then closes it. Returns the number of videos found, or nil
  /// if the playlists do not cover the gap.
  package func fill(_ gap: GapFound, _ id: EventID) throws -> Int? {
    guard let channel = gap.subscription.channel else { return nil }
    let after = gap.after
    var found = 0
    // Shorts first, so that each is recorded as a Short.
    for form in [FeedForm.shorts, .uploads] {
      guard let list = try entries(of: channel, form, until: { $0.contains { $0.published <= after } }),
        try form == .shorts || reaches(list, across: gap)
      else { return nil }
      found += try append(list.filter { $0.published > after }, of: channel, form)
    }
    try session.commit {
      try session.state.openGaps.contains { $0.id == id }
        ? [.gapClosed(GapClosed(subscription: gap.subscription, gap: id))] : []
    }
    return found
  }

  /// Whether an uploads playlist covers a gap: it reaches back to the gap's older end, or it ends earlier (the owner
  /// deleted those videos) but contains a known video next to the gap. An empty playlist proves nothing.
  private func reaches(_ list: [Entry], across gap: GapFound) throws -> Bool {
    try list.contains { entry in
      if entry.published <= gap.after { return true }
      return try entry.published >= gap.before && session.query { try $0.isFound(entry.video) }
    }
  }

  /// Adds up to `count` videos older than any known video of a channel, as skipped because they are not new. Returns
  /// the number of videos found.
  package func backfill(_ channel: ChannelID, count: Int) throws -> Int {
    let oldest = try session.query { try $0.oldestPublished(of: channel) }
    func isOlder(_ entry: Entry) -> Bool { oldest.map { entry.published < $0 } ?? true }
    let uploads = try entries(of: channel, .uploads) { $0.count(where: isOlder) >= count } ?? []
    let wanted = uploads.filter { isOlder($0) && $0.channel == channel }.prefix(count)
    guard let first = wanted.map(\.published).min() else { return 0 }
    let shorts = try entries(of: channel, .shorts) { $0.contains { $0.published < first } } ?? []
    let areShorts = Set(shorts.map(\.video))
    let events = try session.commit {
      try wanted.filter { entry in try !session.query { try $0.isFound(entry.video) } }.reversed().map { entry in
        .videoFound(VideoFound(backfilled: entry, form: areShorts.contains(entry.video) ? .shorts : .uploads))
      }
    }
    return events.count
  }

  /// The entries of a channel's playlist, page by page until `isEnough`; nil if it is missing or exceeds the page
  /// limit. A missing Shorts playlist counts as empty: a channel without Shorts has none; every channel has uploads.
  private func entries(
    of channel: ChannelID, _ form: FeedForm, until isEnough: ([Entry]) -> Bool
  ) throws -> [Entry]? {
    guard let list = form.channelPlaylist.map({ PlaylistID(of: channel, form: $0) }) else { return [] }
    var entries: [Entry] = []
    // Pages overlap if a video was published between two requests.
    var seen: Set<VideoID> = []
    var page: String?
    var pages: Set<String> = []
    for _ in 0..<OlderVideos.maxPages {
      let response: PlaylistPage
      do {
        response = try api.ask(.playlist(list, page: page, count: APIRequest.maximum), PlaylistPage.init)
      } catch APIRefusal.api(.missing) { return form == .shorts ? entries : nil }
      entries += response.entries.filter { seen.insert($0.video).inserted }
      page = response.next
      if isEnough(entries) { return entries }
      // A page token seen before means a loop.
      guard let page, pages.insert(page).inserted else { return entries }
    }
    return nil
  }

  /// Appends the playlist's unknown videos; returns the number of videos found.
  private func append(_ entries: [Entry], of channel: ChannelID, _ form: FeedForm) throws -> Int {
    let feed = Feed(
      title: "", authorName: nil, authorChannel: nil, channel: channel, playlist: nil,
      entries: entries.filter { $0.channel == channel }, deletedEntries: [])
    let events = try session.commit {
      let feedRequest = FeedRequest(subscription: .channel(channel), form: form)
      let detection = try session.detect(feed, feedRequest, answered: nil)
      return detection.events.filter { if case .gapFound = $0 { false } else { true } }
    }
    return events.count { if case .videoFound = $0.body { true } else { false } }
  }
}

extension VideoFound {
  /// The discovery of a video that existed before the user followed its channel, or a playlist with it.
  init(backfilled entry: Entry, form: FeedForm, playlist: PlaylistID? = nil) {
    self.init(
      video: entry.video, channel: entry.channel, channelTitle: playlist == nil ? nil : entry.authorName, feed: form,
      playlist: playlist, title: entry.title,
      link: entry.link, published: entry.published, thumbnail: nil, zeroViews: false, status: .skipped,
      reason: "backfill", description: entry.description.flatMap { $0.isEmpty ? nil : Description($0) })
  }
}
