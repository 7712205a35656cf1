import Core

extension Rule.Verdict: MemberValue {}
extension Rule.Field: MemberValue {}

extension Rule: LineBody {
  static func coded(_ body: Rule?, by coder: inout some MemberCoder) -> Rule? {
    guard let id = coder.member("rule", body?.id), let verdict = coder.member("verdict", body?.verdict) else {
      return nil
    }
    var rule = Rule(id: id, verdict: verdict)
    rule.contains = coder.option("contains", body?.contains)
    rule.matches = coder.option("matches", body?.matches)
    rule.field = coder.option("field", body?.field)
    rule.minimumLength = coder.option("minimumLength", body?.minimumLength)
    rule.maximumLength = coder.option("maximumLength", body?.maximumLength)
    rule.short = coder.option("short", body?.short)
    rule.live = coder.option("live", body?.live)
    rule.age = coder.option("age", body?.age)
    rule.tag = coder.option("tag", body?.tag)
    rule.subscription = coder.option("subscription", body?.subscription)
    return rule
  }
}

extension RuleRemoved: LineBody {
  static func coded(_ body: RuleRemoved?, by coder: inout some MemberCoder) -> RuleRemoved? {
    coder.member("rule", body?.rule).map { RuleRemoved(rule: $0) }
  }
}
