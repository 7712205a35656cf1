import Core

extension TextTable {
  /// The table of videos printed by `list`; numbered from 1 if the numbers can be used as arguments.
  package static func videos(_ rows: [VideoRow], numbered: Bool, at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("#", alignment: .right, minimum: 1, maximum: nil),
      Column("published", minimum: 10, maximum: 10, leftOut: 4),
      Column("channel", minimum: 12, maximum: 20, leftOut: 2),
      // At 40 columns there is room for two digits, the title, and lengths of hours.
      Column("title", minimum: 15, maximum: nil, isFlexible: true),
      Column("marks", minimum: 14, maximum: nil, leftOut: 1),
      Column("length", alignment: .right, minimum: 6, maximum: nil, leftOut: 3),
    ])
    for (index, row) in rows.enumerated() {
      table.add([
        Cell(numbered ? String(index + 1) : ""),
        Cell(row.knownPublished?.short(at: now) ?? "not seen", tint: .cyan),
        Cell(row.channelTitle, tint: .green, link: row.knownChannel.flatMap { $0.isYouTube ? $0.url : nil }),
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
    if !isStatusKnown { marks.append("status unknown") }
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
  package static func watched(_ rows: [WatchedRow], at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("watched", minimum: 10, maximum: 10),
      Column("channel", minimum: 8, maximum: 20, leftOut: 1),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("video", minimum: VideoID.length, maximum: VideoID.maximumLength, leftOut: 2),
    ])
    for row in rows {
      table.add([
        Cell(row.watched.short(at: now), tint: .cyan),
        Cell(
          row.row.channelTitle, tint: .green, link: row.row.knownChannel.flatMap { $0.isYouTube ? $0.url : nil }),
        Cell(row.row.shownTitle, link: row.row.url),
        Cell(row.row.video.description),
      ])
    }
    return table
  }
}

extension TextTable {
  /// The table of subscriptions printed by `channels`.
  package static func channels(_ rows: [ChannelRow], at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("new", alignment: .right, minimum: 1, maximum: nil),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("last video", minimum: 10, maximum: 10, leftOut: 4),
      Column("posts", minimum: 10, maximum: 14, leftOut: 2),
      Column("checked", minimum: 10, maximum: 10, leftOut: 5),
      Column("tags", minimum: 8, maximum: 24, leftOut: 3),
      Column("settings", minimum: 16, maximum: 48, leftOut: 1),
      Column("subscribers", alignment: .right, minimum: 6, maximum: nil, leftOut: 0),
      Column("feed", minimum: 4, maximum: 40, leftOut: 6),
    ])
    for row in rows {
      table.add([
        Cell(row.unwatched == 0 ? "" : String(row.unwatched)),
        Cell(row.title, tint: .green, link: row.url),
        Cell(row.lastPublished.map { $0.short(at: now) } ?? "", tint: .cyan),
        Cell(row.habit),
        Cell(row.lastChecked.map { $0.short(at: now) } ?? "never"),
        Cell(row.tags.joined(separator: ", ")),
        Cell(row.choices),
        Cell(row.subscribersShort ?? ""),
        Cell(row.health, tint: row.failures > 0 ? .red : nil),
      ])
    }
    return table
  }
}

extension ChannelRow {
  /// The publishing interval: `every 3 d`; empty if unknown.
  fileprivate var habit: String {
    guard let interval, interval > 0 else { return "" }
    return interval < 86_400 ? "every \(max(1, interval / 3600)) h" : "every \(interval / 86_400) d"
  }

  /// The settings that differ from the defaults: `feed videos, Shorts too, no streams, oldest first`.
  fileprivate var choices: String {
    var parts: [String] = []
    switch feed {
    case .channel, .playlist: break
    case .uploads, .videos, .shorts, .live: parts.append("feed \(feed.rawValue)")
    }
    if shorts == .show { parts.append("Shorts too") }
    if live == .hide { parts.append("no streams") }
    if order == .oldest { parts.append("oldest first") }
    return parts.joined(separator: ", ")
  }

  /// The feed's health: `well`, `unknown`, `failing: HTTP 404 (3)`.
  fileprivate var health: String {
    let times = failures > 0 ? " (\(failures))" : ""
    return isFailing ? "\(verdict.rawValue): \(lastOutcome ?? "?")\(times)" : verdict.rawValue
  }
}
