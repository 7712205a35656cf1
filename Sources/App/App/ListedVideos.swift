import Core
import ReadModel

/// What a list in the terminal selects: videos of feeds, and behind them those that only an imported file or the like described, if the
/// request asks for a status other than new, for all, or for what is saved.
package struct ListedVideos {
  private let query: VideoQuery
  private let filter: VideoFilter
  /// The videos that no feed has shown.
  package let described: [VideoID]

  package init(_ query: VideoQuery, _ filter: VideoFilter, in session: Session) throws {
    (self.query, self.filter) = (query, filter)
    // What is new comes from feeds alone, and of the others neither kind nor length is known.
    let statuses = query.statuses?.subtracting([.new])
    guard statuses?.isEmpty != true, query.arrangement == .byTime, !filter.isOfFeeds else {
      described = []
      return
    }
    let wanted = ReadModel.DescribedQuery(
      statuses: statuses, channels: query.subscriptions.map { Set($0.compactMap(\.channel)) },
      followedOnly: query.statuses != nil && !query.alsoGone, savedOnly: query.savedOnly,
      words: filter.search.map { SearchWords($0) })
    described = try session.query { try $0.described(wanted, at: session.now) }
  }

  /// The page that the query asks for.
  package func selection(in session: Session) throws -> VideoSelection {
    var rest = described[...]
    var selection: VideoSelection
    if let cursor = query.after, let place = described.firstIndex(of: cursor.video) {
      rest = described[(place + 1)...]
      var counting = query
      (counting.after, counting.limit) = (nil, 1)
      selection = try session.select(counting, search: filter.search)
      (selection.ids, selection.next) = ([], nil)
    } else {
      selection = try session.select(query, search: filter.search)
    }
    selection.matching += described.count
    guard selection.next == nil else { return selection }
    let room = query.limit == 0 ? Int.max : query.limit - selection.ids.count
    selection.ids += rest.prefix(room)
    if rest.count > room, let last = selection.ids.last {
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
