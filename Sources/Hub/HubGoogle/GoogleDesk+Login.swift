import App
import Core
import HubCore
import HubLimits
import HubStore
import JSON
import Platform
import PollEngine
import YouTube

/// Logins: with a public URL by the authorization code with PKCE (RFC 7636), which leads back to the hub, else by a code
/// that the person types at Google (RFC 8628). Either belongs to the session of the browser that began it.
extension GoogleDesk {
  /// Begins a login; returns Google's page if it leads back here, nil if the person types a code.
  package func begin(_ user: String, session: String) async throws -> String? {
    let (client, settings) = try client()
    let key = try await keyToSeal()
    let now = GoogleDesk.now
    guard let redirect else {
      let code = try await asking { try GoogleDeviceCode(FormSender(settings).send(client.deviceCode)) }
      let shown: JSONValue = [
        "code": .string(DisplayText(code.user).cut(to: 80).text), "page": .string(code.page),
        "interval": .number(Double(code.interval)),
      ]
      let login = GoogleTables.Login(
        session: session, sealed: key.seal(code.device, .googleLogin),
        shown: String(decoding: shown.bytes, as: UTF8.self), ends: now + Int64(code.seconds),
        next: now + Int64(code.interval))
      try await tables(of: user) { try $0.begin(login, of: user, digest: Secrets.digest(Secrets.make()), now: now) }
      return nil
    }
    let (state, verifier) = (Secrets.make(), Secrets.make())
    let login = GoogleTables.Login(
      session: session, sealed: key.seal(verifier, .googleLogin), shown: "", ends: now + GoogleDesk.loginSeconds,
      next: now)
    try await tables(of: user) { try $0.begin(login, of: user, digest: Secrets.digest(state), now: now) }
    return client.loginPage(
      redirect: redirect, state: state, challenge: String(base64URL: SHA256.digest(of: verifier.utf8)), ofServer: true)
  }

  /// How long a person may take at Google, seconds.
  private static let loginSeconds: Int64 = 600

  /// Finishes a login with what Google's redirect says. Throws a `HubProblem` if it is not the one that this session began,
  /// or leads to nothing.
  package func finish(
    _ user: String, session: String, _ query: [(name: String, value: String)]
  ) async throws {
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    let (client, settings) = try client()
    guard let redirect, let state = value("state"), state.utf8.count <= 256 else { throw GoogleDesk.foreignLogin }
    let digest = Secrets.digest(state)
    // Used up, whatever comes of it.
    let login = try await tables(of: user) {
      try $0.take(digest, of: user, session: session, now: GoogleDesk.now)
    }
    guard let login, login.shown.isEmpty else { throw GoogleDesk.foreignLogin }
    if let issuer = value("iss"), issuer != client.issuer { throw GoogleDesk.foreignLogin }
    guard let code = value("code"), (1...4096).contains(code.utf8.count) else {
      throw GoogleMessages.problem(.refused(value("error") == "access_denied" ? "access_denied" : "unknown_error"))
    }
    let verifier = try open(login.sealed)
    let tokens = try await asking {
      try FormSender(settings).tokens(client.exchange(code: code, verifier: verifier, redirect: redirect))
    }
    try await connect(user, tokens)
  }

  private static let foreignLogin = HubProblem(
    403, "That login was not begun in this browser, or it took too long. Nothing is connected; begin again.")

  /// Asks Google whether the person typed the code; false if not yet.
  package func check(_ user: String, session: String) async throws -> Bool {
    let (client, settings) = try client()
    let login = try await tables(of: user) { try $0.device(of: user, session: session, now: GoogleDesk.now) }
    guard let login else { throw HubProblem(409, "The code has expired; begin again.") }
    let interval = Int64(JSONValue(Array(login.shown.utf8))?["interval"]?.number ?? 5)
    // If the button is pressed faster than Google allows, the next press counts.
    let mayAsk = try await tables(of: user) {
      try $0.claimDevice(of: user, next: GoogleDesk.now + interval, now: GoogleDesk.now)
    }
    guard mayAsk else { return false }
    let device = try open(login.sealed)
    let tokens: GoogleTokens? = try await asking {
      do { return try FormSender(settings).tokens(client.deviceToken(device)) } catch OAuthFailure.refused(let word)
        where ["authorization_pending", "slow_down"].contains(word)
      { return nil }
    }
    guard let tokens else { return false }
    try await connect(user, tokens)
    return true
  }

  /// Ends a login that was begun and not finished.
  package func cancel(_ user: String) async throws { try await tables(of: user) { try $0.endLogins(of: user) } }

  private func open(_ sealed: [UInt8]) throws -> String {
    let key = try key()
    do { return try key.open(sealed, .googleLogin) } catch { throw GoogleDesk.foreignLogin }
  }

  /// Keeps the account whose tokens Google gave, and has it synchronised.
  private func connect(_ user: String, _ tokens: GoogleTokens) async throws {
    let (client, settings) = try client()
    guard tokens.isForYouTube, let refresh = tokens.refresh else {
      // Revoke the useless token; if that fails, the message still says what to do.
      _ = try? await asking { try FormSender(settings).revoke(tokens.refresh ?? tokens.access, server: client.server) }
      throw HubProblem(403, "Access to YouTube was not granted. Begin again, and tick its box at Google.")
    }
    let sealed = try await keyToSeal().seal(refresh, .googleToken)
    let id = Secrets.make()
    try await tables(of: user) { tables in
      try tables.endLogins(of: user)
      try tables.connect(user, id: id, sealed: sealed, now: GoogleDesk.now)
    }
    wake()
  }

  /// Ends the login at Google, and forgets it. Throws a `HubProblem` if Google cannot be reached, unless it is only to be
  /// forgotten; returns whether Google knows.
  package func disconnect(_ user: String, onlyHere: Bool) async throws -> Bool {
    guard let account = try await tables(of: user, { try $0.account(of: user) }) else { return true }
    var isRevoked = account.isWithdrawn
    if !isRevoked, !onlyHere, let token = try? key().open(account.sealed, .googleToken) {
      let settings = try location.settings()
      let server = try settings.googleURL()
      try await asking { try FormSender(settings).revoke(token, server: server) }
      isRevoked = true
    }
    try await tables(of: user) { try $0.disconnect(account.id) }
    return isRevoked
  }

  /// Runs requests to Google, with failures as problems for the page.
  private func asking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    do { return try await GoogleDesk.loginThreads.run { try body() } } catch let failure as OAuthFailure {
      GoogleMessages.report(failure)
      throw GoogleMessages.problem(failure)
    } catch let failure as Failure { throw GoogleMessages.problem(failure) }
  }
}
