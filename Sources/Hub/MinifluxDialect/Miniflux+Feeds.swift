import App
import Core
import HubCore
import HubReaders
import JSON
import Messages
import ReadModel

extension HubService {
  // MARK: The user

  /// The number of every user: one never meets another.
  static let minifluxUserID = 1

  /// The user as all clients decode it; most of it has no meaning here.
  func minifluxUser() throws -> JSONValue {
    let preferences = try session.preferences
    let direction: JSONValue = try preferences.order(sortedBy: nil) == .oldest ? "asc" : "desc"
    let order: JSONValue = preferences.sort == .found ? "created_at" : "published_at"
    let zone: JSONValue = .string(preferences.zoneName ?? "UTC")
    let rate: JSONValue = .number(Double(preferences.speed(of: nil)) ?? 1)
    return [
      "id": .integer(HubService.minifluxUserID), "username": .string(user.isEmpty ? "owner" : user), "is_admin": false,
      "theme": .string("\(preferences.theme)_serif"),
      "language": "en_US", "timezone": zone,
      "entry_sorting_direction": direction,
      "entry_sorting_order": order,
      "stylesheet": "", "google_id": "", "openid_connect_id": "", "entries_per_page": 100, "keyboard_shortcuts": true,
      "show_reading_time": true, "entry_swipe": true, "last_login_at": .string(session.now.rfc3339),
      "display_mode": "standalone", "default_reading_speed": 265, "cjk_reading_speed": 500,
      "default_home_page": "unread", "categories_sorting_order": "alphabetical", "mark_read_on_view": false,
      "media_playback_rate": rate,
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

  /// The tags in use, and one for what has none; with `counts=true` how many feeds and unread entries each has.
  func minifluxCategories(_ call: HubCall) throws -> RouteResponse {
    let followed = try readerFeeds()
    var tags = Set(followed.flatMap(\.tags)).sorted()
    if tags.isEmpty || followed.contains(where: \.tags.isEmpty) { tags.insert("", at: 0) }
    guard call.query.contains(where: { $0.name == "counts" && ["true", "1"].contains($0.value) }) else {
      return json(JSONValue.array(try tags.map(minifluxCategory)).bytes)
    }
    let counted = try tags.map { tag -> JSONValue in
      var query = EntryQuery(limit: 1)
      query.statuses = EntryQuery.unread
      (query.subscriptions, query.tags) = try minifluxScope(tag: tag)
      guard case .object(let members) = try minifluxCategory(tag) else { return .null }
      return .object(
        members + [
          .init(name: "feed_count", value: .integer(followed.count { $0.isIn(category: tag) })),
          .init(name: "total_unread", value: .integer(try select(query).total)),
        ])
    }
    return json(JSONValue.array(counted).bytes)
  }

  private func minifluxCategory(_ tag: String) throws -> JSONValue {
    [
      "id": .integer(try number(ofTag: tag)), "title": .string(tag.isEmpty ? "All" : tag),
      "user_id": .integer(HubService.minifluxUserID), "hide_globally": false,
    ]
  }

  /// The tag of the path.
  private func category(_ call: HubCall) throws -> String {
    guard let tag = try tag(call.number("category")) else { throw HubProblem(404, "Resource Not Found") }
    return tag
  }

  /// The title of a request's body, as a tag.
  private func title(_ call: HubCall) throws -> String {
    let body = try call.object()
    // The Python client repeats the number of the path.
    try MinifluxLimits.check(body, supported: ["id", "user_id", "title"])
    guard let title = body["title"]?.text else { throw HubProblem(400, "The title is mandatory.") }
    return try TagNames(session.state).given(title)
  }

  /// A category without feeds has a number, and becomes a tag with its first feed.
  func minifluxAddCategory(_ call: HubCall) throws -> RouteResponse {
    let tag = try title(call)
    guard try !readerFeeds().contains(where: { $0.isIn(category: tag) }) else {
      throw HubProblem(400, "This category already exists.")
    }
    return json(try minifluxCategory(tag).bytes, status: 201)
  }

  func minifluxRenameCategory(_ call: HubCall) throws -> RouteResponse {
    let (tag, wanted) = (try category(call), try title(call))
    guard !tag.isEmpty else { throw HubProblem(400, "This category holds what has no tag; it cannot be renamed.") }
    guard try wanted == tag || !readerFeeds().contains(where: { $0.isIn(category: wanted) }) else {
      throw HubProblem(400, "This category already exists.")
    }
    try replaceTag(tag, by: wanted)
    return json(try minifluxCategory(wanted).bytes, status: 201)
  }

  /// Removes the tag from its channels; they stay followed.
  func minifluxRemoveCategory(_ call: HubCall) throws -> RouteResponse {
    let tag = try category(call)
    guard !tag.isEmpty else { throw HubProblem(400, "This category holds what has no tag; it cannot be removed.") }
    try replaceTag(tag, by: nil)
    return .empty(204)
  }

  // MARK: Feeds

  /// The feeds, all or of a category.
  func minifluxFeeds(_ call: HubCall) throws -> RouteResponse {
    let tag = call.parts["category"] == nil ? nil : try category(call)
    let memory = try session.pollState()
    let wanted = try readerFeeds().filter { feed in tag.map { feed.isIn(category: $0) } ?? true }
    return json(JSONValue.array(try wanted.map { try minifluxFeed($0, memory) }).bytes)
  }

  func minifluxFeed(_ call: HubCall) throws -> RouteResponse {
    json(try minifluxFeed(readerFeed(call.number("feed")), session.pollState()).bytes)
  }

  /// `polled` is what polls last learnt of the feeds.
  func minifluxFeed(_ feed: ReaderFeed, _ polled: PollState = PollState()) throws -> JSONValue {
    let never = "0001-01-01T00:00:00Z"
    var (checked, failures, failure): (Timestamp?, Int, String?)
    switch feed {
    case .channel(let channel):
      let memory = polled.feeds[channel.id]
      (checked, failures, failure) = (memory?.answered, memory?.failures ?? 0, memory?.lastOutcome)
    case .name(let followed):
      let memory = polled.names[followed.handle]
      (checked, failures, failure) = (memory?.requested, memory == nil ? 0 : 1, memory?.lastOutcome)
    }
    return [
      "id": .integer(try number(ofName: feed.key)), "user_id": .integer(HubService.minifluxUserID),
      "feed_url": .string(feed.address), "site_url": .string(feed.page), "title": .string(feed.title),
      "description": "", "checked_at": .string(checked?.rfc3339 ?? never), "next_check_at": .string(never),
      "etag_header": "", "last_modified_header": "", "parsing_error_count": .integer(failures),
      "parsing_error_message": .string(failures == 0 ? "" : failure ?? ""), "scraper_rules": "",
      "rewrite_rules": "", "urlrewrite_rules": "", "blocklist_rules": "", "keeplist_rules": "", "user_agent": "",
      "cookie": "", "username": "", "password": "", "disabled": false, "no_media_player": false,
      "ignore_http_cache": false, "allow_self_signed_certificates": false, "fetch_via_proxy": false,
      "hide_globally": false, "crawler": false, "disable_http2": false, "proxy_url": "",
      "category": try minifluxCategory(feed.tags.first ?? ""), "icon": .null,
    ]
  }

  /// `{"feed_url":"…","category_id":1}`.
  func minifluxAddFeed(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    try MinifluxLimits.check(body, supported: ["feed_url", "category_id"])
    guard let text = body["feed_url"]?.text else { throw HubProblem(400, "The URL is mandatory.") }
    guard try readerFeed(reference(text)) == nil else { throw HubProblem(400, "This feed already exists.") }
    let tag = try wantedTag(body)
    let name = try follow(text, tag: tag?.isEmpty == true ? nil : tag)
    var response = json((["feed_id": .integer(try number(ofName: name))] as JSONValue).bytes, status: 201)
    response.startsPoll = true
    return response
  }

  /// The tag of a body's `category_id`; nil if it has none, for which clients send 0.
  private func wantedTag(_ body: JSONValue) throws -> String? {
    guard let number = try MinifluxLimits.number("category_id", of: body), number != 0 else { return nil }
    guard let tag = try tag(number) else { throw HubProblem(400, "This category does not exist.") }
    return tag
  }

  /// Changes the title and the category.
  func minifluxChangeFeed(_ call: HubCall) throws -> RouteResponse {
    let feed = try readerFeed(call.number("feed"))
    let body = try call.object()
    try MinifluxLimits.check(
      body, supported: MinifluxLimits.unchangeable.union(["title", "category_id"]),
      current: minifluxFeed(feed))
    let title = try MinifluxLimits.text("title", of: body).map { try ValidatedName($0, of: .channel).text }
    let tag = try wantedTag(body)
    try change(feed, title: title) { tags in
      guard let tag else { return tags }
      if tags.isEmpty { return tag.isEmpty ? [] : [tag] }
      return HubService.replacing(tags[0], by: tag.isEmpty ? nil : tag, in: tags)
    }
    return json(try minifluxFeed(readerFeed(call.number("feed")), session.pollState()).bytes, status: 201)
  }

  func minifluxRemoveFeed(_ call: HubCall) throws -> RouteResponse {
    try unfollow(readerFeed(call.number("feed")))
    return .empty(204)
  }

  /// `{"url":"…"}`: what the address names, without a request to YouTube.
  func minifluxDiscover(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    try MinifluxLimits.check(body, supported: ["url"])
    guard let text = body["url"]?.text else { throw HubProblem(400, "The URL is mandatory.") }
    let reference: ChannelReference
    do { reference = try ChannelReference(text) } catch { throw HubProblem(404, "No feed found at this address.") }
    var (address, title) = ("", "")
    switch reference {
    case .subscription(let id, let form):
      (address, title) = (form.url(of: id) ?? "", try session.title(of: id))
    case .name(let name):
      // Unless somebody followed the name before, its channel is found once it is followed, which takes this address.
      let known = try session.state.handles[name.description]?.subscription
      let page = HandleFollowed(handle: name.description, title: nil, tags: nil).page
      address = known.flatMap { FeedForm.channel.url(of: $0) } ?? page
      title = try known.map { try session.title(of: $0) } ?? name.description
    }
    let found: JSONValue = ["url": .string(address), "title": .string(title), "type": "atom"]
    return json(JSONValue.array([found]).bytes)
  }

  /// How many entries of each feed are read and unread.
  func minifluxCounters() throws -> RouteResponse {
    var (reads, unreads): ([JSONValue.Member], [JSONValue.Member]) = ([], [])
    let counts = try session.query { try $0.channelCounts(at: session.now) }
    for feed in try readerFeeds() {
      let number = String(try number(ofName: feed.key))
      var (read, unread) = (0, 0)
      if let id = feed.subscription {
        var query = EntryQuery(limit: 1)
        (query.statuses, query.subscriptions) = (EntryQuery.read, [id])
        (read, unread) = (try select(query).total, counts[id]?.unwatched ?? 0)
      }
      reads.append(JSONValue.Member(name: number, value: .integer(read)))
      unreads.append(JSONValue.Member(name: number, value: .integer(unread)))
    }
    return json((["reads": .object(reads), "unreads": .object(unreads)] as JSONValue).bytes)
  }
}
