import SlowFold
import TestSupport
import Testing

@testable import Core

/// A rule with these conditions.
private func rule(_ verdict: Rule.Verdict = .block, _ narrow: (inout Rule) -> Void) -> Rule {
  var rule = Rule(id: "00000000-aaaa", verdict: verdict)
  narrow(&rule)
  return rule
}

@Suite("Rules")
struct RuleTests {
  @Test("A removed rule is gone and an undo restores it, in any order of events")
  func removed() {
    let block = rule { $0.contains = "x" }
    var events = [Sample.event(1, .ruleSet(block)), Sample.event(2, .ruleRemoved(RuleRemoved(rule: block.id)))]
    #expect(Sample.state([events[0]]).rules == [block])
    #expect(Sample.state(events).rules.isEmpty && Sample.state(events.reversed()).rules.isEmpty)
    let back = Undo.bodies(takingBack: [events[1]], from: Sample.fold(events), to: Sample.fold([events[0]]))
    #expect(back == [.ruleSet(block)])
    let gone = Undo.bodies(takingBack: [events[0]], from: Sample.fold([events[0]]), to: SlowFold())
    #expect(gone == [.ruleRemoved(RuleRemoved(rule: block.id))])
    events.append(Sample.event(3, .ruleSet(block)))
    #expect(Sample.state(events.reversed()).rules == [block])
  }

  @Test("Rules are listed in order of creation, whatever their IDs, and a restored one where it was")
  func order() {
    func made(_ second: Int64, _ id: String) -> Event { Sample.event(second, .ruleSet(Rule(id: id, verdict: .block))) }
    var events = [made(1, "692fd3a0-zzzz"), made(2, "692fd3a0-aaaa"), made(3, "692fd3a0-mmmm")]
    let ids = ["692fd3a0-zzzz", "692fd3a0-aaaa", "692fd3a0-mmmm"]
    #expect(Sample.state(events).rules.map(\.id) == ids && Sample.state(events.reversed()).rules.map(\.id) == ids)
    events += [Sample.event(4, .ruleRemoved(RuleRemoved(rule: ids[0]))), made(5, ids[0])]
    #expect(Sample.state(events).rules.map(\.id) == ids && Sample.state(events.reversed()).rules.map(\.id) == ids)
  }

  @Test("A rule without conditions is invalid")
  func narrow() {
    #expect(!rule { _ in }.isNarrow && !rule { $0.field = .title }.isNarrow)
    #expect(rule { $0.tag = "x" }.isNarrow)
  }
}
