import App
import Core
import Messages
import Platform
import PollEngine
import ReadModel
import SQLDrivers
import YouTube

/// Playlists that pollers keep complete for the users of a database who have every entry of them: one request an hour for
/// all of them, as with files. What a playlist gained is written to the log of each, as its older entries were: it may be
/// in no feed, and the catalogue must not show it to others who follow the playlist.
final class SharedPlaylists {
  private let tables: PollTables
  private let lookups: SharedLookups
  /// The log of a user.
  private let log: (String) throws -> Session

  init(_ tables: PollTables, _ lookups: SharedLookups, log: @escaping (String) throws -> Session) {
    (self.tables, self.lookups, self.log) = (tables, lookups, log)
  }

  /// How long a claim lasts, and how long a whole playlist may take, in seconds.
  private static let (lease, longest): (Int, Int) = (300, 60)
  /// How long until the next look, and until a failed one is repeated, in seconds.
  private static let (interval, failureWait): (Int64, Int64) = (3600, 7200)

  /// Reads one playlist that is due; returns whether there was one. Throws failures of the database.
  func run() throws -> Bool {
    guard try lookups.isReady, let playlist = try tables.claimPlaylist(for: SharedPlaylists.lease) else { return false }
    var readers: [PlaylistCompletion.Reader] = []
    var owners: [Int64] = []
    for (owner, name, listing) in try tables.listings(of: playlist) {
      var session: Session?
      // Of a user who was removed, no.
      var isFollowed: Bool? = name == nil ? false : nil
      StandardError.reportFailure {
        session = try name.map(log)
        isFollowed = try session?.state.channels[.playlist(playlist)]?.isFollowed ?? false
      }
      if isFollowed == false { try tables.keep(nil, of: playlist, owner: owner) }
      guard let session, isFollowed == true else { continue }
      readers.append(.init(session, listing))
      owners.append(owner)
    }
    guard !readers.isEmpty else {
      try tables.finish(playlist, due: nil)
      return true
    }
    var failureWait: Int64?
    let (completion, failure, wait) = try lookups.attempt(within: SharedPlaylists.longest) { api in
      var completion = PlaylistCompletion(playlist, of: readers, api)
      try completion.run()
      return completion
    }
    if let failure { StandardError.report(failure.message) }
    if let completion {
      for (owner, reader) in zip(owners, completion.readers) {
        try tables.keep(reader.listing, of: playlist, owner: owner)
      }
    } else {
      let wait = max(wait ?? 0, SharedPlaylists.failureWait)
      failureWait = .random(in: wait...wait * 2)
    }
    try tables.finish(playlist, due: tables.now.adding(seconds: failureWait ?? SharedPlaylists.interval))
    return true
  }
}

extension PollTables {
  /// Claims a playlist that is due.
  func claimPlaylist(for seconds: Int) throws -> PlaylistID? {
    try rows("SELECT playlist FROM claim_playlist(unix_time(), ?, ?)", poller, seconds) { PlaylistID($0.text(0)) }.first
  }

  /// The users who have every entry of a playlist, and since when; one who was removed has no name.
  func listings(of playlist: PlaylistID) throws -> [(owner: Int64, name: String?, PlaylistListing)] {
    try rows(
      """
      SELECT owner, name, total, listed, checked FROM complete_playlist JOIN owner ON n = owner WHERE playlist = ?
      ORDER BY owner
      """, playlist.description
    ) { row in
      let listing = PlaylistListing(
        total: Int(row.int(2)), listed: Timestamp(seconds: row.int(3)), checked: Timestamp(seconds: row.int(4)))
      return (row.int(0), row.optionalText(1), listing)
    }
  }

  /// Stores what is known of a user's playlist; nil if it is not kept complete any more.
  func keep(_ listing: PlaylistListing?, of playlist: PlaylistID, owner: Int64) throws {
    try run(
      "SELECT keep_playlist(?, ?, ?, ?, ?)", owner, playlist.description, listing?.total, listing?.listed,
      listing?.checked)
  }

  /// Keeps when a claimed playlist is due again; nil to forget it.
  func finish(_ playlist: PlaylistID, due: Timestamp?) throws {
    try run("SELECT finish_playlist(?, ?, ?)", poller, playlist.description, due?.seconds)
  }
}
