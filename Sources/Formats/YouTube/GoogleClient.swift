import Core
import JSON

/// A client registered at Google, with the requests of OAuth 2.0 that it sends: RFC 6749, PKCE (RFC 7636), devices (RFC
/// 8628). https://developers.google.com/identity/protocols/oauth2/native-app and …/limited-input-device
package struct GoogleClient: Equatable, Sendable {
  package let id: String
  /// Not confidential for a desktop program, but Google requires it; never shown.
  package let secret: String
  /// Scheme, host and port in place of Google's; nil for Google's.
  package let server: String?

  package init(id: String, secret: String, server: String?) {
    (self.id, self.secret, self.server) = (id, secret, server)
  }

  /// The permission that is requested: reading the account's YouTube data.
  package static let scope = "https://www.googleapis.com/auth/youtube.readonly"

  /// A form for one of the endpoints.
  package struct Request: Equatable, Sendable {
    package let url: String
    /// The body: `client_id=…&scope=…`
    package let form: String
  }
}

extension GoogleClient {
  /// The page where the person logs in; it leads back to `redirect`. A client of a web server gets a refresh token only
  /// if it asks for one and for consent, which one of a desktop app need not: `ofServer`.
  package func loginPage(redirect: String, state: String, challenge: String, ofServer: Bool = false) -> String {
    let query = GoogleClient.form(
      [
        ("client_id", id), ("redirect_uri", redirect), ("response_type", "code"), ("scope", GoogleClient.scope),
        ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
      ] + (ofServer ? [("access_type", "offline"), ("prompt", "consent")] : []))
    return "\(server ?? "https://accounts.google.com")/o/oauth2/v2/auth?\(query)"
  }

  /// What Google names itself as in the redirect back: RFC 9207.
  package var issuer: String { server ?? "https://accounts.google.com" }

  /// Exchanges the code that came back for tokens.
  package func exchange(code: String, verifier: String, redirect: String) -> Request {
    request(
      "/token",
      credentials + [
        ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier), ("redirect_uri", redirect),
      ])
  }

  /// Begins a login on another device.
  package var deviceCode: Request { request("/device/code", [("client_id", id), ("scope", GoogleClient.scope)]) }

  /// Asks whether the login on the other device is finished.
  package func deviceToken(_ device: String) -> Request {
    let grant = "urn:ietf:params:oauth:grant-type:device_code"
    return request("/token", credentials + [("grant_type", grant), ("device_code", device)])
  }

  /// Requests a new access token.
  package func refresh(_ token: String) -> Request {
    request("/token", credentials + [("grant_type", "refresh_token"), ("refresh_token", token)])
  }

  /// Ends a login; `server` as in `GoogleClient`.
  package static func revocation(of token: String, server: String?) -> Request {
    Request(url: "\(server ?? "https://oauth2.googleapis.com")/revoke", form: form([("token", token)]))
  }

  private var credentials: [(String, String)] { [("client_id", id), ("client_secret", secret)] }

  private func request(_ path: String, _ values: [(String, String)]) -> Request {
    Request(url: "\(server ?? "https://oauth2.googleapis.com")\(path)", form: GoogleClient.form(values))
  }

  private static func form(_ values: [(String, String)]) -> String {
    values.map { "\($0)=\($1.percentEncoded(keeping: "-_.~"))" }.joined(separator: "&")
  }
}

/// Why an OAuth request gave no tokens.
package enum OAuthFailure: Error, Equatable, Sendable {
  /// Google's own term: `invalid_grant`, `authorization_pending`.
  case refused(String)
  /// A server error, or a response that is not an OAuth error.
  case failing(status: Int)
  /// A malformed response with status 200.
  case malformed

  /// Parses a response whose status is not 200: `{"error":"invalid_grant","error_description":"…"}`.
  package init(status: Int, body: [UInt8]) {
    let word = JSONValue(body)?["error"]?.text.flatMap { text in
      text.utf8.count <= 64 && text.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) } ? text : nil
    }
    self = word.flatMap { status < 500 ? .refused($0) : nil } ?? .failing(status: status)
  }
}

/// Tokens: `{"access_token":"…","expires_in":3599,"refresh_token":"…","scope":"…","token_type":"Bearer"}`.
package struct GoogleTokens: Equatable, Sendable {
  package let access: String
  /// How long the access token is valid, seconds.
  package let seconds: Int64
  /// Absent in the response to a refresh.
  package let refresh: String?
  /// Whether the person granted access to YouTube; Google lets them untick it.
  package let isForYouTube: Bool

  /// Parses a response. Throws `malformed` if it is anything else.
  package init(_ body: [UInt8]) throws(OAuthFailure) {
    guard let response = JSONValue(body), let access = response["access_token"]?.text, GoogleTokens.isToken(access)
    else {
      throw .malformed
    }
    self.access = access
    seconds = response["expires_in"]?.number.flatMap { (1...1_000_000).contains($0) ? Int64($0) : nil } ?? 60
    refresh = response["refresh_token"]?.text.flatMap { GoogleTokens.isToken($0) ? $0 : nil }
    isForYouTube = response["scope"]?.string?.split(separator: " ").contains { $0 == GoogleClient.scope } ?? true
  }

  /// Whether a text can stand in a header.
  private static func isToken(_ text: String) -> Bool {
    text.utf8.count <= 8192 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

/// A login on another device: `{"device_code":"…","user_code":"GQVQ-JKEC","verification_url":"https://www.google.com/device",
/// "expires_in":1800,"interval":5}`.
package struct GoogleDeviceCode: Equatable, Sendable {
  package let device: String
  /// What the person types.
  package let user: String
  /// Where they type it.
  package let page: String
  /// How long it is valid, seconds.
  package let seconds: Int
  /// The minimum time between two requests, seconds.
  package let interval: Int

  /// Parses a response. Throws `malformed` if it is anything else.
  package init(_ body: [UInt8]) throws(OAuthFailure) {
    func seconds(_ name: String, usual: Int) -> Int {
      JSONValue(body)?[name]?.number.flatMap { (1...3600).contains($0) ? Int($0) : nil } ?? usual
    }
    guard let response = JSONValue(body), let device = response["device_code"]?.text,
      let user = response["user_code"]?.text,
      let page = (response["verification_url"] ?? response["verification_uri"])?.text, WebLink.isSafe(page)
    else { throw .malformed }
    (self.device, self.user, self.page) = (device, user, page)
    (self.seconds, interval) = (seconds("expires_in", usual: 1800), seconds("interval", usual: 5))
  }
}
