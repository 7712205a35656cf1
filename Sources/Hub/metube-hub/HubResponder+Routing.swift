import HTTPTypes
import HubAPI
import HubCore
import HubHTTP
import HubPage
import HubWeb
import Hummingbird
import NIOCore

/// A request for a route.
struct FoundRoute {
  let request: Request
  let route: HubRoute
  /// The values of the variable parts of the path, by name.
  let parts: [String: String]
  let query: [(name: String, value: String)]
  /// The client's address.
  let client: String
  let channel: any NIOCore.Channel
}

/// The step that finds the route of a request.
extension HubResponder {
  /// What was found: a route, or a response that needs none.
  enum Finding {
    case route(FoundRoute)
    case response(Response)
  }

  func find(_ request: Request, from client: String, _ channel: any NIOCore.Channel) throws -> Finding {
    guard let target = RequestTarget(request.head.path ?? "") else { throw HubProblem(400, "malformed path or query") }
    let matches = HubRoute.bestMatches(target.path)
    if request.method == .options, takesApps, matches.contains(where: \.route.isOfApps) {
      return .response(Response(status: .noContent, headers: HubResponder.appPreflight))
    }
    guard !matches.isEmpty else {
      let isOfPage = isOfPage(request, target.path)
      throw HubProblem(404, isOfPage ? "This page does not exist." : HubDialect.unknown(path: target.path))
    }
    let method = request.method == .head ? "get" : request.method.rawValue.lowercased()
    guard let (route, parts) = matches.first(where: { $0.route.method.rawValue == method }) else {
      return .response(HubResponder.refusal(ofMethodOf: request, matches.map(\.route)))
    }
    if route.isPage, route.method == .get, !target.isShortest {
      // A document has one address, and none that a script could take for another host (`//channels`).
      let moved = PageProblem.moved(to: PagePath(target.path, query: target.query))
      return .response(ResponseForm(moved, to: request).response)
    }
    return .route(
      FoundRoute(
        request: request, route: route, parts: parts, query: target.query, client: client, channel: channel))
  }

  /// The response to a method that none of the routes of a path has.
  private static func refusal(ofMethodOf request: Request, _ routes: [HubRoute]) -> Response {
    var response = HubProblem(405, "this path has no \(request.method.rawValue)").response(in: routes[0].dialect)
    let methods = routes.map { $0.method.rawValue.uppercased() }
    let all = methods + (methods.contains("GET") ? ["HEAD"] : [])
    response.headers.append(("Allow", all.joined(separator: ", ")))
    return ResponseForm(response, to: request).response
  }

  /// The response to OPTIONS, as the MeTube app's server sends it; pages of other sites are refused all the same.
  private static let appPreflight: HTTPFields = {
    var fields = ResponseForm.common
    fields[.accessControlAllowOrigin] = "*"
    fields[.accessControlAllowHeaders] = "Content-Type"
    fields[.accessControlAllowMethods] = "GET,POST,OPTIONS"
    return fields
  }()

  /// Whether a request is for people: for a route of the page, or for no route by a browser.
  func isOfPage(_ request: Request, _ path: [String]) -> Bool {
    let routes = HubRoute.matching(path)
    if !routes.isEmpty { return routes.contains(where: \.route.isPage) }
    return request.headers[.accept]?.contains("text/html") == true
  }
}

extension HubRoute {
  /// Every route that is served.
  static let served = all + dialects + push + pages

  /// The served routes by the first part of their paths.
  private static let byFirst = Dictionary(grouping: served) { $0.parts.first ?? "" }

  /// The routes that have a path, with the values of its variable parts.
  static func matching(_ path: [String]) -> [(route: HubRoute, parts: [String: String])] {
    (byFirst[path.first ?? ""] ?? []).compactMap { route in route.match(path).map { (route, $0) } }
  }

  /// Those without variable parts, by their paths.
  private static let plain = Dictionary(grouping: served.filter { !$0.path.contains("{") }, by: \.parts)

  /// The routes that have a path and name most of it: one without variable parts precedes those with them.
  static func bestMatches(_ path: [String]) -> [(route: HubRoute, parts: [String: String])] {
    plain[path].map { $0.map { ($0, [:]) } } ?? matching(path)
  }

  /// Whether it is for the apps of MeTube and WebSearch.
  fileprivate var isOfApps: Bool { dialect == .meTube || dialect == .webSearch }
}
