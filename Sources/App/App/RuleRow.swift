import Core
import Exporters

/// A row of `rule list`.
package struct RuleRow: MachineRow {
  package let rule: Rule
  /// The number of new videos it hides, or shows although others block them.
  package let count: Int

  package init(rule: Rule, count: Int) {
    (self.rule, self.count) = (rule, count)
  }

  package static let members: [(name: String, value: @Sendable (RuleRow) -> ExportedValue)] = [
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

  package var id: String { rule.id }
  package var page: String? { nil }

  private static func word(_ value: Bool?) -> String? { value.map { $0 ? "yes" : "no" } }
}
