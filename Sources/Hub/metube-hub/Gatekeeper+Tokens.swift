import HubCore
import HubLimits
import HubStore

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
  func personally(_ visitor: Visitor) throws -> String {
    if case .known(.token) = visitor { throw HubProblem(403, "log in to change tokens; a token may not") }
    return try user(visitor)
  }

  /// The tokens of a user; none without users.
  func tokens(_ visitor: Visitor) async throws -> [Accounts.Token] {
    if case .owner = visitor { return [] }
    let user = try user(visitor)
    return try await accounts.run(on: HubThreads.accounts, of: user) { try $0.tokens(of: user) }
  }

  /// Makes a token of a user, with as much of the name as fits.
  func addToken(
    _ visitor: Visitor, name: String, _ scope: Accounts.Scope
  ) async throws -> (id: Int64, secret: String) {
    let (user, name) = (try personally(visitor), String(name.prefix(100)))
    return try await accounts.run(on: HubThreads.accounts, of: user) { accounts in
      try Gatekeeper.limitingTokens { try accounts.addToken(of: user, name: name, scope: scope, now: Gatekeeper.now) }
    }
  }

  /// Revokes a token of a user. Throws a `HubProblem` if the user has none with this ID.
  func revokeToken(_ visitor: Visitor, _ text: String) async throws {
    let user = try personally(visitor)
    guard let id = Int64(text),
      try await accounts.run(on: HubThreads.accounts, of: user, { try $0.revokeToken(id, of: user) })
    else {
      throw HubProblem(404, "you have no token \(text)")
    }
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
