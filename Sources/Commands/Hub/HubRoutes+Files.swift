import Core
import Exporters
import ReadModel

extension HubRoute {
  fileprivate static let importing: [HubParameter] = [
    HubParameter("name", .text, "The name of the file, which a collection without a title gets."),
    HubParameter("tag", .text, "A tag to add to imported subscriptions.", isRepeated: true),
    HubParameter("seenBefore", .text, "Mark videos published before this as watched."),
    HubParameter("onlyNew", .flag, "Keep the tags of channels already followed."),
    HubParameter("allHistory", .flag, "Also mark watched videos of channels not followed."),
    HubParameter("dryRun", .flag, "Only say what would be done."),
  ]
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
    subscriptionsRoute("opml", "exportOPML", "text/x-opml; charset=utf-8") { .opml(of: $0) },
    subscriptionsRoute("takeout-csv", "exportTakeout", "text/csv; charset=utf-8") { .takeoutCSV(of: $0) },
    subscriptionsRoute("newpipe", "exportNewPipe", "application/json") { .newPipe(of: $0) },
    subscriptionsRoute("freetube", "exportFreeTube", "application/json") { .freeTube(of: $0) },
  ]

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
      work: .service { service, _ in HubAnswer(200, type, document(try service.session.state).bytes) })
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

  fileprivate func importFile(_ call: HubCall) throws -> HubAnswer { json(try importReport(call).json.object) }

  /// Imports the file that a reader sends, whose own options mean nothing here.
  func importSubscriptions(_ call: HubCall) throws {
    var file = call
    file.query = []
    _ = try importReport(file)
  }

  /// Imports the file of a request.
  func importReport(_ call: HubCall) throws -> ImportReport {
    guard let file = call.file else { throw HubProblem(400, "send the file as the body") }
    let request = ImportRequest(try HubArguments(call.query, of: HubRoute.importing))
    var reasons: [String] = []
    let (reports, worst) = try request.reports(of: [file], in: session) {
      // Of a disk the paths are nobody's business but the hub's.
      if $0.status == .disk { StandardError.report($0.message) } else { reasons.append($0.message) }
    }
    if worst == .disk || reports.contains(where: \.isCutShort) {
      throw HubProblem(
        503, "not all of it was imported; see the hub's log. Importing it again is safe",
        retryAfter: HubProblem.shortly)
    }
    guard let report = reports.first else {
      throw HubProblem(422, reasons.first ?? "not a file that can be imported")
    }
    return report
  }
}
