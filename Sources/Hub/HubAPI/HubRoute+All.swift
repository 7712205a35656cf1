import HubCore

/// The table of the hub's own API.
extension HubRoute {
  package static let all = groups.flatMap(\.routes)

  /// The routes of the hub's own API in groups, with their names in the document.
  static let groups: [(name: String, summary: String, routes: [HubRoute])] = [
    ("hub", "The hub itself, its polls and its events.", server),
    ("accounts", "Sessions, tokens and devices of the user.", accounts),
    ("videos", "Videos, their marks, and what changed.", videos),
    ("collections", "Named lists of videos.", collections),
    ("channels", "What is followed, with tags.", channels),
    ("search", "Channels by name, and searches on YouTube.", search),
    ("rules", "What lists hide.", rules),
    ("preferences", "The preferences of the user, on every device.", preferences),
    ("files", "Imports, exports and feeds for readers.", files),
    ("logs", "The exchange with devices.", logs),
  ]

  /// The route of an operation.
  package static func named(_ name: String) -> HubRoute? { all.first { $0.name == name } }

  private static let server: [HubRoute] = [
    HubRoute(
      .get, "/health", "health", "Whether the hub works; text/plain is `ok`.", .open, schema: .any,
      work: .server { try await $0.health() }),
    HubRoute(
      .get, "/metrics", "metrics", "Figures for Prometheus.", .read, schema: nil,
      type: "text/plain; version=0.0.4; charset=utf-8", work: .server { try await $0.metrics() }),
    HubRoute(
      .get, "/api/v1/openapi.json", "openapi", "This document.", .open, schema: .any,
      work: .server { try await $0.openAPI() }),
    HubRoute(
      .post, "/api/v1/poll", "poll", "Check the feeds that are due, now; see status for the result.", .write,
      status: 202,
      schema: .object([("state", .choice(["started", "running", "waiting"])), ("pollerSeen", .null(.time))]),
      work: .server { try await $0.poll() }),
    HubRoute(
      .get, "/api/v1/events", "events", "Server-Sent Events: `change` when something was appended to the log.", .read,
      schema: nil, type: "text/event-stream", work: .server { try await $0.events() }),
  ]

  private static let accounts: [HubRoute] = [
    HubRoute(
      .post, "/api/v1/session", "logIn", "Log in; the response sets a cookie.", .open,
      body: .members([
        HubParameter("name", .text, "The user's name.", isRequired: true),
        HubParameter("password", .text, "The password.", isRequired: true),
      ]), schema: .named("Identity"), work: .server { try await $0.logIn() }),
    HubRoute(
      .get, "/api/v1/session", "whoAmI", "Who the request comes from.", .read, schema: .named("Identity"),
      work: .server { try await $0.whoAmI() }),
    HubRoute(
      .delete, "/api/v1/session", "logOut", "End the session of the cookie.", .read, schema: .named("Changed"),
      work: .server { try await $0.logOut() }),
    HubRoute(
      .put, "/api/v1/password", "setPassword",
      "Change your password; ends your other sessions and the logins of readers. Requires a session.", .write,
      body: .members([
        HubParameter("current", .text, "The password so far.", isRequired: true),
        HubParameter("password", .text, "The new one, 8 to 512 bytes.", isRequired: true),
      ]), schema: .named("Changed"), work: .server { try await $0.setPassword() }),
    HubRoute(
      .get, "/api/v1/sessions", "listSessions", "Your sessions, without their secrets; requires a session.", .write,
      schema: .named("Sessions"), work: .server { try await $0.listSessions() }),
    HubRoute(
      .delete, "/api/v1/sessions", "endOtherSessions", "End all your sessions but this one.", .write,
      schema: .named("Changed"), work: .server { try await $0.endOtherSessions() }),
    HubRoute(
      .delete, "/api/v1/sessions/{session}", "endSession", "End one of your sessions.", .write,
      schema: .named("Changed"), work: .server { try await $0.endSession() }),
    HubRoute(
      .get, "/api/v1/tokens", "listTokens", "Your tokens, without their secrets.", .write, schema: .named("Tokens"),
      work: .server { try await $0.listTokens() }),
    HubRoute(
      .post, "/api/v1/tokens", "addToken", "A token for a program; its secret is shown once.", .write,
      body: .members([
        HubParameter("name", .text, "What it is for.", isRequired: true),
        HubParameter("scope", .choice(["read", "write"]), "What it may do; without it, write."),
      ]), status: 201, schema: .named("NewToken"), work: .server { try await $0.addToken() }),
    HubRoute(
      .delete, "/api/v1/tokens/{token}", "revokeToken", "Revoke a token.", .write, schema: .named("Changed"),
      work: .server { try await $0.revokeToken() }),
    HubRoute(
      .post, "/api/v1/pair", "pair", "A token for a device that has a code of metube-hub pair.", .open,
      body: .members([
        HubParameter("code", .text, "The code.", isRequired: true),
        HubParameter("device", .text, "The device's ID, which names its log.", isRequired: true),
        HubParameter("name", .text, "What to call the device."),
      ]), status: 201, schema: .named("NewToken"), work: .server { try await $0.pair() }),
  ]

  /// Where hubs of WebSub verify subscriptions and send pushes; the path is the secret.
  package static let push: [HubRoute] = [
    HubRoute(
      .get, "/push/{callback}", "verifyPush", "", .open, schema: nil, work: .server { try await $0.verifyPush() }),
    HubRoute(
      .post, "/push/{callback}", "takePush", "", .open, body: .bytes, schema: nil,
      work: .server { try await $0.takePush() }),
  ]
}
