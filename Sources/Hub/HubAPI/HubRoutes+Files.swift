import App
import Core
import Exporters
import HubCore
import Platform
import ReadModel

extension HubRoute {
  private static let feed =
    HubParameter.filters + [
      HubParameter.limit, HubParameter("collection", .text, "The videos of this collection instead."),
      HubParameter("token", .text, "A token, for readers that send no header."),
    ]

  static let files: [HubRoute] = [
    HubRoute(
      .post, "/api/v1/import", "importFile", "Import a file of another program; its format is detected.", .write,
      query: importing, body: .file, schema: .named("Imported"), work: .service { try $0.importFile($1) }),
    feedRoute("atom", "atomFeed", "application/atom+xml; charset=utf-8") { try $0.writeAtom([], address: $1, to: &$2) },
    feedRoute("json", "jsonFeed", "application/feed+json") { try $0.writeJSONFeed(address: $1, to: &$2) },
    videosRoute("csv", "exportCSV", "text/csv; charset=utf-8") { try $0.writeCSV(to: &$1) },
    videosRoute("jsonl", "exportLines", "application/jsonl") { try $0.writeLines(to: &$1) },
    subscriptionsRoute("opml", "exportOPML", "text/x-opml; charset=utf-8") { .opml(of: $0, alsoPrivate: false) },
    subscriptionsRoute("takeout-csv", "exportTakeout", "text/csv; charset=utf-8") { .takeoutCSV(of: $0) },
    subscriptionsRoute("newpipe", "exportNewPipe", "application/json") { .newPipe(of: $0) },
    subscriptionsRoute("freetube", "exportFreeTube", "application/json") { .freeTube(of: $0) },
    personalRoute(.freeTubeHistory, "exportFreeTubeHistory", "Watched videos, as FreeTube's history."),
    personalRoute(.freeTubePlaylists, "exportFreeTubePlaylists", "Collections and saved videos, for FreeTube."),
    personalRoute(.newPipeBackup, "exportNewPipeBackup", "Subscriptions, history and collections, for NewPipe."),
    personalRoute(.takeoutHistory, "exportTakeoutHistory", "Watched videos, as in Google Takeout."),
    personalRoute(.takeoutPlaylists, "exportTakeoutPlaylists", "Collections and saved videos, as in Google Takeout."),
    personalRoute(.invidious, "exportInvidious", "Subscriptions, history and collections, for Invidious."),
    personalRoute(.archive, "exportArchive", "All data of the user, for another home of metube-rss."),
  ]

  /// The header `Left-Out` says what the format cannot hold: `3 notes, 2 rules`.
  private static func personalRoute(_ format: PersonalFormat, _ name: String, _ summary: String) -> HubRoute {
    HubRoute(
      .get, "/api/v1/export/\(format.rawValue)", name, summary, .read, schema: nil, type: format.type,
      work: .service { service, _ in
        var result = PersonalExport.Result()
        var response = try service.longDocument(format.type) {
          result = try PersonalExport(format, in: service.session).write(to: &$0)
        }
        response.headers.append(("Content-Disposition", "attachment; filename=\"\(format.fileName)\""))
        if let leftOut = result.leftOut { response.headers.append(("Left-Out", leftOut)) }
        return response
      })
  }

  private static func feedRoute(
    _ format: String, _ name: String, _ type: String,
    _ write: @escaping @Sendable (ExportedVideos, String, inout Output) throws -> Void
  ) -> HubRoute {
    HubRoute(
      .get, "/feeds/\(format)", name, "The newest videos as a feed, for any reader.", .read, query: feed, schema: nil,
      type: type,
      work: .service { service, call in
        var videos = try service.feed(call, feed)
        videos.webSubHub = call.webSubHub
        return try service.document(type) { try write(videos, call.url, &$0) }
      })
  }

  private static func videosRoute(
    _ format: String, _ name: String, _ type: String,
    _ write: @escaping @Sendable (ExportedVideos, inout Output) throws -> Void
  ) -> HubRoute {
    HubRoute(
      .get, "/api/v1/export/\(format)", name, "The videos as a file.", .read, query: HubParameter.filters, schema: nil,
      type: type,
      work: .service { service, call in
        let request = ExportRequest(try HubArguments(call.query, of: HubParameter.filters))
        let videos = try request.videos(in: service.session, limit: 0, tags: nil)
        return try service.document(type) { try write(videos, &$0) }
      })
  }

  private static func subscriptionsRoute(
    _ format: String, _ name: String, _ type: String, _ document: @escaping @Sendable (State) -> SubscriptionDocument
  ) -> HubRoute {
    HubRoute(
      .get, "/api/v1/export/\(format)", name, "The subscriptions as a file.", .read, schema: nil, type: type,
      work: .service { service, _ in RouteResponse(200, type, document(try service.session.state).bytes) })
  }
}

extension HubService {
  /// The videos of a feed: 100 unless limited.
  fileprivate func feed(_ call: HubCall, _ known: [HubParameter]) throws -> ExportedVideos {
    let given = try HubArguments(call.query, of: known)
    let limit = given.integer("limit") ?? 100
    if let name = given["collection"] {
      let collection = try NamedCollection(name, in: session)
      let members = try collection.members(in: session).suffix(limit).reversed()
      return ExportedVideos(
        videos: Array(members), title: collection.name, filter: "collection \(collection.name)", session: session)
    }
    return try ExportRequest(given).videos(in: session, limit: limit, tags: nil)
  }

  fileprivate func importFile(_ call: HubCall) throws -> RouteResponse { json(try importReport(call).json.object) }
}
