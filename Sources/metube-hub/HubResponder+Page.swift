import Commands
import HTTPTypes
import HubPage
import Hummingbird

extension HubRoute {
  /// Every route that is served.
  static let served = all + pages
}

extension HubResponder {
  /// A problem as the client takes it: a document for people on the page, else one for programs.
  func answer(_ problem: HubProblem, to request: Request) -> HubAnswer {
    guard let target = RequestTarget(request.head.path ?? ""), isOfPage(request, target) else { return problem.answer }
    guard problem.status == 401, request.method == .get else { return PageProblem.answer(problem, page) }
    let back = PagePath(target.path, query: target.query).description
    return PageProblem.redirect(to: PagePath(["login"], query: back == "/" ? [] : [("back", back)]))
  }

  private func isOfPage(_ request: Request, _ target: RequestTarget) -> Bool {
    let routes = HubRoute.served.filter { $0.match(target.path) != nil }
    if !routes.isEmpty { return routes.contains(where: \.isPage) }
    return request.headers[.accept]?.contains("text/html") == true
  }

  /// Answers what the page needs besides the log.
  func servePage(_ work: HubRoute.PageWork, _ visit: Visit, _ context: HubContext) async throws -> Response {
    let request = visit.request
    func form() async throws -> [(name: String, value: String)] { try await RequestBodyReader(request).form() }
    switch work {
    case .asset(let asset):
      var answer = HubAnswer(200, asset.type, asset.bytes)
      let query = RequestTarget(request.head.path ?? "")?.query ?? []
      if asset.isNamed(by: query) { answer.headers = [("Cache-Control", "public, max-age=31536000, immutable")] }
      return ResponseForm(answer, to: request).response
    default: throw HubProblem(404, "not yet")
    }
  }
}
