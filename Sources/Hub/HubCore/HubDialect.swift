import JSON

/// The API of a request and its response: the hub's own, or that of another program.
package enum HubDialect: Sendable {
  case hub
  /// `/v1/…`, the REST API of Miniflux.
  case miniflux
  /// `/accounts/ClientLogin` and `/reader/…`, the API of Google Reader.
  case googleReader
  /// `/api/videos/query`, `/api/users/…/feed` and the like, the API of the MeTube app's server; also below `/k/` and a
  /// secret.
  case meTube
  /// The rest of `/api/…`, the API of the WebSearch guide.
  case webSearch

  /// The dialect of a path, also of one that no route has.
  package init(path: [String]) {
    switch path.first {
    case "k": self = .meTube
    case "api":
      switch path.dropFirst().first {
      case "v1": self = .hub
      case "videos": self = .meTube
      case "greader.php": self = .googleReader
      case "channels" where path.dropFirst(2).first == "register": self = .meTube
      case "users" where path.count > 3: self = .meTube
      default: self = .webSearch
      }
    case "v1", "version", "healthcheck", "healthz", "liveness", "readiness", "readyz": self = .miniflux
    case "accounts", "reader": self = .googleReader
    default: self = .hub
    }
  }
}

extension HubProblem {
  /// The problem as a response of a dialect.
  package func response(in dialect: HubDialect) -> RouteResponse {
    var response: RouteResponse
    switch dialect {
    case .hub: return self.response
    case .miniflux:
      let value: JSONValue = ["error_message": .string(detail)]
      response = RouteResponse(status, RouteResponse.json, value.bytes)
    case .googleReader:
      response = RouteResponse(status, "text/plain; charset=utf-8", Array("Error=\(detail)\n".utf8))
      if status == 401 { response.headers.append(("X-Reader-Google-Bad-Token", "true")) }
    case .meTube, .webSearch:
      // The app's older generation reads `message`, the newer one `error`, and clients of the WebSearch guide `detail`.
      let value: JSONValue = ["error": .string(detail), "message": .string(detail), "detail": .string(detail)]
      response = RouteResponse(status, "application/json; charset=utf-8", value.bytes)
    }
    response.headers += headers
    return response
  }
}

extension RouteResponse {
  /// A response without a body.
  package static func empty(_ status: Int) -> RouteResponse { RouteResponse(status, "", []) }
}

extension JSONValue {
  /// A whole number.
  package static func integer(_ value: Int) -> JSONValue { .number(Double(value)) }
}
