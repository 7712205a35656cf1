import HubCore
import HubLimits
import HubStore
import JSON

/// The tokens of programs.
extension Gatekeeper {
  /// The user of a visitor. Throws if there are no users.
  private func user(_ visitor: Visitor) throws -> String {
    guard let user = visitor.user else {
      throw HubProblem(409, "this hub has no users, and so no tokens; see metube-hub user add")
    }
    return user
  }

  /// The user of a session. A token neither creates nor revokes tokens: revoking a stolen one must suffice.
  private func personally(_ visitor: Visitor) throws -> String {
    if case .known(.token) = visitor { throw HubProblem(403, "log in to change tokens; a token may not") }
    return try user(visitor)
  }

  func tokens(_ visitor: Visitor) async throws -> HubAnswer {
    if case .owner = visitor { return HubAnswer(200, "application/json", (["tokens": []] as JSONValue).bytes) }
    let user = try user(visitor)
    let tokens = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.tokens(of: user) }
    let value: JSONValue = [
      "tokens": .array(
        tokens.map { token in
          [
            "id": .number(Double(token.id)), "name": .string(token.name), "scope": .string(token.scope.rawValue),
            "created": Gatekeeper.json(time: token.created),
            "used": token.used.map { Gatekeeper.json(time: $0) } ?? .null,
            "device": token.device.map { .string($0) } ?? .null,
          ]
        })
    ]
    return HubAnswer(200, "application/json", value.bytes)
  }

  func addToken(_ visitor: Visitor, _ body: [UInt8], _ route: HubRoute) async throws -> HubAnswer {
    let user = try personally(visitor)
    guard case .members(let known) = route.body else { throw HubProblem(500, "not a route") }
    let values = try HubArguments(JSONValue(body), of: known)
    let name = String((values["name"] ?? "").prefix(100))
    let scope = values["scope"].map { Accounts.Scope(rawValue: $0) ?? .read } ?? .write
    let (id, secret) = try await accounts.run(on: HubThreads.accounts, of: user) { accounts in
      try Gatekeeper.limitingTokens { try accounts.addToken(of: user, name: name, scope: scope, now: Gatekeeper.now) }
    }
    let value: JSONValue = ["id": .number(Double(id)), "secret": .string(secret)]
    return HubAnswer(201, "application/json", value.bytes)
  }

  func revokeToken(_ visitor: Visitor, _ text: String) async throws -> HubAnswer {
    let user = try personally(visitor)
    guard let id = Int64(text),
      try await accounts.run(on: HubThreads.accounts, of: user, { try $0.revokeToken(id, of: user) })
    else {
      throw HubProblem(404, "you have no token \(text)")
    }
    return Gatekeeper.changed(1)
  }

  /// Calls `body`; throws a `HubProblem` if the user has as many tokens as a user may have.
  static func limitingTokens<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch AccountsError.tooManyTokens(let maximum) {
      throw HubProblem(409, "you have \(maximum) tokens, as many as a user may have; revoke some first")
    }
  }
}
