import App
import ArgumentParser
import Core
import Messages
import PollEngine
import ReadModel
import Sync
import Terminal

/// The list of the full-screen view, read page by page: `list` with the view's filters.
struct BrowseQuery {
  let filters: BrowseFilters
  private let request: ListRequest
  /// Where the list goes on; nil at its end.
  private var next: PageCursor?

  /// Throws if `list` would refuse the filters.
  init(_ filters: BrowseFilters, _ session: Session) throws {
    self.filters = filters
    request = filters.request
    _ = try request.query(in: session)
  }

  /// The first videos and what is said of the list.
  struct Part {
    var ids: [VideoID]
    var matching: Int
    var heading: [String]
    var emptyText: String
  }

  /// The videos read at once; the screen shows fewer.
  private static let page = 200
  /// From so many on the rest is read at once: a list of 100,000 takes as long as some hundred pages.
  private static let many = 4000

  private func selection(_ session: Session, limit: Int, after: PageCursor?) throws -> VideoSelection {
    try ListedVideos(request, in: session).selection(in: session, limit: limit, after: after)
  }

  /// Reads the list from its beginning, so that at least `count` videos are known.
  mutating func select(_ session: Session, atLeast count: Int) throws -> Part {
    let selection = try selection(session, limit: max(BrowseQuery.page, count), after: nil)
    next = selection.next
    let heading = ["\(UserMessages.count(selection.matching, "video"))"] + UserMessages.hidden(selection.hidden)
    var part = Part(ids: selection.ids, matching: selection.matching, heading: heading, emptyText: "")
    part.heading += try PollStanding(session, session.query { try $0.polls() }).summary(at: session.local)
    if let age = BackgroundSync.age(session) { part.heading.append(age) }
    guard selection.ids.isEmpty else { return part }
    part.emptyText =
      filters == BrowseFilters() ? try UserMessages.emptyList(session) : "Nothing matches; f changes the filters."
    return part
  }

  /// The videos after the first `known`, at least up to `wanted`; empty at the end of the list.
  mutating func more(_ session: Session, than known: Int, for wanted: Int) throws -> [VideoID] {
    guard let cursor = next else { return [] }
    let missing = wanted - known
    let limit = missing > BrowseQuery.many ? 0 : max(BrowseQuery.page, missing)
    let selection = try selection(session, limit: limit, after: cursor)
    next = selection.next
    return selection.ids
  }
}
