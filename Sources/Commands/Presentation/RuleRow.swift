import Core
import Exporters
import Terminal

/// A row of `rule list`.
struct RuleRow: MachineRow {
  let rule: Rule
  /// The number of new videos it hides, or shows although others block them.
  let count: Int

  static let members: [(name: String, value: @Sendable (RuleRow) -> ExportedValue)] = [
    ("rule", { .text($0.rule.id) }),
    ("verdict", { .text($0.rule.verdict.rawValue) }),
    ("contains", { .text($0.rule.contains) }),
    ("matches", { .text($0.rule.matches) }),
    ("field", { .text($0.rule.field?.rawValue) }),
    ("minDuration", { .number($0.rule.minimumLength) }),
    ("maxDuration", { .number($0.rule.maximumLength) }),
    ("short", { .text(word($0.rule.short)) }),
    ("live", { .text(word($0.rule.live)) }),
    ("olderThanSeconds", { .number($0.rule.age) }),
    ("tag", { .text($0.rule.tag) }),
    ("channel", { .text($0.rule.subscription?.description) }),
    ("videos", { .number($0.count) }),
  ]

  var id: String { rule.id }
  var page: String? { nil }

  private static func word(_ answer: Bool?) -> String? { answer.map { $0 ? "yes" : "no" } }
}

extension TextTable {
  /// The table of `rule list`, with the numbers that `rule remove` takes.
  static func rules(_ rows: [RuleRow], in state: State) -> TextTable {
    var table = TextTable(columns: [
      Column("#", alignment: .right, minimum: 1, maximum: nil),
      Column("rule", minimum: 16, maximum: nil, isFlexible: true),
      Column("now", minimum: 7, maximum: nil),
    ])
    for (index, row) in rows.enumerated() {
      let what = row.rule.verdict == .block ? "hides" : "shows"
      table.add([
        Cell(String(index + 1)), Cell(UserMessages.rule(row.rule, in: state)),
        Cell("\(what) \(row.count)", tint: .magenta),
      ])
    }
    return table
  }
}
