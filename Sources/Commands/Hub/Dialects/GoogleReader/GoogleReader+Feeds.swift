import Core
import JSON
import ReadModel

extension HubService {
  var readerUser: HubAnswer {
    let name = user.isEmpty ? "owner" : user
    return json(
      (["userId": "1", "userName": .string(name), "userProfileId": "1", "userEmail": ""] as JSONValue).bytes)
  }

  // MARK: Lists

  func readerSubscriptions() throws -> HubAnswer {
    let subscriptions = try session.state.followed.map { channel -> JSONValue in
      let address = channel.feed.url(of: channel.id) ?? ""
      return [
        "id": .string(ReaderStream.feed(try number(of: channel.id))), "title": .string(channel.title),
        "categories": .array(
          channel.tags.map { ["id": .string(ReaderStream.label(of: $0)), "label": .string($0)] }),
        "url": .string(address), "htmlUrl": .string(channel.id.url), "iconUrl": .string(channel.avatar ?? ""),
      ]
    }
    return json((["subscriptions": .array(subscriptions)] as JSONValue).bytes)
  }

  func readerTags() throws -> HubAnswer {
    let labels = try session.state.followedTags.map {
      ["id": .string(ReaderStream.label(of: $0)), "type": "folder"] as JSONValue
    }
    return json((["tags": .array([["id": .string(ReaderStream.starredState)]] + labels)] as JSONValue).bytes)
  }

  /// The unread counts of each feed, of each label, and in total.
  func readerCounts() throws -> HubAnswer {
    let counts = try session.query { try $0.channelCounts(at: session.now) }
    let followed = try session.state.followed
    func count(_ id: String, _ channels: [Channel]) -> JSONValue {
      let known = channels.compactMap { counts[$0.id] }
      let newest = known.compactMap(\.lastPublished).max()?.seconds ?? 0
      return [
        "id": .string(id), "count": .integer(known.reduce(0) { $0 + $1.unwatched }),
        "newestItemTimestampUsec": .string("\(newest)000000"),
      ]
    }
    let feeds = try followed.map { count(ReaderStream.feed(try number(of: $0.id)), [$0]) }
    let labels = try session.state.followedTags.map { tag in
      count(ReaderStream.label(of: tag), followed.filter { $0.tags.contains(tag) })
    }
    let all = count(ReaderStream.readingList, followed)
    return json(
      (["max": 1_000_000, "unreadcounts": .array(feeds + labels + [all])] as JSONValue).bytes)
  }

  // MARK: Changes

  /// `ac` is `subscribe`, `unsubscribe` or `edit`, of the streams `s`; `t` is a title, `a` and `r` are labels.
  func readerEditSubscription(_ call: HubCall) throws -> HubAnswer {
    let streams = call.values("s")
    guard (1...HubService.mostEntries).contains(streams.count) else { throw HubProblem(400, "s: missing, or too many") }
    let action = call.value("ac")
    guard ["subscribe", "unsubscribe", "edit"].contains(action) else { throw HubProblem(400, "ac: unknown") }
    let (added, removed) = (try labels(call, "a"), try labels(call, "r"))
    let title = try call.value("t").map { try ValidatedName($0, of: "channel").text }
    for stream in streams {
      guard case .feed(let text) = ReaderStream(stream) else { throw HubProblem(400, "s: not a feed") }
      switch action {
      case "unsubscribe": try unfollow(readerFeed(text).id)
      case "subscribe" where Int(text) == nil:
        guard let id = SubscriptionID(try follow(text, tag: added.first)) else { continue }
        // The title of a new one comes from its feed.
        try change(id) { tags in HubService.tags(tags, adding: added, removing: removed) }
      default:
        try change(readerFeed(text).id, title: title) { tags in
          HubService.tags(tags, adding: added, removing: removed)
        }
      }
    }
    var answer = HubAnswer.text("OK")
    answer.startsPoll = action == "subscribe"
    return answer
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

  func readerAddSubscription(_ call: HubCall) throws -> HubAnswer {
    guard let text = call.value("quickadd") else { throw HubProblem(400, "quickadd: missing") }
    let name = try follow(text.hasPrefix("feed/") ? String(text.dropFirst("feed/".count)) : text, tag: nil)
    let title = try SubscriptionID(name).map { try session.title(of: $0) } ?? name
    let value: JSONValue = [
      "numResults": 1, "query": .string(text), "streamId": .string(ReaderStream.feed(try number(ofName: name))),
      "streamName": .string(title),
    ]
    var answer = json(value.bytes)
    answer.startsPoll = true
    return answer
  }

  /// The tag of the stream in `s`, or with its name in `t`.
  private func wantedTag(_ call: HubCall) throws -> String {
    var name = call.value("t")
    if case .label(let label)? = call.value("s").map({ ReaderStream($0) }) { name = label }
    guard let name, try session.state.followedTags.contains(name) else { throw HubProblem(404, "no such label") }
    return name
  }

  func readerRenameTag(_ call: HubCall) throws -> HubAnswer {
    guard case .label(let name)? = call.value("dest").map({ ReaderStream($0) }) else {
      throw HubProblem(400, "dest: not a label")
    }
    try replaceTag(wantedTag(call), by: TagNames(session.state).given(name))
    return .text("OK")
  }

  /// Removes the tag from its channels; they stay followed.
  func readerRemoveTag(_ call: HubCall) throws -> HubAnswer {
    try replaceTag(wantedTag(call), by: nil)
    return .text("OK")
  }
}
