import App
import Core
import Exporters
import HubCore
import JSON
import ReadModel

extension HubRoute {
  private static let value: [HubParameter] = [
    HubParameter("value", .text, "One of the values of the preference.", isRequired: true), ofChannel,
  ]
  private static let ofChannel = HubParameter(
    "channel", .text, "Only for this channel, if the preference can be set by channel.")

  static let preferences: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/preferences", "listPreferences",
      "The preferences in effect, and where each comes from: `preference`, a setting of the hub, or `default`.", .read,
      schema: .named("Preferences"),
      work: .service { service, _ in
        let rows = try PreferenceListRow.rows(in: service.session)
        return service.json { $0.add("preferences", objects: rows.map(\.json)) }
      }),
    HubRoute(
      .put, "/api/v1/preferences/{preference}", "setPreference",
      "Set a preference, which travels with the user.", .write, body: .members(value), schema: .named("Changed"),
      work: .service { service, call in
        // The channel is a member of the body; in the query it would set the preference of all channels.
        _ = try HubArguments(call.query, of: [])
        let given = try HubArguments(JSONValue(call.body), of: value)
        return try service.change(call, to: given["value"], of: given["channel"])
      }),
    HubRoute(
      .delete, "/api/v1/preferences/{preference}", "unsetPreference", "Return a preference to its default.", .write,
      query: [ofChannel], schema: .named("Changed"),
      work: .service { service, call in
        let given = try HubArguments(call.query, of: [ofChannel])
        return try service.change(call, to: nil, of: given["channel"])
      }),
  ]
}

extension HubService {
  /// Sets or unsets the preference that the path names.
  fileprivate func change(_ call: HubCall, to value: String?, of channel: String?) throws -> RouteResponse {
    let change = PreferenceChange(name: call.part("preference"), value: value, channel: channel)
    let events = try PreferenceChange.commit([change], in: session)
    return json { $0.add("changed", events.count) }
  }
}
