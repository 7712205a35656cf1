import Arguments
import Core
import HTTPTypes
import HubCore
import HubHTTP
import HubPage
import HubWeb
import Hummingbird
import NIOCore
import Platform
import ReadModel
import SQLDrivers
import Synchronization

/// What the client of a request that fails gets.
extension HubResponder {
  /// The response to a request that failed.
  func failure(_ error: any Error, of request: Request, _ channel: any NIOCore.Channel) -> Response {
    switch error {
    case let problem as HubProblem:
      var response = ResponseForm(routeResponse(for: problem, to: request), to: request).response
      if problem.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
      // What may be left of the body is not worth reading, and could have no end.
      return request.hasBody ? response.closing(channel) : response
    case let error as DatabaseError:
      return ResponseForm(routeResponse(for: HubResponder.problem(error), to: request), to: request).response
    case let failure as Failure:
      Program.report(failure.message)
      let problem =
        failure.obstacle.map { HubTrouble.problem($0, remedy: HubTrouble.remedy(nil)) }
        ?? HubProblem(503, "the log cannot be opened", retryAfter: HubProblem.shortly)
      return ResponseForm(routeResponse(for: problem, to: request), to: request).response
    default:
      Program.report("\(request.method) failed: \(error)")
      let problem = HubProblem(503, "a failure; see the hub's log", retryAfter: HubProblem.shortly)
      return ResponseForm(routeResponse(for: problem, to: request), to: request).response
    }
  }

  /// A problem as the client takes it: a document for people on the page, else one for programs.
  private func routeResponse(for problem: HubProblem, to request: Request) -> RouteResponse {
    let text = request.head.path ?? ""
    let target = RequestTarget(text)
    let path = target?.path ?? RequestTarget.rawPath(text)
    guard isOfPage(request, path) else { return problem.response(in: HubDialect(path: path)) }
    guard problem.status == 401, request.method == .get, let target else {
      return PageProblem.response(for: problem.status == 404 ? PageProblem.nowhere : problem, page)
    }
    // What Google appends is of no use to a later session, and must not stay in an address.
    let isCallback = target.path == ["settings", "google", "callback"]
    let back = (isCallback ? PagePath(["settings", "google"]) : PagePath(target.path, query: target.query)).description
    return PageProblem.redirect(to: PagePath(["login"], query: back == "/" ? [] : [("back", back)]))
  }

  /// Why the accounts could not be read; reported at most once in a second.
  private static func problem(_ error: DatabaseError) -> HubProblem {
    let now = ContinuousClock.now
    let isFirst = lastReport.withLock { last in
      guard let before = last, now - before < .seconds(1) else {
        last = now
        return true
      }
      return false
    }
    if isFirst { Program.report(HubDatabase.failure(error).message) }
    if error.isFull { return HubProblem(507, "the disk of the hub’s accounts is full", retryAfter: 60) }
    if case .notWritable = error {
      return HubProblem(503, "the folder or database of the hub’s accounts can only be read at present", retryAfter: 60)
    }
    return HubProblem(503, "the database does not answer; try again", retryAfter: HubProblem.shortly)
  }

  private static let lastReport = Mutex<ContinuousClock.Instant?>(nil)
}
