import App
import Core
import HubCore
import HubReaders
import HubStore
import JSON
import Library
import ReadModel

/// The feed of the MeTube app's older generation: what is new to it since its last visit, newest first.
extension HubService {
  /// `?since=2026-11-01T00:00:00Z&limit=50`, or `cursor=` with the `nextCursor` of the page before, which is taken as
  /// `since=` too.
  func appFeed(_ call: HubCall) throws -> RouteResponse {
    _ = try knownApp(call)
    var query = HubService.appQuery
    query.limit = min(try call.number("limit", within: 1...(.max)) ?? 50, 100)
    let text = call.value("cursor") ?? call.value("since")
    var bound: AppBound?
    switch try text.map({ try appPosition($0) }) {
    case .after(let cursor): (bound, query.after) = (cursor.bound, PageCursor(video: cursor.after, number: nil))
    case .beginning(let known):
      bound = known
      // Not with later pages: what appears while the app reads them belongs to its next visit.
      try noteAppVisit()
    case nil: try noteAppVisit()
    }
    let wanted = try bound.map { bound in try appNews(since: bound) }
    let selection = try session.query { try $0.select(query, at: session.now, among: wanted) }
    let next = try selection.next.map { try appDate(of: AppCursor(bound: bound, after: $0.video)) }
    let leftOut = try entries(query, among: wanted)
    var members: [JSONValue.Member] = [
      .init(name: "videos", value: .array(try session.rows(selection.ids).map(appFeedVideo))),
      .init(name: "nextCursor", value: next.map { .string($0.rfc3339) } ?? .null),
      .init(name: "nextPageToken", value: .null),
    ]
    if leftOut > 0 { members.append(.init(name: "leftOut", value: .integer(leftOut))) }
    return appResponse(.object(members))
  }

  /// How many entries of other sites a list of videos leaves out.
  private func entries(_ query: VideoQuery, among wanted: NumberSet?) throws -> Int {
    guard try session.state.channels.keys.contains(where: { !$0.isYouTube }) else { return 0 }
    var query = query
    (query.areEntries, query.after, query.limit) = (true, nil, 1)
    return try session.query { try $0.select(query, at: session.now, among: wanted) }.matching
  }

  private func appFeedVideo(_ row: VideoRow) throws -> JSONValue {
    [
      "videoId": .string(row.video.description), "channelId": .string(row.channel.description),
      "publishedAt": .string(row.published.rfc3339), "title": .string(row.shownTitle),
      "description": .string(try session.text(of: row.description)), "thumbnailUrl": .string(row.thumbnail),
      "duration": row.durationSeconds.map { .string(HubService.appDuration($0)) } ?? .null,
    ]
  }

  // MARK: What is new

  /// The maximum deviation of the time that an app has for its last visit, in seconds: the app's clock is up to five
  /// minutes off, and the app looks at it when a visit of up to ten minutes ends.
  static let appOverlap: Int64 = 900

  /// What an app has that visited last at a time of its own clock.
  func appBound(since time: Timestamp) throws -> AppBound {
    let earliest = time.adding(seconds: -HubService.appOverlap)
    let visit = try numbers.visit(within: earliest...time.adding(seconds: HubService.appOverlap))
    return AppBound(time: earliest, visit: visit)
  }

  /// The videos that were published or found since, or that the user could not see before: of a channel followed since, or
  /// found long ago by a device that sent them since.
  private func appNews(since bound: AppBound) throws -> NumberSet {
    let late = try bound.visit.map { try numbers.keys(.sequence, above: $0).compactMap { VideoID($0) } } ?? []
    return try session.query { try $0.numbers(since: bound.time, and: late) }
  }

  /// Remembers that an app begins a visit, and reads on, so that the visit shows everything with a lower number, also if
  /// another process numbers videos at the same time.
  private func noteAppVisit() throws {
    try numberAppSequence()
    try numbers.addVisit(at: session.now)
    try refresh()
  }
}
