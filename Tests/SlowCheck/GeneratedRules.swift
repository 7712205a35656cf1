import Core

extension RandomLog {
  /// Adds a new rule, and at times removes it again.
  package mutating func addRule() {
    rules += 1
    let rule = rule(rules)
    add(.ruleSet(rule))
    if rules % 4 == 3 { add(.ruleRemoved(RuleRemoved(rule: rule.id))) }
  }

  /// A rule with random conditions, the n-th created.
  package mutating func rule(_ number: Int) -> Rule {
    let digits = String(number)
    var rule = Rule(
      id: String(repeating: "0", count: 8 - digits.count) + digits + "-aaaa", verdict: once(in: 3) ? .allow : .block)
    while !rule.isNarrow {
      if once(in: 3) { rule.contains = one(of: GeneratedText.words).written }
      if once(in: 4) { rule.matches = one(of: GeneratedText.patterns).pattern }
      if once(in: 3) { rule.field = one(of: [.title, .description]) }
      if once(in: 8) { rule.minimumLength = Int(one(of: [60, 181, 3600])) }
      if once(in: 8) { rule.maximumLength = Int(one(of: [60, 180, 600])) }
      if once(in: 8) { rule.short = once(in: 2) }
      if once(in: 8) { rule.live = once(in: 2) }
      if once(in: 6) { rule.tag = one(of: RandomLog.tags) }
      if once(in: 6) { rule.subscription = .channel(RandomLog.channel(self.number(below: 6))) }
      if once(in: 20) { rule.subscription = .playlist(RandomLog.playlist(0)) }
      if once(in: 8) { rule.age = Int(one(of: [0, 100, 200]) * 86_400) }
    }
    return rule
  }
}
