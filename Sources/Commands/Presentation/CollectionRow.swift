import Core
import Exporters
import ReadModel
import Terminal

/// A row of `collection list`.
struct CollectionRow: MachineRow {
  let name: String
  /// The number of videos in it.
  let count: Int

  /// The nonempty collections, by name; the saved videos count as one.
  static func rows(in session: Session) throws -> [CollectionRow] {
    var counts = try session.query { try $0.collections() }
    let saved = try session.query { try $0.saved().count }
    if saved > 0 { counts[CollectionArgument.saved] = saved }
    return counts.sorted { $0.key < $1.key }.map { CollectionRow(name: $0.key, count: $0.value) }
  }

  static let members: [(name: String, value: @Sendable (CollectionRow) -> ExportedValue)] = [
    ("collection", { .text($0.name) }), ("videos", { .number($0.count) }),
  ]
  var id: String { DisplayText(name).text }
  var page: String? { nil }
}

extension TextTable {
  /// The table of `collection list`.
  static func collections(_ rows: [CollectionRow]) -> TextTable {
    var table = TextTable(columns: [
      Column("videos", alignment: .right, minimum: 1, maximum: nil),
      Column("collection", minimum: 16, maximum: nil, isFlexible: true),
    ])
    for row in rows { table.add([Cell(String(row.count)), Cell(row.name, tint: .green)]) }
    return table
  }
}
