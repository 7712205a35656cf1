/// One video that was watched, as `history` shows it.
package struct WatchedRow: Equatable, Sendable {
  /// When: as a history file said, else when it was marked.
  package var watched: Timestamp
  package var row: VideoRow

  /// What was watched since a time and before another, the last first, and within a second what was marked last; at
  /// most `limit` of it where that is not 0. And how much there is in all.
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

  /// The names of the members, in their order.
  package static let columns = ["watchedAt", "video", "channel", "channelTitle", "title", "url"]

  /// The members as text.
  package var values: [String] {
    [watched.rfc3339, row.video.description, row.channel.description, row.channelTitle, row.title, row.url]
  }

  /// The members as one JSON object.
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
  /// What was watched as `history` shows it.
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
