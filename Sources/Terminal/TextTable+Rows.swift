import Core

extension TextTable {
  /// The table of videos printed by `list`; numbered from 1 if the numbers can be used as arguments.
  package static func videos(_ rows: [VideoRow], numbered: Bool, at now: LocalMoment) -> TextTable {
    var table = TextTable(columns: [
      Column("#", alignment: .right, minimum: 1, maximum: nil),
      Column("published", minimum: 10, maximum: 10, leftOut: 4),
      Column("channel", minimum: 8, maximum: 20, leftOut: 3),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("marks", minimum: 14, maximum: nil, leftOut: 2),
      Column("length", alignment: .right, minimum: 6, maximum: nil, leftOut: 1),
    ])
    for (index, row) in rows.enumerated() {
      table.add([
        Cell(numbered ? String(index + 1) : ""),
        Cell(row.published.short(at: now), tint: .cyan),
        Cell(row.channelTitle, tint: .green, link: SubscriptionID.channel(row.channel).url),
        Cell(row.shownTitle, link: row.url),
        Cell(row.marks(at: now.time).joined(separator: " "), tint: .magenta),
        Cell(row.durationSeconds.map(PlayingTime.text) ?? ""),
      ])
    }
    return table
  }
}

extension VideoRow {
  /// The marks of a video in a table: the user's first, then its type, which is truncated first.
  package func marks(at now: Timestamp) -> [String] {
    var marks: [String] = []
    if saved { marks.append("saved") }
    if progress > 0, status != .watched { marks.append("at \(PlayingTime.text(seconds: progress))") }
    if let snoozedUntil {
      marks.append("snoozed \(snoozedUntil.wait(from: now))")
    } else if status != .new {
      marks.append(status.rawValue)
    }
    if short == .yes { marks.append("short") }
    switch live {
    case .live: marks.append("live")
    case .upcoming: marks.append("upcoming")
    case .none, .ended, .unknown: if maybeUpcoming { marks.append("maybe upcoming") }
    }
    return marks
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
