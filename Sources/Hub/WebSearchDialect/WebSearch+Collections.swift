import App
import Core
import HubCore
import HubReaders
import JSON
import Library
import ReadModel

/// Collections. Members that the guide names in camel case, and the server that it describes in snake case, have both
/// names.
extension HubService {
  func webCollections() throws -> RouteResponse {
    let rows = try session.query { try $0.collections() }.sorted { $0.key < $1.key }
    let facts = try CollectionFacts(session)
    return webList(try rows.map { try webCollection($0.key, count: $0.value, facts) }, total: rows.count)
  }

  /// What is known of all collections.
  private struct CollectionFacts {
    let descriptions: [String: String]
    let moments: [String: (created: Timestamp, changed: Timestamp)]

    init(_ session: Session) throws {
      descriptions = try session.query { try $0.collectionDescriptions() }
      moments = try session.query { try $0.collectionMoments() }
    }
  }

  private func webCollection(_ name: String, count: Int, _ facts: CollectionFacts) throws -> JSONValue {
    let first = try count == 0 ? nil : session.query { try $0.members(of: name) }.first
    let cover = try first.flatMap { try session.rows([$0], alsoUnseen: true).first?.thumbnail } ?? ""
    let moments = facts.moments[name] ?? (session.now, session.now)
    let members: JSONValue = [
      "id": .integer(try number(ofCollection: name)), "name": .string(name),
      "description": facts.descriptions[name].map { .string($0) } ?? .null,
      "cover_url": cover.isEmpty ? .null : .string(cover), "item_count": .integer(count),
      "video_count": .integer(count), "created_at": .string(moments.created.rfc3339),
      "updated_at": .string(moments.changed.rfc3339),
    ]
    return members.inBothSpellings
  }

  /// `{"name":"…","description":"…"}`; 409 if there is one of this name.
  func webAddCollection(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    guard let name = body["name"]?.text else { throw HubProblem(400, "name: missing") }
    let collection = try create(name, text: body["description"]?.string)
    return json(try webCollection(collection.name, count: 0, CollectionFacts(session)).bytes, status: 201)
  }

  /// `{"name":"…","description":"…"}`: changes what is given; 409 if another one has the name, 400 for a cover, which is
  /// always the picture of the first video.
  func webChangeCollection(_ call: HubCall) throws -> RouteResponse {
    let (collection, body) = (try wantedCollection(call), try call.object())
    guard body["cover_url"] == nil, body["coverUrl"] == nil, body["coverURL"] == nil else {
      throw HubProblem(400, "cover_url: cannot be set, it is the picture of the first video")
    }
    _ = try change(collection, name: body["name"]?.text, text: body["description"]?.string)
    return try webCollection(call)
  }

  func webRemoveCollection(_ call: HubCall) throws -> RouteResponse {
    let collection = try wantedCollection(call)
    try session.commit { try collection.deletion(in: session) }
    return .empty(204)
  }

  /// The collection of the path.
  private func wantedCollection(_ call: HubCall) throws -> NamedCollection {
    let named = try collection(call.number("list")).map { try NamedCollection($0, in: session) }
    guard let named, named.exists else { throw HubProblem(404, "no such collection") }
    return named
  }

  func webCollection(_ call: HubCall) throws -> RouteResponse {
    let collection = try wantedCollection(call)
    let members = try collection.members(in: session)
    let value = try webCollection(collection.name, count: members.count, CollectionFacts(session))
    guard case .object(let list) = value else { return .empty(500) }
    let items = try webItems(of: collection, members)
    return json(JSONValue.object(list + [.init(name: "items", value: .array(items))]).bytes)
  }

  /// Videos of a collection as its items: those of the feed, with what the server and the guide have besides.
  private func webItems(
    of collection: NamedCollection, _ members: [VideoID], only video: VideoID? = nil
  ) throws -> [JSONValue] {
    let added = try session.query { try $0.membershipMoments(in: collection.name) }
    let positions = Dictionary(zip(members, 0...)) { first, _ in first }
    return try webEntries(video.map { [$0] } ?? members).map { entry in
      let row = entry.row
      let further: JSONValue = [
        "item_type": "video", "url": .string(row.url), "source_url": .string(row.url), "domain": "youtube.com",
        "embed_type": "youtube", "sort_order": .integer(positions[row.video] ?? 0),
        "added_at": .string((added[row.video] ?? row.found).rfc3339),
      ]
      guard case .object(let members) = try webItem(entry), case .object(let list) = further else { return .null }
      return JSONValue.object(members + list).inBothSpellings
    }
  }

  // MARK: Videos

  /// `{"video_id":"…"}`, or `{"feed_item_id":5}` with the number of a video: adds it.
  func webCollect(_ call: HubCall) throws -> RouteResponse {
    let collection = try wantedCollection(call)
    let body = try call.object()
    try webCollect(webMember(body), collection, member: true, title: body.sharedTitle)
    var response = try webCollection(call)
    response.status = 201
    return response
  }

  /// Adds an item at the server's path, as a client of the server sends it: `{"item_type":"video","url":"…"}`, with a
  /// `video_id` or without; responds with the item.
  func webAddItem(_ call: HubCall) throws -> RouteResponse { try webAddItem(call, to: wantedCollection(call)) }

  /// Adds a video to the collection that clients of the server have a button for, which is made if it is missing.
  func webQuickAdd(_ call: HubCall) throws -> RouteResponse {
    try webAddItem(call, to: NamedCollection(ownName: "Favorites", in: session))
  }

  private func webAddItem(_ call: HubCall, to collection: NamedCollection) throws -> RouteResponse {
    let body = try call.object()
    guard body["item_type"]?.string ?? "video" == "video" else { throw HubProblem(400, "item_type: only videos") }
    let video = try webMember(body)
    try webCollect(video, collection, member: true, title: body.sharedTitle)
    guard let item = try webItems(of: collection, collection.members(in: session), only: video).first else {
      throw HubProblem(404, "no feed has shown this video")
    }
    return json(item.bytes, status: 201)
  }

  /// The video that a body names by its number, ID or address.
  private func webMember(_ body: JSONValue) throws -> VideoID {
    let number = (body["feed_item_id"] ?? body["item_id"])?.number.flatMap { Int(exactly: $0) }
    guard let number else { return try webVideo(body) }
    guard let id = try videos([number]).first else { throw HubProblem(404, "no such video") }
    return id
  }

  func webUncollect(_ call: HubCall) throws -> RouteResponse {
    let collection = try wantedCollection(call)
    try webCollect(webEntry(call).row.video, collection, member: false, title: nil)
    return .empty(204)
  }

  private func webCollect(_ video: VideoID, _ collection: NamedCollection, member: Bool, title: String?) throws {
    var mark = Mark(memberships: [Mark.Membership(collection: collection, isMember: member)])
    mark.title = title
    try session.mark([video], mark)
  }
}

extension JSONValue {
  /// The title that a client sends with a video; nil if there is none in it.
  var sharedTitle: String? { self["title"]?.string.flatMap { SharedTitle($0)?.text } }

  /// An object whose members have the names of the guide too: `created_at` is also `createdAt`.
  var inBothSpellings: JSONValue {
    guard case .object(let members) = self else { return self }
    var known = Set(members.map(\.name))
    return .object(
      members
        + members.compactMap { member in
          let parts = member.name.split(separator: "_")
          let name = parts.dropFirst().reduce(String(parts.first ?? "")) { name, part in
            name + part.prefix(1).uppercased() + part.dropFirst()
          }
          return known.insert(name).inserted ? Member(name: name, value: member.value) : nil
        })
  }
}
