/// One operation of the hub's API. The table of all routes serves requests, and is the source of the OpenAPI document.
package struct HubRoute: Sendable {
  package enum Method: String, Sendable, CaseIterable { case get, post, put, patch, delete }

  /// Who may call it.
  package enum Access: String, Sendable, CaseIterable {
    /// Everybody, also without a token.
    case open
    case read
    case write
  }

  /// What the request carries.
  package enum Body: Sendable {
    case none
    /// A JSON object with these members.
    case members([HubParameter])
    /// A JSON object of this shape.
    case json(HubSchema)
    /// A file of any kind.
    case file
    /// The fields of an HTML form.
    case form
    /// An HTML form with a file.
    case upload
    /// Bytes of any media type.
    case bytes
    /// Lines of a log, possibly compressed.
    case lines
  }

  /// Who answers.
  package enum Work: Sendable {
    /// The log and its read model.
    case service(@Sendable (HubService, HubCall) throws -> HubAnswer)
    /// The server itself.
    case server(ServerWork)
  }

  /// What the server answers itself.
  package enum ServerWork: Sendable {
    case health, metrics, openAPI, poll, events, logIn, logInReader, logInApp, logOut, whoAmI, setPassword,
      listSessions, endSession, endOtherSessions, listTokens, addToken, revokeToken, pair, verifyPush, takePush
    /// A view or a form of the page.
    case page(PageWork)
  }

  package var method: Method
  /// The path with its variable parts in braces: `/api/v1/videos/{video}`; with a star the last one is all that follows.
  package var path: String
  /// The name of the operation: `listVideos`.
  package var name: String
  package var summary: String
  package var access: Access
  package var query: [HubParameter]
  package var body: Body
  /// The status and the shape of a successful answer, and its media type if it is not JSON.
  package var success: (status: Int, schema: HubSchema?, type: String)
  package var work: Work

  init(
    _ method: Method, _ path: String, _ name: String, _ summary: String, _ access: Access,
    query: [HubParameter] = [], body: Body = .none, status: Int = 200, schema: HubSchema?,
    type: String = HubAnswer.json, work: Work
  ) {
    (self.method, self.path, self.name, self.summary, self.access) = (method, path, name, summary, access)
    (self.query, self.body, self.success, self.work) = (query, body, (status, schema, type), work)
    parts = path.split(separator: "/").map(String.init)
    takesRest = path.hasSuffix("*}")
    dialect = HubDialect(path: parts)
  }

  package let dialect: HubDialect
  package let parts: [String]
  /// Whether the last variable part is all that follows.
  private let takesRest: Bool

  /// The values of the variable parts if the route has this path, given in decoded parts; nil otherwise.
  package func match(_ path: [String]) -> [String: String]? {
    guard takesRest ? path.count >= parts.count : path.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (index, part) in parts.enumerated() {
      if !part.hasPrefix("{") {
        guard part == path[index] else { return nil }
      } else if takesRest, index == parts.count - 1 {
        values[String(part.dropFirst().dropLast(2))] = path[index...].joined(separator: "/")
      } else {
        values[String(part.dropFirst().dropLast())] = path[index]
      }
    }
    return values
  }

  package static let all = groups.flatMap(\.routes)

  /// The routes of the hub's own API in groups, with their names in the document.
  static let groups: [(name: String, summary: String, routes: [HubRoute])] = [
    ("hub", "The hub itself, its polls and its events.", server),
    ("accounts", "Sessions, tokens and devices of the user.", accounts),
    ("videos", "Videos, their marks, and what changed.", videos),
    ("collections", "Named lists of videos.", collections),
    ("channels", "What is followed, with tags.", channels),
    ("rules", "What lists hide.", rules),
    ("files", "Imports, exports and feeds for readers.", files),
    ("logs", "The exchange with devices.", logs),
  ]

  /// The route of an operation.
  package static func named(_ name: String) -> HubRoute? { all.first { $0.name == name } }

  private static let server: [HubRoute] = [
    HubRoute(
      .get, "/health", "health", "Whether the hub works; text/plain is `ok`.", .open, schema: .any,
      work: .server(.health)),
    HubRoute(
      .get, "/metrics", "metrics", "Figures for Prometheus.", .read, schema: nil,
      type: "text/plain; version=0.0.4; charset=utf-8", work: .server(.metrics)),
    HubRoute(
      .get, "/api/v1/openapi.json", "openapi", "This document.", .open, schema: .any, work: .server(.openAPI)),
    HubRoute(
      .post, "/api/v1/poll", "poll", "Check the feeds that are due, now; see status for the result.", .write,
      status: 202,
      schema: .object([("state", .choice(["started", "running", "waiting"])), ("pollerSeen", .null(.time))]),
      work: .server(.poll)),
    HubRoute(
      .get, "/api/v1/events", "events", "Server-Sent Events: `change` when something was appended to the log.", .read,
      schema: nil, type: "text/event-stream", work: .server(.events)),
  ]

  private static let accounts: [HubRoute] = [
    HubRoute(
      .post, "/api/v1/session", "logIn", "Log in; the answer sets a cookie.", .open,
      body: .members([
        HubParameter("name", .text, "The user's name.", isRequired: true),
        HubParameter("password", .text, "The password.", isRequired: true),
      ]), schema: .named("Identity"), work: .server(.logIn)),
    HubRoute(
      .get, "/api/v1/session", "whoAmI", "Who the request comes from.", .read, schema: .named("Identity"),
      work: .server(.whoAmI)),
    HubRoute(
      .delete, "/api/v1/session", "logOut", "End the session of the cookie.", .read, schema: .named("Changed"),
      work: .server(.logOut)),
    HubRoute(
      .put, "/api/v1/password", "setPassword",
      "Change your password; ends your other sessions and the logins of readers. Requires a session.", .write,
      body: .members([
        HubParameter("current", .text, "The password so far.", isRequired: true),
        HubParameter("password", .text, "The new one, 8 to 512 bytes.", isRequired: true),
      ]), schema: .named("Changed"), work: .server(.setPassword)),
    HubRoute(
      .get, "/api/v1/sessions", "listSessions", "Your sessions, without their secrets; requires a session.", .write,
      schema: .named("Sessions"), work: .server(.listSessions)),
    HubRoute(
      .delete, "/api/v1/sessions", "endOtherSessions", "End all your sessions but this one.", .write,
      schema: .named("Changed"), work: .server(.endOtherSessions)),
    HubRoute(
      .delete, "/api/v1/sessions/{session}", "endSession", "End one of your sessions.", .write,
      schema: .named("Changed"), work: .server(.endSession)),
    HubRoute(
      .get, "/api/v1/tokens", "listTokens", "Your tokens, without their secrets.", .write, schema: .named("Tokens"),
      work: .server(.listTokens)),
    HubRoute(
      .post, "/api/v1/tokens", "addToken", "A token for a program; its secret is shown once.", .write,
      body: .members([
        HubParameter("name", .text, "What it is for.", isRequired: true),
        HubParameter("scope", .choice(["read", "write"]), "What it may do; without it, write."),
      ]), status: 201, schema: .named("NewToken"), work: .server(.addToken)),
    HubRoute(
      .delete, "/api/v1/tokens/{token}", "revokeToken", "Revoke a token.", .write, schema: .named("Changed"),
      work: .server(.revokeToken)),
    HubRoute(
      .post, "/api/v1/pair", "pair", "A token for a device that has a code of metube-hub pair.", .open,
      body: .members([
        HubParameter("code", .text, "The code.", isRequired: true),
        HubParameter("device", .text, "The device's ID, which names its log.", isRequired: true),
        HubParameter("name", .text, "What to call the device."),
      ]), status: 201, schema: .named("NewToken"), work: .server(.pair)),
  ]
}
