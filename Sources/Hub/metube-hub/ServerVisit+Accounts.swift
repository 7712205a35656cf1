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

  private func answer(_ value: JSONValue, status: Int = 200) -> HubAnswer {
    HubAnswer(status, "application/json", value.bytes)
  }

  private func time(_ seconds: Int64) -> JSONValue { .string(Timestamp(seconds: seconds).rfc3339) }

  // MARK: Sessions

  func logIn() async throws -> ServerAnswer {
    let values = try await members()
    let name = values["name"] ?? ""
    let cookie = try await gate.logIn(
      name, password: values["password"] ?? "", from: found.client, agent: request.headers[.userAgent] ?? "")
    var answer = identity(user: name, scope: .write)
    answer.headers.append(cookie)
    return .answer(answer)
  }

  func logInReader() async throws -> ServerAnswer {
    .answer(try await gate.logInReader(visitor, found.query + body.form(), from: found.client))
  }

  func logInApp() async throws -> ServerAnswer {
    .answer(try await gate.logInApp(visitor, body.bytes(), from: found.client))
  }

  func webUser() async throws -> ServerAnswer { .answer(try await gate.webUser(visitor)) }
  func webUsers() -> ServerAnswer { .long { try await gate.webUsers(visitor) } }

  func openWebUsers() async throws -> ServerAnswer {
    .answer(try await gate.openWebUsers(visitor, body.bytes()))
  }

  func logOut() async throws -> ServerAnswer {
    try await changingAccess {
      guard let ended = try await gate.logOut(visitor) else { return changed(0) }
      var answer = changed(ended.isEnded ? 1 : 0)
      answer.headers.append(ended.cookie)
      return answer
    }
  }

  func whoAmI() -> ServerAnswer {
    switch visitor {
    case .owner, .known(.nobody): .answer(identity(user: nil, scope: .write))
    case .known(.session(_, let user)), .known(.password(let user)): .answer(identity(user: user, scope: .write))
    case .known(.token(_, let user, let scope)): .answer(identity(user: user, scope: scope))
    }
  }

  private func identity(user: String?, scope: Accounts.Scope) -> HubAnswer {
    answer(["user": user.map { .string($0) } ?? .null, "scope": .string(scope.rawValue)])
  }

  func setPassword() async throws -> ServerAnswer {
    let values = try await members { _ = try gate.session(visitor) }
    return try await changingAccess {
      let isSet = try await gate.setPassword(
        visitor, values["password"] ?? "", current: values["current"] ?? "", from: found.client)
      return changed(isSet ? 1 : 0)
    }
  }

  func listSessions() -> ServerAnswer {
    .long {
      let (sessions, current) = try await gate.sessions(visitor)
      let rows = sessions.map { session -> JSONValue in
        [
          "id": .string(session.id), "agent": .string(session.agent), "created": time(session.created),
          "used": time(session.used), "ends": time(session.ends), "current": .boolean(session.id == current),
        ]
      }
      return answer(["sessions": .array(rows)])
    }
  }

  func endSession() async throws -> ServerAnswer {
    try await changingAccess {
      try await gate.endSession(visitor, part("session"))
      return changed(1)
    }
  }

  func endOtherSessions() async throws -> ServerAnswer {
    try await changingAccess { changed(try await gate.endOtherSessions(visitor)) }
  }

  // MARK: Tokens

  func listTokens() -> ServerAnswer {
    .long {
      let rows = try await gate.tokens(visitor).map { token -> JSONValue in
        [
          "id": .number(Double(token.id)), "name": .string(token.name), "scope": .string(token.scope.rawValue),
          "created": time(token.created), "used": token.used.map(time) ?? .null,
          "device": token.device.map { .string($0) } ?? .null,
        ]
      }
      return answer(["tokens": .array(rows)])
    }
  }

  func addToken() async throws -> ServerAnswer {
    let values = try await members { _ = try gate.personally(visitor) }
    let scope = values["scope"].map { Accounts.Scope(rawValue: $0) ?? .read } ?? .write
    let (id, secret) = try await gate.addToken(visitor, name: values["name"] ?? "", scope)
    return .answer(answer(["id": .number(Double(id)), "secret": .string(secret)], status: 201))
  }

  func revokeToken() async throws -> ServerAnswer {
    try await changingAccess {
      try await gate.revokeToken(visitor, part("token"))
      return changed(1)
    }
  }

  func pair() async throws -> ServerAnswer {
    let values = try await members { try gate.checkMayPair(visitor) }
    guard let device = values["device"].flatMap({ DeviceID($0) }) else { throw HubProblem(400, "device: not an ID") }
    let (id, secret, user) = try await gate.pair(
      visitor, device, name: values["name"] ?? "", code: values["code"] ?? "", hub.services.location,
      from: found.client)
    let value: JSONValue = ["id": .number(Double(id)), "secret": .string(secret), "user": .string(user)]
    return .answer(answer(value, status: 201))
  }

  private func changed(_ count: Int) -> HubAnswer { answer(["changed": .number(Double(count))]) }

  /// Answers with what ends somebody's access, and then ends their event streams.
  private func changingAccess(_ change: () async throws -> HubAnswer) async throws -> ServerAnswer {
    let answer = try await change()
    hub.watch.recheck()
    return .answer(answer)
  }
}
