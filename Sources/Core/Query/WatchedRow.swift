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

  /// The member names, in order.
  package static let columns = ["watchedAt", "video", "channel", "channelTitle", "title", "url"]

  /// The members as text.
  package var values: [String] {
    [watched.rfc3339, row.video.description, row.channel.description, row.channelTitle, row.title, row.url]
  }

  /// The row as a JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("watchedAt", watched)
    line.add("video", row.video.description)
    line.add("channel", row.channel.description)
    line.add("channelTitle", row.channelTitle)
    line.add("title", row.title)
    line.add("url", row.url)
    return line
  }
}

extension TextTable {
  /// The table of watched videos printed by `history`.
  package static func watched(_ rows: [WatchedRow], at now: LocalMoment) -> TextTable {
    var table = TextTable(columns: [
      Column("watched", minimum: 10, maximum: 10),
      Column("channel", minimum: 8, maximum: 20, leftOut: 1),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("video", minimum: 11, maximum: 11, leftOut: 2),
    ])
    for row in rows {
      table.add([
        Cell(row.watched.short(at: now), tint: .cyan),
        Cell(row.row.channelTitle, tint: .green, link: SubscriptionID.channel(row.row.channel).url),
        Cell(row.row.shownTitle, link: row.row.url),
        Cell(row.row.video.description),
      ])
    }
    return table
  }
}
