import Core
import Messages
import ReadModel

/// What a list selects: videos of feeds, and behind them those that no feed has shown, if the request asks for a status
/// other than new, for all, or for what is saved or begun. What was begun comes in one order, the last played first,
/// unless the request names another one.
///
/// What no feed has shown has no date, only the time when it was watched. So it is behind the videos of feeds in every
/// order: by time the last watched first, in a catch-up list the last watched last, and in a mix one of each channel in
/// turn, where the videos of no known channel count as those of one channel.
package struct ListedVideos {
  package let query: VideoQuery
  private let filter: VideoFilter
  /// Whether the videos come in the order in which they were played.
  private let isByPosition: Bool
  private let unseen: UnseenOrder

  package init(_ request: ListRequest, in session: Session) throws {
    query = try request.query(in: session)
    filter = request.filter
    isByPosition = filter.started && request.order == .usual && request.sort != .found
    // What is new comes from feeds alone, unless the user chose it; of the others neither kind nor length is known.
    let statuses = filter.isOfOwn ? query.statuses : query.statuses?.subtracting([.new])
    guard statuses?.isEmpty != true, !filter.isOfFeeds else {
      unseen = UnseenOrder([], query.arrangement)
      return
    }
    let wanted = ReadModel.UnseenQuery(
      statuses: statuses, channels: query.subscriptions.map { Set($0.compactMap(\.channel)) },
      followedOnly: query.statuses != nil && !query.alsoGone, savedOnly: query.savedOnly,
      startedOnly: query.startedOnly, words: filter.search.map { SearchWords($0) })
    var videos = try session.query { try $0.unseen(wanted, at: session.now) }
    // Of an entry neither kind nor platform is known.
    if filter.platform != nil || !filter.kind.isEmpty { videos.removeAll(where: \.id.isEntry) }
    unseen = UnseenOrder(videos, query.arrangement)
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
    guard !unseen.videos.isEmpty else { return try session.select(wanted, search: filter.search) }
    var rest = unseen.videos[...]
    var selection: VideoSelection
    if let cursor, let last = try session.video(cursor.video), last.found == nil {
      rest = unseen.videos(after: UnseenVideo(last), turn: cursor.number)
      (wanted.after, wanted.limit) = (nil, 1)
      selection = try session.select(wanted, search: filter.search)
      (selection.ids, selection.next) = ([], nil)
    } else {
      selection = try session.select(wanted, search: filter.search)
    }
    selection.matching += unseen.videos.count
    guard selection.next == nil else { return selection }
    let room = limit == 0 ? Int.max : limit - selection.ids.count
    selection.ids += rest.prefix(room).map(\.id)
    if rest.count > room, let last = selection.ids.last {
      selection.next = PageCursor(video: last, number: unseen.number(of: last))
    }
    return selection
  }

  private func byPosition(_ session: Session, limit: Int, after cursor: PageCursor?) throws -> VideoSelection {
    var wanted = query
    (wanted.limit, wanted.after, wanted.arrangement) = (0, nil, .byTime)
    var selection = try session.select(wanted, search: filter.search)
    let members = Set(selection.ids).union(unseen.videos.map(\.id))
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

/// Videos that no feed has shown, in the order of a list.
private struct UnseenOrder {
  let videos: [UnseenVideo]
  private let arrangement: VideoQuery.Arrangement
  /// In a mix, the turn of each video.
  private let turns: [VideoID: Int64]

  /// `videos` come by time.
  init(_ videos: [UnseenVideo], _ arrangement: VideoQuery.Arrangement) {
    self.arrangement = arrangement
    var turns: [VideoID: Int64] = [:]
    if arrangement == .mix {
      var counts: [ChannelID?: Int64] = [:]
      for video in videos {
        turns[video.id] = counts[video.channel, default: 0]
        counts[video.channel, default: 0] += 1
      }
    }
    self.turns = turns
    self.videos = videos.sorted { left, right in
      UnseenOrder.precedes(left, turns[left.id] ?? 0, right, turns[right.id] ?? 0, in: arrangement)
    }
  }

  /// The videos behind one that may have left the list; `turn` is its turn in a mix.
  func videos(after last: UnseenVideo, turn: Int64?) -> ArraySlice<UnseenVideo> {
    let turn = turns[last.id] ?? turn ?? 0
    let next = videos.firstIndex { UnseenOrder.precedes(last, turn, $0, turns[$0.id] ?? 0, in: arrangement) }
    return videos[(next ?? videos.endIndex)...]
  }

  /// What a cursor keeps beside the last video of a page: its turn, or of a video of a feed that none of feeds follows.
  func number(of last: VideoID) -> Int64? { arrangement == .byTime ? nil : turns[last] ?? .max }

  private static func precedes(
    _ left: UnseenVideo, _ leftTurn: Int64, _ right: UnseenVideo, _ rightTurn: Int64,
    in arrangement: VideoQuery.Arrangement
  ) -> Bool {
    switch arrangement {
    case .byTime: left.precedes(right)
    case .catchUp: left.watched != right.watched ? left.watched < right.watched : left.id < right.id
    case .mix: leftTurn != rightTurn ? leftTurn < rightTurn : left.precedes(right)
    }
  }
}

extension VideoFilter {
  /// Whether it names what only feeds and YouTube say. No rule applies to what no feed has shown, and it is not known to
  /// be a Short or upcoming: only a list of nothing else leaves it out.
  fileprivate var isOfFeeds: Bool {
    !tag.isEmpty || since != nil || until != nil || shorts == .only || upcoming == .only || live
      || minDuration != nil || maxDuration != nil || platform.map { $0 != .youtube } ?? false
      || !kind.isEmpty && !kind.contains(.video)
  }
}
