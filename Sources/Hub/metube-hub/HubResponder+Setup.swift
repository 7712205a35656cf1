import HTTPTypes
import HubCore
import HubPage
import HubWeb
import Hummingbird
import NIOCore

/// What a hub serves while it waits for its first user: the page that makes one, its files, and `/health`.
extension HubResponder {
  /// Answers a request under any host name: the hub does not know its own names yet, and the browser of the operator must
  /// reach it. A page of another site whose name points here (DNS rebinding) learns only that the hub waits, and can do
  /// nothing without the code.
  func respondBeforeFirstUser(
    _ request: Request, from client: String, _ channel: any NIOCore.Channel
  ) async throws -> Response {
    guard AllowedHosts.isNamedOnce(request.head), case .route(let found)? = try? find(request, from: client, channel)
    else {
      throw HubResponder.waiting
    }
    if found.route.name == "feedView" {
      return ResponseForm(PageProblem.redirect(to: PagePath(["setup"])), to: request).response
    }
    guard found.route.isOfSetup else { throw HubResponder.waiting }
    guard found.route.method == .get || RequestOrigin.isOwn(request.head) else {
      throw HubProblem(403, "the request comes from a page of another site")
    }
    return try await serve(found)
  }

  private static var waiting: HubProblem {
    HubProblem(503, "This hub waits for its first user, who is made at /setup.", retryAfter: 60)
  }
}

extension HubRoute {
  /// Whether it is answered before there is a user.
  var isOfSetup: Bool {
    ["setupView", "setupForm", "health"].contains(name) || PageAsset.all.contains { $0.path == path }
  }
}
