import Core
import HubCore
import JSON

/// The API of the WebSearch guide and of the server that it describes, which differ: subscriptions or channels, one
/// route for each mark or one for both. A login's response has a Bearer token. All videos are YouTube's.
extension HubRoute {
  package static let webSearch =
    webAccess + webFeed + webSubscriptions("channels") + webSubscriptions("subscriptions")
    + webLists

  private static let webAccess: [HubRoute] = [
    HubRoute(
      .post, "/api/auth/login", "/api/auth/login", "", .open, body: .bytes, schema: nil,
      work: .server { try await $0.logInApp() }),
    users(.get, "/api/auth/me", .read) { try await $0.webUser() },
    users(.get, "/api/users/me", .read) { try await $0.webUser() },
    users(.get, "/api/users", .read) { try await $0.webUsers() },
    users(.put, "/api/users", .write, body: .bytes) { try await $0.openWebUsers() },
  ]

  /// A route about users, who are in no log.
  private static func users(
    _ method: Method, _ path: String, _ access: Access, body: Body = .none,
    _ work: @escaping @Sendable (any ServerHandlers) async throws -> ServerResponse
  ) -> HubRoute {
    HubRoute(method, path, path, "", access, body: body, schema: nil, work: .server(work))
  }

  private static let webFeed: [HubRoute] = [
    HubRoute(.get, "/api/feed", .read) { try $0.webFeed($1) },
    HubRoute(.get, "/api/feed/history", .read) { try $0.webHistory($1) },
    HubRoute(.get, "/api/feed/stats", .read) { service, _ in try service.webStats() },
    HubRoute(.post, "/api/feed/sync", .write, body: .bytes) { service, _ in try service.webSync() },
    HubRoute(.get, "/api/feed/items/{item}", .read) { try $0.webItem($1) },
    HubRoute(.put, "/api/feed/items/{item}/watched", .write, body: .bytes) { try $0.webMark($1, read: true) },
    HubRoute(.put, "/api/feed/items/{item}/unwatched", .write, body: .bytes) { try $0.webMark($1, read: false) },
    HubRoute(.put, "/api/feed/items/{item}/progress", .write, body: .bytes) { try $0.webProgress($1) },
    HubRoute(.get, "/api/feed/{item}", .read) { try $0.webItem($1) },
    HubRoute(.patch, "/api/feed/{item}/watched", .write, body: .bytes) { try $0.webMark($1, read: nil) },
    HubRoute(.patch, "/api/feed/{item}/progress", .write, body: .bytes) { try $0.webProgress($1) },
  ]

  private static func webSubscriptions(_ name: String) -> [HubRoute] {
    [
      HubRoute(.get, "/api/\(name)", .read) { service, _ in try service.webChannels() },
      HubRoute(.post, "/api/\(name)", .write, body: .bytes) { try $0.webAddChannel($1) },
      HubRoute(.post, "/api/\(name)/import/urls", .write, body: .bytes) { try $0.webAddChannels($1) },
      HubRoute(.get, "/api/\(name)/{feed}", .read) { try $0.webChannel($1) },
      HubRoute(.put, "/api/\(name)/{feed}", .write, body: .bytes) { try $0.webChangeChannel($1) },
      HubRoute(.delete, "/api/\(name)/{feed}", .write) { try $0.webRemoveChannel($1) },
      HubRoute(.post, "/api/\(name)/{feed}/sync", .write, body: .bytes) { try $0.webSyncChannel($1) },
    ]
  }

  private static let webLists: [HubRoute] = [
    HubRoute(.get, "/api/saved-videos", .read) { try $0.webSaved($1) },
    HubRoute(.post, "/api/saved-videos", .write, body: .bytes) { try $0.webSave($1) },
    HubRoute(.post, "/api/saved-videos/from-url", .write, body: .bytes) { try $0.webSave($1) },
    HubRoute(.get, "/api/saved-videos/check", .read) { try $0.webIsSaved($1) },
    HubRoute(.get, "/api/saved-videos/{item}", .read) { try $0.webSavedItem($1) },
    HubRoute(.delete, "/api/saved-videos/{item}", .write) { try $0.webUnsave($1) },
    HubRoute(.put, "/api/saved-videos/{item}/watched", .write, body: .bytes) { try $0.webMark($1, read: true) },
    HubRoute(.put, "/api/saved-videos/{item}/unwatched", .write, body: .bytes) { try $0.webMark($1, read: false) },
    HubRoute(.put, "/api/saved-videos/{item}/progress", .write, body: .bytes) { try $0.webProgress($1) },
    HubRoute(.get, "/api/collections", .read) { service, _ in try service.webCollections() },
    HubRoute(.post, "/api/collections", .write, body: .bytes) { try $0.webAddCollection($1) },
    HubRoute(.get, "/api/collections/{list}", .read) { try $0.webCollection($1) },
    HubRoute(.put, "/api/collections/{list}", .write, body: .bytes) { try $0.webChangeCollection($1) },
    HubRoute(.patch, "/api/collections/{list}", .write, body: .bytes) { try $0.webChangeCollection($1) },
    HubRoute(.delete, "/api/collections/{list}", .write) { try $0.webRemoveCollection($1) },
    HubRoute(.post, "/api/collections/{list}/videos", .write, body: .bytes) { try $0.webCollect($1) },
    HubRoute(.delete, "/api/collections/{list}/videos/{item}", .write) { try $0.webUncollect($1) },
    HubRoute(.post, "/api/collections/{list}/items", .write, body: .bytes) { try $0.webAddItem($1) },
    HubRoute(.delete, "/api/collections/{list}/items/{item}", .write) { try $0.webUncollect($1) },
    HubRoute(.post, "/api/collections/quick-add", .write, body: .bytes) { try $0.webQuickAdd($1) },
    discovery,
  ]

  /// Searches what was found, and YouTube only for who may change something.
  private static let discovery: HubRoute = {
    var route = HubRoute(.post, "/api/discover/search", .read, body: .bytes) { try $0.webSearch($1) }
    route.mayCost = true
    return route
  }()
}

extension HubService {
  /// `{"items":[…],"total":1}`.
  func webList(_ items: [JSONValue], total: Int) -> RouteResponse {
    json((["items": .array(items), "total": .integer(total)] as JSONValue).bytes)
  }
}

extension HubCall {
  /// The body as a JSON object; empty if the request has none.
  func objectOrNothing() throws -> JSONValue { body.isEmpty ? [:] : try object() }
}
