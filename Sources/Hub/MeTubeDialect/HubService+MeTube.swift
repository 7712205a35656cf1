import App
import Core
import HubCore
import HubReaders
import HubStore
import JSON
import Library
import ReadModel

extension HubService {
  /// The channel IDs of a body's `channelIds`, each once; nil if absent. Invalid IDs are left out.
  private func channelIDs(_ body: JSONValue, maximum: Int) throws -> [ChannelID]? {
    guard let value = body["channelIds"], value != .null else { return nil }
    guard let elements = value.elements, elements.count <= maximum else {
      throw HubProblem(400, "channelIds: takes up to \(maximum) strings")
    }
    var seen: Set<ChannelID> = []
    return elements.compactMap { $0.string.flatMap { ChannelID($0.withoutBlanks) } }.filter { seen.insert($0).inserted }
  }

  /// Follows channels; returns those that were not followed before.
  private func appFollow(_ channels: [ChannelID]) throws -> Set<ChannelID> {
    let before = Set(try session.state.followed.compactMap(\.id.channel))
    var wanted = FollowChanges(tags: [], seenBefore: nil)
    for channel in channels { wanted.add(.subscription(.channel(channel), .channel)) }
    try session.commit { try wanted.bodies(in: session.library.model) }
    return Set(channels).subtracting(before)
  }

  /// The videos of channels followed, whatever their status; without entries of other sites, whose IDs apps do not know.
  static let appQuery: VideoQuery = {
    var query = VideoQuery.unwatched
    (query.statuses, query.upcoming, query.hidesNothing) = (Set(Status.allCases), .show, true)
    query.areEntries = false
    return query
  }()

  // MARK: The newer generation

  /// `{"channelIds":["UC…"]}`: follows them.
  func appRegister(_ call: HubCall) throws -> RouteResponse {
    guard let channels = try channelIDs(call.object(), maximum: 500), !channels.isEmpty else {
      throw HubProblem(400, "no valid channel IDs")
    }
    let new = try appFollow(channels)
    var response = appResponse([
      "requested": .integer(channels.count), "inserted": .integer(new.count),
      "alreadyPresent": .integer(channels.count - new.count), "totalChannels": .integer(try followedChannels.count),
    ])
    response.startsPoll = !new.isEmpty
    return response
  }

  /// `{"channelIds":[…],"afterSeq":0,"limit":200}`: videos of channels followed after a number, ascending.
  func appVideos(_ call: HubCall) throws -> RouteResponse {
    let body = call.body.isEmpty ? JSONValue.object([]) : try call.object()
    let wanted = try channelIDs(body, maximum: 300).map { Set($0.map { SubscriptionID.channel($0) }) }
    let after = try whole(body, "afterSeq", 0...(1 << 53)) ?? 0
    let limit = try whole(body, "limit", 1...500) ?? 200
    try numberAppSequence()
    var (videos, last, position): ([JSONValue], Int, Int) = ([], after, after)
    while videos.count < limit {
      let page = try numbers.page(.sequence, (position, .max), descending: false, limit: limit)
      guard let end = page.last else { break }
      position = end.number
      let rows = try appRows(page.compactMap { VideoID($0.key) })
      for (number, key) in page where videos.count < limit {
        guard let row = VideoID(key).flatMap({ rows[$0] }) else { continue }
        last = number
        if wanted?.contains(.channel(row.channel)) ?? true { videos.append(appVideo(row, number)) }
      }
    }
    return appResponse(["videos": .array(videos), "maxSeqReturned": .integer(last)])
  }

  /// Those of some videos that are of channels followed.
  private func appRows(_ videos: [VideoID]) throws -> [VideoID: VideoRow] {
    let (found, sources) = try session.query { model in
      let visible = try model.matches(
        HubService.appQuery, at: session.now, among: model.numbers(of: videos))
      return try model.videos(videos.filter(visible.contains), alsoUnseen: false)
    }
    let rows = found.compactMap { VideoRow($0, in: sources, at: session.now) }
    return Dictionary(rows.map { ($0.video, $0) }) { $1 }
  }

  private func whole(_ body: JSONValue, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let value = body[name], value != .null else { return nil }
    guard let number = value.number.flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw HubProblem(400, "\(name): takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Numbers the videos of channels followed, whatever their status, in the order in which this user came to see them.
  /// The app keeps the last number forever, so what appears later has a higher one. Only a log that has grown shows more.
  func numberAppSequence() throws {
    guard numbers.extentOfSequence != session.library.extent else { return }
    var query = HubService.appQuery
    (query.order, query.oldestFirst, query.limit) = (.found, true, 0)
    let videos = try session.query { try $0.select(query, at: session.now) }.ids
    _ = try numbers(.sequence, videos.map(\.description))
    numbers.extentOfSequence = session.library.extent
  }

  private func appVideo(_ row: VideoRow, _ number: Int) -> JSONValue {
    [
      "seq": .integer(number), "videoId": .string(row.video.description), "channelId": .string(row.channel.description),
      "publishedAt": .string(row.published.rfc3339), "title": .string(row.shownTitle), "url": .string(row.url),
      "durationSeconds": row.durationSeconds.map { .integer($0) } ?? .null,
    ]
  }

  // MARK: The older generation

  /// The installation of the path, as the app makes its ID: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
  private func app(_ call: HubCall) throws -> String {
    let id = call.part("app")
    func isPlain(_ letter: Character) -> Bool { letter.isASCII && (letter.isLetter || letter.isNumber) }
    guard (1...64).contains(id.count), id.first.map(isPlain) == true,
      id.allSatisfy({ isPlain($0) || "._-".contains($0) })
    else { throw HubProblem(404, "User not found") }
    return id
  }

  /// The installation of the path, which has registered.
  func knownApp(_ call: HubCall) throws -> String {
    let app = try app(call)
    guard try appLists.channels(of: app) != nil else { throw HubProblem(404, "User not found") }
    return app
  }

  /// `{"channelIds":[…]}`: the whole list of an installation. What it registered before and leaves out now is unfollowed,
  /// unless the list is empty; what others follow stays.
  func appSetChannels(_ call: HubCall) throws -> RouteResponse {
    let app = try app(call)
    guard let channels = try channelIDs(call.object(), maximum: HubService.maxAppChannels) else {
      throw HubProblem(400, "channelIds: missing")
    }
    let before = try appLists.channels(of: app) ?? []
    let missing = Set(before.compactMap { ChannelID($0) }).subtracting(channels)
    let new = try appFollow(channels)
    if !channels.isEmpty, !missing.isEmpty {
      try session.commit {
        try missing.sorted().map { SubscriptionID.channel($0) }
          .filter { try session.state.channels[$0]?.isFollowed == true }.map { .channelUnfollowed($0) }
      }
    }
    try appLists.set(channels.isEmpty ? before : channels.map(\.description), of: app)
    var response = appResponse(["message": "Channels registered successfully"])
    response.startsPoll = !new.isEmpty
    return response
  }

  private static let maxAppChannels = 5000

  /// Polls what is due; the count is of what was found within the quarter of an hour before.
  func appReconcile(_ call: HubCall) throws -> RouteResponse {
    _ = try knownApp(call)
    var query = EntryQuery(limit: 1)
    (query.statuses, query.found.since) = (EntryQuery.unread, session.now.adding(seconds: -900))
    var response = appResponse([
      "message": "Reconciliation completed", "newVideosCount": .integer(try select(query).total),
    ])
    try hurry(nil)
    response.startsPoll = true
    return response
  }

  /// `HH:MM:SS`, with as many hours as there are: `26:03:04`.
  package static func appDuration(_ seconds: Int) -> String {
    let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return fields.joined(separator: ":")
  }

  func appHealth() throws -> RouteResponse {
    let counts = try self.counts()
    return appResponse([
      "status": "healthy", "timestamp": .string(session.now.rfc3339),
      "stats": ["channels": .integer(counts.channels), "users": 1, "videos": .integer(counts.videos)],
    ])
  }
}
