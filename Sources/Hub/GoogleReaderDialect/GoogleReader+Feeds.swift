import App
import Core
import HubCore
import HubReaders
import JSON
import Messages
import ReadModel

extension HubService {
  var readerUser: RouteResponse {
    let name = user.isEmpty ? "owner" : user
    return json(
      (["userId": "1", "userName": .string(name), "userProfileId": "1", "userEmail": ""] as JSONValue).bytes)
  }

  // MARK: Lists

  func readerSubscriptions() throws -> RouteResponse {
    let subscriptions = try readerFeeds().map { feed -> JSONValue in
      var icon: String?
      if case .channel(let channel) = feed { icon = channel.avatar }
      return [
        "id": .string(ReaderStream.feed(try number(ofName: feed.key))), "title": .string(feed.title),
        "categories": .array(feed.tags.map { ["id": .string(ReaderStream.label(of: $0)), "label": .string($0)] }),
        "url": .string(feed.address), "htmlUrl": .string(feed.page), "iconUrl": .string(icon ?? ""),
      ]
    }
    return json((["subscriptions": .array(subscriptions)] as JSONValue).bytes)
  }

  func readerTags() throws -> RouteResponse {
    let labels = try labels().map {
      ["id": .string(ReaderStream.label(of: $0)), "type": "folder"] as JSONValue
    }
    return json((["tags": .array([["id": .string(ReaderStream.starredState)]] + labels)] as JSONValue).bytes)
  }

  /// The unread counts of each feed, of each label, and in total.
  func readerCounts() throws -> RouteResponse {
    let counts = try session.query { try $0.channelCounts(at: session.now) }
    let followed = try readerFeeds()
    func count(_ id: String, _ feeds: [ReaderFeed]) -> JSONValue {
      let known = feeds.compactMap { $0.subscription.flatMap { counts[$0] } }
      let newest = known.compactMap(\.lastPublished).max()?.seconds ?? 0
      return [
        "id": .string(id), "count": .integer(known.reduce(0) { $0 + $1.unwatched }),
        "newestItemTimestampUsec": .string("\(newest)000000"),
      ]
    }
    let feeds = try followed.map { count(ReaderStream.feed(try number(ofName: $0.key)), [$0]) }
    let labels = try labels().map { tag in
      count(ReaderStream.label(of: tag), followed.filter { $0.isIn(category: tag) })
    }
    let all = count(ReaderStream.readingList, followed)
    return json(
      (["max": 1_000_000, "unreadcounts": .array(feeds + labels + [all])] as JSONValue).bytes)
  }

  /// The tags of what is followed, sorted.
  private func labels() throws -> [String] { Set(try readerFeeds().flatMap(\.tags)).sorted() }

  // MARK: Changes

  /// `ac` is `subscribe`, `unsubscribe` or `edit`, of the streams `s`; `t` is a title, `a` and `r` are labels.
  func readerEditSubscription(_ call: HubCall) throws -> RouteResponse {
    let streams = call.values("s")
    guard (1...HubService.maxEntries).contains(streams.count) else { throw HubProblem(400, "s: missing, or too many") }
    let action = call.value("ac")
    guard ["subscribe", "unsubscribe", "edit"].contains(action) else { throw HubProblem(400, "ac: unknown") }
    let (added, removed) = (try labels(call, "a"), try labels(call, "r"))
    let title = try call.value("t").map { try ValidatedName($0, of: .channel).text }
    for stream in streams {
      guard case .feed(let text) = ReaderStream(stream) else { throw HubProblem(400, "s: not a feed") }
      switch action {
      case "unsubscribe": try unfollow(readerFeed(text))
      case "subscribe" where Int(text) == nil:
        // The title of a new one comes from its feed.
        guard let feed = try readerFeed(key: follow(text, tag: added.first)) else { continue }
        try change(feed) { tags in HubService.tags(tags, adding: added, removing: removed) }
      default:
        try change(readerFeed(text), title: title) { tags in
          HubService.tags(tags, adding: added, removing: removed)
        }
      }
    }
    var response = RouteResponse.text("OK")
    response.startsPoll = action == "subscribe"
    return response
  }

  private static func tags(_ tags: [String], adding added: [String], removing removed: [String]) -> [String] {
    tags.filter { !removed.contains($0) || added.contains($0) } + added.filter { !tags.contains($0) }
  }

  /// The labels in fields of the form, as tags are spelt.
  private func labels(_ call: HubCall, _ name: String) throws -> [String] {
    let names = try TagNames(session.state)
    return try call.values(name).compactMap { text in
      guard case .label(let label) = ReaderStream(text) else { return nil }
      return try names.given(label)
    }
  }

  /// What cannot be followed gets a response too: `{"numResults":0,"query":"…","error":"…"}`.
  func readerAddSubscription(_ call: HubCall) throws -> RouteResponse {
    guard let text = call.value("quickadd") else { throw HubProblem(400, "quickadd: missing") }
    let name: String
    do {
      name = try follow(text.hasPrefix("feed/") ? String(text.dropFirst("feed/".count)) : text, tag: nil)
    } catch let problem as HubProblem where problem.status < 500 {
      return json(
        (["numResults": 0, "query": .string(text), "error": .string(problem.detail)] as JSONValue).bytes)
    }
    let title = try readerFeed(key: name)?.title ?? name
    let value: JSONValue = [
      "numResults": 1, "query": .string(text), "streamId": .string(ReaderStream.feed(try number(ofName: name))),
      "streamName": .string(title),
    ]
    var response = json(value.bytes)
    response.startsPoll = true
    return response
  }

  /// The tag of the stream in `s`, or with its name in `t`.
  private func wantedTag(_ call: HubCall) throws -> String {
    var name = call.value("t")
    if case .label(let label)? = call.value("s").map({ ReaderStream($0) }) { name = label }
    guard let name, try labels().contains(name) else { throw HubProblem(404, "no such label") }
    return name
  }

  func readerRenameTag(_ call: HubCall) throws -> RouteResponse {
    guard case .label(let name)? = call.value("dest").map({ ReaderStream($0) }) else {
      throw HubProblem(400, "dest: not a label")
    }
    try replaceTag(wantedTag(call), by: TagNames(session.state).given(name))
    return .text("OK")
  }

  /// Removes the tag from its channels; they stay followed.
  func readerRemoveTag(_ call: HubCall) throws -> RouteResponse {
    try replaceTag(wantedTag(call), by: nil)
    return .text("OK")
  }
}
