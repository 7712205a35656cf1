import HTTPTypes
import HubCore
import HubHTTP
import HubLimits
import HubStore
import Hummingbird
import JSON
import WebSearchDialect

/// Credentials as readers send them: a token in a header of their dialect, or a name with a password or a token.
extension Gatekeeper {
  /// Who a reader's request comes from. `token` is one outside the headers, which take precedence.
  func reader(_ request: Request, token: String?, from address: String) async throws -> Accounts.Identity {
    let hasHeader = request.headers[.authorization] != nil
    if let token = Gatekeeper.readerToken(request.headers) ?? (hasHeader ? nil : token) {
      return try await identify(token: token, session: nil, from: address)
    }
    guard let (name, secret) = Credentials.basic(request.headers[.authorization]) else { return .anonymous }
    return try await identify(name, secret, from: address)
  }

  /// Who the MeTube app is: the user of the token in the path. For any other token the path does not exist.
  func app(_ secret: String?, from address: String) async throws -> Accounts.Identity {
    guard let secret else { throw HubProblem(404, "no such path") }
    let identity = try await identify(token: secret, session: nil, from: address)
    guard case .token = identity else { throw HubProblem(404, "no such path") }
    return identity
  }

  /// The identity of a name with a password or a token.
  private func identify(_ name: String, _ secret: String, from address: String) async throws -> Accounts.Identity {
    if secret.hasPrefix(Accounts.tokenPrefix) {
      let identity = try await identify(token: secret, session: nil, from: address)
      if case .token(_, name, _) = identity { return identity }
      return .anonymous
    }
    guard try await isRight(secret, of: name, from: address) else { return .anonymous }
    return .password(user: name)
  }

  /// Logs in a client of Google Reader's API: `SID=…`, `LSID=…` and `Auth=…`, which it sends from then on.
  func logInReader(
    _ visitor: Visitor, _ form: [(name: String, value: String)], from address: String
  ) async throws -> RouteResponse {
    func field(_ name: String) -> String { form.last { $0.name == name }?.value ?? "" }
    guard let auth = try await token(of: visitor, field("Email"), field("Passwd"), from: address) else {
      throw HubProblem(401, "BadAuthentication")
    }
    return RouteResponse(200, "text/plain; charset=utf-8", Array("SID=\(auth)\nLSID=\(auth)\nAuth=\(auth)\n".utf8))
  }

  /// Logs in a client of the WebSearch guide, with `{"username":"…","password":"…"}`.
  func logInApp(_ visitor: Visitor, _ body: [UInt8], from address: String) async throws -> RouteResponse {
    let body = JSONValue(body)
    let name = (body?["username"] ?? body?["email"])?.string ?? ""
    guard let auth = try await token(of: visitor, name, body?["password"]?.string ?? "", from: address) else {
      throw HubProblem(401, "wrong name or password")
    }
    let user = try await visitor.isOwner ? nil : account(named: name)
    let value: JSONValue = [
      "access_token": .string(auth), "token": .string(auth), "token_type": "bearer", "user": WebUser(user).json,
    ]
    return RouteResponse(200, "application/json", value.bytes)
  }

  /// The token that a reader sends from now on: a new one for a password, which can be revoked like others, or the same
  /// token; nil if the credentials are wrong.
  private func token(
    of visitor: Visitor, _ name: String, _ secret: String, from address: String
  ) async throws -> String? {
    if visitor.isOwner { return "owner" }
    switch try await identify(name, secret, from: address) {
    case .token: return secret
    case .password:
      return try await accounts.run(on: HubThreads.accounts) { try $0.addReaderToken(of: name, now: Gatekeeper.now) }
    case .anonymous, .session: return nil
    }
  }

  /// The token of `X-Auth-Token`, `Authorization: GoogleLogin auth=…` or `Authorization: Bearer …`.
  private static func readerToken(_ headers: HTTPFields) -> String? {
    if let name = HTTPField.Name("X-Auth-Token"), let token = headers[name] { return token }
    return Credentials.googleLogin(headers[.authorization]) ?? Credentials.bearer(headers[.authorization])
  }
}

extension Gatekeeper.Visitor {
  /// The user that a request comes from; nil if unknown, or without users.
  var user: String? {
    switch self {
    case .owner, .known(.anonymous): nil
    case .known(.session(_, let user)), .known(.token(_, let user, _)), .known(.password(let user)): user
    }
  }

  /// Whether it is the owner of this machine, as long as there are no users. Whether it is a stranger.
  var isAnonymous: Bool { if case .known(.anonymous) = self { true } else { false } }
  var isOwner: Bool { if case .owner = self { true } else { false } }
}
