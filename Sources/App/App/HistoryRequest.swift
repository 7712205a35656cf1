import Core
import Exporters
import Messages
import ReadModel

/// The videos watched, most recent first.
package struct HistoryRequest: Equatable, Sendable {
  /// Watched since or before: `3d`, `2026-11-01`.
  var since: String?
  var until: String?
  /// Every word must be in the title or the channel's name.
  var search: String?
  /// The maximum number of videos; 0 is all.
  var limit = 50

  package init(since: String? = nil, until: String? = nil, search: String? = nil, limit: Int = 50) {
    (self.since, self.until, self.search, self.limit) = (since, until, search, limit)
  }

  /// The rows that the request selects, and how many match whatever the limit.
  package func rows(in session: Session) throws -> (rows: [WatchedRow], count: Int) {
    let since = try since.map { try TimeArgument($0, before: session.now, .since).time }
    let until = try until.map { try TimeArgument($0, before: session.now, .until).time }
    let words = search.map { SearchWords($0) }
    if words?.isEmpty == true { throw AppError.noWords(.search) }
    let history = try session.query { try $0.history(since: since, until: until, limit: words == nil ? limit : 0) }
    let videos = try session.rows(history.rows.map(\.video), alsoUnseen: true)
    let rows = zip(history.rows, videos).map { WatchedRow(watched: $0.watched, row: $1) }
    guard let words else { return (rows, history.count) }
    let matching = rows.filter { words.match(NormalizedText.bytes(of: "\($0.row.title)\n\($0.row.channelTitle)")) }
    return (limit == 0 ? matching : Array(matching.prefix(limit)), matching.count)
  }
}
