/// The contents of the simulated YouTube Data API. Responses have the shape of recorded ones.
package struct DataAPI: Sendable {
  /// The API's facts about one video.
  package struct Video: Sendable {
    /// ISO 8601: `PT4M13S`; `P0D` if not known yet.
    package var duration: String
    /// `none`, `live` or `upcoming`.
    package var live: String
    /// The members of `liveStreamingDetails`; empty if the video never was a stream.
    package var stream: [String: String]
    /// Members of `snippet` besides: `title`, `channelId`, `channelTitle`, `publishedAt`.
    package var snippet: [String: String] = [:]
    /// Nil if the channel hides it.
    package var views: Int?

    package init(duration: String, live: String = "none", stream: [String: String] = [:]) {
      (self.duration, self.live, self.stream) = (duration, live, stream)
    }
  }

  /// The API's facts about one channel.
  package struct Channel: Sendable {
    /// The URL of its picture.
    package var avatar: String
    /// Nil if the channel hides it.
    package var subscribers: Int?
    package var videos: Int

    package init(avatar: String, subscribers: Int?, videos: Int) {
      (self.avatar, self.subscribers, self.videos) = (avatar, subscribers, videos)
    }
  }

  /// One entry of a playlist.
  package struct Entry: Sendable {
    package var video: String
    package var title: String
    /// RFC 3339.
    package var published: String
    /// The channel that published it; nil for the one whose playlist it is.
    package var channel: String?

    package init(video: String, title: String, published: String, channel: String? = nil) {
      (self.video, self.title, self.published, self.channel) = (video, title, published, channel)
    }
  }

  /// The only valid API key.
  package var key: String
  /// Looks up a video; nil if it has been removed.
  package var video: @Sendable (String) -> Video?
  /// Looks up a channel by ID; nil if it has been deleted.
  package var channel: @Sendable (String) -> Channel? = { _ in nil }
  /// The entries of each playlist, by playlist ID.
  package var lists: [String: [Entry]] = [:]
  /// Channel IDs by handle, including the `@`.
  package var handles: [String: String] = [:]
  /// Channel IDs by user name.
  package var users: [String: String] = [:]

  /// What a search finds among, in this order: whatever has every word of the query in its title.
  package var searched: [Searched] = []

  /// A channel or video that a search may find.
  package struct Searched: Sendable {
    /// The video's ID; nil for a channel.
    package var video: String?
    package var channel: String
    package var channelTitle: String
    /// Of a video; that of a channel is the channel's.
    package var title: String
    /// RFC 3339.
    package var published: String

    package init(
      video: String?, channel: String, channelTitle: String, title: String, published: String = "2026-01-02T03:04:05Z"
    ) {
      (self.video, self.channel, self.channelTitle) = (video, channel, channelTitle)
      (self.title, self.published) = (title, published)
    }
  }

  /// The subscriptions of the account that is logged in.
  package var subscriptions: [Subscription] = []
  /// Whether an access token is valid; nil if there are no accounts.
  package var isValid: (@Sendable (_ token: String) -> Bool)?
  /// What the account of an access token follows, and how its list lies; nil for `subscriptions`.
  package var list: (@Sendable (_ token: String) -> AccountList?)?

  /// What an account follows.
  package struct AccountList: Sendable {
    /// The account's own channel; nil if it has none, and if pages do not say.
    package var own: String?
    package var subscriptions: [Subscription]
    /// How many there are as pages say; nil for as many as there are.
    package var total: Int?

    package init(own: String?, subscriptions: [Subscription], total: Int? = nil) {
      (self.own, self.subscriptions, self.total) = (own, subscriptions, total)
    }
  }

  /// One subscription of an account.
  package struct Subscription: Sendable {
    package var channel: String
    package var title: String

    package init(channel: String, title: String) { (self.channel, self.title) = (channel, title) }
  }

  package init(key: String, video: @escaping @Sendable (String) -> Video?) {
    (self.key, self.video) = (key, video)
  }
}

extension FixtureServer {
  /// Serves the Data API under its own paths.
  package func serve(_ api: DataAPI) {
    route("/youtube/v3/videos") { api.checked($0) { api.videos($0) } }
    route("/youtube/v3/playlistItems") { api.checked($0) { api.page($0) } }
    route("/youtube/v3/channels") { request in
      request.query["mine"] == nil
        ? api.checked(request) { api.channels($0) } : api.withAccount(request) { api.ownChannel($0) }
    }
    route("/youtube/v3/search") { api.checked($0) { api.search($0) } }
    route("/youtube/v3/subscriptions") { api.withAccount($0) { api.subscriptions($0) } }
  }

  /// The units that the Data API requests so far cost.
  package var unitsRequested: Int {
    let paths = requests.map(\.path).filter { $0.hasPrefix("/youtube/v3/") }
    return paths.reduce(0) { $0 + ($1 == "/youtube/v3/search" ? 100 : 1) }
  }
}

extension DataAPI {
  fileprivate func checked(_ request: Request, _ respond: (Request) -> Response) -> Response {
    request.headers["x-goog-api-key"] == key ? respond(request) : DataAPI.badKey
  }

  /// Only with an access token: a key has no subscriptions.
  fileprivate func withAccount(_ request: Request, _ respond: (Request) -> Response) -> Response {
    guard let isValid, let header = request.headers["authorization"], header.hasPrefix("Bearer ") else {
      return DataAPI.error(401, reason: "required", detail: "CREDENTIALS_MISSING")
    }
    return isValid(String(header.dropFirst(7))) ? respond(request) : DataAPI.badToken
  }

  fileprivate func subscriptions(_ request: Request) -> Response {
    let query = request.query
    let count = query["maxResults"].flatMap { Int($0) } ?? 5
    guard query["mine"] == "true", count <= 50 else { return DataAPI.error(400, reason: "badRequest", detail: nil) }
    let start = query["pageToken"].flatMap { Int($0.dropFirst(2)) } ?? 0
    let list = accountList(request)
    let all = list?.subscriptions ?? subscriptions
    let subscriber = (list?.own).map { "\"channelId\":\"\($0)\"," } ?? ""
    let items = all.dropFirst(start).prefix(count).map { entry in
      """
      {"kind":"youtube#subscription","snippet":{"title":"\(entry.title)",\(subscriber)\
      "resourceId":{"kind":"youtube#channel","channelId":"\(entry.channel)"}}}
      """
    }
    let end = start + items.count
    return DataAPI.list(
      "subscriptionListResponse", items: items, next: end < all.count ? "to\(end)" : nil,
      total: list?.total ?? all.count)
  }

  /// The list of the account that a request is of.
  private func accountList(_ request: Request) -> AccountList? {
    list.flatMap { list in request.headers["authorization"].flatMap { list(String($0.dropFirst(7))) } }
  }

  /// `channels.list?mine=true`.
  fileprivate func ownChannel(_ request: Request) -> Response {
    guard let own = accountList(request)?.own else { return DataAPI.noChannel }
    let item = """
      {"id":"\(own)","snippet":{"title":"My own channel"},"statistics":{"videoCount":"3"},\
      "contentDetails":{"relatedPlaylists":{"uploads":"UU\(own.dropFirst(2))"}}}
      """
    return DataAPI.list("channelListResponse", items: [item], next: nil)
  }

  fileprivate func videos(_ request: Request) -> Response {
    let ids = (request.query["id"] ?? "").split(separator: ",").map(String.init)
    guard ids.count <= 50 else { return DataAPI.error(400, reason: "invalidFilters", detail: nil) }
    let items = ids.compactMap { id in video(id).map { item(id, $0) } }
    return DataAPI.list("videoListResponse", items: items, next: nil)
  }

  private func item(_ id: String, _ video: Video) -> String {
    let times = video.stream.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
    let stream = video.stream.isEmpty ? "" : ",\"liveStreamingDetails\":{\(times)}"
    let statistics = video.views.map { ",\"statistics\":{\"viewCount\":\"\($0)\"}" } ?? ""
    let snippet = video.snippet.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"," }.joined()
    return """
      {"id":"\(id)","snippet":{\(snippet)"liveBroadcastContent":"\(video.live)"},\
      "contentDetails":{"duration":"\(video.duration)"}\(stream)\(statistics)}
      """
  }

  fileprivate func page(_ request: Request) -> Response {
    let query = request.query
    let list = query["playlistId"] ?? ""
    guard let entries = lists[list] else { return DataAPI.error(404, reason: "playlistNotFound", detail: nil) }
    let count = query["maxResults"].flatMap { Int($0) } ?? 5
    let start = query["pageToken"].flatMap { Int($0.dropFirst(2)) } ?? 0
    let items = entries.dropFirst(start).prefix(count).map { item($0, in: list) }
    let end = start + items.count
    let next = end < entries.count ? "to\(end)" : nil
    return DataAPI.list("playlistItemListResponse", items: items, next: next, total: entries.count)
  }

  /// An entry as the channel owner's playlist lists it; one without a date is private.
  private func item(_ entry: Entry, in list: String) -> String {
    let owner = "UC" + list.dropFirst(list.hasPrefix("UUSH") || list.hasPrefix("UULF") ? 4 : 2)
    let channel = entry.channel ?? owner
    guard !entry.published.isEmpty else {
      return """
        {"snippet":{"title":"Private video","channelId":"\(channel)"},"contentDetails":{"videoId":"\(entry.video)"}}
        """
    }
    return """
      {"snippet":{"title":"\(entry.title)","description":"About it.","channelId":"\(owner)",\
      "channelTitle":"The owner","videoOwnerChannelId":"\(channel)",\
      "videoOwnerChannelTitle":"\(entry.channel == nil ? "The owner" : "Somebody else")"},\
      "contentDetails":{"videoId":"\(entry.video)","videoPublishedAt":"\(entry.published)"}}
      """
  }

  fileprivate func channels(_ request: Request) -> Response {
    if let ids = request.query["id"]?.split(separator: ",").map(String.init) {
      guard ids.count <= 50 else { return DataAPI.error(400, reason: "invalidFilters", detail: nil) }
      let items = ids.compactMap { id in channel(id).map { item(id, $0) } }
      return items.isEmpty ? DataAPI.noChannel : DataAPI.list("channelListResponse", items: items, next: nil)
    }
    let byHandle = request.query["forHandle"].flatMap { handles[$0] }
    guard let channel = byHandle ?? request.query["forUsername"].flatMap({ users[$0] }) else {
      return DataAPI.noChannel
    }
    return DataAPI.list(
      "channelListResponse", items: ["{\"id\":\"\(channel)\",\"snippet\":{\"title\":\"A channel\"}}"], next: nil)
  }

  private func item(_ id: String, _ channel: Channel) -> String {
    // A hidden count is left out; counts are strings.
    let subscribers = channel.subscribers.map { "\"subscriberCount\":\"\($0)\"," } ?? ""
    return """
      {"id":"\(id)","snippet":{"thumbnails":{"default":{"url":"\(channel.avatar)","width":88,"height":88}}},\
      "statistics":{\(subscribers)"hiddenSubscriberCount":\(channel.subscribers == nil),\
      "videoCount":"\(channel.videos)"}}
      """
  }

  fileprivate func search(_ request: Request) -> Response {
    let query = request.query
    let count = query["maxResults"].flatMap { Int($0) } ?? 5
    guard let kind = query["type"], ["channel", "video"].contains(kind), let text = query["q"], count <= 50 else {
      return DataAPI.error(400, reason: "invalidSearchFilter", detail: nil)
    }
    let words = text.lowercased().split(separator: " ")
    let found = searched.filter { entry in
      (entry.video != nil) == (kind == "video") && words.allSatisfy { entry.title.lowercased().contains($0) }
    }
    return DataAPI.list(
      "searchListResponse", items: found.prefix(count).map(item), next: found.count > count ? "more" : nil)
  }

  /// A result of a search, whose texts the API escapes for HTML.
  private func item(_ found: Searched) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
    let id =
      found.video.map { "\"kind\":\"youtube#video\",\"videoId\":\"\($0)\"" }
      ?? "\"kind\":\"youtube#channel\",\"channelId\":\"\(found.channel)\""
    let avatar = channel(found.channel).map { "{\"default\":{\"url\":\"\($0.avatar)\"}}" } ?? "{}"
    return """
      {"kind":"youtube#searchResult","id":{\(id)},"snippet":{"publishedAt":"\(found.published)",\
      "channelId":"\(found.channel)","channelTitle":"\(escaped(found.channelTitle))",\
      "title":"\(escaped(found.title))","description":"About it.","thumbnails":\(avatar),\
      "liveBroadcastContent":"none"}}
      """
  }

  /// No `items` where nothing was found.
  private static let noChannel = Response.json(
    "{\"kind\":\"youtube#channelListResponse\",\"pageInfo\":{\"totalResults\":0}}", status: 200)

  private static func list(_ kind: String, items: [String], next: String?, total: Int? = nil) -> Response {
    let token = next.map { "\"nextPageToken\":\"\($0)\"," } ?? ""
    let info = total.map { "\"pageInfo\":{\"totalResults\":\($0),\"resultsPerPage\":50}," } ?? ""
    return .json(
      "{\"kind\":\"youtube#\(kind)\",\(token)\(info)\"items\":[\(items.joined(separator: ","))]}", status: 200)
  }

  /// The response to an invalid key.
  package static let badKey = error(400, reason: "badRequest", detail: "API_KEY_INVALID")
  /// The response to an access token that is not valid.
  package static let badToken = error(401, reason: "authError", detail: nil)
  /// The response to a token without the permission.
  package static let missingScope = error(403, reason: "insufficientPermissions", detail: nil)
  /// The response once the day's quota is used up.
  package static let quotaExceeded = error(403, reason: "quotaExceeded", detail: nil)
  /// The response to too many requests per minute.
  package static let rateLimited = error(429, reason: "rateLimitExceeded", detail: "RATE_LIMIT_EXCEEDED")

  private static func error(_ status: Int, reason: String, detail: String?) -> Response {
    let details = detail.map { ",\"details\":[{\"reason\":\"\($0)\",\"domain\":\"googleapis.com\"}]" } ?? ""
    return .json(
      """
      {"error":{"code":\(status),"message":"Simulated error.",\
      "errors":[{"message":"Simulated error.","domain":"global","reason":"\(reason)"}]\(details)}}
      """, status: status)
  }
}
