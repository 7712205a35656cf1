import Core

/// One question to the Data API (https://developers.google.com/youtube/v3/docs); each costs one unit of a day's quota.
package enum APIQuestion: Equatable, Sendable {
  /// What the API knows of up to 50 videos: `videos.list`.
  case videos([VideoID])
  /// A page of a playlist, of up to 50 entries: `playlistItems.list`. `page` is what the page before named.
  case playlist(PlaylistID, page: String?, count: Int)
  /// The channel of a name: `channels.list`.
  case channel(ChannelLookup)

  /// The most videos, or entries, of one question.
  package static let most = 50

  /// The path and query, without the key, which goes in a header: no log and no proxy's record then has it.
  package var target: String {
    switch self {
    case .videos(let ids):
      // A comma in a query need not be escaped, nor do the letters of an id.
      "/youtube/v3/videos?part=snippet,contentDetails,liveStreamingDetails&maxResults=50"
        + "&fields=\(APIQuestion.videoFields)&id=" + ids.map(\.description).joined(separator: ",")
    case .playlist(let id, let page, let count):
      "/youtube/v3/playlistItems?part=snippet,contentDetails&maxResults=\(count)&playlistId=\(id)"
        + (page.map { "&pageToken=\(APIQuestion.escaped($0))" } ?? "")
    case .channel(.handle(let handle)): "/youtube/v3/channels?part=snippet&forHandle=\(APIQuestion.escaped(handle))"
    case .channel(.user(let name)): "/youtube/v3/channels?part=snippet&forUsername=\(APIQuestion.escaped(name))"
    }
  }

  private static let videoFields =
    "kind,items(id,snippet/liveBroadcastContent,contentDetails/duration,liveStreamingDetails)"

  /// A value of a query with all but the unreserved letters escaped (RFC 3986 §2.3).
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || "-_.~".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

/// A name that the API can look up.
package enum ChannelLookup: Equatable, Sendable {
  /// `@name`
  case handle(String)
  /// The `name` of `/user/name`.
  case user(String)

  /// The look-up of a name; nil for `/c/name`, which the API does not know.
  package init?(_ name: ChannelName) {
    switch name {
    case .handle(let handle): self = .handle("@" + handle)
    case .user(let user): self = .user(user)
    case .custom: return nil
    }
  }
}
