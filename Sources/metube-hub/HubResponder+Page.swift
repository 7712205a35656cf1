import HTTPTypes
import HubAPI
import HubCore
import HubPage
import HubStore
import HubWeb
import Hummingbird

extension HubRoute {
  /// Every route that is served.
  static let served = all + dialects + push + pages

  /// The same by the first part of their paths.
  private static let byFirst = Dictionary(grouping: served) { $0.parts.first ?? "" }

  /// The routes that have a path, with the values of its variable parts.
  static func matching(_ path: [String]) -> [(route: HubRoute, parts: [String: String])] {
    (byFirst[path.first ?? ""] ?? []).compactMap { route in route.match(path).map { (route, $0) } }
  }
}

extension HubResponder {
  /// A problem as the client takes it: a document for people on the page, else one for programs.
  func answer(_ problem: HubProblem, to request: Request) -> HubAnswer {
    let text = request.head.path ?? ""
    let target = RequestTarget(text)
    let path = target?.path ?? RequestTarget.rawPath(text)
    guard isOfPage(request, path) else { return problem.answer(in: HubDialect(path: path)) }
    guard problem.status == 401, request.method == .get, let target else { return PageProblem.answer(problem, page) }
    let back = PagePath(target.path, query: target.query).description
    return PageProblem.redirect(to: PagePath(["login"], query: back == "/" ? [] : [("back", back)]))
  }

  /// Whether a request is for people: for a route of the page, or for no route by a browser.
  func isOfPage(_ request: Request, _ path: [String]) -> Bool {
    let routes = HubRoute.matching(path)
    if !routes.isEmpty { return routes.contains(where: \.route.isPage) }
    return request.headers[.accept]?.contains("text/html") == true
  }

  /// Answers what the page needs besides the log.
  func servePage(_ work: HubRoute.PageWork, _ visit: Visit, _ client: String) async throws -> Response {
    let request = visit.request
    switch work {
    case .asset(let path):
      guard let asset = PageAsset.all.first(where: { $0.path == path }) else { throw HubProblem(404, "not a file") }
      var answer = HubAnswer(200, asset.type, asset.bytes)
      let query = RequestTarget(request.head.path ?? "")?.query ?? []
      if asset.isNamed(by: query) { answer.headers = [("Cache-Control", "public, max-age=31536000, immutable")] }
      // The worker's own requests follow the policy that it came with.
      answer.headers.append(("Content-Security-Policy", "default-src 'none'; connect-src 'self'"))
      return ResponseForm(constant: answer, to: request).response
    default:
      let call = try await pageCall(of: visit)
      let pages = PageServer(responder: self, visit: visit, call: call)
      let mayRepeat = visit.route.method == .get
      return try await AnswerLimits.response(to: request, of: visit.visitor, mayRepeat: mayRepeat) {
        try await pages.answer(work, from: client)
      }
    }
  }

  /// The request of a view or a form that the server answers.
  private func pageCall(of visit: Visit) async throws -> HubCall {
    let query = RequestTarget(visit.request.head.path ?? "")?.query ?? []
    var call = HubCall(parts: visit.parts, query: query, body: [], file: nil, url: "")
    (call.page, call.user) = (page, visit.visitor.user ?? "")
    if visit.request.method == .post {
      let most = BodyLimits.mostBytes(visit.route.access)
      call.form = try await RequestBodyReader(visit.request, patience: timeout, most: most).form()
    }
    return call
  }
}
