import App
import Core
import EventLog
import Library
import Messages
import Platform
import ReadModel
import YouTube

/// The requests that keep a playlist complete, once for all logs that have every entry of it.
package struct PlaylistCompletion {
  /// A log with every entry of the playlist.
  package struct Reader {
    package let session: Session
    package var listing: PlaylistListing

    package init(_ session: Session, _ listing: PlaylistListing) { (self.session, self.listing) = (session, listing) }
  }

  private let playlist: PlaylistID
  private let api: APISession
  /// The logs, with what is known of the playlist after the requests.
  package private(set) var readers: [Reader]
  /// The videos found so far, in all logs together, also if a request failed.
  package private(set) var found = 0

  package init(_ playlist: PlaylistID, of readers: [Reader], _ api: APISession) {
    (self.playlist, self.readers, self.api) = (playlist, readers, api)
  }

  private var request: FeedRequest { FeedRequest(subscription: .playlist(playlist), form: .playlist) }

  /// Reads the first page, and all pages if one of the logs may lack something; adds what they lack, as new. A log that
  /// fails is reported, and left out. Throws an `APIRefusal`, with what was found until then kept.
  package mutating func run() throws {
    let now = Clock.now()
    for index in readers.indices { readers[index].listing.checked = now }
    let first: PlaylistPage
    do {
      first = try api.ask(.playlist(playlist, page: nil, count: APIRequest.maximum), PlaylistPage.init)
    } catch APIRefusal.api(.missing) { return }
    var outdated = readers.indices.filter { index in
      var isOutdated = false
      StandardError.reportFailure { isOutdated = try self.isOutdated(readers[index], by: first, at: now) }
      return isOutdated
    }
    guard !outdated.isEmpty else { return }
    var (page, pages, total): (PlaylistPage, Set<String>, Int?) = (first, [], first.total)
    for _ in 0..<PlaylistVideos.maxPages {
      outdated = outdated.filter { index in
        var added: Int?
        StandardError.reportFailure { added = try add(page, to: readers[index].session) }
        found += added ?? 0
        return added != nil
      }
      // A page token seen before means a loop.
      guard let next = page.next, pages.insert(next).inserted else {
        for index in outdated { (readers[index].listing.total, readers[index].listing.listed) = (total ?? 0, now) }
        return
      }
      page = try api.ask(.playlist(playlist, page: next, count: APIRequest.maximum), PlaylistPage.init)
      total = page.total ?? total
    }
  }

  private func isOutdated(_ reader: Reader, by first: PlaylistPage, at now: Timestamp) throws -> Bool {
    let known = try reader.session.known(of: first.entries, request)
    let areAllKnown = first.entries.allSatisfy { known.videos[$0.video]?.isInPlaylist == true }
    return reader.listing.isOutdated(by: first, areAllKnown: areAllKnown, at: now)
  }

  /// Adds the entries of a page that a log lacks; returns how many videos were found.
  private func add(_ page: PlaylistPage, to session: Session) throws -> Int {
    let feed = Feed(
      title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: playlist,
      entries: page.entries, deletedEntries: [])
    let events = try session.commit { try session.detect(feed, request, answered: nil).events }
    return events.count { if case .videoFound = $0.body { true } else { false } }
  }
}
