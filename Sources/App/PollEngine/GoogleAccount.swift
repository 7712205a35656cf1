import App
import Core
import EventLog
import Glibc
import HTTPClient
import Messages
import Platform
import YouTube

/// A login to a Google account: its tokens, and where new ones are kept.
package final class GoogleAccount {
  private let http: FormSender
  private let client: GoogleClient
  private var refresh: String
  private var access: (token: String, until: Timestamp)?
  /// Keeps new tokens.
  private let keep: (GoogleTokens, _ refresh: String) throws -> Void
  /// Why Google gave no token; nil as long as it did.
  package private(set) var failure: OAuthFailure?

  /// Whether Google no longer accepts the login: no request with it is worth sending.
  package var isWithdrawn: Bool { failure == .withdrawn }

  /// A login with a refresh token, and an access token if one is still valid.
  package init(
    _ client: GoogleClient, _ http: FormSender, refresh: String, access: (token: String, until: Timestamp)? = nil,
    keep: @escaping (GoogleTokens, _ refresh: String) throws -> Void
  ) {
    (self.client, self.http, self.refresh, self.access, self.keep) = (client, http, refresh, access, keep)
  }

  /// A valid access token; requests one if the last has expired.
  func token() throws -> String {
    if let access, access.until > Clock.now() { return access.token }
    if isWithdrawn { throw Failure(GoogleError.refusal(OAuthFailure.withdrawn)) }
    let tokens: GoogleTokens
    do { tokens = try http.tokens(client.refresh(refresh)) } catch let failure as OAuthFailure {
      self.failure = failure
      throw Failure(GoogleError.refusal(failure))
    }
    // Google may replace the refresh token too.
    refresh = tokens.refresh ?? refresh
    access = (tokens.access, tokens.end(from: Clock.now()))
    try keep(tokens, refresh)
    return tokens.access
  }

  /// Forgets the access token, which Google rejected; returns false without one.
  func forgetToken() -> Bool { access.take() != nil }
}

extension GoogleTokens {
  /// The time until which the access token is used, a minute before it expires.
  fileprivate func end(from now: Timestamp) -> Timestamp { now.adding(seconds: seconds - 60) }
}

extension OAuthFailure {
  /// The login was revoked, or has expired.
  package static let withdrawn = OAuthFailure.refused("invalid_grant")
}

/// The Google account that this machine is logged in to: its tokens are in a file that only the owner may read.
extension GoogleAccount {
  /// The account; nil unless logged in. Throws if the file or a setting is invalid.
  convenience init?(_ session: Session) throws {
    let home = session.home
    let record: StateRecord?
    do { record = try StateFile.read(GoogleAccount.path(in: home))?.first } catch {
      throw Failure(GoogleError.unreadableTokens(path: GoogleAccount.path(in: home), error))
    }
    guard case .text(let refresh) = record?["refresh"] else { return nil }
    var access: (String, Timestamp)?
    if case .text(let token) = record?["access"], case .text(let text) = record?["until"],
      let until = Timestamp(rfc3339: text)
    {
      access = (token, until)
    }
    let isWithdrawn = record?["withdrawn"] == .flag(true)
    self.init(
      try GoogleClient(session.settings), try FormSender(session.settings), refresh: refresh, access: access
    ) {
      try GoogleAccount.store($0, refresh: $1, in: home)
    }
    if isWithdrawn { (failure, self.access) = (.withdrawn, nil) }
  }

  /// Notes in the file that Google no longer accepts the login, if so: nothing is requested until the next one.
  func noteWithdrawal(in home: Home) {
    let path = GoogleAccount.path(in: home)
    guard isWithdrawn, let record = try? StateFile.read(path)?.first, record["withdrawn"] == nil else { return }
    // If it cannot be noted, the next command learns it from Google again.
    let noted = record.members.map { ($0.name, $0.value) } + [("withdrawn", .flag(true))]
    try? StateFile.write(path, [StateRecord(noted)])
  }

  private static func path(in home: Home) -> String { "\(home.state)/google" }

  /// Whether this machine is logged in.
  static func isKnown(in home: Home) -> Bool { File.exists(path(in: home)) }

  /// Stores the tokens.
  package static func store(_ tokens: GoogleTokens, refresh: String, in home: Home) throws {
    let until = tokens.end(from: Clock.now())
    let record = StateRecord([
      ("refresh", .text(refresh)), ("access", .text(tokens.access)), ("until", .text(until.rfc3339)),
    ])
    do { try StateFile.write(path(in: home), [record]) } catch { throw UserMessages.failure(error) }
  }

  /// Ends the login at Google, then here. Throws if Google cannot be reached: the tokens are kept.
  package static func logOut(_ session: Session) throws -> Bool {
    let path = path(in: session.home)
    guard File.exists(path) else { return false }
    // A file that cannot be read cannot be revoked either, but it can be removed.
    let record = try? StateFile.read(path)?.first
    if case .text(let refresh) = record?["refresh"] {
      do { try FormSender(session.settings).revoke(refresh, server: session.settings.googleURL()) } catch let failure
        as OAuthFailure
      { throw Failure(GoogleError.refusal(failure)) }
    }
    guard unlink(path) == 0 else { throw File.failure(path, "cannot be removed") }
    return true
  }
}

/// Sends forms to Google's login servers, one at a time. Their bodies and the responses are secret.
package final class FormSender {
  private let http: HTTPSession
  private let interrupt = Interrupt()

  package init(_ settings: Settings) throws { http = try HTTPSession(settings, jobs: 1) }

  /// The tokens in the response to a form; throws `OAuthFailure` or a `Failure`.
  package func tokens(_ request: GoogleClient.Request) throws -> GoogleTokens { try GoogleTokens(send(request)) }

  /// Ends a login at Google; one that has ended already is fine. Throws as `send`.
  package func revoke(_ token: String, server: String?) throws {
    do { _ = try send(GoogleClient.revocation(of: token, server: server)) } catch OAuthFailure.refused {}
  }

  /// The body of a response with status 200; throws `OAuthFailure`, or a `Failure` without a response.
  package func send(_ form: GoogleClient.Request) throws -> [UInt8] {
    var request = HTTPRequest(tag: 0, url: form.url, maxBodyBytes: 1 << 16)
    // A redirect could take the secrets to another host.
    request.followsRedirects = false
    request.method = .post(form.form)
    switch try http.result(of: request, interrupt, until: nil) {
    case .success(let response) where response.status == 200: return response.body
    case .success(let response): throw OAuthFailure(status: response.status, body: response.body)
    case .failure(.aborted): throw Failure(GoogleError.interrupted)
    case .failure(let failure): throw Failure(GoogleError.noResponse(failure))
    }
  }
}

extension GoogleClient {
  /// The client in the settings. Throws if it is not set.
  package init(_ settings: Settings) throws {
    guard let id = settings["GOOGLE_CLIENT_ID"], let secret = settings["GOOGLE_CLIENT_SECRET"] else {
      throw Failure(SettingError.noGoogleClient)
    }
    self.init(id: id, secret: secret, server: try settings.googleURL())
  }
}
