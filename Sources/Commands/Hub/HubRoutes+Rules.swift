import Core
import Exporters
import JSON
import ReadModel

extension HubRoute {
  static let conditions: [HubParameter] = [
    HubParameter("verdict", .choice(["block", "allow"]), "block hides, allow overrides block.", isRequired: true),
    HubParameter("contains", .text, "The text contains every one of these words."),
    HubParameter("matches", .text, "The pattern matches the text."),
    HubParameter("in", .choice(["title", "description"]), "The text to check; either by default."),
    HubParameter("minDuration", .text, "Known duration is at least this: `90s`, `10m`."),
    HubParameter("maxDuration", .text, "Known duration is at most this."),
    HubParameter("short", .flag, "A confirmed Short, or not one."),
    HubParameter("live", .flag, "A confirmed stream or premiere, or not one."),
    HubParameter("olderThan", .text, "Published longer ago than this: `90d`."),
    HubParameter("tag", .text, "Only channels with this tag."),
    HubParameter("channel", .text, "Only this channel."),
  ]

  /// How many rules a user can add through the hub: each is tested on every video.
  fileprivate static let maxRules = 500

  static let rules: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/rules", "listRules", "The rules, and how many new videos each hides or shows.", .read,
      schema: .named("Rules"),
      work: .service { service, _ in
        let rows = try service.ruleRows()
        return service.json { $0.add("rules", objects: rows.map(\.json)) }
      }),
    HubRoute(
      .post, "/api/v1/rules", "addRule", "Add a rule; preview it first.", .write, body: .members(conditions),
      status: 201, schema: .named("Rule"),
      work: .service { service, call in
        let row = try service.add(service.rule(call))
        return service.json(row.json.object, status: 201)
      }),
    HubRoute(
      .post, "/api/v1/rules/preview", "previewRule", "The new videos that a rule would hide or show again.", .read,
      body: .members(conditions), schema: .named("RulePreview"),
      work: .service { service, call in
        let rule = try service.rule(call)
        let videos = try service.session.videosChanged(by: rule)
        let rows = try service.session.rows(videos.prefix(500))
        return try service.json { line in
          line.add("rule", object: RuleRow(rule: rule, count: videos.count).json)
          line.add("videos", objects: try service.numbered(rows))
        }
      }),
    HubRoute(
      .delete, "/api/v1/rules/{rule}", "removeRule", "Remove a rule.", .write, schema: .named("Changed"),
      work: .service { service, call in
        let changed = try service.removeRule(call.part("rule"))
        return service.json { $0.add("changed", changed) }
      }),
  ]
}

extension HubService {
  func ruleRows() throws -> [RuleRow] {
    let counts = try session.query { try $0.ruleEffects(at: session.now) }
    return try session.state.rules.map { RuleRow(rule: $0, count: counts[$0.id] ?? 0) }
  }

  /// The rule that a request describes.
  fileprivate func rule(_ call: HubCall) throws -> Rule {
    try RuleRequest(HubArguments(call.object(), of: HubRoute.conditions)).rule(in: session)
  }

  /// Adds a rule; returns it with the new videos that it changes.
  func add(_ rule: Rule) throws -> RuleRow {
    let count = try session.videosChanged(by: rule).count
    try session.commit {
      guard try session.state.rules.count < HubRoute.maxRules else {
        throw HubProblem(422, "you have \(HubRoute.maxRules) rules, the most; remove some first")
      }
      return [.ruleSet(rule)]
    }
    return RuleRow(rule: rule, count: count)
  }

  /// Removes a rule by its ID; returns the number of changes. Throws a `HubProblem` if there is none.
  func removeRule(_ id: String) throws -> Int {
    let events = try session.commit {
      try session.state.rule(id).rule == nil ? [] : [.ruleRemoved(RuleRemoved(rule: id))]
    }
    guard !events.isEmpty else { throw HubProblem(404, "“\(id)” is not the ID of a rule") }
    return events.count
  }
}
