import App
import Core
import HubCore
import HubReaders
import JSON
import Library
import Messages
import ReadModel

extension HubService {
  // MARK: Subscriptions

  /// What is followed: channels by title, then names whose channel is still to be found, or cannot be.
  func webChannels() throws -> RouteResponse {
    let channels = try ChannelRow.byTitle(webRows()).map(webChannel)
    let names = try webFollowed(session.state.unresolved.map(\.handle))
    return webList(channels + names, total: channels.count + names.count)
  }

  /// The subscription of the path.
  func webChannel(_ call: HubCall) throws -> RouteResponse {
    let feed = try readerFeed(call.number("feed"))
    guard let id = feed.subscription else { return json(try webFollowed([feed.key])[0].bytes) }
    guard let row = try webRows().first(where: { $0.channel == id }) else { throw HubProblem(404, "not followed") }
    return json(try webChannel(row).bytes)
  }

  private func webRows() throws -> [ChannelRow] {
    try session.channelRows(session.pollState())
  }

  private func webChannel(_ row: ChannelRow) throws -> JSONValue {
    var query = EntryQuery(limit: 1)
    query.subscriptions = [row.channel]
    let followed = try session.state.channels[row.channel]?.followChanged?.timestamp ?? session.now
    let trouble = row.isFailing ? JSONValue.string(row.lastOutcome ?? "failing") : .null
    let members: JSONValue = [
      "id": .integer(try number(of: row.channel)), "platform": .string(HubService.webPlatform),
      "platform_channel_id": .string(row.channel.description), "channel_url": .string(row.url),
      "name": .string(row.title), "display_name": .string(row.title), "description": .null,
      "avatar_url": row.avatar.map { .string($0) } ?? .null,
      "banner_url": .null, "subscriber_count": row.subscribers.map { .integer($0) } ?? .null,
      // Evidence of days says that a dead one has no feed any more.
      "is_active": .boolean(row.verdict != .gone),
      "last_synced_at": row.lastChecked.map { .string($0.rfc3339) } ?? .null, "last_sync_error": trouble,
      "sync_error": trouble, "consecutive_errors": .integer(row.failures), "import_source": .null,
      "created_at": .string(followed.rfc3339), "updated_at": .string((row.lastChecked ?? followed).rfc3339),
      "video_count": .integer(try row.videoCount ?? select(query).total), "unwatched_count": .integer(row.unwatched),
    ]
    return members.inBothSpellings
  }

  /// `{"channel_url":"…"}`: follows what it names. The MeTube app lists the channels at the same path, without a body.
  func webAddChannel(_ call: HubCall) throws -> RouteResponse {
    let body = try call.objectOrNothing()
    guard let text = (body["channel_url"] ?? body["url"])?.text else {
      if call.takesApps { return try appChannels() }
      throw HubProblem(400, "channel_url: missing")
    }
    let name = try follow(text, tag: nil)
    var response = json(try webFollowed([name])[0].bytes, status: 201)
    response.startsPoll = true
    return response
  }

  /// The subscriptions that were followed by these names; a handle has only its name until it is resolved.
  private func webFollowed(_ names: [String]) throws -> [JSONValue] {
    guard !names.isEmpty else { return [] }
    let rows = Dictionary(try webRows().map { ($0.channel.description, $0) }) { $1 }
    let handles = try session.state.handles
    let memory = try session.pollState()
    return try names.map { name in
      if let row = rows[name] { return try webChannel(row) }
      // It is active once its channel is known.
      let looked = memory.names[name]
      let trouble = looked.map { JSONValue.string($0.lastOutcome) } ?? .null
      let handle = handles[name]?.followed
      let followed = handles[name]?.followChanged?.timestamp ?? session.now
      let members: JSONValue = [
        "id": .integer(try number(ofName: name)), "platform": .string(HubService.webPlatform),
        "platform_channel_id": .string(name), "description": .null, "avatar_url": .null, "banner_url": .null,
        "subscriber_count": .null, "import_source": .null, "created_at": .string(followed.rfc3339),
        "updated_at": .string(followed.rfc3339), "video_count": 0, "unwatched_count": 0,
        "channel_url": .string(HandleFollowed(handle: name, title: nil, tags: nil).page),
        "name": .string(handle?.title ?? name), "display_name": .string(handle?.title ?? name), "is_active": false,
        "last_synced_at": .null,
        "last_sync_error": trouble, "sync_error": trouble, "consecutive_errors": .integer(looked == nil ? 0 : 1),
      ]
      return members.inBothSpellings
    }
  }

  /// `{"urls":["…"]}`: follows all; reports those that name no channel.
  func webAddChannels(_ call: HubCall) throws -> RouteResponse {
    guard let texts = try call.object()["urls"]?.elements?.compactMap(\.string), (1...1000).contains(texts.count) else {
      throw HubProblem(400, "urls: takes 1 to 1000 addresses")
    }
    let before = try session.state.followed.count
    var (names, errors): ([String], [JSONValue]) = ([], [])
    var wanted = FollowChanges(tags: [], seenBefore: nil)
    for text in texts {
      do {
        let reference = try ChannelReference(text)
        wanted.add(reference)
        if case .subscription(let id, _) = reference { names.append(id.description) }
      } catch { errors.append(.string("\(text): \(UserMessages.reference(error))")) }
    }
    try session.commit { try wanted.bodies(in: session.library.model) }
    let imported = try session.state.followed.count - before
    let value: JSONValue = [
      "imported": .integer(imported), "skipped": .integer(texts.count - errors.count - imported),
      "failed": .integer(errors.count), "channels": .array(try webFollowed(names)), "errors": .array(errors),
    ]
    var response = json(value.bytes)
    response.startsPoll = imported > 0
    return response
  }

  /// `{"name":"…"}`: the title to show.
  func webChangeChannel(_ call: HubCall) throws -> RouteResponse {
    let feed = try readerFeed(call.number("feed"))
    if let title = try call.object()["name"]?.text {
      try change(feed, title: ValidatedName(title, of: .channel).text)
    }
    return try webChannel(call)
  }

  func webRemoveChannel(_ call: HubCall) throws -> RouteResponse {
    try unfollow(readerFeed(call.number("feed")))
    return .empty(204)
  }

  /// Polls what is due; what is found appears in the feed.
  func webSyncChannel(_ call: HubCall) throws -> RouteResponse {
    let channel = try feed(call.number("feed"))
    let value: JSONValue = [
      "channel_id": .integer(try number(of: channel.id)), "channel_name": .string(channel.title), "success": true,
      "new_videos": 0, "error": .null,
    ]
    try hurry([channel.id])
    var response = json(value.bytes)
    response.startsPoll = true
    return response
  }

  // MARK: Saved videos

  /// `?is_watched=true|false&limit=50&offset=0`.
  func webSaved(_ call: HubCall) throws -> RouteResponse {
    var query = EntryQuery(limit: try call.number("limit", within: 1...100) ?? 50)
    query.alsoUnseen = true
    (query.saved, query.offset) = (true, try call.number("offset", within: 0...1_000_000) ?? 0)
    if let text = call.value("is_watched") {
      query.statuses = ["true", "1"].contains(text.lowercased()) ? EntryQuery.read : EntryQuery.unread
    }
    if let platform = call.value("platform"), platform != HubService.webPlatform { return webList([], total: 0) }
    let (videos, total) = try select(query)
    return webList(try webEntries(videos).map(webSavedItem), total: total)
  }

  /// `{"video_url":"…"}`, as the guide has it, or `video_id` or `url`, with `notes` and a `title`: saves a video, also one
  /// that no feed has shown.
  func webSave(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    let id = try webVideo(body)
    var mark = Mark(saved: true, note: body["notes"]?.string)
    mark.title = body.sharedTitle
    try session.mark([id], mark)
    guard let entry = try webEntries([id]).first else { throw HubProblem(404, "no such video") }
    return json(try webSavedItem(entry).bytes, status: 201)
  }

  /// The video that a body names by its ID or its address.
  func webVideo(_ body: JSONValue) throws -> VideoID {
    let given = ["video_url", "url", "video_id"].compactMap { name in body[name]?.text.map { (name, $0) } }.first
    guard let (member, text) = given else { throw HubProblem(400, "video_url: missing") }
    do {
      return try VideoID(youTubeNaming: text)
    } catch { throw HubProblem(400, "\(member): not a video of YouTube's") }
  }

  func webIsSaved(_ call: HubCall) throws -> RouteResponse {
    let text = call.value("video_id") ?? ""
    let isSaved = try VideoID(text).flatMap { try session.video($0) }?.isSaved ?? false
    let value: JSONValue = [
      "is_saved": .boolean(isSaved), "platform": .string(HubService.webPlatform), "video_id": .string(text),
    ]
    return json(value.bytes)
  }

  func webSavedItem(_ call: HubCall) throws -> RouteResponse {
    let entry = try webEntry(call)
    guard entry.row.saved else { throw HubProblem(404, "this video is not saved") }
    return json(try webSavedItem(entry).bytes)
  }

  func webUnsave(_ call: HubCall) throws -> RouteResponse {
    let entry = try webEntry(call)
    guard entry.row.saved else { throw HubProblem(404, "this video is not saved") }
    try mark([entry.row.video], saved: false)
    return .empty(204)
  }

  private func webSavedItem(_ entry: ReaderEntry) throws -> JSONValue {
    let saved = (entry.saved ?? entry.discovered).rfc3339
    return .object(
      try webMembers(entry) + [
        .init(name: "channel_id", value: .string(entry.row.knownChannel?.description ?? "")),
        .init(
          name: "channel_url",
          value: entry.row.knownChannel?.channel.map { .string(SubscriptionID.channel($0).url) } ?? .null),
        .init(name: "notes", value: entry.note.isEmpty ? .null : .string(entry.note)),
        .init(name: "saved_at", value: .string(saved)), .init(name: "updated_at", value: .string(saved)),
      ])
  }
}
