import Core
import Messages
import ReadModel

/// What a list selects: videos of feeds, and behind them those that no feed has shown, if the request asks for a status
/// other than new, for all, or for what is saved or begun. What was begun comes in one order, the last played first,
/// unless the request names another one.
package struct ListedVideos {
  package let query: VideoQuery
  private let filter: VideoFilter
  /// Whether the videos come in the order in which they were played.
  private let isByPosition: Bool
  private let unseen: [UnseenVideo]

  package init(_ request: ListRequest, in session: Session) throws {
    query = try request.query(in: session)
    filter = request.filter
    isByPosition = filter.started && request.order == .usual && request.sort != .found
    // What is new comes from feeds alone, unless the user chose it; of the others neither kind nor length is known.
    let statuses = filter.isOfOwn ? query.statuses : query.statuses?.subtracting([.new])
    guard statuses?.isEmpty != true, query.arrangement == .byTime || isByPosition, !filter.isOfFeeds else {
      unseen = []
      return
    }
    let wanted = ReadModel.UnseenQuery(
      statuses: statuses, channels: query.subscriptions.map { Set($0.compactMap(\.channel)) },
      followedOnly: query.statuses != nil && !query.alsoGone, savedOnly: query.savedOnly,
      startedOnly: query.startedOnly, words: filter.search.map { SearchWords($0) })
    unseen = try session.query { try $0.unseen(wanted, at: session.now) }
  }

  /// The page that the request asks for.
  package func selection(in session: Session) throws -> VideoSelection {
    try selection(in: session, limit: query.limit, after: query.after)
  }

  /// At most `limit` videos, 0 is all, after a cursor.
  package func selection(in session: Session, limit: Int, after cursor: PageCursor?) throws -> VideoSelection {
    if isByPosition { return try byPosition(session, limit: limit, after: cursor) }
    var wanted = query
    (wanted.limit, wanted.after) = (limit, cursor)
    guard !unseen.isEmpty else { return try session.select(wanted, search: filter.search) }
    var rest = unseen[...]
    var selection: VideoSelection
    if let cursor, let last = try session.video(cursor.video), last.found == nil {
      let position = UnseenVideo(last)
      rest = unseen[(unseen.firstIndex { position.precedes($0) } ?? unseen.endIndex)...]
      (wanted.after, wanted.limit) = (nil, 1)
      selection = try session.select(wanted, search: filter.search)
      (selection.ids, selection.next) = ([], nil)
    } else {
      selection = try session.select(wanted, search: filter.search)
    }
    selection.matching += unseen.count
    guard selection.next == nil else { return selection }
    let room = limit == 0 ? Int.max : limit - selection.ids.count
    selection.ids += rest.prefix(room).map(\.id)
    if rest.count > room, let last = selection.ids.last {
      selection.next = PageCursor(video: last, number: nil)
    }
    return selection
  }

  private func byPosition(_ session: Session, limit: Int, after cursor: PageCursor?) throws -> VideoSelection {
    var wanted = query
    (wanted.limit, wanted.after, wanted.arrangement) = (0, nil, .byTime)
    var selection = try session.select(wanted, search: filter.search)
    let members = Set(selection.ids).union(unseen.map(\.id))
    var started = try session.query { try $0.started() }.filter { members.contains($0.video) }
    selection.matching = started.count
    if let cursor {
      guard let last = try session.video(cursor.video)?.progressSet?.id else {
        throw AppError.cursor(.unknownCursor(cursor.video))
      }
      started.removeAll { $0.event >= last }
    }
    selection.ids = (limit == 0 ? started[...] : started.prefix(limit)).map(\.video)
    if selection.ids.count < started.count, let last = selection.ids.last {
      selection.next = PageCursor(video: last, number: nil)
    }
    return selection
  }
}

extension VideoFilter {
  /// Whether it names what only feeds and YouTube say.
  fileprivate var isOfFeeds: Bool {
    !tag.isEmpty || since != nil || until != nil || shorts != nil || upcoming != nil || noRules || live
      || minDuration != nil || maxDuration != nil
  }
}
