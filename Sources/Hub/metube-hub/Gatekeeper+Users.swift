import HubCore
import HubLimits
import HubStore
import Platform

/// Administrators, disabled users, and users who have a code instead of a password.
extension Gatekeeper {
  /// Throws a `HubProblem` unless an administrator is logged in.
  func checkAdministrator(_ identity: Accounts.Identity) async throws {
    switch identity {
    case .anonymous: throw HubProblem(401, "log in, or send a token")
    case .token, .password: throw HubProblem(403, "log in to administer the hub; a token may not")
    case .session(_, let user):
      let isOne = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.user(user)?.isAdministrator }
      guard isOne == true else { throw HubProblem(403, "only an administrator of this hub may do that") }
    }
  }

  /// Whether a password is a user's. Throws a `HubProblem` after too many attempts, and if the password is right and its
  /// user may use nothing.
  func isRight(_ password: String, of name: String, from address: String) async throws -> Bool {
    guard try await passwords.isRight(password, of: name, from: address) else { return false }
    let user = try await accounts.run(on: HubThreads.accounts, of: name) { try $0.user(name) }
    if user?.disabled != nil { throw HubProblem.disabledUser }
    return user != nil
  }

  /// What an administrator allows a user.
  func limits(of user: String) async throws -> UserLimits {
    let found = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.user(user)?.limits }
    return found ?? UserLimits(subscriptions: nil, requests: nil)
  }

  /// Changes or reads the accounts for a user of the page.
  func use<Result: Sendable>(
    of user: String, _ body: @escaping @Sendable (Accounts, HubUsers) throws -> Result
  ) async throws -> Result {
    let location = location
    return try await accounts.run(on: HubThreads.accounts, of: user) { accounts in
      do {
        return try body(accounts, HubUsers(location, accounts))
      } catch let refusal as HubUsers.Refusal {
        throw HubProblem(refusal == .unknown ? 404 : refusal == .inUse ? 409 : 422, refusal.text)
      } catch let failure as Failure { throw HubProblem(422, failure.message) }
    }
  }

  /// The hash of a new password. Throws a `HubProblem` if it cannot be one.
  func hash(of password: String) async throws -> String {
    guard Secrets.isAcceptable(password: password) else {
      throw HubProblem(422, "The password must have 8 to 512 bytes.")
    }
    guard let hash = try await HubThreads.hashing.run({ Secrets.hash(password: password) }) else {
      throw HubProblem(503, "libcrypt has no yescrypt")
    }
    return hash
  }

  /// Gives the user who has a code the password, and logs in; returns the header with the session's cookie. Throws a
  /// `HubProblem`: 403 for a wrong code, 422 for a password that cannot be one, 429 after too many attempts.
  func acceptInvitation(
    _ text: String, password: String, from address: String, agent: String
  ) async throws -> (name: String, value: String) {
    guard Secrets.isAcceptable(password: password) else {
      throw HubProblem(422, "The password must have 8 to 512 bytes.")
    }
    // What cannot be a code is a slip of the hand, and no guess.
    guard let code = Secrets.typedCode(text, length: Accounts.setupLength) else {
      throw HubProblem(422, "The code has \(Accounts.setupLength) letters and digits, in four groups.")
    }
    if let wait = try await byCode.wait(AddressBlock.containing(address), maximum: 20) {
      throw HubProblem(429, "Too many attempts; wait a minute.", retryAfter: wait)
    }
    let turn = IdentityTurns.turn(from: address)
    // Hashing takes a core for 20 ms, so it is for those who have a code.
    let invited = try await accounts.run(on: HubThreads.accounts, of: turn) { accounts in
      do { return try accounts.invitedUser(code, now: Gatekeeper.now) } catch AccountsError.disabled {
        throw HubProblem.disabledUser
      }
    }
    let wrong = HubProblem(403, "The code is wrong, used or expired. An administrator can make a new one.")
    guard invited != nil else { throw wrong }
    let hash = try await hash(of: password)
    let user = try await accounts.run(on: HubThreads.accounts, of: turn) {
      try $0.acceptInvitation(code, hash: hash, now: Gatekeeper.now)
    }
    guard let user else { throw wrong }
    passwords.note(password: hash, of: user, from: address)
    return try await newSession(of: user, agent: agent)
  }
}
