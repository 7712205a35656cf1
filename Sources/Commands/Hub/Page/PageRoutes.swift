import HubPage

extension HubRoute {
  /// What the server does for the page besides the log.
  package enum PageWork: Sendable {
    case asset(PageAsset)
    case logInForm, logIn, logOut, poll, settings, addToken, revokeToken
  }

  /// Whether it answers with a document for people.
  package var isPage: Bool { success.type.hasPrefix("text/html") }

  private static func view(
    _ path: String, _ name: String, _ work: @escaping @Sendable (HubService, HubCall) throws -> HubAnswer
  ) -> HubRoute {
    HubRoute(.get, path, name, "", .read, schema: nil, type: PageProblem.type, work: .service(work))
  }

  private static func form(
    _ path: String, _ name: String, _ work: @escaping @Sendable (HubService, HubCall) throws -> HubAnswer
  ) -> HubRoute {
    HubRoute(
      .post, path, name, "", .write, body: .form, status: 303, schema: nil, type: PageProblem.type, work: .service(work)
    )
  }

  /// The page: views, the forms in them, and files. No part of the API, so not in its document.
  package static let pages: [HubRoute] =
    [
      view("/", "feedView") { try $0.feedView($1) }
    ]
    + PageAsset.all.map {
      HubRoute(.get, $0.path, $0.path, "", .open, schema: nil, type: $0.type, work: .server(.page(.asset($0))))
    }
}
