/// Why a text is not a reference to a channel, playlist or video. Evidence is truncated to 100 characters.
package enum ReferenceError: Error, Hashable, Sendable {
  /// Not an ID, a handle or a URL: `Technology Connections`.
  case notAReference
  /// A URL of another site, or not a web URL: `https://example.com/feed.xml`, `exec:~/bin/feed`.
  case notYouTube
  /// Not a channel ID, where one was expected: `UC789`.
  case badChannelID(String)
  /// Not a playlist ID, where one was expected.
  case badPlaylistID(String)
  /// Not a video ID, where one was expected.
  case badVideoID(String)
  /// Not a handle or name, where one was expected.
  case badName(String)
  /// A playlist that has no feed because it is private to its owner or generated per visitor: `WL`, `RD…`.
  case playlistWithoutFeed(String)
  /// A YouTube page that is not a channel, playlist or video: `/results?search_query=…`.
  case namesNothing

  /// The maximum length of the evidence, in Unicode scalars.
  package static let evidenceLength = 100
}
