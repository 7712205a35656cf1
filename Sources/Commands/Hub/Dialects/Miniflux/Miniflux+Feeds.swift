import Core
import JSON
import ReadModel

extension HubService {
  // MARK: The user

  /// The user as all clients decode it; most of it has no meaning here.
  var minifluxUser: JSONValue {
    [
      "id": 1, "username": .string(user.isEmpty ? "owner" : user), "is_admin": false, "theme": "system_serif",
      "language": "en_US", "timezone": "UTC", "entry_sorting_direction": "desc", "entry_sorting_order": "published_at",
      "stylesheet": "", "google_id": "", "openid_connect_id": "", "entries_per_page": 100, "keyboard_shortcuts": true,
      "show_reading_time": true, "entry_swipe": true, "last_login_at": .string(session.now.rfc3339),
      "display_mode": "standalone", "default_reading_speed": 265, "cjk_reading_speed": 500,
      "default_home_page": "unread", "categories_sorting_order": "alphabetical", "mark_read_on_view": false,
      "media_playback_rate": 1,
    ]
  }

  static var minifluxVersion: JSONValue {
    // The version whose API is implemented.
    [
      "version": "2.2.0", "commit": "metube-hub", "build_date": "undefined", "go_version": "", "compiler": "",
      "arch": "", "os": "",
    ]
  }

  // MARK: Categories

  /// The tags in use, and one for what has none.
  func minifluxCategories() throws -> HubAnswer {
    let followed = try session.state.followed
    var tags = Set(followed.flatMap(\.tags)).sorted()
    if tags.isEmpty || followed.contains(where: \.tags.isEmpty) { tags.insert("", at: 0) }
    return json(JSONValue.array(try tags.map(minifluxCategory)).bytes)
  }

  private func minifluxCategory(_ tag: String) throws -> JSONValue {
    [
      "id": .integer(try number(ofTag: tag)), "title": .string(tag.isEmpty ? "All" : tag), "user_id": 1,
      "hide_globally": false,
    ]
  }

  /// The tag of the path.
  private func category(_ call: HubCall) throws -> String {
    guard let tag = try tag(call.number("category")) else { throw HubProblem(404, "Resource Not Found") }
    return tag
  }

  /// The title of a request's body, as a tag.
  private func title(_ call: HubCall) throws -> String {
    guard let title = try call.object()["title"]?.text else { throw HubProblem(400, "The title is mandatory.") }
    return try TagNames(session.state).given(title)
  }

  /// A category without feeds has a number, and becomes a tag with its first feed.
  func minifluxAddCategory(_ call: HubCall) throws -> HubAnswer {
    let tag = try title(call)
    guard try !session.state.followed.contains(where: { $0.tags.contains(tag) }) else {
      throw HubProblem(400, "This category already exists.")
    }
    return json(try minifluxCategory(tag).bytes, status: 201)
  }

  func minifluxRenameCategory(_ call: HubCall) throws -> HubAnswer {
    let (tag, wanted) = (try category(call), try title(call))
    guard !tag.isEmpty else { throw HubProblem(400, "This category holds what has no tag; it cannot be renamed.") }
    try replaceTag(tag, by: wanted)
    return json(try minifluxCategory(wanted).bytes, status: 201)
  }

  /// Removes the tag from its channels; they stay followed.
  func minifluxRemoveCategory(_ call: HubCall) throws -> HubAnswer {
    let tag = try category(call)
    guard !tag.isEmpty else { throw HubProblem(400, "This category holds what has no tag; it cannot be removed.") }
    try replaceTag(tag, by: nil)
    return .empty(204)
  }

  // MARK: Feeds

  /// The subscriptions, all or of a category.
  func minifluxFeeds(_ call: HubCall) throws -> HubAnswer {
    let tag = call.parts["category"] == nil ? nil : try category(call)
    let memory = try session.pollState()
    let wanted = try session.state.followed.filter { channel in tag.map { channel.isIn(category: $0) } ?? true }
    return json(JSONValue.array(try wanted.map { try minifluxFeed($0, memory: memory.feeds[$0.id]) }).bytes)
  }

  func minifluxFeed(_ call: HubCall) throws -> HubAnswer {
    let channel = try feed(call.number("feed"))
    return json(
      try minifluxFeed(channel, memory: session.pollState().feeds[channel.id]).bytes)
  }

  func minifluxFeed(_ channel: Channel, memory: FeedState?) throws -> JSONValue {
    let never = "0001-01-01T00:00:00Z"
    let address = channel.feed.url(of: channel.id) ?? ""
    let failures = memory?.failures ?? 0
    return [
      "id": .integer(try number(of: channel.id)), "user_id": 1, "feed_url": .string(address),
      "site_url": .string(channel.id.url), "title": .string(channel.title), "description": "",
      "checked_at": .string(memory?.answered?.rfc3339 ?? never), "next_check_at": .string(never),
      "etag_header": "", "last_modified_header": "", "parsing_error_count": .integer(failures),
      "parsing_error_message": .string(failures == 0 ? "" : memory?.lastAnswer ?? ""), "scraper_rules": "",
      "rewrite_rules": "", "urlrewrite_rules": "", "blocklist_rules": "", "keeplist_rules": "", "user_agent": "",
      "cookie": "", "username": "", "password": "", "disabled": false, "no_media_player": false,
      "ignore_http_cache": false, "allow_self_signed_certificates": false, "fetch_via_proxy": false,
      "hide_globally": false, "crawler": false, "disable_http2": false, "proxy_url": "",
      "category": try minifluxCategory(channel.tags.first ?? ""), "icon": .null,
    ]
  }

  /// `{"feed_url":"…","category_id":1}`.
  func minifluxAddFeed(_ call: HubCall) throws -> HubAnswer {
    let body = try call.object()
    guard let text = body["feed_url"]?.text else { throw HubProblem(400, "The URL is mandatory.") }
    let tag = try wantedTag(body)
    let name = try follow(text, tag: tag?.isEmpty == true ? nil : tag)
    var answer = json((["feed_id": .integer(try number(ofName: name))] as JSONValue).bytes, status: 201)
    answer.startsPoll = true
    return answer
  }

  /// The tag of a body's `category_id`; nil if it has none.
  private func wantedTag(_ body: JSONValue) throws -> String? {
    guard let number = body["category_id"]?.number.flatMap({ Int(exactly: $0) }), number != 0 else { return nil }
    guard let tag = try tag(number) else { throw HubProblem(400, "This category does not exist.") }
    return tag
  }

  /// Changes the title and the category; other members have no meaning here.
  func minifluxChangeFeed(_ call: HubCall) throws -> HubAnswer {
    let channel = try feed(call.number("feed"))
    let body = try call.object()
    let title = try body["title"]?.text.map { try ValidatedName($0, of: "channel").text }
    let tag = try wantedTag(body)
    try change(channel.id, title: title) { tags in
      guard let tag else { return tags }
      if tags.isEmpty { return tag.isEmpty ? [] : [tag] }
      return HubService.replacing(tags[0], by: tag.isEmpty ? nil : tag, in: tags)
    }
    return json(try minifluxFeed(feed(call.number("feed")), memory: nil).bytes, status: 201)
  }

  func minifluxRemoveFeed(_ call: HubCall) throws -> HubAnswer {
    try unfollow(feed(call.number("feed")).id)
    return .empty(204)
  }

  /// `{"url":"…"}`: what the address names, without a request to YouTube.
  func minifluxDiscover(_ call: HubCall) throws -> HubAnswer {
    guard let text = try call.object()["url"]?.text else { throw HubProblem(400, "The URL is mandatory.") }
    let reference: ChannelReference
    do { reference = try ChannelReference(text) } catch { throw HubProblem(404, "No feed found at this address.") }
    var (address, title) = (text, text)
    if case .subscription(let id, let form) = reference {
      address = form.url(of: id) ?? ""
      title = try session.title(of: id)
    }
    let found: JSONValue = ["url": .string(address), "title": .string(title), "type": "atom"]
    return json(JSONValue.array([found]).bytes)
  }

  /// How many entries of each feed are read and unread.
  func minifluxCounters() throws -> HubAnswer {
    var (reads, unreads): ([JSONValue.Member], [JSONValue.Member]) = ([], [])
    let counts = try session.query { try $0.channelCounts(at: session.now) }
    for channel in try session.state.followed {
      let number = String(try number(of: channel.id))
      var query = EntryQuery(limit: 1)
      (query.statuses, query.subscriptions) = (EntryQuery.read, [channel.id])
      reads.append(JSONValue.Member(name: number, value: .integer(try select(query).total)))
      unreads.append(JSONValue.Member(name: number, value: .integer(counts[channel.id]?.unwatched ?? 0)))
    }
    return json((["reads": .object(reads), "unreads": .object(unreads)] as JSONValue).bytes)
  }
}

extension Channel {
  /// Whether a category lists it, which is a tag, or empty for what has none.
  func isIn(category tag: String) -> Bool { tag.isEmpty ? tags.isEmpty : tags.contains(tag) }
}
