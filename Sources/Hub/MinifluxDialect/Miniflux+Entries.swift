import App
import Core
import HubCore
import HubReaders
import JSON

extension HubService {
  /// The entries of all feeds, of one, or of a category.
  func minifluxEntries(_ call: HubCall) throws -> RouteResponse {
    let (videos, total) = try select(minifluxQuery(call, maximum: HubService.maxEntries))
    let entries = try entries(videos, alsoUnseen: true).map(minifluxEntry)
    return json((["total": .integer(total), "entries": .array(entries)] as JSONValue).bytes)
  }

  /// `{"total":2,"entry_ids":[12,11]}`.
  func minifluxEntryIDs(_ call: HubCall) throws -> RouteResponse {
    let (videos, total) = try select(minifluxQuery(call, maximum: HubService.maxReaderMarks))
    let ids = try numbers(of: videos).map { JSONValue.integer($0) }
    return json((["total": .integer(total), "entry_ids": .array(ids)] as JSONValue).bytes)
  }

  func minifluxEntry(_ call: HubCall) throws -> RouteResponse { json(try minifluxEntry(wantedEntry(call)).bytes) }

  func minifluxContent(_ call: HubCall) throws -> RouteResponse {
    let entry = try wantedEntry(call)
    return json(
      (["content": .string(entry.html), "reading_time": .integer(minutes(entry.row))] as JSONValue).bytes)
  }

  /// The entry of the path, within the feed or the category of the path.
  private func wantedEntry(_ call: HubCall) throws -> ReaderEntry {
    let number = try call.number("entry")
    let scope = try minifluxScope(call)
    guard let entry = try entries(videos([number]), alsoUnseen: true).first,
      scope.subscriptions.map({ $0.contains(entry.feed.id) }) ?? true,
      scope.tags.isEmpty || !scope.tags.isDisjoint(with: entry.feed.tags)
    else { throw HubProblem(404, "Resource Not Found") }
    return entry
  }

  // MARK: Queries

  /// The subscriptions or the tag of the path.
  private func minifluxScope(_ call: HubCall) throws -> (subscriptions: Set<SubscriptionID>?, tags: Set<String>) {
    if call.parts["feed"] != nil { return (try subscriptions(of: call.number("feed")), []) }
    if call.parts["category"] != nil { return try minifluxScope(category: call.number("category")) }
    return (nil, [])
  }

  private func minifluxScope(
    category number: Int
  ) throws -> (subscriptions: Set<SubscriptionID>?, tags: Set<String>) {
    guard let tag = try tag(number) else { throw HubProblem(404, "Resource Not Found") }
    return try minifluxScope(tag: tag)
  }

  /// The feeds of a category, which is a tag, or empty for those without tags.
  func minifluxScope(tag: String) throws -> (subscriptions: Set<SubscriptionID>?, tags: Set<String>) {
    guard tag.isEmpty else { return (nil, [tag]) }
    return (Set(try session.state.followed.filter(\.tags.isEmpty).map(\.id)), [])
  }

  /// The subscription of the feed with a number; none for a name without a channel.
  private func subscriptions(of number: Int) throws -> Set<SubscriptionID> {
    Set([try readerFeed(number).subscription].compactMap { $0 })
  }

  /// The query of a request; its limit is at most `maximum`, and that if it is 0.
  private func minifluxQuery(_ call: HubCall, maximum: Int) throws -> EntryQuery {
    var query = EntryQuery(limit: 100)
    query.oldestFirst = true
    (query.subscriptions, query.tags) = try minifluxScope(call)
    var statuses: Set<Status> = []
    for parameter in call.query.map(MinifluxParameter.init) {
      switch parameter.name {
      case "status": statuses.formUnion(try parameter.statuses())
      case "limit":
        let limit = try parameter.count()
        query.limit = limit == 0 ? maximum : min(limit, maximum)
      case "category_id": (query.subscriptions, query.tags) = try minifluxScope(category: parameter.number())
      case "feed_id": query.subscriptions = try subscriptions(of: parameter.number())
      // An entry has every one of them, in any spelling; Miniflux leaves out empty ones.
      case "tags" where parameter.value.allSatisfy(\.isWhitespace): break
      case "tags": query.alsoTagged.append(Set(try TagNames(session.state).spelt(parameter.value)))
      default: try parameter.apply(to: &query)
      }
    }
    if !statuses.isEmpty { query.statuses = statuses }
    // A starred entry is where its person looks for it, whether a feed has shown it or not.
    query.alsoUnseen = true
    if query.subscriptions == nil, query.tags.isEmpty, let tags = query.alsoTagged.first, !tags.isEmpty {
      query.tags = tags
      query.alsoTagged.removeFirst()
    }
    return query
  }

  // MARK: Marks

  /// `{"entry_ids":[1,2],"status":"read"}`, and newer `"starred":true`.
  func minifluxMark(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    try MinifluxLimits.check(body, supported: ["entry_ids", "status", "starred"])
    guard let elements = body["entry_ids"]?.elements, (1...HubService.maxReaderMarks).contains(elements.count) else {
      throw HubProblem(400, "The list of entry IDs is empty, or longer than \(HubService.maxReaderMarks)")
    }
    let numbers = try elements.map { element in
      guard let number = element.number.flatMap({ Int(exactly: $0) }) else {
        throw HubProblem(400, "entry_ids: takes whole numbers")
      }
      return number
    }
    let isRead = try body["status"].flatMap { $0 == .null ? nil : $0 }.map { status in
      guard ["read", "unread"].contains(status.string) else {
        throw HubProblem(400, "Invalid entry status, valid status values are: read, unread")
      }
      return status.string == "read"
    }
    let isStarred = try MinifluxLimits.boolean("starred", of: body)
    guard isRead != nil || isStarred != nil else { throw HubProblem(400, "status: missing") }
    try mark(videos(numbers), read: isRead, saved: isStarred)
    return .empty(204)
  }

  func minifluxToggle(_ call: HubCall) throws -> RouteResponse {
    let entry = try wantedEntry(call)
    try mark([entry.row.video], saved: !entry.row.saved)
    return .empty(204)
  }

  func minifluxSave(_ call: HubCall) throws -> RouteResponse {
    try mark([wantedEntry(call).row.video], saved: true)
    return .empty(202)
  }

  func minifluxMarkAll(_ call: HubCall) throws -> RouteResponse {
    var query = EntryQuery(limit: .max)
    (query.subscriptions, query.tags) = try minifluxScope(call)
    try markAllRead(query)
    return .empty(204)
  }

  // MARK: Values

  private func minutes(_ row: VideoRow) -> Int {
    let seconds = row.durationSeconds ?? 0
    return seconds / 60 + (seconds % 60 > 0 ? 1 : 0)
  }

  /// A file of an entry; its number is its position, counted from 1, because no call asks for it.
  private func enclosure(_ file: EntryMedia, _ index: Int, of entry: ReaderEntry) -> JSONValue {
    [
      "id": .integer(index + 1), "user_id": .integer(HubService.minifluxUserID), "entry_id": .integer(entry.number),
      "url": .string(file.url), "mime_type": .string(file.type), "size": .integer(file.length ?? 0),
      "media_progression": .integer(index == 0 ? entry.row.progress : 0),
    ]
  }

  private func minifluxEntry(_ entry: ReaderEntry) throws -> JSONValue {
    let row = entry.row
    return [
      "id": .integer(entry.number), "user_id": .integer(HubService.minifluxUserID),
      "feed_id": .integer(try number(of: entry.feed.id)),
      "status": .string(entry.isRead ? "read" : "unread"), "hash": .string(row.video.description),
      "title": .string(row.shownTitle), "url": .string(row.url), "comments_url": "",
      "published_at": .string(entry.published.rfc3339), "created_at": .string(entry.discovered.rfc3339),
      "changed_at": .string(entry.changed.rfc3339), "content": .string(entry.html), "author": .string(row.channelTitle),
      "share_code": "", "starred": .boolean(row.saved), "reading_time": .integer(minutes(row)),
      "enclosures": .array((row.entry?.files ?? []).enumerated().map { enclosure($1, $0, of: entry) }),
      "tags": .array(row.tags.map { .string($0) }), "feed": try minifluxFeed(.channel(entry.feed)),
    ]
  }
}
