/// Why a text names nothing to follow or to watch; of what stands there the first 100 letters are kept.
package enum ReferenceError: Error, Hashable, Sendable {
  /// Neither an id nor a handle nor an address: `Technology Connections`.
  case notAReference
  /// The address of another site, or none of the web at all: `https://example.com/feed.xml`, `exec:~/bin/feed`.
  case notYouTube
  /// In the place of a channel's id stands this, which can be none: `UC789`.
  case badChannelID(String)
  /// In the place of a playlist's id stands this, which can be none.
  case badPlaylistID(String)
  /// In the place of a video's id stands this, which can be none.
  case badVideoID(String)
  /// In the place of a handle or a name stands this, which can be none.
  case badName(String)
  /// A list that YouTube shows to its owner alone, or makes up for each visitor, so that it has no feed: `WL`, `RD…`.
  case playlistWithoutFeed(String)
  /// A page of YouTube that names no channel, playlist or video of its own: `/results?search_query=…`.
  case namesNothing

  /// How many letters are kept of what was found instead.
  package static let evidenceLength = 100
}
