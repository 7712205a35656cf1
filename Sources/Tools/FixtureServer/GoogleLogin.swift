import Core
import Synchronization

/// A simulated login at Google: the browser's page, which approves at once, and the endpoints for tokens.
///
/// Lock rule: all mutable data is in `state`, behind one mutex; nothing waits while it is held.
package final class GoogleLogin: Sendable {
  /// How the person and Google behave.
  package struct Behaviour: Sendable {
    /// Whether the person declines.
    package var declines = false
    /// Whether the person grants access without YouTube.
    package var withholdsYouTube = false
    /// How often a device is answered that the person has not finished yet, and then how often to slow down.
    package var pending = 0
    package var slowDowns = 0
    /// How long an access token is valid, seconds.
    package var tokenSeconds = 3599
    /// The seconds in which a device's code expires.
    package var codeSeconds = 1800
    /// What the redirect back names as who sends it (RFC 9207); nil for nothing.
    package var issuer: String?
    /// Where a web server's logins lead back to; nil if only programs on this machine may log in.
    package var callback: String?
  }

  private struct State {
    var behaviour = Behaviour()
    /// The challenge of each code that the browser carries, and where it was sent.
    var codes: [String: (challenge: String, redirect: String)] = [:]
    var refresh: Set<String> = []
    /// The access tokens, each with the login that it belongs to.
    var access: [String: String] = [:]
    /// The person who logs in next.
    var person = ""
    /// Who each login is of.
    var persons: [String: String] = [:]
    var count = 0

    mutating func secret(_ kind: String) -> String {
      count += 1
      return "\(kind)-secret-\(count)"
    }
  }

  private let client: String
  private let secret: String
  private let state = Mutex(State())

  package init(client: String, secret: String) { (self.client, self.secret) = (client, secret) }

  /// How the person and Google behave from now on.
  package var behaviour: Behaviour {
    get { state.withLock { $0.behaviour } }
    set { state.withLock { $0.behaviour = newValue } }
  }

  /// Whether an access token is valid.
  package func isValid(_ token: String) -> Bool { state.withLock { $0.access[token] != nil } }

  /// Withdraws all access tokens, as Google may before they expire; with `login` the logins too.
  package func revoke(login: Bool) {
    state.withLock { state in
      state.access = [:]
      if login { state.refresh = [] }
    }
  }

  /// Withdraws the logins of one person.
  package func revoke(_ person: String) {
    state.withLock { state in
      let logins = state.refresh.filter { state.persons[$0] == person }
      state.refresh.subtract(logins)
      state.access = state.access.filter { !logins.contains($0.value) }
    }
  }

  /// The person who logs in from now on.
  package var person: String {
    get { state.withLock { $0.person } }
    set { state.withLock { $0.person = newValue } }
  }

  /// The person an access token is of; nil if it is not valid.
  package func person(of token: String) -> String? {
    state.withLock { state in state.access[token].flatMap { state.persons[$0] } }
  }

  /// The number of logins that are not revoked.
  package var logins: Int { state.withLock { $0.refresh.count } }
}

extension FixtureServer {
  /// Serves a login under Google's own paths.
  package func serve(_ login: GoogleLogin) {
    route("/o/oauth2/v2/auth") { login.page($0) }
    route("/device/code") { login.deviceCode($0) }
    route("/token") { login.token($0) }
    route("/revoke") { login.revocation($0) }
  }
}

extension GoogleLogin {
  fileprivate func page(_ request: Request) -> Response {
    let query = request.query
    guard query["client_id"] == client, query["response_type"] == "code", query["code_challenge_method"] == "S256",
      query["scope"] == "https://www.googleapis.com/auth/youtube.readonly", let back = query["redirect_uri"],
      let given = query["state"], let challenge = query["code_challenge"]
    else { return .status(400) }
    return state.withLock { state in
      let isOfServer = back == state.behaviour.callback
      // A web server gets a refresh token only if it asks for one.
      if isOfServer, query["access_type"] != "offline" || query["prompt"] != "consent" { return .status(400) }
      guard isOfServer || back.hasPrefix("http://127.0.0.1:") && !back.dropFirst(17).contains("/") else {
        return .status(400)
      }
      let base = isOfServer ? back : back + "/"
      let issuer = state.behaviour.issuer.map { "&iss=\($0.percentEncoded(keeping: ""))" } ?? ""
      guard !state.behaviour.declines else {
        return .redirect(to: "\(base)?error=access_denied&state=\(given)\(issuer)")
      }
      let code = state.secret("4/code")
      state.codes[code] = (challenge, back)
      return .redirect(to: "\(base)?state=\(given)&code=\(code.percentEncoded(keeping: ""))&scope=x\(issuer)")
    }
  }

  fileprivate func deviceCode(_ request: Request) -> Response {
    guard request.form["client_id"] == client else { return GoogleLogin.error(401, "invalid_client") }
    let seconds = behaviour.codeSeconds
    return .json(
      """
      {"device_code":"device-secret","user_code":"GQVQ-JKEC","verification_url":"https://www.google.com/device",\
      "expires_in":\(seconds),"interval":1}
      """, status: 200)
  }

  fileprivate func token(_ request: Request) -> Response {
    let form = request.form
    guard form["client_id"] == client, form["client_secret"] == secret else {
      return GoogleLogin.error(401, "invalid_client")
    }
    return state.withLock { state in
      switch form["grant_type"] {
      case "authorization_code":
        let code = form["code"].flatMap { state.codes.removeValue(forKey: $0) }
        let given = form["code_verifier"].map { String(base64URL: SHA256.digest(of: $0.utf8)) }
        guard let code, given == code.challenge, form["redirect_uri"] == code.redirect else {
          return GoogleLogin.error(400, "invalid_grant")
        }
        return GoogleLogin.tokens(&state, nil)
      case "urn:ietf:params:oauth:grant-type:device_code":
        guard form["device_code"] == "device-secret" else { return GoogleLogin.error(400, "invalid_grant") }
        return GoogleLogin.deviceTokens(&state)
      case "refresh_token":
        guard let token = form["refresh_token"], state.refresh.contains(token) else {
          return GoogleLogin.error(400, "invalid_grant")
        }
        return GoogleLogin.tokens(&state, token)
      default: return GoogleLogin.error(400, "unsupported_grant_type")
      }
    }
  }

  private static func deviceTokens(_ state: inout State) -> Response {
    if state.behaviour.declines { return error(403, "access_denied") }
    if state.behaviour.pending > 0 {
      state.behaviour.pending -= 1
      return error(428, "authorization_pending")
    }
    if state.behaviour.slowDowns > 0 {
      state.behaviour.slowDowns -= 1
      return error(403, "slow_down")
    }
    return tokens(&state, nil)
  }

  /// New tokens of a login, or of a new one if nil.
  private static func tokens(_ state: inout State, _ login: String?) -> Response {
    let access = state.secret("ya29.access")
    var refresh = ""
    let login =
      login
      ?? {
        let token = state.secret("1//refresh")
        state.refresh.insert(token)
        state.persons[token] = state.person
        refresh = ",\"refresh_token\":\"\(token)\""
        return token
      }()
    state.access[access] = login
    let scope = state.behaviour.withholdsYouTube ? "openid" : "https://www.googleapis.com/auth/youtube.readonly"
    return .json(
      """
      {"access_token":"\(access)","expires_in":\(state.behaviour.tokenSeconds),"scope":"\(scope)",\
      "token_type":"Bearer"\(refresh)}
      """, status: 200)
  }

  fileprivate func revocation(_ request: Request) -> Response {
    state.withLock { state in
      guard let token = request.form["token"], let login = state.refresh.contains(token) ? token : state.access[token]
      else { return GoogleLogin.error(400, "invalid_token") }
      state.refresh.remove(login)
      state.access = state.access.filter { $0.value != login }
      return .json("{}", status: 200)
    }
  }

  private static func error(_ status: Int, _ word: String) -> Response {
    .json("{\"error\":\"\(word)\",\"error_description\":\"Simulated error.\"}", status: status)
  }
}
