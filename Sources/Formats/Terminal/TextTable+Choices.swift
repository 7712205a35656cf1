import Core

extension TextTable {
  /// The table of channels that a name may mean, numbered from 1.
  package static func choices(_ rows: [ChannelMatch]) -> TextTable {
    var table = TextTable(columns: [
      Column("#", alignment: .right, minimum: 1, maximum: nil),
      Column("title", minimum: 16, maximum: nil, isFlexible: true),
      Column("subscribers", alignment: .right, minimum: 6, maximum: nil, leftOut: 0),
      Column("known", minimum: 8, maximum: nil, leftOut: 1),
      Column("channel", minimum: 24, maximum: nil),
    ])
    for (index, row) in rows.enumerated() {
      table.add([
        Cell(String(index + 1)),
        Cell(row.title, tint: .green, link: row.channel.url),
        Cell(row.subscribers.map(ChannelRow.short) ?? ""),
        Cell(row.source.text, tint: .cyan),
        Cell(row.channel.description),
      ])
    }
    return table
  }
}

extension ChannelMatch.Source {
  /// Where the channel is known from, as text.
  package var text: String {
    switch self {
    case .followed: "followed"
    case .unfollowed: "followed earlier"
    case .seen: "seen"
    case .youTube: "on YouTube"
    }
  }
}
