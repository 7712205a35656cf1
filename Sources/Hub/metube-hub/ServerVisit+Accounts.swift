import Core
import HTTPTypes
import HubCore
import HubStore
import Hummingbird
import JSON

/// Sessions, passwords, tokens and devices: JSON to values of the gate, and back.
extension ServerVisit {
  /// The members of the body, as the route knows them. Nothing is said of them to a visitor whom `admit` refuses.
  private func members(_ admit: () throws -> Void = {}) async throws -> HubArguments {
    guard case .members(let known) = route.body else { throw HubProblem(500, "not a route") }
    let bytes = try await body.json()
    try admit()
    return try HubArguments(JSONValue(bytes), of: known)
  }

  private func json(_ value: JSONValue, status: Int = 200) -> RouteResponse {
    RouteResponse(status, "application/json", value.bytes)
  }

  private func time(_ seconds: Int64) -> JSONValue { .string(Timestamp(seconds: seconds).rfc3339) }

  // MARK: Sessions

  func logIn() async throws -> ServerResponse {
    let values = try await members()
    let name = values["name"] ?? ""
    let cookie = try await gate.logIn(
      name, password: values["password"] ?? "", from: found.client, agent: request.headers[.userAgent] ?? "")
    var response = identity(user: name, scope: .write)
    response.headers.append(cookie)
    return .response(response)
  }

  func logInReader() async throws -> ServerResponse {
    .response(try await gate.logInReader(visitor, found.query + body.form(), from: found.client))
  }

  func logInApp() async throws -> ServerResponse {
    .response(try await gate.logInApp(visitor, body.bytes(), from: found.client))
  }

  func webUser() async throws -> ServerResponse { .response(try await gate.webUser(visitor)) }
  func webUsers() -> ServerResponse { .long { try await gate.webUsers(visitor) } }

  func openWebUsers() async throws -> ServerResponse {
    .response(try await gate.openWebUsers(visitor, body.bytes()))
  }

  func logOut() async throws -> ServerResponse {
    try await changingAccess {
      guard let ended = try await gate.logOut(visitor) else { return changed(0) }
      var response = changed(ended.isEnded ? 1 : 0)
      response.headers.append(ended.cookie)
      return response
    }
  }

  func whoAmI() -> ServerResponse {
    switch visitor {
    case .owner, .known(.anonymous): .response(identity(user: nil, scope: .write))
    case .known(.session(_, let user)), .known(.password(let user)): .response(identity(user: user, scope: .write))
    case .known(.token(_, let user, let scope)): .response(identity(user: user, scope: scope))
    }
  }

  private func identity(user: String?, scope: Accounts.Scope) -> RouteResponse {
    json(["user": user.map { .string($0) } ?? .null, "scope": .string(scope.rawValue)])
  }

  func setPassword() async throws -> ServerResponse {
    let values = try await members { _ = try gate.session(visitor) }
    return try await changingAccess {
      let isSet = try await gate.setPassword(
        visitor, values["password"] ?? "", current: values["current"] ?? "", from: found.client)
      return changed(isSet ? 1 : 0)
    }
  }

  func listSessions() -> ServerResponse {
    .long {
      let (sessions, current) = try await gate.sessions(visitor)
      let rows = sessions.map { session -> JSONValue in
        [
          "id": .string(session.id), "agent": .string(session.agent), "created": time(session.created),
          "used": time(session.used), "ends": time(session.ends), "current": .boolean(session.id == current),
        ]
      }
      return json(["sessions": .array(rows)])
    }
  }

  func endSession() async throws -> ServerResponse {
    try await changingAccess {
      try await gate.endSession(visitor, part("session"))
      return changed(1)
    }
  }

  func endOtherSessions() async throws -> ServerResponse {
    try await changingAccess { changed(try await gate.endOtherSessions(visitor)) }
  }

  // MARK: Tokens

  func listTokens() -> ServerResponse {
    .long {
      let rows = try await gate.tokens(visitor).map { token -> JSONValue in
        [
          "id": .number(Double(token.id)), "name": .string(token.name), "scope": .string(token.scope.rawValue),
          "created": time(token.created), "used": token.used.map(time) ?? .null,
          "device": token.device.map { .string($0) } ?? .null,
        ]
      }
      return json(["tokens": .array(rows)])
    }
  }

  func addToken() async throws -> ServerResponse {
    let values = try await members { _ = try gate.personally(visitor) }
    let scope = values["scope"].map { Accounts.Scope(rawValue: $0) ?? .read } ?? .write
    let (id, secret) = try await gate.addToken(visitor, name: values["name"] ?? "", scope)
    return .response(json(["id": .number(Double(id)), "secret": .string(secret)], status: 201))
  }

  func revokeToken() async throws -> ServerResponse {
    try await changingAccess {
      try await gate.revokeToken(visitor, part("token"))
      return changed(1)
    }
  }

  func pair() async throws -> ServerResponse {
    let values = try await members { try gate.checkMayPair(visitor) }
    guard let device = values["device"].flatMap({ DeviceID($0) }) else { throw HubProblem(400, "device: not an ID") }
    let (id, secret, user) = try await gate.pair(
      visitor, device, name: values["name"] ?? "", code: values["code"] ?? "", hub.services.location,
      from: found.client)
    let value: JSONValue = ["id": .number(Double(id)), "secret": .string(secret), "user": .string(user)]
    return .response(json(value, status: 201))
  }

  private func changed(_ count: Int) -> RouteResponse { json(["changed": .number(Double(count))]) }

  /// Makes a change that ends a user's access, and then ends their event streams.
  private func changingAccess(_ change: () async throws -> RouteResponse) async throws -> ServerResponse {
    let response = try await change()
    hub.watch.recheck()
    return .response(response)
  }
}
