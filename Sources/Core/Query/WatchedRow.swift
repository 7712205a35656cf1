/// A watched video, as shown by `history`.
package struct WatchedRow: Equatable, Sendable {
  /// When it was watched: from a history file, else when it was marked.
  package var watched: Timestamp
  package var row: VideoRow

  /// The videos watched from `since` to before `until`, most recent first, then most recently marked; at most `limit`,
  /// 0 for all. `count` is their total number.
  package static func rows(
    in state: State, at now: Timestamp, since: Timestamp?, until: Timestamp?, limit: Int
  ) -> (rows: [WatchedRow], count: Int) {
    var all: [(watched: Timestamp, marked: EventID, video: Video)] = []
    state.videos.forEach { video in
      guard video.statusValue == .watched, let marked = video.statusChanged else { return }
      let watched = video.statusSet.at ?? marked.timestamp
      guard since.map({ watched >= $0 }) ?? true, until.map({ watched < $0 }) ?? true else { return }
      all.append((watched, marked, video))
    }
    all.sort { ($1.watched, $1.marked) < ($0.watched, $0.marked) }
    let rows = all.prefix(limit > 0 ? limit : all.count).compactMap { watched, _, video in
      VideoRow(video, in: state, at: now).map { WatchedRow(watched: watched, row: $0) }
    }
    return (rows, all.count)
  }

  package init(watched: Timestamp, row: VideoRow) {
    self.watched = watched
    self.row = row
  }
}
