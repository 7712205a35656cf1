/// The id of a playlist: two capitals that say its sort, then letters of base64url. Example:
/// `PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va`.
package struct PlaylistID: Hashable, Sendable {
  /// The id as it is written.
  package let text: String

  /// The id spelt by a whole text of 4 to 64 letters (`^[A-Z]{2}[\w-]{2,62}$`), or nil where it spells none. A
  /// channel's id spells none.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (4...64).contains(bytes.count), ChannelID(text) == nil else { return nil }
    guard bytes.prefix(2).allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
    guard bytes.allSatisfy({ SortableBase64.rank($0) != nil }) else { return nil }
    self.text = String(text)
  }

  /// The playlist YouTube keeps of a channel's videos of one sort: the channel's id with its `UC` replaced.
  package init(of channel: ChannelID, form: ChannelPlaylist) {
    text = form.rawValue + channel.description.dropFirst(2)
  }

  /// The channel and the sort, where this is one of the playlists YouTube keeps for each channel.
  package var channelPlaylist: (channel: ChannelID, form: ChannelPlaylist)? {
    for form in ChannelPlaylist.allCases where text.hasPrefix(form.rawValue) {
      if let channel = ChannelID("UC" + text.dropFirst(form.rawValue.count)) { return (channel, form) }
    }
    return nil
  }
}

/// The playlists YouTube keeps of every channel, by what stands in the place of the `UC` of its id.
///
/// Source: the trackers of the projects that poll the same feeds, 2021 to 2026. `UULP` is left out: it holds the
/// popular videos, not the newest.
package enum ChannelPlaylist: String, CaseIterable, Sendable {
  // The longer ones first: every one of them begins with `UU`.
  case videos = "UULF"
  case shorts = "UUSH"
  case live = "UULV"
  case members = "UUMO"
  case uploads = "UU"
}

extension PlaylistID: Comparable {
  package static func < (left: PlaylistID, right: PlaylistID) -> Bool { left.text < right.text }
}

extension PlaylistID: CustomStringConvertible {
  package var description: String { text }
}
