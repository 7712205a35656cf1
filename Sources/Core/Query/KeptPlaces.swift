extension VideoQuery {
  /// The same for every page at once.
  package var whole: VideoQuery {
    var query = self
    (query.limit, query.after) = (0, nil)
    return query
  }
}

extension VideoSelection {
  /// One page of a whole list, in the places that videos had in it when its first page was shown; what came into it
  /// since has none.
  ///
  /// In an order in which a video's place depends on others, marking or losing one of these moves it: to the page
  /// before, so that it is left out, or to the next, so that it comes twice.
  package func page(
    after cursor: PageCursor, limit: Int, in places: [VideoID]
  ) throws(QueryError) -> VideoSelection {
    guard let start = places.firstIndex(of: cursor.video) else { throw .cursorElsewhere(cursor.video) }
    let listed = Dictionary(videos.map { ($0.id, $0) }) { first, _ in first }
    let rest = places[(start + 1)...].compactMap { listed[$0] }
    var page = self
    page.videos = limit == 0 ? rest : Array(rest.prefix(limit))
    page.matching = places.count { listed[$0] != nil }
    page.next = page.videos.last.flatMap { last in
      page.videos.count < rest.count ? PageCursor(video: last.id, moment: cursor.moment, time: cursor.time) : nil
    }
    return page
  }
}
