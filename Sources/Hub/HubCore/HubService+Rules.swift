import App
import Core
import ReadModel

extension HubService {
  /// How many rules a user can add through the hub: each is tested on every video.
  private static let maxRules = 500

  /// The rules, with the new videos that each changes.
  package func ruleRows() throws -> [RuleRow] {
    let counts = try session.query { try $0.ruleEffects(at: session.now) }
    return try session.state.rules.map { RuleRow(rule: $0, count: counts[$0.id] ?? 0) }
  }

  /// Adds a rule; returns it with the new videos that it changes.
  package func add(_ rule: Rule) throws -> RuleRow {
    let count = try session.videosChanged(by: rule).count
    try session.commit {
      guard try session.state.rules.count < HubService.maxRules else {
        throw HubProblem(422, "you have \(HubService.maxRules) rules, the most; remove some first")
      }
      return [.ruleSet(rule)]
    }
    return RuleRow(rule: rule, count: count)
  }

  /// Removes a rule by its ID; returns the number of changes. Throws a `HubProblem` if there is none.
  package func removeRule(_ id: String) throws -> Int {
    let events = try session.commit {
      try session.state.rule(id).rule == nil ? [] : [.ruleRemoved(RuleRemoved(rule: id))]
    }
    guard !events.isEmpty else { throw HubProblem(404, "“\(id)” is not the ID of a rule") }
    return events.count
  }
}
