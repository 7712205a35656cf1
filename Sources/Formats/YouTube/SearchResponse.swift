import Core
import JSON

/// Responses to a search. Whatever they contain, at most `APIRequest.maxResults` results are read, with texts that are cut
/// off, and pictures of YouTube's own hosts alone.
package enum SearchResponse {
  /// Parses a response to `APIRequest.search` for channels.
  ///
  /// `{"kind":"youtube#searchListResponse","items":[{"id":{"channelId":"UC…"},"snippet":{"title":"…","description":"…",
  /// "thumbnails":{"default":{"url":"https://…"}}}}]}`
  ///
  /// Throws `malformed` if it is anything else. A response without `items` has no results.
  package static func channels(_ body: [UInt8]) throws(APIFailure) -> [ChannelMatch] {
    var seen: Set<ChannelID> = []
    return try items(body).compactMap { item in
      guard let id = item["id"]?["channelId"]?.string.flatMap({ ChannelID($0) }), let snippet = item["snippet"],
        let title = (snippet["title"] ?? snippet["channelTitle"])?.string.map(text), !title.isEmpty,
        seen.insert(id).inserted
      else { return nil }
      let pictures = snippet["thumbnails"]
      let avatar = ["default", "medium", "high"].lazy.compactMap { pictures?[$0]?["url"]?.string }.first(
        where: Avatar.isOfYouTube)
      return ChannelMatch(
        channel: .channel(id), title: title, source: .youTube, avatar: avatar,
        description: snippet["description"]?.text.map(text))
    }
  }

  /// Parses a response to `APIRequest.search` for videos, as above.
  package static func videos(_ body: [UInt8]) throws(APIFailure) -> [YouTubeVideo] {
    var seen: Set<VideoID> = []
    return try items(body).compactMap { item in
      guard let id = item["id"]?["videoId"]?.string.flatMap({ VideoID(youTube: $0) }), let snippet = item["snippet"],
        let title = snippet["title"]?.string.map(text), seen.insert(id).inserted
      else { return nil }
      return YouTubeVideo(
        video: id, title: title, channel: snippet["channelId"]?.string.flatMap { ChannelID($0) },
        channelTitle: snippet["channelTitle"]?.string.map(text) ?? "", published: snippet["publishedAt"]?.time,
        durationSeconds: nil, live: live(snippet["liveBroadcastContent"]?.string))
    }
  }

  private static func items(_ body: [UInt8]) throws(APIFailure) -> ArraySlice<JSONValue> {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#searchListResponse" else {
      throw .malformed
    }
    guard let items = response["items"] else { return [] }
    guard let elements = items.elements else { throw .malformed }
    return elements.prefix(APIRequest.maxResults)
  }

  private static func live(_ word: String?) -> Live {
    switch word {
    case "live": .live
    case "upcoming": .upcoming
    default: .unknown
    }
  }

  /// A text of a result. Of all responses only these have their texts escaped for HTML, such as `Q&amp;A` (2026-11).
  private static func text(_ escaped: String) -> String {
    var text = escaped.cut(toScalars: 1000)
    for (entity, sign) in [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      text = text.replacing(entity, with: sign)
    }
    return SearchDump.text(text)
  }
}

/// What yt-dlp writes about the results of a search: one JSON object per line (`--flat-playlist --dump-json`), read within
/// the same limits. Lines that are not understood are left out.
package enum SearchDump {
  /// The page of YouTube that lists the channels that a search finds.
  package static func channelPage(of search: SearchText) -> String {
    "https://www.youtube.com/results?search_query=\(search.text.percentEncoded(keeping: "-_.~"))&sp=EgIQAg%253D%253D"
  }

  /// `{"id":"UC…","channel_id":"UC…","channel":"…","title":"…","channel_follower_count":1230000,"thumbnails":[…]}`
  package static func channels(_ output: [UInt8]) -> [ChannelMatch] {
    var seen: Set<ChannelID> = []
    return lines(output) { entry in
      guard let id = (entry["channel_id"] ?? entry["id"])?.string.flatMap({ ChannelID($0) }),
        let title = (entry["channel"]?.text ?? entry["title"]?.text).map(text), seen.insert(id).inserted
      else { return nil }
      let pictures = entry["thumbnails"]?.elements?.prefix(10) ?? []
      let avatar = pictures.lazy.compactMap { $0["url"]?.string }.map { $0.hasPrefix("//") ? "https:" + $0 : $0 }
        .first(where: Avatar.isOfYouTube)
      return ChannelMatch(
        channel: .channel(id), title: title, source: .youTube, avatar: avatar,
        subscribers: whole(entry["channel_follower_count"], within: 0...1e12),
        description: entry["description"]?.text.map(text))
    }
  }

  /// `{"id":"dQw4w9WgXcQ","title":"…","channel_id":"UC…","channel":"…","duration":213.0,"live_status":null}`
  package static func videos(_ output: [UInt8]) -> [YouTubeVideo] {
    var seen: Set<VideoID> = []
    return lines(output) { entry in
      guard let id = entry["id"]?.string.flatMap({ VideoID(youTube: $0) }),
        let title = entry["title"]?.string.map(text),
        seen.insert(id).inserted
      else { return nil }
      return YouTubeVideo(
        video: id, title: title, channel: entry["channel_id"]?.string.flatMap { ChannelID($0) },
        channelTitle: entry["channel"]?.string.map(text) ?? "",
        published: whole(entry["timestamp"], within: 1...4_102_444_800).map { Timestamp(seconds: Int64($0)) },
        durationSeconds: whole(entry["duration"], within: 1...1e7), live: live(entry["live_status"]?.string))
    }
  }

  private static func live(_ word: String?) -> Live {
    switch word {
    case "is_live": .live
    case "is_upcoming": .upcoming
    default: .unknown
    }
  }

  private static func lines<Result>(_ output: [UInt8], _ read: (JSONValue) -> Result?) -> [Result] {
    var results: [Result] = []
    for line in output.split(separator: UInt8(ascii: "\n")) where results.count < APIRequest.maxResults {
      if let result = JSONValue(Array(line)).flatMap(read) { results.append(result) }
    }
    return results
  }

  private static func whole(_ value: JSONValue?, within range: ClosedRange<Double>) -> Int? {
    value?.number.flatMap { range.contains($0) ? Int($0) : nil }
  }

  /// A text in one line that is not longer than any title.
  static func text(_ outside: String) -> String { DisplayText(outside).text.cut(toScalars: 300) }
}
