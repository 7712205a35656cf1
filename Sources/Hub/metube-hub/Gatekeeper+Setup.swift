import Arguments
import HubCore
import HubLimits
import HubStore

/// The first user, made by a browser that has the code.
extension Gatekeeper {
  /// Makes the first user and logs in; returns the header with the session's cookie. Throws a `HubProblem`: 403 for a wrong
  /// code, 409 if there is a user by now, 422 for a name or password that cannot be one, 429 if no code is right at present.
  func makeFirstUser(
    _ name: String, password: String, code text: String, from address: String, agent: String
  ) async throws -> (name: String, value: String) {
    guard HubFiles.isValid(user: name) else {
      throw HubProblem(422, "The name may have small letters, digits, dots, dashes and underscores.")
    }
    guard Secrets.isAcceptable(password: password) else {
      throw HubProblem(422, "The password must have 8 to 512 bytes.")
    }
    // What cannot be a code is a slip of the hand, and no guess.
    guard let code = Secrets.typedCode(text, length: Accounts.setupLength) else {
      throw HubProblem(422, "The code has \(Accounts.setupLength) letters and digits, in four groups.")
    }
    let location = location
    // Hashing takes a core for 20 ms, so it is for those who have the code.
    let verdict = try await accounts.run(on: HubThreads.accounts, of: IdentityTurns.turn(from: address)) {
      try $0.tryCode(code)
    }
    try Gatekeeper.check(verdict)
    guard let hash = try await HubThreads.hashing.run({ Secrets.hash(password: password) }) else {
      throw HubProblem(503, "libcrypt has no yescrypt")
    }
    let made = try await accounts.run(on: HubThreads.accounts, of: IdentityTurns.turn(from: address)) {
      try FirstUser.make(name, hash: hash, by: .code(code), at: location, $0)
    }
    try Gatekeeper.check(made)
    firstUser.arrive()
    passwords.note(password: hash, of: name, from: address)
    Program.report("\(name): added as the first user; the hub serves from now on")
    return try await newSession(of: name, agent: agent)
  }

  private static func check(_ verdict: Accounts.CodeVerdict) throws {
    switch verdict {
    case .right: break
    case .wrong: throw HubProblem(403, "The code is wrong. The newest one is in the hub’s journal.")
    case .void:
      throw HubProblem(
        429, "Too many wrong codes: none is valid until the hub’s journal has a new one.", retryAfter: 600)
    case .over: throw HubProblem(409, "This hub has its first user already.")
    }
  }
}
