import Core
import Messages
import ReadModel

/// A list of videos: `list` in the terminal, on a full screen, on the page and in the API.
package struct ListRequest: Equatable, Sendable {
  package var filter = VideoFilter()
  /// Empty for the usual ones: new, or with `all` or a filter for saved videos, every status.
  var status: Set<Status> = []
  /// Also unfollowed channels, and every status unless one is given.
  package var all = false
  package var order = Order.usual
  /// The time to sort by, where the order is by time; nil as the user prefers.
  var sort: VideoQuery.Order?
  /// Where the page before ended; nil for the first page.
  package var after: PageCursor?
  /// The maximum number of videos; 0 is all.
  package var limit = 50

  package init(
    filter: VideoFilter = VideoFilter(), status: Set<Status> = [], all: Bool = false, order: Order = .usual,
    sort: VideoQuery.Order? = nil, after: PageCursor? = nil, limit: Int = 50
  ) {
    (self.filter, self.status, self.all, self.order, self.sort, self.after, self.limit) = (
      filter, status, all, order, sort, after, limit
    )
  }

  /// The arrangement of a list.
  package enum Order: Equatable, Sendable {
    /// As the user prefers; oldest first if every channel named is set so.
    case usual
    case newest, oldest
    /// Channel by channel, each oldest first.
    case catchUp
    /// One video of each channel in turn.
    case mix
  }
}

extension ListRequest.Order {
  /// The order that flags describe. Throws if they exclude each other.
  package init(oldest: Bool, newest: Bool, catchUp: Bool, mix: Bool, sort: VideoQuery.Order?) throws(AppError) {
    if catchUp, mix { throw .exclusive([.catchUp, .mix]) }
    if oldest, newest { throw .exclusive([.oldest, .newest]) }
    let others: [(Bool, RequestMember)] = [(sort == .found, .sort), (oldest, .oldest), (newest, .newest)]
    if catchUp || mix, let other = others.first(where: \.0) {
      throw .exclusive([catchUp ? .catchUp : .mix, other.1])
    }
    self = catchUp ? .catchUp : mix ? .mix : oldest ? .oldest : newest ? .newest : .usual
  }
}

extension ListRequest {
  /// The query that the request describes.
  package func query(in session: Session) throws -> VideoQuery {
    let preferences = try session.preferences
    var query = try session.query(for: filter, alsoUnfollowed: all || after != nil, areTagsKnown: after == nil)
    query.statuses = status.isEmpty ? (all || filter.saved ? nil : [.new]) : status
    query.alsoGone = query.alsoGone || all
    var order = order
    if order == .usual { order = try preferences.order(sortedBy: sort) }
    query.arrangement = order == .catchUp ? .catchUp : order == .mix ? .mix : .byTime
    query.order = sort ?? (query.arrangement == .byTime ? preferences.sort : .published)
    query.oldestFirst =
      try order == .oldest || order == .usual && ListRequest.isOfSeries(query, session)
    (query.limit, query.after) = (limit, after)
    return query
  }

  /// The videos that the request selects, behind those of feeds also what no feed has shown; see `ListedVideos`.
  package func selection(in session: Session) throws -> VideoSelection {
    try ListedVideos(self, in: session).selection(in: session)
  }

  /// Whether a query names only channels whose order is set to oldest.
  private static func isOfSeries(_ query: VideoQuery, _ session: Session) throws -> Bool {
    guard let wanted = query.subscriptions else { return false }
    let state = try session.query { try $0.state(of: wanted) }
    return wanted.allSatisfy { state.channels[$0]?.order == .oldest }
  }
}
