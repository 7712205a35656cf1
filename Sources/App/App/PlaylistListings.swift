import Core
import EventLog
import Messages
import Platform
import YouTube

/// The playlists of which a user of a data folder has every entry, in the file `playlists` of the user's state folder.
enum PlaylistListings {
  private static func path(in home: Home) -> String { "\(home.state)/playlists" }

  /// What is stored; empty before the first, and if the file is unreadable: then polls no longer keep them complete.
  static func read(in home: Home) -> [PlaylistID: PlaylistListing] {
    var listings: [PlaylistID: PlaylistListing] = [:]
    let path = path(in: home)
    do {
      for record in try StateFile.read(path) ?? [] {
        if let (playlist, listing) = record.listing { listings[playlist] = listing }
      }
    } catch {
      StandardError.report("\(path): the state of playlists \(UserMessages.unreadable(error)); it starts anew")
    }
    return listings
  }

  static func write(_ listings: [PlaylistID: PlaylistListing], in home: Home) throws {
    let records = listings.sorted { $0.key < $1.key }.map { StateRecord($0.key, $0.value) }
    do { try StateFile.write(path(in: home), records) } catch { throw UserMessages.failure(error) }
  }
}

extension StateRecord {
  /// The record of a playlist of which every entry was read.
  init(_ playlist: PlaylistID, _ listing: PlaylistListing) {
    self.init([
      ("playlist", .text(playlist.description)), ("total", .number(listing.total)),
      ("listed", .text(listing.listed.rfc3339)), ("checked", .text(listing.checked.rfc3339)),
    ])
  }

  /// The playlist of such a record; nil of any other.
  var listing: (PlaylistID, PlaylistListing)? {
    guard let playlist = text("playlist").flatMap({ PlaylistID($0) }), let total = number("total"),
      let listed = time("listed"), let checked = time("checked")
    else { return nil }
    return (playlist, PlaylistListing(total: Int(total), listed: listed, checked: checked))
  }
}
