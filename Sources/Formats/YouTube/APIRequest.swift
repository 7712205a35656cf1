import Core

/// One request to the Data API (https://developers.google.com/youtube/v3/docs), which costs units of the day's quota.
package enum APIRequest: Equatable, Sendable {
  /// Facts about up to 50 videos: `videos.list`.
  case videos([VideoID])
  /// These videos, with what a feed would say about them.
  case descriptions([VideoID])
  /// Facts about up to 50 channels: `channels.list`.
  case channels([ChannelID])
  /// One page of a playlist, up to 50 entries: `playlistItems.list`. `page` is the page token from the previous page.
  case playlist(PlaylistID, page: String?, count: Int)
  /// One page of the subscriptions of the account that is logged in: `subscriptions.list`.
  case subscriptions(page: String?)
  /// The own channel of the account that is logged in: `channels.list`.
  case ownChannel
  /// A channel by its handle or user name: `channels.list`.
  case channel(ChannelLookup)
  /// The first results of a search on all of YouTube: `search.list`.
  case search(SearchText, SearchKind)

  /// The maximum number of videos, channels or entries per request.
  package static let maximum = 50

  /// The units that a search costs.
  package static let searchCost = 100
  /// The maximum number of results of a search.
  package static let maxResults = 25

  /// The units that it costs, also if it fails: https://developers.google.com/youtube/v3/determine_quota_cost.
  package var cost: Int {
    switch self {
    case .search: APIRequest.searchCost
    case .videos, .descriptions, .channels, .playlist, .subscriptions, .ownChannel, .channel: 1
    }
  }

  /// The path and query. The key goes in a header instead, so that no log or proxy records it.
  package var target: String {
    switch self {
    case .videos(let ids):
      // A comma in a query needs no escaping, nor do the characters of an ID.
      "/youtube/v3/videos?part=snippet,contentDetails,liveStreamingDetails,statistics&maxResults=50"
        + "&fields=\(APIRequest.videoFields)&id=" + APIRequest.list(ids)
    case .descriptions(let ids):
      "/youtube/v3/videos?part=snippet,contentDetails&maxResults=50&fields=\(APIRequest.descriptionFields)&id="
        + APIRequest.list(ids)
    case .channels(let ids):
      "/youtube/v3/channels?part=snippet,statistics&maxResults=50&fields=\(APIRequest.channelFields)&id="
        + ids.map(\.description).joined(separator: ",")
    case .playlist(let id, let page, let count):
      "/youtube/v3/playlistItems?part=snippet,contentDetails&maxResults=\(count)&playlistId=\(id)"
        + APIRequest.token(page)
    case .subscriptions(let page):
      "/youtube/v3/subscriptions?part=snippet&mine=true&maxResults=50&order=alphabetical" + APIRequest.token(page)
    case .ownChannel: "/youtube/v3/channels?part=snippet,statistics,contentDetails&mine=true"
    case .channel(.handle(let handle)):
      "/youtube/v3/channels?part=snippet&forHandle=\(handle.percentEncoded(keeping: "-_.~"))"
    case .channel(.user(let name)):
      "/youtube/v3/channels?part=snippet&forUsername=\(name.percentEncoded(keeping: "-_.~"))"
    case .search(let text, let kind):
      "/youtube/v3/search?part=snippet&type=\(kind.rawValue)&maxResults=\(APIRequest.maxResults)&q="
        + text.text.percentEncoded(keeping: "-_.~")
    }
  }

  /// The IDs of videos; those of entries, which YouTube does not know, are left out.
  private static func list(_ videos: [VideoID]) -> String {
    videos.compactMap { $0.youTube?.description }.joined(separator: ",")
  }

  private static func token(_ page: String?) -> String {
    page.map { "&pageToken=\($0.percentEncoded(keeping: "-_.~"))" } ?? ""
  }

  private static let videoFields =
    "kind,items(id,snippet/liveBroadcastContent,contentDetails/duration,liveStreamingDetails,statistics/viewCount)"
  private static let descriptionFields =
    "kind,items(id,snippet(title,channelId,channelTitle,publishedAt),contentDetails/duration)"
  private static let channelFields =
    "kind,items(id,snippet/thumbnails,statistics(subscriberCount,hiddenSubscriberCount,videoCount))"
}

/// A channel name that the API can look up.
package enum ChannelLookup: Equatable, Sendable {
  /// `@name`
  case handle(String)
  /// The `name` of `/user/name`.
  case user(String)

  /// The lookup for a name; nil for `/c/name`, which the API does not support.
  package init?(_ name: ChannelName) {
    switch name {
    case .handle(let handle): self = .handle("@" + handle)
    case .user(let user): self = .user(user)
    case .custom: return nil
    }
  }
}

/// What a search on YouTube looks for, by the API's own names.
package enum SearchKind: String, Sendable {
  case channels = "channel"
  case videos = "video"
}
