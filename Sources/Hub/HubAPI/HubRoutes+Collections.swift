import App
import Core
import Exporters
import HubCore
import HubStore
import JSON
import ReadModel

extension HubRoute {
  private static let description = HubParameter("description", .text, "Its description; empty removes it.")
  private static let new: [HubParameter] = [
    HubParameter("collection", .text, "Its name.", isRequired: true), description,
  ]
  private static let changes: [HubParameter] = [HubParameter("collection", .text, "Its new name."), description]

  static let collections: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/collections", "listCollections", "The collections and how many videos each has.", .read,
      schema: .named("Collections"),
      work: .service { service, _ in
        let rows = try CollectionRow.rows(in: service.session)
        let lines = try service.numbered(rows.map(\.json), .collection, rows.map(\.name))
        return service.json { $0.add("collections", objects: lines) }
      }),
    HubRoute(
      .post, "/api/v1/collections", "addCollection", "Create a collection, which exists without videos too.", .write,
      body: .members(new), status: 201, schema: .named("CollectionRow"),
      work: .service { service, call in
        let given = try HubArguments(JSONValue(call.body), of: new)
        let collection = try service.create(given["collection"] ?? "", text: given["description"])
        return try service.row(of: collection.name, status: 201)
      }),
    HubRoute(
      .get, "/api/v1/collections/{collection}", "getCollection", "The videos of a collection, in the order added.",
      .read, schema: .named("Collection"), work: .service { try $0.collection($1) }),
    HubRoute(
      .patch, "/api/v1/collections/{collection}", "setCollection", "Rename or describe a collection.", .write,
      body: .members(changes), schema: .named("Changed"),
      work: .service { service, call in
        let collection = try service.ownCollection(call)
        let given = try HubArguments(JSONValue(call.body), of: changes)
        let events = try service.change(collection, name: given["collection"], text: given["description"])
        return service.json { $0.add("changed", events.count) }
      }),
    HubRoute(
      .delete, "/api/v1/collections/{collection}", "removeCollection", "Delete a collection; its videos stay known.",
      .write, schema: .named("Changed"),
      work: .service { service, call in
        let collection = try service.ownCollection(call)
        let events = try service.session.commit { try collection.deletion(in: service.session) }
        return service.json { $0.add("changed", events.count) }
      }),
  ]
}

extension HubService {
  fileprivate func row(of name: String, status: Int) throws -> RouteResponse {
    guard let row = try CollectionRow.rows(in: session).first(where: { $0.name == name }) else {
      throw HubProblem(404, "there is no collection “\(name)”")
    }
    return json(try numbered([row.json], .collection, [name])[0].object, status: status)
  }

  fileprivate func collection(_ call: HubCall) throws -> RouteResponse {
    let collection = try existingCollection(call)
    let rows = try session.rows(collection.members(in: session), alsoUnseen: true)
    let text = try session.query { try $0.collectionDescriptions() }[collection.name]
    return try json { line in
      line.add("collection", collection.name)
      line.add("number", try numbers(.collection, [collection.name])[0])
      line.add("description", text.flatMap { $0.isEmpty ? nil : $0 })
      line.add("videos", objects: try numbered(rows))
    }
  }
}
