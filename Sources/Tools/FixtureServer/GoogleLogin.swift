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
  }

  private struct State {
    var behaviour = Behaviour()
    /// The challenge of each code that the browser carries.
    var codes: [String: String] = [:]
    var refresh: Set<String> = []
    var access: Set<String> = []
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
  package func isValid(_ token: String) -> Bool { state.withLock { $0.access.contains(token) } }

  /// Withdraws all access tokens, as Google may before they expire; with `login` the logins too.
  package func revoke(login: Bool) {
    state.withLock { state in
      state.access = []
      if login { state.refresh = [] }
    }
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
  fileprivate func page(_ request: Request) -> Answer {
    let query = request.query
    guard query["client_id"] == client, query["response_type"] == "code", query["code_challenge_method"] == "S256",
      query["scope"] == "https://www.googleapis.com/auth/youtube.readonly", let back = query["redirect_uri"],
      back.hasPrefix("http://127.0.0.1:"), let given = query["state"], let challenge = query["code_challenge"]
    else { return .status(400) }
    return state.withLock { state in
      guard !state.behaviour.declines else { return .redirect(to: "\(back)/?error=access_denied&state=\(given)") }
      let code = state.secret("4/code")
      state.codes[code] = challenge
      return .redirect(to: "\(back)/?state=\(given)&code=\(code.percentEncoded(keeping: ""))&scope=x")
    }
  }

  fileprivate func deviceCode(_ request: Request) -> Answer {
    guard request.form["client_id"] == client else { return GoogleLogin.error(401, "invalid_client") }
    let seconds = behaviour.codeSeconds
    return .json(
      """
      {"device_code":"device-secret","user_code":"GQVQ-JKEC","verification_url":"https://www.google.com/device",\
      "expires_in":\(seconds),"interval":1}
      """, status: 200)
  }

  fileprivate func token(_ request: Request) -> Answer {
    let form = request.form
    guard form["client_id"] == client, form["client_secret"] == secret else {
      return GoogleLogin.error(401, "invalid_client")
    }
    return state.withLock { state in
      switch form["grant_type"] {
      case "authorization_code":
        let challenge = form["code"].flatMap { state.codes.removeValue(forKey: $0) }
        let given = form["code_verifier"].map { String(base64URL: SHA256.digest(of: $0.utf8)) }
        guard challenge != nil, given == challenge else { return GoogleLogin.error(400, "invalid_grant") }
        return GoogleLogin.tokens(&state, isNew: true)
      case "urn:ietf:params:oauth:grant-type:device_code":
        guard form["device_code"] == "device-secret" else { return GoogleLogin.error(400, "invalid_grant") }
        return GoogleLogin.deviceTokens(&state)
      case "refresh_token":
        guard let token = form["refresh_token"], state.refresh.contains(token) else {
          return GoogleLogin.error(400, "invalid_grant")
        }
        return GoogleLogin.tokens(&state, isNew: false)
      default: return GoogleLogin.error(400, "unsupported_grant_type")
      }
    }
  }

  private static func deviceTokens(_ state: inout State) -> Answer {
    if state.behaviour.declines { return error(403, "access_denied") }
    if state.behaviour.pending > 0 {
      state.behaviour.pending -= 1
      return error(428, "authorization_pending")
    }
    if state.behaviour.slowDowns > 0 {
      state.behaviour.slowDowns -= 1
      return error(403, "slow_down")
    }
    return tokens(&state, isNew: true)
  }

  private static func tokens(_ state: inout State, isNew: Bool) -> Answer {
    let access = state.secret("ya29.access")
    state.access.insert(access)
    var refresh = ""
    if isNew {
      let token = state.secret("1//refresh")
      state.refresh.insert(token)
      refresh = ",\"refresh_token\":\"\(token)\""
    }
    let scope = state.behaviour.withholdsYouTube ? "openid" : "https://www.googleapis.com/auth/youtube.readonly"
    return .json(
      """
      {"access_token":"\(access)","expires_in":\(state.behaviour.tokenSeconds),"scope":"\(scope)",\
      "token_type":"Bearer"\(refresh)}
      """, status: 200)
  }

  fileprivate func revocation(_ request: Request) -> Answer {
    state.withLock { state in
      guard let token = request.form["token"], state.refresh.remove(token) ?? state.access.remove(token) != nil else {
        return GoogleLogin.error(400, "invalid_token")
      }
      state.access = []
      return .json("{}", status: 200)
    }
  }

  private static func error(_ status: Int, _ word: String) -> Answer {
    .json("{\"error\":\"\(word)\",\"error_description\":\"Simulated error.\"}", status: status)
  }
}
