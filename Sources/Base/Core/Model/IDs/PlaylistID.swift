/// A playlist ID: two capitals that give its type, then base64url characters. Example:
/// `PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va`.
package struct PlaylistID: Hashable, Sendable {
  /// The ID as written.
  package let text: String

  /// Parses a whole string of 4 to 64 characters (`^[A-Z]{2}[\w-]{2,62}$`); nil if it is not a playlist ID. A channel
  /// ID is not one.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (4...64).contains(bytes.count), ChannelID(text) == nil else { return nil }
    guard bytes.prefix(2).allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
    guard bytes.allSatisfy({ SortableBase64.rank($0) != nil }) else { return nil }
    self.text = String(text)
  }

  /// The automatic playlist of a channel's videos of one kind: the channel's ID with its `UC` replaced.
  package init(of channel: ChannelID, form: ChannelPlaylist) {
    text = form.rawValue + channel.description.dropFirst(2)
  }

  /// The channel and the kind if this is an automatic playlist of a channel, else nil.
  package var channelPlaylist: (channel: ChannelID, form: ChannelPlaylist)? {
    for form in ChannelPlaylist.allCases where text.hasPrefix(form.rawValue) {
      if let channel = ChannelID("UC" + text.dropFirst(form.rawValue.count)) { return (channel, form) }
    }
    return nil
  }
}

/// The automatic playlists of every channel; raw value: the prefix that replaces the `UC` of the channel ID.
///
/// Source: issue trackers of projects that poll the same feeds, 2021 to 2026. `UULP` is left out: it holds the popular
/// videos, not the newest.
package enum ChannelPlaylist: String, CaseIterable, Sendable {
  // Longer prefixes first, because all of them begin with `UU`.
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
