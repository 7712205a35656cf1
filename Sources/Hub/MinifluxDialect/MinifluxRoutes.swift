import App
import Core
import Exporters
import HubCore
import HubReaders
import JSON

/// The REST API of Miniflux, version 2.2: feeds are subscriptions, categories are tags, entries are videos. What is new
/// is unread, everything else read; what is starred is saved.
extension HubRoute {
  package static let miniflux =
    minifluxCalls + ["/healthcheck", "/healthz", "/liveness", "/readiness", "/readyz"].map(minifluxHealth)

  private static let minifluxCalls: [HubRoute] = [
    HubRoute(.get, "/v1/me", .read) { service, _ in service.json(try service.minifluxUser().bytes) },
    HubRoute(.get, "/version", .read) { service, _ in service.json(HubService.minifluxVersion.bytes) },
    HubRoute(.get, "/v1/version", .read) { service, _ in service.json(HubService.minifluxVersion.bytes) },
    HubRoute(.get, "/v1/integrations/status", .read) { service, _ in
      // Saving for later is one: `POST /v1/entries/{entry}/save`.
      service.json((["has_integrations": true] as JSONValue).bytes)
    },
    HubRoute(.put, "/v1/users/{user}/mark-all-as-read", .write) { service, call in
      guard try call.number("user") == HubService.minifluxUserID else { throw HubProblem(404, "Resource Not Found") }
      return try service.minifluxMarkAll(call)
    },
    // The history stays: it is what the user did.
    HubRoute(.delete, "/v1/flush-history", .write) { _, _ in RouteResponse.empty(202) },
    HubRoute(.put, "/v1/flush-history", .write) { _, _ in RouteResponse.empty(202) },

    HubRoute(.get, "/v1/categories", .read) { try $0.minifluxCategories($1) },
    HubRoute(.post, "/v1/categories", .write, body: .bytes) { try $0.minifluxAddCategory($1) },
    HubRoute(.put, "/v1/categories/{category}", .write, body: .bytes) { try $0.minifluxRenameCategory($1) },
    HubRoute(.delete, "/v1/categories/{category}", .write) { try $0.minifluxRemoveCategory($1) },
    HubRoute(.get, "/v1/categories/{category}/feeds", .read) { try $0.minifluxFeeds($1) },
    HubRoute(.get, "/v1/categories/{category}/entries", .read) { try $0.minifluxEntries($1) },
    HubRoute(.get, "/v1/categories/{category}/entries/{entry}", .read) { try $0.minifluxEntry($1) },
    HubRoute(.put, "/v1/categories/{category}/mark-all-as-read", .write) { try $0.minifluxMarkAll($1) },
    minifluxPoll("/v1/categories/{category}/refresh"),

    HubRoute(.get, "/v1/feeds", .read) { try $0.minifluxFeeds($1) },
    HubRoute(.post, "/v1/feeds", .write, body: .bytes) { try $0.minifluxAddFeed($1) },
    HubRoute(.post, "/v1/discover", .read, body: .bytes) { try $0.minifluxDiscover($1) },
    HubRoute(.get, "/v1/feeds/counters", .read) { service, _ in try service.minifluxCounters() },
    minifluxPoll("/v1/feeds/refresh"),
    HubRoute(.get, "/v1/feeds/{feed}", .read) { try $0.minifluxFeed($1) },
    HubRoute(.put, "/v1/feeds/{feed}", .write, body: .bytes) { try $0.minifluxChangeFeed($1) },
    HubRoute(.delete, "/v1/feeds/{feed}", .write) { try $0.minifluxRemoveFeed($1) },
    HubRoute(.get, "/v1/feeds/{feed}/entries", .read) { try $0.minifluxEntries($1) },
    HubRoute(.get, "/v1/feeds/{feed}/entries/{entry}", .read) { try $0.minifluxEntry($1) },
    HubRoute(.put, "/v1/feeds/{feed}/mark-all-as-read", .write) { try $0.minifluxMarkAll($1) },
    minifluxPoll("/v1/feeds/{feed}/refresh"),

    HubRoute(.get, "/v1/entries", .read) { try $0.minifluxEntries($1) },
    HubRoute(.put, "/v1/entries", .write, body: .bytes) { try $0.minifluxMark($1) },
    HubRoute(.get, "/v1/entries/ids", .read) { try $0.minifluxEntryIDs($1) },
    HubRoute(.get, "/v1/entries/{entry}", .read) { try $0.minifluxEntry($1) },
    HubRoute(.get, "/v1/entries/{entry}/fetch-content", .read) { try $0.minifluxContent($1) },
    HubRoute(.put, "/v1/entries/{entry}/bookmark", .write) { try $0.minifluxToggle($1) },
    // What the Go client has called since 2.2.13.
    HubRoute(.put, "/v1/entries/{entry}/star", .write) { try $0.minifluxToggle($1) },
    HubRoute(.post, "/v1/entries/{entry}/save", .write) { try $0.minifluxSave($1) },

    HubRoute(.get, "/v1/export", .read) { service, _ in
      RouteResponse(
        200, "text/xml; charset=utf-8",
        SubscriptionDocument.opml(of: try service.session.state, alsoPrivate: false).bytes)
    },
    HubRoute(.post, "/v1/import", .write, body: .file) { service, call in
      try service.importSubscriptions(call)
      var response = service.json((["message": "Feeds imported successfully"] as JSONValue).bytes, status: 201)
      response.startsPoll = true
      return response
    },
  ]

  /// A route that says whether the hub works.
  private static func minifluxHealth(_ path: String) -> HubRoute {
    HubRoute(.get, path, path, "", .open, schema: nil, work: .server { try await $0.health() })
  }

  /// A route that polls what is due; the pace is the hub's.
  private static func minifluxPoll(_ path: String) -> HubRoute {
    HubRoute(.put, path, path, "", .write, schema: nil, work: .server { try await $0.poll() })
  }
}
