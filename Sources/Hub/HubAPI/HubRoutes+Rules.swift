import App
import Core
import Exporters
import HubCore
import JSON
import ReadModel

extension HubRoute {
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
  /// The rule that a request describes.
  fileprivate func rule(_ call: HubCall) throws -> Rule {
    try RuleRequest(HubArguments(call.object(), of: HubRoute.conditions)).rule(in: session)
  }
}
