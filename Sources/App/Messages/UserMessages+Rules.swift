import Core
import ReadModel

/// Messages about rules.
extension UserMessages {
  /// A rule in one line: `block: title contains “giveaway”, tag “news”`.
  package static func rule(_ rule: Rule, in state: State) -> String {
    "\(rule.verdict.rawValue): \(conditions(of: rule, in: state))"
  }

  /// The conditions of a rule: `title contains “giveaway”, tag “news”`.
  static func conditions(of rule: Rule, in state: State) -> String {
    let text = rule.field?.rawValue ?? "title or description"
    var conditions: [String] = []
    if let words = rule.contains { conditions.append("\(text) contains \(quoted(words))") }
    if let pattern = rule.matches { conditions.append("\(text) matches \(quoted(pattern))") }
    if let length = rule.minimumLength { conditions.append("at least \(PlayingTime.text(seconds: length)) long") }
    if let length = rule.maximumLength { conditions.append("at most \(PlayingTime.text(seconds: length)) long") }
    if let short = rule.short { conditions.append(short ? "a Short" : "not a Short") }
    if let live = rule.live { conditions.append(live ? "a stream" : "not a stream") }
    if let age = rule.age { conditions.append("older than \(span(age))") }
    if let tag = rule.tag { conditions.append("tag \(quoted(tag))") }
    if let id = rule.subscription {
      conditions.append("channel \(quoted(state.channels[id]?.title ?? id.description))")
    }
    return conditions.joined(separator: ", ")
  }

  /// On how many texts a rule's pattern took too many steps.
  package static func limited(rule id: String, texts: Int) -> String {
    "rule \(DisplayText(id).text): its pattern is too complex for \(count(texts, "text")), where it does not apply"
  }

  /// A time span in the largest unit that divides it: `90 d`, `12 h`.
  private static func span(_ seconds: Int) -> String {
    let units = [(86_400, "d"), (3600, "h"), (60, "min")]
    for (size, unit) in units where seconds % size == 0 && seconds > 0 { return "\(seconds / size) \(unit)" }
    return "\(seconds) s"
  }

  private static func quoted(_ text: String) -> String { "“\(DisplayText(text).text)”" }
}
