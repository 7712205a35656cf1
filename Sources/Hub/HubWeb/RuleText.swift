import Core
import Messages
import Terminal

/// A rule as a sentence of the page.
struct RuleText {
  private let rule: Rule
  private let state: State

  init(_ rule: Rule, in state: State) { (self.rule, self.state) = (rule, state) }

  /// `Hides videos whose title contains “giveaway”, at most 2:00 long, of NASA.`
  var sentence: String {
    let verb = rule.verdict == .block ? "Hides" : "Always shows"
    return "\(verb) \(videos)."
  }

  /// What it applies to: `videos whose title contains “giveaway”, at most 2:00 long, of NASA`.
  var videos: String {
    let noun = rule.live == true ? "streams" : rule.short == true ? "Shorts" : "videos"
    var parts: [String] = []
    let text = rule.field?.rawValue ?? "title or description"
    if let words = rule.contains { parts.append("whose \(text) contains \(quoted(words))") }
    if let pattern = rule.matches { parts.append("whose \(text) matches the pattern \(quoted(pattern))") }
    if let length = rule.minimumLength { parts.append("at least \(PlayingTime.text(seconds: length)) long") }
    if let length = rule.maximumLength { parts.append("at most \(PlayingTime.text(seconds: length)) long") }
    if rule.short == false { parts.append("that are not Shorts") }
    if rule.live == false { parts.append("that are not streams") }
    if let age = rule.age { parts.append("published more than \(RuleText.span(age)) ago") }
    if let tag = rule.tag { parts.append("of channels with the tag \(quoted(tag))") }
    if let id = rule.subscription {
      parts.append("of \(DisplayText(state.channels[id]?.title ?? id.description).text)")
    }
    return "\(noun) \(parts.joined(separator: ", "))"
  }

  /// A span in the largest unit that divides it: `90 days`.
  private static func span(_ seconds: Int) -> String {
    let units = [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute")]
    for (size, unit) in units where seconds > 0 && seconds % size == 0 {
      return UserMessages.count(seconds / size, unit)
    }
    return UserMessages.count(seconds, "second")
  }

  private func quoted(_ text: String) -> String { "“\(DisplayText(text).text)”" }
}
