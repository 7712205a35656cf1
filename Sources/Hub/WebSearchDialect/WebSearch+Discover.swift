import App
import Core
import HubCore
import HubReaders
import JSON
import Library
import PollEngine
import ReadModel

/// `POST /api/discover/search`.
extension HubService {
  /// `{"query":"…","platforms":["youtube"],"max_per_platform":10}`: among the videos that were found, or with
  /// `"type":"channels"` among the channels that were ever seen. With `"youtube":true` on YouTube too, for 100 units of the
  /// Data API, or none with yt-dlp; what it finds comes after what was found here.
  func webSearch(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    guard let text = body["query"]?.text else { throw HubProblem(400, "query: missing") }
    let kind = body["type"]?.string ?? "videos"
    guard ["videos", "channels"].contains(kind) else { throw HubProblem(400, "type: takes videos, channels") }
    let platforms = body["platforms"]?.elements?.compactMap(\.string) ?? [HubService.webPlatform]
    let maximum = body["max_per_platform"]?.number.flatMap { Int(exactly: $0) } ?? 10
    guard (1...50).contains(maximum) else { throw HubProblem(400, "max_per_platform: takes 1 to 50") }
    let isSearched = platforms.contains(HubService.webPlatform)
    let asks = isSearched && body["youtube"] == .boolean(true)
    guard !asks || call.mayWrite else { throw HubProblem(403, "this token may not search YouTube, which costs units") }
    var (results, units): ([JSONValue], Int?) = ([], nil)
    if isSearched, kind == "videos" { (results, units) = try webVideos(text, maximum, asks: asks) }
    if isSearched, kind == "channels" { (results, units) = try webChoices(text, asks: asks) }
    results = Array(results.prefix(maximum))
    let searched: JSONValue = isSearched ? [.string(HubService.webPlatform)] : []
    let value: JSONValue = [
      "query": .string(text), "search_type": .string(kind), "total_results": .integer(results.count),
      "results": .array(results), "by_platform": isSearched ? [HubService.webPlatform: .array(results)] : [:],
      "timings": [], "total_duration_ms": 0,
      "platforms_searched": searched, "platforms_failed": [],
      "units": units.map { .integer($0) } ?? .null,
    ]
    return json(value.bytes)
  }

  /// The videos found here, then those of YouTube that are not, and the units that they cost.
  private func webVideos(_ text: String, _ maximum: Int, asks: Bool) throws -> ([JSONValue], Int?) {
    var query = EntryQuery(limit: maximum)
    query.search = text
    let videos = try select(query).videos
    let results = try webEntries(videos, alsoUnseen: false).map(webItem)
    guard asks else { return (results, nil) }
    let outcome = try youTubeVideos(text)
    return (results + outcome.found.filter { !videos.contains($0.video) }.map(webItem), outcome.units)
  }

  /// A video that no feed has shown: it has no number.
  private func webItem(_ video: YouTubeVideo) -> JSONValue {
    [
      "id": .null, "platform": .string(HubService.webPlatform), "video_id": .string(video.video.description),
      "video_url": .string("https://www.youtube.com/watch?v=\(video.video)"),
      "title": .string(DisplayText(video.title).isBlank ? video.video.description : video.title),
      "description": .null, "thumbnail_url": .string("https://i.ytimg.com/vi/\(video.video)/hqdefault.jpg"),
      "duration_seconds": video.durationSeconds.map { .integer($0) } ?? .null, "view_count": .null,
      "upload_date": video.published.map { .string($0.rfc3339) } ?? .null, "channel_name": .string(video.channelTitle),
      "channel_id": .null, "platform_channel_id": video.channel.map { .string($0.description) } ?? .null,
      "is_watched": false,
    ]
  }

  /// The channels ever seen, then those of YouTube that were not, and the units that they cost.
  private func webChoices(_ text: String, asks: Bool) throws -> ([JSONValue], Int?) {
    let known = try ChannelSearch(name: text).choices(in: session)
    guard asks else { return (known.map(webChoice), nil) }
    let outcome = try youTubeChannels(text)
    let ids = Set(known.map(\.channel))
    return ((known + outcome.found.filter { !ids.contains($0.channel) }).map(webChoice), outcome.units)
  }

  private func webChoice(_ choice: ChannelMatch) -> JSONValue {
    [
      "platform": .string(HubService.webPlatform), "platform_channel_id": .string(choice.channel.description),
      "channel_url": .string(choice.channel.url), "name": .string(choice.title),
      "description": choice.description.map { .string($0) } ?? .null,
      "avatar_url": choice.avatar.map { .string($0) } ?? .null,
      "subscriber_count": choice.subscribers.map { .integer($0) } ?? .null,
      "is_subscribed": .boolean(choice.source == .followed),
    ]
  }
}
