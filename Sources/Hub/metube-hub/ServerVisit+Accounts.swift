import HTTPTypes
import HubCore
import Hummingbird

/// Sessions, passwords, tokens and devices.
extension ServerVisit {
  func logIn() async throws -> ServerAnswer {
    .answer(
      try await gate.logIn(
        body.json(), route, from: found.client, agent: request.headers[.userAgent] ?? ""))
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

  func logOut() async throws -> ServerAnswer { try await changingAccess { try await gate.logOut(visitor) } }

  func whoAmI() -> ServerAnswer { .answer(gate.whoAmI(visitor)) }

  func setPassword() async throws -> ServerAnswer {
    let body = try await body.json()
    return try await changingAccess { try await gate.setPassword(visitor, body, route, from: found.client) }
  }

  func listSessions() -> ServerAnswer { .long { try await gate.sessions(visitor) } }

  func endSession() async throws -> ServerAnswer {
    try await changingAccess { try await gate.endSession(visitor, part("session")) }
  }

  func endOtherSessions() async throws -> ServerAnswer {
    try await changingAccess { try await gate.endOtherSessions(visitor) }
  }

  func listTokens() -> ServerAnswer { .long { try await gate.tokens(visitor) } }

  func addToken() async throws -> ServerAnswer { .answer(try await gate.addToken(visitor, body.json(), route)) }

  func revokeToken() async throws -> ServerAnswer {
    try await changingAccess { try await gate.revokeToken(visitor, part("token")) }
  }

  func pair() async throws -> ServerAnswer {
    .answer(try await gate.pair(visitor, body.json(), route, hub.services.location, from: found.client))
  }

  /// Answers with what ends somebody's access, and then ends their event streams.
  private func changingAccess(_ change: () async throws -> HubAnswer) async throws -> ServerAnswer {
    let answer = try await change()
    hub.watch.recheck()
    return .answer(answer)
  }
}
