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
  func appFeed(_ call: HubCall) throws -> HubAnswer {
    _ = try knownApp(call)
    var query = HubService.appQuery
    query.limit = min(try call.number("limit", within: 1...(.max)) ?? 50, 100)
    let text = call.value("cursor") ?? call.value("since")
    var bound: AppBound?
    if let cursor = text.flatMap({ AppCursor($0) }), try session.query({ try $0.isFound(cursor.after) }) {
      (bound, query.after) = (cursor.bound, PageCursor(video: cursor.after, number: nil))
    } else {
      bound = try text.map { text in
        guard let time = Timestamp(rfc3339: text) else { throw HubProblem(400, "since: not a time or a cursor") }
        return try appBound(since: time)
      }
      // Not with later pages: what appears while the app reads them belongs to its next visit.
      try noteAppVisit()
    }
    let wanted = try bound.map { bound in try appNews(since: bound) }
    let selection = try session.query { try $0.select(query, at: session.now, among: wanted) }
    let next = selection.next.map { AppCursor(bound: bound, after: $0.video).text }
    return answer([
      "videos": .array(try session.rows(selection.ids).map(appFeedVideo)),
      "nextCursor": next.map { .string($0) } ?? .null, "nextPageToken": .null,
    ])
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

  /// How far the time that an app has for its last visit may be from its beginning, in seconds: the app's clock is up to
  /// five minutes off, and the app looks at it when a visit of up to ten minutes ends.
  static let appOverlap: Int64 = 900

  /// What an app has that visited last at a time of its own clock.
  private func appBound(since time: Timestamp) throws -> AppBound {
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
    if numbers.extentOfSequence != session.library.extent {
      _ = try appSequence()
      numbers.extentOfSequence = session.library.extent
    }
    try numbers.addVisit(at: session.now)
    try refresh()
  }
}

/// What an app that visited before has.
struct AppBound: Equatable {
  /// What was published and found before this, as far as the user could see it.
  var time: Timestamp
  /// Nothing above this number in the order in which the user came to see videos; nil if no visit is known.
  var visit: Int?
}

/// Where a page of the feed continues: the last video, and the bound of the first page.
struct AppCursor: Equatable {
  var bound: AppBound?
  var after: VideoID

  init(bound: AppBound?, after: VideoID) { (self.bound, self.after) = (bound, after) }

  /// Parses `c692fd3a0.1b2c3d.dQw4w9WgXcQ`, `c692fd3a0..dQw4w9WgXcQ` without a number, or `c..dQw4w9WgXcQ` without a bound;
  /// nil if malformed.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].first == "c", let video = VideoID(parts[2]) else { return nil }
    let (time, number) = (Int64(parts[0].dropFirst(), radix: 16), Int(parts[1], radix: 16))
    guard time != nil || parts[0].count == 1, number != nil || parts[1].isEmpty else { return nil }
    self.init(bound: time.map { AppBound(time: Timestamp(seconds: $0), visit: number) }, after: video)
  }

  /// Letters, digits, `-`, `_` and `.` alone: it stands in URLs as it is.
  var text: String {
    func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }
    return "c\(bound.map { hex($0.time.seconds) } ?? "").\(bound?.visit.map { hex($0) } ?? "").\(after)"
  }
}
