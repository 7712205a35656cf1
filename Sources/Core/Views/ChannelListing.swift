extension TextTable {
  /// The subscriptions as `channels` shows them.
  package static func channels(_ rows: [ChannelRow], at now: Timestamp) -> TextTable {
    var table = TextTable(columns: [
      Column("unwatched", alignment: .right, minimum: 1, maximum: nil),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("last video", minimum: 10, maximum: 10, leftOut: 2),
      Column("posts", minimum: 6, maximum: 14, leftOut: 0),
      Column("checked", minimum: 7, maximum: 10, leftOut: 3),
      Column("tags", minimum: 6, maximum: 24, leftOut: 1),
      Column("feed", minimum: 4, maximum: 40, leftOut: 4),
    ])
    for row in rows {
      table.add([
        Cell(row.unwatched == 0 ? "" : String(row.unwatched)),
        Cell(row.title, tint: .green, link: row.url),
        Cell(row.lastPublished.map { $0.short(at: now) } ?? "", tint: .cyan),
        Cell(row.habit),
        Cell(row.lastChecked.map { $0.short(at: now) } ?? "never"),
        Cell(row.tags.joined(separator: ", ")),
        Cell(row.health, tint: row.failures > 0 ? .red : nil),
      ])
    }
    return table
  }
}

extension ChannelRow {
  /// How often it publishes: `every 3 d`; empty where it is not known.
  fileprivate var habit: String {
    guard let interval, interval > 0 else { return "" }
    return interval < 86_400 ? "every \(max(1, interval / 3600)) h" : "every \(interval / 86_400) d"
  }

  /// The feed's health in a word or two.
  fileprivate var health: String {
    failures > 0 ? "\(verdict.rawValue): \(lastAnswer ?? "?") (\(failures))" : verdict.rawValue
  }
}
