import Core
import JSON

/// One page of a playlist.
package struct PlaylistPage: Equatable, Sendable {
  /// Its videos in playlist order, without private and deleted ones.
  package var entries: [Entry]
  /// The name of the channel that owns the playlist.
  package var owner: String?
  /// The token of the next page; nil on the last page.
  package var next: String?
  /// How many entries the playlist has, with private and deleted ones; nil if the response does not say.
  package var total: Int?

  /// Parses a response to `APIRequest.playlist`. Throws `malformed` if it is anything else.
  package init(_ body: [UInt8]) throws(APIFailure) {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#playlistItemListResponse" else {
      throw .malformed
    }
    let items = response["items"]?.elements ?? []
    entries = items.compactMap(PlaylistPage.entry)
    owner = items.lazy.compactMap { $0["snippet"]?["channelTitle"]?.string }.first
    next = response["nextPageToken"]?.string
    total = response["pageInfo"]?["totalResults"]?.number.flatMap { (0...1e6).contains($0) ? Int($0) : nil }
  }

  private static func entry(_ item: JSONValue) -> Entry? {
    let (details, snippet) = (item["contentDetails"], item["snippet"])
    guard let video = details?["videoId"]?.string.flatMap({ VideoID(youTube: $0) }),
      let published = details?["videoPublishedAt"]?.time,
      let channel = (snippet?["videoOwnerChannelId"] ?? snippet?["channelId"])?.string.flatMap({ ChannelID($0) }),
      let title = snippet?["title"]?.string
    else { return nil }
    let author = (snippet?["videoOwnerChannelTitle"] ?? snippet?["channelTitle"])?.string
    return Entry(
      video: video, channel: channel, title: title,
      // Neither a `/watch` nor a `/shorts` URL: the API does not say which kind it is.
      link: "https://youtu.be/\(video)", authorName: author ?? "", published: published, updated: published,
      mediaTitle: nil, thumbnail: nil, description: snippet?["description"]?.string, views: nil, likes: nil)
  }
}

/// A channel that the API found by name.
package struct ChannelFacts: Equatable, Sendable {
  /// The channel ID.
  package var channel: ChannelID
  /// The channel name.
  package var title: String?

  /// Parses a response to `APIRequest.channel`; nil if the API knows no channel of that name. Throws `malformed` if it
  /// is anything else.
  package static func read(_ body: [UInt8]) throws(APIFailure) -> ChannelFacts? {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#channelListResponse" else {
      throw .malformed
    }
    guard let item = response["items"]?.elements?.first else { return nil }
    guard let channel = item["id"]?.string.flatMap({ ChannelID($0) }) else { throw .malformed }
    return ChannelFacts(channel: channel, title: item["snippet"]?["title"]?.string)
  }
}
