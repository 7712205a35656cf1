import Core

extension TextTable {
  /// The table of subscriptions printed by `channels`.
  package static func channels(_ rows: [ChannelRow], at now: LocalMoment) -> TextTable {
    var table = TextTable(columns: [
      Column("new", alignment: .right, minimum: 1, maximum: nil),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("last video", minimum: 10, maximum: 10, leftOut: 3),
      Column("posts", minimum: 10, maximum: 14, leftOut: 1),
      Column("checked", minimum: 10, maximum: 10, leftOut: 4),
      Column("tags", minimum: 8, maximum: 24, leftOut: 2),
      Column("settings", minimum: 16, maximum: 48, leftOut: 0),
      Column("feed", minimum: 4, maximum: 40, leftOut: 5),
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
    var words: [String] = []
    switch feed {
    case .channel, .playlist: break
    case .uploads, .videos, .shorts, .live: words.append("feed \(feed.rawValue)")
    }
    if shorts == .show { words.append("Shorts too") }
    if live == .hide { words.append("no streams") }
    if order == .oldest { words.append("oldest first") }
    return words.joined(separator: ", ")
  }

  /// The feed's health: `ok`, `unknown`, `failing: HTTP 404 (3)`.
  fileprivate var health: String {
    guard failures == 0 else { return "\(verdict.rawValue): \(lastAnswer ?? "?") (\(failures))" }
    return verdict == .well ? "ok" : verdict.rawValue
  }
}
