import Core
import Glibc
import HTTPTypes
import HubCore
import HubHTTP
import HubLimits
import HubStore
import Hummingbird

/// Decides who a request comes from and what it may do.
final class Gatekeeper: Sendable {
  /// Who sent a request.
  enum Visitor: Sendable {
    /// The owner of this machine, as long as there are no users.
    case owner
    case known(Accounts.Identity)
  }

  let location: HubLocation
  let accounts: ConnectionPool<Accounts>
  /// Whether the hub may serve without users: only one person's home, and only if just this machine can reach it.
  private let isAlone: Bool
  /// Whether cookies are sent over TLS only.
  private let isSecure: Bool
  /// The path below which a proxy serves the hub; empty for all of its host.
  private let base: String
  let passwords: PasswordCheck
  /// Attempts at codes of new devices, by address.
  let byCode: RateLimit
  let requests: RequestLimit
  /// On which requests are identified.
  private let threads: WorkerThreads
  private let turns = IdentityTurns()
  /// Whether the hub waits for its first user.
  let firstUser: FirstUser

  init(
    _ location: HubLocation, isAlone: Bool, awaitsUser: Bool, isSecure: Bool, base: String, threads: WorkerThreads
  ) {
    (self.location, self.isAlone, self.isSecure, self.base) = (location, isAlone, isSecure, base)
    self.threads = threads
    accounts = ConnectionPool { try location.openAccounts() }
    firstUser = FirstUser(accounts, isMissing: awaitsUser)
    let shared = location.database == nil ? nil : accounts
    passwords = PasswordCheck(
      accounts, isShared: shared != nil, now: { .now }, verify: PasswordCheck.hasHash)
    byCode = RateLimit("code", shared: shared)
    requests = RequestLimit(shared: shared)
  }

  static var now: Int64 { Int64(time(nil)) }

  private var hasUsers: Bool { get async throws { try await !users().isEmpty } }

  /// The visitor, if the route lets them in; counts the request. Throws a `HubProblem` otherwise. `subscriptions` is the
  /// number that a user has.
  func admit(
    _ request: Request, _ route: HubRoute, _ query: [(name: String, value: String)], secret: String?,
    from address: String, subscriptions: (_ user: String) async throws -> Int
  ) async throws -> Visitor {
    let visitor = try await visitor(request, route, query, secret: secret, from: address)
    guard route.access != .open, let user = visitor.user else { return visitor }
    try await requests.count(user, isChange: route.isChange) {
      try await self.limits(of: user).requests
    } subscriptions: {
      try await subscriptions(user)
    }
    return visitor
  }

  /// The visitor, if the route lets them in. Throws a `HubProblem` otherwise.
  func visitor(
    _ request: Request, _ route: HubRoute, _ query: [(name: String, value: String)], secret: String?,
    from address: String
  ) async throws -> Visitor {
    if isAlone, try await !hasUsers { return .owner }
    let identity: Accounts.Identity
    do {
      identity =
        switch route.dialect {
        case .hub: try await identify(request, route, query, from: address)
        case .miniflux, .webSearch: try await reader(request, token: nil, from: address)
        case .googleReader: try await reader(request, token: secret, from: address)
        case .meTube: try await app(secret, from: address)
        }
    } catch let problem as HubProblem where route.access == .open && problem.isOfDisabledUser {
      // Another user may log in where a disabled one was logged in.
      return .known(.anonymous)
    }
    if route.access == .open { return .known(identity) }
    if route.access == .administer { try await checkAdministrator(identity) }
    switch identity {
    case .anonymous: throw HubProblem(401, "log in, or send a token")
    case .session, .password: break
    case .token(_, _, let scope):
      guard scope == .write || route.access == .read else {
        throw HubProblem(403, "this token may only read; make one that may write: metube-hub token add, or the page")
      }
    }
    return .known(identity)
  }

  /// Who a request of the hub's own API comes from.
  private func identify(
    _ request: Request, _ route: HubRoute, _ query: [(name: String, value: String)], from address: String
  ) async throws -> Accounts.Identity {
    let hasTokenInAddress = route.query.contains { $0.name == "token" }
    let inAddress = hasTokenInAddress ? query.first { $0.name == "token" }?.value : nil
    let token = Credentials.bearer(request.headers[.authorization]) ?? inAddress
    let session = Credentials.cookie(cookieName, in: request.headers[values: .cookie])
    return try await identify(token: token, session: session, from: address)
  }

  /// Whose a token is, or without one a session.
  func identify(token: String?, session: String?, from address: String) async throws -> Accounts.Identity {
    guard let credential = token ?? session else { return .anonymous }
    let turn = turns.turn(of: credential, from: address)
    let identity = try await accounts.run(on: threads, of: turn) { accounts in
      do {
        return try accounts.identify(token: token, session: session, now: Gatekeeper.now)
      } catch AccountsError.disabled { throw HubProblem.disabledUser }
    }
    if let user = Visitor.known(identity).user { turns.note(credential, of: user) }
    return identity
  }

  // MARK: Sessions and tokens

  func countOfUsers() async throws -> Int {
    if let folder = try location.files?.accounts, !Accounts.exist(in: folder) { return 0 }
    return try await accounts.run(on: HubThreads.accounts) { try $0.countOfUsers() }
  }

  /// The users' names.
  func users() async throws -> [String] { try await location.users(accounts) }

  /// The name of the session's cookie. A browser takes `__Host-` for a whole host alone (RFC 6265bis, section 4.1.3).
  private var cookieName: String { isSecure ? base.isEmpty ? "__Host-metube" : "__Secure-metube" : "metube" }

  private func cookie(_ value: String, seconds: Int64) -> String {
    "\(cookieName)=\(value); Path=\(base.isEmpty ? "/" : base); Max-Age=\(seconds); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
  }

  /// Logs in with a name and a password; the same response and time whether the name or the password is wrong. Returns
  /// the header with the session's cookie.
  func logIn(
    _ name: String, password: String, from address: String, agent: String
  ) async throws -> (name: String, value: String) {
    guard try await isRight(password, of: name, from: address) else {
      throw HubProblem(403, "wrong name or password")
    }
    return try await newSession(of: name, agent: agent)
  }

  /// Starts a session of a user, who proved to be it; returns the header with its cookie.
  func newSession(of name: String, agent: String) async throws -> (name: String, value: String) {
    let agent = String(decoding: agent.utf8.prefix(Gatekeeper.longestAgent), as: UTF8.self)
    let session = try await accounts.run(on: HubThreads.accounts, of: name) {
      try $0.addSession(of: name, agent: agent, now: Gatekeeper.now)
    }
    return ("Set-Cookie", cookie(session, seconds: Accounts.sessionLength))
  }

  /// Ends the session of a visitor. Returns whether it had not ended, and the header that removes its cookie; nil without
  /// a session.
  func logOut(_ visitor: Visitor) async throws -> (isEnded: Bool, cookie: (name: String, value: String))? {
    guard case .known(.session(let id, let user)) = visitor else { return nil }
    let isEnded = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.endSession(id, of: user) }
    return (isEnded, ("Set-Cookie", cookie("", seconds: 0)))
  }

  private static let longestAgent = 200

  /// The sessions of the user of a session, and the ID of that one; none without users.
  func sessions(_ visitor: Visitor) async throws -> (sessions: [Accounts.Session], current: String?) {
    if case .owner = visitor { return ([], nil) }
    let (current, user) = try session(visitor)
    let sessions = try await accounts.run(on: HubThreads.accounts, of: user) {
      try $0.sessions(of: user, now: Gatekeeper.now)
    }
    return (sessions, current)
  }

  /// Ends a session of a user. Throws a `HubProblem` if the user has none with this ID.
  func endSession(_ visitor: Visitor, _ id: String) async throws {
    let (_, user) = try session(visitor)
    guard try await accounts.run(on: HubThreads.accounts, of: user, { try $0.endSession(id, of: user) }) else {
      throw HubProblem(404, "you have no such session")
    }
  }

  /// Ends all sessions of a user but the present one; returns how many.
  func endOtherSessions(_ visitor: Visitor) async throws -> Int {
    if case .owner = visitor { return 0 }
    let (current, user) = try session(visitor)
    return try await accounts.run(on: HubThreads.accounts, of: user) { try $0.endSessions(of: user, but: current) }
  }

  /// Changes the password of a session's user, who must know the current one: a stranger at an open browser does not.
  /// Ends the other sessions and the logins of readers, as the operator's change does. Returns false if the user is
  /// gone.
  func setPassword(
    _ visitor: Visitor, _ password: String, current: String, from address: String
  ) async throws -> Bool {
    let (session, user) = try session(visitor)
    guard Secrets.isAcceptable(password: password) else {
      throw HubProblem(422, "the new password must have 8 to 512 bytes")
    }
    guard try await passwords.isRight(current, of: user, inSession: session, from: address)
    else {
      throw HubProblem(403, "the current password is wrong")
    }
    guard let hash = try await HubThreads.hashing.run({ Secrets.hash(password: password) }) else {
      throw HubProblem(503, "libcrypt has no yescrypt")
    }
    let isKnown = try await accounts.run(on: HubThreads.accounts, of: user) {
      try $0.setPassword(of: user, hash: hash, keeping: session)
    }
    if isKnown { passwords.note(password: hash, of: user, from: address) }
    return isKnown
  }

  /// The session of a visitor and its user. Refuses tokens: a stolen one must not lock its user out.
  func session(_ visitor: Visitor) throws -> (id: String, user: String) {
    switch visitor {
    case .known(.session(let id, let user)): return (id, user)
    case .known(.token), .known(.password):
      throw HubProblem(403, "log in to change sessions or the password; a token may not")
    case .owner, .known(.anonymous): throw HubProblem(409, "this hub has no users, and so no sessions")
    }
  }
}
