import App
import Core
import HubCore
import HubReaders
import JSON
import Library
import ReadModel

extension HubService {
  // MARK: The feed

  /// What a mode of the feed stands for. The guide writes `Catch Up`, the server that it describes `catch_up`.
  private static let webModes: [String: [(name: String, value: String)]] = [
    "newest": [("sort_by", "newest")], "oldest": [("sort_by", "oldest")], "random": [("sort_by", "random")],
    "shortest": [("sort_by", "duration_asc")], "longest": [("sort_by", "duration_desc")],
    "catch_up": [("filter", "unwatched"), ("sort_by", "oldest")],
    "quick_watch": [("filter", "unwatched"), ("duration_max", "600"), ("sort_by", "newest")],
    "deep_dive": [("filter", "unwatched"), ("duration_min", "1800"), ("sort_by", "newest")],
    "discovery": [("filter", "unwatched"), ("sort_by", "mix")],
    "short_form": [("shorts", "only"), ("sort_by", "newest")],
  ]

  /// `?filter=all|unwatched|watched|in_progress&mode=…&sort_by=…&page=1&per_page=50` and more.
  func webFeed(_ call: HubCall) throws -> RouteResponse {
    var call = call
    if let mode = call.value("mode") {
      let name = mode.lowercased().replacing(" ", with: "_")
      guard let fields = HubService.webModes[name] else {
        throw HubProblem(400, "mode: takes \(HubService.webModes.keys.sorted().joined(separator: ", "))")
      }
      call.query = fields + call.query.filter { field in !fields.contains { $0.name == field.name } }
    }
    let page = try WebPage(call, maximum: 100)
    if call.value("filter") == "in_progress" { return try webStarted(page) }
    guard var query = try webQuery(call) else { return try webPage([], 0, page) }
    query.limit = page.end
    switch try call.value("sort_by") ?? usualSort() {
    case "newest": break
    case "oldest": query.oldestFirst = true
    case "mix": query.arrangement = .mix
    case "duration_asc": query.key = .length(longestFirst: false)
    case "duration_desc": query.key = .length(longestFirst: true)
    // Another order every day, so that the pages of a day have each video once.
    case "random": query.key = .random(seed: UInt64(bitPattern: session.now.seconds / 86_400))
    default: throw HubProblem(400, "sort_by: takes newest, oldest, mix, duration_asc, duration_desc, random")
    }
    let selection = try session.query { try $0.select(query, at: session.now) }
    return try webPage(Array(selection.ids.dropFirst(page.start)), selection.matching, page)
  }

  /// The videos that were begun and not watched, the last played first. No guide has it; its clients send a position.
  private func webStarted(_ page: WebPage) throws -> RouteResponse {
    let request = ListRequest(filter: VideoFilter(started: true), limit: page.end)
    let selection = try request.selection(in: session)
    return try webPage(Array(selection.ids.dropFirst(page.start)), selection.matching, page)
  }

  /// The order of a feed whose request names none, as the user prefers.
  private func usualSort() throws -> String {
    switch try session.preferences.order(sortedBy: nil) {
    case .oldest: "oldest"
    case .mix: "mix"
    case .usual, .newest, .catchUp: "newest"
    }
  }

  /// The videos that a request's filters select; nil if nothing can match.
  private func webQuery(_ call: HubCall) throws -> VideoQuery? {
    var query = VideoQuery.unwatched
    query.upcoming = nil
    switch call.value("filter") ?? "all" {
    case "all": query.statuses = Set(Status.allCases)
    case "unwatched": query.statuses = EntryQuery.unread
    case "watched": query.statuses = EntryQuery.read
    default: throw HubProblem(400, "filter: takes all, unwatched, watched, in_progress")
    }
    if let text = call.value("channel_ids") {
      let numbers = try text.split(separator: ",").map { part in
        guard let number = Int(part.drop { $0 == " " }) else { throw HubProblem(400, "channel_ids: takes numbers") }
        return number
      }
      let wanted = Set(try numbers.compactMap { try followedFeed($0)?.id })
      guard !wanted.isEmpty else { return nil }
      query.subscriptions = wanted
    }
    if let text = call.value("platform") {
      guard let platform = VideoPlatform(rawValue: text) else { return nil }
      try session.limit(&query, to: platform)
    }
    if let text = call.value("since") {
      // The server itself writes times without a zone, and its guide dates.
      let spellings = [text, text + "Z", text + "T00:00:00Z"]
      guard let time = spellings.lazy.compactMap({ Timestamp(rfc3339: $0) }).first else {
        throw HubProblem(400, "since: not a time")
      }
      query.since = time
    }
    if call.value("shorts") == "only" { query.shorts = .only }
    query.minimumLength = try call.number("duration_min", within: 0...(.max))
    query.maximumLength = try call.number("duration_max", within: 0...(.max))
    return query
  }

  static let webPlatform = "youtube"

  private func webPage(_ videos: [VideoID], _ total: Int, _ page: WebPage) throws -> RouteResponse {
    let value: JSONValue = [
      "items": .array(try webEntries(videos).map(webItem)), "total": .integer(total),
      "page": .integer(page.page),
      "per_page": .integer(page.size), "has_more": .boolean(page.start + videos.count < total),
    ]
    return json(value.bytes)
  }

  /// The videos that were watched, the last watched first.
  func webHistory(_ call: HubCall) throws -> RouteResponse {
    let page = try WebPage(call, maximum: 200)
    let history = try session.query { try $0.history(since: nil, until: nil, limit: page.end) }
    return try webPage(history.rows.dropFirst(page.start).map(\.video), history.count, page)
  }

  func webStats() throws -> RouteResponse {
    var query = EntryQuery(limit: 1)
    let total = try select(query).total
    query.statuses = EntryQuery.read
    let watched = try select(query).total
    let value: JSONValue = [
      "total_videos": .integer(total), "unwatched_videos": .integer(total - watched),
      "watched_videos": .integer(watched), "total_channels": .integer(try session.state.followed.count),
      "by_platform": [HubService.webPlatform: .integer(total)],
    ]
    return json(value.bytes)
  }

  /// Polls what is due; the pace is the hub's.
  func webSync() throws -> RouteResponse {
    try hurry(nil)
    let absence = try session.workspace.pollerLife()?.absence.map { "The sync waits: \($0)" }
    let message = JSONValue.string(absence ?? "Sync started in background")
    var response = json((["status": "started", "message": message] as JSONValue).bytes)
    response.startsPoll = true
    return response
  }

  // MARK: One video

  /// The entries of videos, with their view counts.
  func webEntries(_ videos: [VideoID], alsoUnseen: Bool = true) throws -> [ReaderEntry] {
    let entries = try entries(videos, alsoUnseen: alsoUnseen)
    return zip(entries, session.withViews(entries.map(\.row))).map { entry, row in
      var entry = entry
      entry.row = row
      return entry
    }
  }

  /// The entry with the number of the path.
  func webEntry(_ call: HubCall) throws -> ReaderEntry {
    guard let video = try videos([call.number("item")]).first, let entry = try webEntries([video]).first else {
      throw HubProblem(404, "no such video")
    }
    return entry
  }

  func webItem(_ call: HubCall) throws -> RouteResponse { json(try webItem(webEntry(call)).bytes) }

  /// Marks a video as watched or not: as given, else as the body's `is_watched` says.
  func webMark(_ call: HubCall, read: Bool?) throws -> RouteResponse {
    let entry = try webEntry(call)
    var read = read
    if read == nil, case .boolean(let isWatched)? = try call.object()["is_watched"] { read = isWatched }
    guard let read else { throw HubProblem(400, "is_watched: takes true or false") }
    try mark([entry.row.video], read: read)
    return try webItem(call)
  }

  /// Keeps the position in a video: `progress_seconds` in the query or the body, or the body's
  /// `watch_progress_seconds`.
  func webProgress(_ call: HubCall) throws -> RouteResponse {
    let entry = try webEntry(call)
    let body = try call.objectOrNothing()
    let given = body["progress_seconds"] ?? body["watch_progress_seconds"]
    let number = try given?.number.flatMap { Int(exactly: $0) } ?? call.number("progress_seconds", within: 0...(.max))
    guard let number, (0...Mark.maxPosition).contains(number) else {
      throw HubProblem(400, "progress_seconds: takes whole seconds, up to a month")
    }
    try session.mark([entry.row.video], Mark(progress: min(number, entry.row.durationSeconds ?? number)))
    return try webItem(call)
  }

  /// A video as an item of the feed.
  func webItem(_ entry: ReaderEntry) throws -> JSONValue {
    let row = entry.row
    return .object(
      try webMembers(entry) + [
        .init(name: "channel_id", value: .integer(entry.feedNumber)),
        .init(name: "discovered_at", value: .string(entry.discovered.rfc3339)),
        .init(name: "is_recent", value: .boolean(session.now.seconds(since: row.published) < HubService.recent)),
        .init(name: "channel_avatar_url", value: entry.feed.avatar.map { .string($0) } ?? .null),
      ])
  }

  /// For how many seconds a video is recent: a week.
  private static let recent: Int64 = 7 * 86_400

  /// What items of the feed and of the saved videos have in common.
  func webMembers(_ entry: ReaderEntry) throws -> [JSONValue.Member] {
    let row = entry.row
    let members: JSONValue = [
      "id": .integer(entry.number), "platform": .string(row.platform.rawValue),
      "video_id": .string(row.video.description), "video_url": .string(row.url), "title": .string(row.shownTitle),
      "description": .string(try session.text(of: row.description)), "thumbnail_url": .string(row.thumbnail),
      "duration_seconds": row.durationSeconds.map { .integer($0) } ?? .null,
      "view_count": row.views.map { .integer($0) } ?? .null,
      "upload_date": (row.isSeen ? row.published : row.knownPublished).map { .string($0.rfc3339) } ?? .null,
      "is_watched": .boolean(entry.isRead),
      "watched_at": entry.isRead ? entry.statusChanged.map { .string($0.rfc3339) } ?? .null : .null,
      "watch_progress_seconds": .integer(row.progress),
      "duration_formatted": .string(row.durationSeconds.map { PlayingTime.text(seconds: $0) } ?? ""),
      "channel_name": .string(row.channelTitle),
    ]
    guard case .object(let list) = members else { return [] }
    return list
  }
}

/// A page of a list, counted from 1.
struct WebPage {
  let page: Int
  let size: Int

  /// Reads `page` and `per_page`; 50 to a page unless given.
  init(_ call: HubCall, maximum: Int) throws {
    page = try call.number("page", within: 1...10_000) ?? 1
    size = try call.number("per_page", within: 1...maximum) ?? 50
  }

  var start: Int { (page - 1) * size }
  var end: Int { page * size }
}
