import HubCore
import HubPage
import Messages

extension HubRoute {
  private static func view(
    _ path: String, _ name: String, _ work: @escaping @Sendable (HubService, HubCall) throws -> RouteResponse
  ) -> HubRoute {
    HubRoute(
      .get, path, name, "", .read, schema: nil, type: PageProblem.type, work: .service(worded(work)), refusal: refusal)
  }

  /// The same work, whose refusals name fields as the page labels them.
  private static func worded(
    _ work: @escaping @Sendable (HubService, HubCall) throws -> RouteResponse
  ) -> @Sendable (HubService, HubCall) throws -> RouteResponse {
    { service, call in
      do { return try work(service, call) } catch let error as AppError { throw PageWords.problem(error) }
    }
  }

  private static func form(
    _ path: String, _ name: String, _ work: @escaping @Sendable (HubService, HubCall) throws -> RouteResponse
  ) -> HubRoute {
    HubRoute(
      .post, path, name, "", .write, body: .form, status: 303, schema: nil, type: PageProblem.type,
      work: .service(worded(work)), refusal: refusal)
  }

  /// A problem as browsers take it.
  private static let refusal: @Sendable (HubProblem, HubCall) -> RouteResponse = {
    PageProblem.response(for: $0, $1.page)
  }

  /// The page: views, the forms in them, and files. No part of the API, so not in its document.
  package static let pages = views + forms + serverPages + PageAsset.all.map(asset)

  private static let views = [
    view("/", "feedView") { try $0.feedView($1) },
    view("/discover", "discoverView") { try $0.discoverView($1) },
    view("/follow", "followView") { try $0.followView($1) },
    view("/channels", "channelsView") { try $0.channelsView($1) },
    view("/channels/{channel}", "channelView") { try $0.channelView($1) },
    view("/videos/{video}", "videoView") { try $0.videoView($1) },
    view("/play/{video}", "playerView") { try $0.playerView($1) },
    view("/saved", "savedView") { try $0.savedView($1) },
    view("/collections", "collectionsView") { try $0.collectionsView($1) },
    view("/collections/{collection}", "collectionView") { try $0.collectionView($1) },
    view("/history", "historyView") { try $0.historyView($1) },
    view("/undo", "undoView") { try $0.undoView($1) },
    view("/rules", "rulesView") { try $0.rulesView($1) },
    view("/settings/preferences", "preferencesView") { try $0.preferencesView($1) },
    view("/status", "statusView") { try $0.statusView($1) },
    view("/share", "shareView") { try $0.shareView($1) },
    view("/import", "importView") { service, call in
      let frame = service.frame(call, .import, "Import")
      return PageProblem.document(frame, ImportView(report: nil).html(in: frame))
    },
  ]

  private static let forms = [
    form("/marks", "markForm") { try $0.markForm($1) },
    form("/undo", "undoForm") { try $0.undoForm($1) },
    form("/discover", "discoverForm") { try $0.discoverForm($1) },
    form("/follow", "followForm") { try $0.followForm($1) },
    form("/channels/{channel}", "channelForm") { try $0.channelForm($1) },
    form("/collections", "newCollectionForm") { try $0.newCollectionForm($1) },
    form("/collections/{collection}", "collectionForm") { try $0.collectionForm($1) },
    form("/settings/preferences", "preferencesForm") { try $0.preferencesForm($1) },
    form("/rules", "ruleForm") { try $0.ruleForm($1) },
    HubRoute(
      .post, "/import", "importForm", "", .write, body: .upload, schema: nil, type: PageProblem.type,
      work: .service { try $0.importForm($1) }, refusal: refusal),
  ]

  private static let serverPages = [
    page(.get, "/setup", "setupView", .open) { try await $0.setupView() },
    page(.post, "/setup", "setupForm", .open) { try await $0.setupForm() },
    page(.get, "/login", "logInForm", .open) { try await $0.logInView() },
    page(.post, "/login", "logInByForm", .open) { try await $0.logInForm() },
    page(.post, "/logout", "logOutByForm", .open) { try await $0.logOutForm() },
    page(.post, "/poll", "pollForm", .write) { try await $0.pollForm() },
    page(.get, "/settings", "settingsView", .read) { try await $0.settingsView() },
    page(.post, "/settings/tokens", "tokenForm", .write) { try await $0.tokenForm() },
    page(.post, "/settings/sessions", "sessionForm", .write) { try await $0.sessionForm() },
    page(.post, "/settings/password", "passwordForm", .write) { try await $0.passwordForm() },
    page(.get, "/settings/google", "googleView", .read) { try await $0.googleView() },
    page(.post, "/settings/google", "googleForm", .write) { try await $0.googleForm() },
    page(.get, "/settings/google/callback", "googleReturn", .write) { try await $0.googleReturn() },
    page(.post, "/settings/profile", "profileForm", .write) { try await $0.profileForm() },
    page(.get, "/settings/users", "usersView", .administer) { try await $0.usersView() },
    page(.post, "/settings/users", "addUserForm", .administer) { try await $0.addUserForm() },
    page(.get, "/settings/users/{user}", "userView", .administer) { try await $0.userView() },
    page(.post, "/settings/users/{user}", "userForm", .administer) { try await $0.userForm() },
    page(.get, "/switch", "switchView", .read) { try await $0.switchView() },
    page(.post, "/switch", "switchForm", .write) { try await $0.switchForm() },
    page(.get, "/join", "joinView", .open) { try await $0.joinView() },
    page(.post, "/join", "joinForm", .open) { try await $0.joinForm() },
    page(.post, "/import/starter", "starterForm", .write) { try await $0.starterForm() },
    page(.get, "/offline", "offlineView", .open) { try await $0.offlineView() },
  ]

  /// A view or a form that the server handles itself.
  private static func page(
    _ method: Method, _ path: String, _ name: String, _ access: Access,
    _ handler: @escaping @Sendable (any ServerHandlers) async throws -> ServerResponse
  ) -> HubRoute {
    HubRoute(
      method, path, name, "", access, body: method == .post ? .form : .none, schema: nil, type: PageProblem.type,
      work: .server(handler), refusal: refusal)
  }

  private static func asset(_ asset: PageAsset) -> HubRoute {
    HubRoute(
      .get, asset.path, asset.path, "", .open, schema: nil, type: asset.type,
      work: .server { server in server.constant { response(with: asset, to: $0) } }, refusal: refusal)
  }

  /// A file of the page. Under an address that names its version it may be kept for a year.
  private static func response(with asset: PageAsset, to query: [(name: String, value: String)]) -> RouteResponse {
    var response = RouteResponse(200, asset.type, asset.bytes)
    if asset.isNamed(by: query) { response.headers = [("Cache-Control", "public, max-age=31536000, immutable")] }
    // The worker's own requests follow the policy that it came with.
    response.headers.append(("Content-Security-Policy", "default-src 'none'; connect-src 'self'"))
    return response
  }
}
