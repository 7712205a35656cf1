import Core
import Exporters
import Terminal

/// A row of `rule list`.
struct RuleRow: MachineRow {
  let rule: Rule
  /// The number of new videos it hides, or shows although others block them.
  let count: Int

  static let columns = [
    "rule", "verdict", "contains", "matches", "field", "minDuration", "maxDuration", "short", "live",
    "olderThanSeconds", "tag", "channel", "videos",
  ]

  var values: [String] {
    let conditions = [
      rule.contains, rule.matches, rule.field?.rawValue, rule.minimumLength.map(String.init),
      rule.maximumLength.map(String.init), RuleRow.word(rule.short), RuleRow.word(rule.live), rule.age.map(String.init),
      rule.tag, rule.subscription?.description,
    ]
    return [rule.id, rule.verdict.rawValue] + conditions.map { $0 ?? "" } + [String(count)]
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("rule", rule.id)
    line.add("verdict", rule.verdict.rawValue)
    line.add("contains", rule.contains)
    line.add("matches", rule.matches)
    line.add("field", rule.field?.rawValue)
    line.add("minDuration", rule.minimumLength)
    line.add("maxDuration", rule.maximumLength)
    line.add("short", RuleRow.word(rule.short))
    line.add("live", RuleRow.word(rule.live))
    line.add("olderThanSeconds", rule.age)
    line.add("tag", rule.tag)
    line.add("channel", rule.subscription?.description)
    line.add("videos", count)
    return line
  }

  var id: String { rule.id }
  var url: String? { nil }

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
