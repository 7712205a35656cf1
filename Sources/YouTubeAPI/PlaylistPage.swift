import Core

/// One page of a playlist.
package struct PlaylistPage: Equatable, Sendable {
  /// Its videos in the playlist's order; what is private or deleted is left out.
  package var entries: [Entry]
  /// The name of the channel that keeps the playlist.
  package var owner: String?
  /// What to ask for the next page with; nil for the last one.
  package var next: String?

  /// Reads an answer to `APIQuestion.playlist`. Throws `malformed` where it is no such answer.
  package init(_ body: [UInt8]) throws(APIFailure) {
    guard let answer = JSON(body), answer["kind"]?.text == "youtube#playlistItemListResponse" else { throw .malformed }
    let items = answer["items"]?.elements ?? []
    entries = items.compactMap(PlaylistPage.entry)
    owner = items.lazy.compactMap { $0["snippet"]?["channelTitle"]?.text }.first
    next = answer["nextPageToken"]?.text
  }

  private static func entry(_ item: JSON) -> Entry? {
    let (details, snippet) = (item["contentDetails"], item["snippet"])
    guard let video = details?["videoId"]?.text.flatMap({ VideoID($0) }),
      let published = details?["videoPublishedAt"]?.time,
      let channel = (snippet?["videoOwnerChannelId"] ?? snippet?["channelId"])?.text.flatMap({ ChannelID($0) }),
      let title = snippet?["title"]?.text
    else { return nil }
    let author = (snippet?["videoOwnerChannelTitle"] ?? snippet?["channelTitle"])?.text
    return Entry(
      video: video, channel: channel, title: title,
      // Neither a `/watch` nor a `/shorts` address: the API does not say which it is.
      link: "https://youtu.be/\(video)", authorName: author ?? "", published: published, updated: published,
      mediaTitle: nil, thumbnail: nil, description: snippet?["description"]?.text, views: nil, likes: nil)
  }
}

/// A channel that the API found by its name.
package struct ChannelFacts: Equatable, Sendable {
  /// Its id.
  package var channel: ChannelID
  /// Its name.
  package var title: String?

  /// Reads an answer to `APIQuestion.channel`; nil where the API knows none of that name. Throws `malformed` where it
  /// is no such answer.
  package static func read(_ body: [UInt8]) throws(APIFailure) -> ChannelFacts? {
    guard let answer = JSON(body), answer["kind"]?.text == "youtube#channelListResponse" else { throw .malformed }
    guard let item = answer["items"]?.elements?.first else { return nil }
    guard let channel = item["id"]?.text.flatMap({ ChannelID($0) }) else { throw .malformed }
    return ChannelFacts(channel: channel, title: item["snippet"]?["title"]?.text)
  }
}
