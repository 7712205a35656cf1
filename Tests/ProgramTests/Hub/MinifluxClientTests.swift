import Core
import HubCore
import HubReaders
import JSON
import TestSupport
import Testing

/// The requests of Miniflux's Go client, version 2.3.3, one for each of its methods, as a table.
@Suite("The calls of Miniflux's Go client")
final class MinifluxClientTests: TwoUsers {
  /// A request and what its response must be.
  private struct Call {
    var method: String
    /// With `{feed}`, `{entry}` and `{category}` for the numbers of one, and `{whole}` for the whole feed.
    var path: String
    var body: String
    var status: Int
    /// The members of the response, or of its first element; a text that the whole body must be; a part of the error
    /// message; nil for no body.
    var content: Content?

    enum Content {
      case members([String])
      case text(String)
      case message(String)
    }

    init(_ method: String, _ path: String, _ body: String, _ status: Int, _ content: Content?) {
      (self.method, self.path, self.body, self.status, self.content) = (method, path, body, status, content)
    }

    init(_ method: String, _ path: String, _ status: Int, _ content: Content?) {
      self.init(method, path, "", status, content)
    }
  }

  private static let error = Call.Content.members(["error_message"])
  private static let entry = Call.Content.members([
    "id", "user_id", "feed_id", "status", "hash", "title", "url", "published_at", "created_at", "changed_at", "content",
    "author", "starred", "reading_time", "enclosures", "tags", "feed",
  ])
  private static let entries = Call.Content.members(["total", "entries"])
  private static let category = Call.Content.members(["id", "title", "user_id", "hide_globally"])
  private static let feed = Call.Content.members([
    "id", "user_id", "feed_url", "site_url", "title", "checked_at", "parsing_error_count", "crawler", "disabled",
    "ignore_http_cache", "fetch_via_proxy", "category", "icon",
  ])
  /// What the client sends always, whatever was chosen.
  private static let created = #"""
    {"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","category_id":0,"user_agent":"","cookie":"","username":"","password":"",
    "crawler":false,"ignore_entry_updates":false,"disabled":false,"no_media_player":false,"ignore_http_cache":false,
    "allow_self_signed_certificates":false,"fetch_via_proxy":false,"scraper_rules":"","rewrite_rules":"",
    "urlrewrite_rules":"","blocklist_rules":"","keeplist_rules":"","block_filter_entry_rules":"",
    "keep_filter_entry_rules":"","hide_globally":false,"disable_http2":false,"proxy_url":""}
    """#
  private static let modified = #"""
    {"feed_url":null,"site_url":null,"title":null,"scraper_rules":null,"rewrite_rules":null,"urlrewrite_rules":null,
    "blocklist_rules":null,"keeplist_rules":null,"block_filter_entry_rules":null,"keep_filter_entry_rules":null,
    "crawler":null,"user_agent":null,"cookie":null,"username":null,"password":null,"category_id":{category},
    "disabled":null,"no_media_player":null,"ignore_http_cache":null,"allow_self_signed_certificates":null,
    "fetch_via_proxy":null,"hide_globally":null,"disable_http2":null,"proxy_url":null,"ignore_entry_updates":null}
    """#
  private static let channel = "https://www.youtube.com/channel/UC3I2GFN_F8WudD_2jUZbojA"

  /// In the order in which they are sent.
  private static let calls: [Call] = [
    // The hub and the user.
    Call("GET", "/healthcheck", 200, .text("OK")), Call("GET", "/liveness", 200, .text("OK")),
    Call("GET", "/readiness", 200, .text("OK")), Call("GET", "/healthz", 200, .text("OK")),
    Call("GET", "/v1/version", 200, .members(["version", "commit", "build_date", "os"])),
    Call("GET", "/v1/me", 200, .members(["id", "username", "is_admin", "timezone", "last_login_at"])),
    Call("GET", "/v1/integrations/status", 200, .members(["has_integrations"])),
    Call("PUT", "/v1/flush-history", 202, nil),
    // What the hub does not have, which none of them may take for done.
    Call("GET", "/v1/users", 404, error), Call("GET", "/v1/users/1", 404, error),
    Call("GET", "/v1/users/ann", 404, error),
    Call("POST", "/v1/users", #"{"username":"x","password":"y"}"#, 404, error),
    Call("PUT", "/v1/users/1", #"{"theme":"x"}"#, 404, error), Call("DELETE", "/v1/users/1", 404, error),
    Call("GET", "/v1/api-keys", 404, error), Call("POST", "/v1/api-keys", #"{"description":"x"}"#, 404, error),
    Call("DELETE", "/v1/api-keys/1", 404, error), Call("GET", "/v1/icons/1", 404, error),
    Call("GET", "/v1/feeds/{feed}/icon", 404, error), Call("GET", "/v1/enclosures/1", 404, error),
    Call("PUT", "/v1/enclosures/1", #"{"media_progression":3}"#, 404, error),
    Call("POST", "/v1/feeds/{feed}/entries/import", #"{"url":"https://example.org"}"#, 405, error),
    Call("PUT", "/v1/entries/{entry}", #"{"title":"Mine"}"#, 405, error),
    Call("PUT", "/v1/users/2/mark-all-as-read", 404, error),
    // Categories.
    Call("GET", "/v1/categories", 200, category),
    Call("GET", "/v1/categories?counts=true", 200, .members(["id", "title", "feed_count", "total_unread"])),
    Call("POST", "/v1/categories", #"{"title":"Cooking"}"#, 201, category),
    Call("POST", "/v1/categories", #"{"title":"Cooking","hide_globally":false}"#, 201, category),
    Call("POST", "/v1/categories", #"{"title":"Cooking","hide_globally":true}"#, 400, error),
    Call("POST", "/v1/categories", #"{"title":"herTag"}"#, 400, error),
    Call("PUT", "/v1/categories/{category}", #"{"title":"renamed","hide_globally":null}"#, 201, category),
    Call("PUT", "/v1/categories/{category}", #"{"id":{category},"title":"herTag"}"#, 201, category),
    Call("PUT", "/v1/categories/{category}", #"{"title":"herTag","hide_globally":true}"#, 400, error),
    Call("GET", "/v1/categories/{category}/feeds", 200, feed),
    Call("GET", "/v1/categories/{category}/entries", 200, entries),
    Call("GET", "/v1/categories/{category}/entries/{entry}", 200, entry),
    Call("PUT", "/v1/categories/{category}/refresh", 202, .members(["state"])),
    // Feeds.
    Call("POST", "/v1/discover", #"{"url":"\#(channel)"}"#, 200, .members(["url", "title", "type"])),
    Call("GET", "/v1/feeds", 200, feed), Call("GET", "/v1/feeds/{feed}", 200, feed),
    Call("GET", "/v1/feeds/counters", 200, .members(["reads", "unreads"])),
    Call(
      "POST", "/v1/feeds",
      #"{"feed_url":"\#(channel)","category_id":{category},"crawler":false,"user_agent":"","disabled":false}"#, 201,
      .members(["feed_id"])),
    Call("POST", "/v1/feeds", #"{"feed_url":"\#(channel)"}"#, 400, error),
    Call("POST", "/v1/feeds", #"{"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","crawler":true}"#, 400, error),
    Call("POST", "/v1/feeds", #"{"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","username":"x"}"#, 400, error),
    Call("POST", "/v1/feeds", #"{"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","category_id":"5"}"#, 400, error),
    Call("POST", "/v1/feeds", #"{"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","category_id":1.5}"#, 400, error),
    Call("POST", "/v1/feeds", #"{"feed_url":"UCBa659QWEk1AI4Tg--mrJ2A","category_id":-1}"#, 400, error),
    Call("POST", "/v1/feeds", created, 201, .members(["feed_id"])),
    Call("PUT", "/v1/feeds/{feed}", "{whole}", 201, feed), Call("PUT", "/v1/feeds/{feed}", modified, 201, feed),
    Call("PUT", "/v1/feeds/{feed}", #"{"feed_url":null,"title":"Mine","disabled":null,"category_id":null}"#, 201, feed),
    Call("PUT", "/v1/feeds/{feed}", #"{"title":"Mine","disabled":false,"checked_at":"x"}"#, 201, feed),
    Call("PUT", "/v1/feeds/{feed}", #"{"disabled":true}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"blocklist_rules":"(?i)x"}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"hide_globally":true}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"feed_url":"https://example.org"}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"site_url":"https://example.org"}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"title":5}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"title":["x"],"category_id":{category}}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"title":"Not mine","category_id":"{category}"}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"category_id":1.5}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"category_id":true}"#, 400, error),
    Call("PUT", "/v1/feeds/{feed}", #"{"disabled":"false"}"#, 400, error),
    Call("PUT", "/v1/feeds/refresh", 202, .members(["state"])),
    Call("PUT", "/v1/feeds/{feed}/refresh", 202, .members(["state"])),
    Call("GET", "/v1/export", 200, nil),
    Call("POST", "/v1/import", "nothing", 422, error),
    Call("POST", "/v1/import", "channel_id\n\(TwoUsers.science)\n", 201, .members(["message"])),
    Call("POST", "/v1/import", "nothing", 422, .message("unknown format")),
    // Entries.
    Call("GET", "/v1/entries?limit=2&order=published_at&direction=desc", 200, entries),
    Call("GET", "/v1/entries?order=nonsense", 400, error),
    Call("GET", "/v1/entries/ids?status=unread&limit=2", 200, .members(["total", "entry_ids"])),
    Call("GET", "/v1/entries/{entry}", 200, entry), Call("GET", "/v1/feeds/{feed}/entries", 200, entries),
    Call("GET", "/v1/feeds/{feed}/entries/{entry}", 200, entry),
    Call("GET", "/v1/entries/{entry}/fetch-content?update_content=false", 200, .members(["content", "reading_time"])),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":"read"}"#, 204, nil),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"starred":true}"#, 204, nil),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":null,"starred":false}"#, 204, nil),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":"read","starred":null}"#, 204, nil),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":"read","starred":"yes"}"#, 400, error),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":"read","starred":1}"#, 400, error),
    Call("PUT", "/v1/entries", #"{"entry_ids":[{entry}],"status":1}"#, 400, error),
    Call("PUT", "/v1/entries", #"{"entry_ids":["{entry}"],"status":"read"}"#, 400, error),
    Call("PUT", "/v1/entries/{entry}/star", 204, nil), Call("PUT", "/v1/entries/{entry}/bookmark", 204, nil),
    Call("POST", "/v1/entries/{entry}/save", 202, nil),
    Call("PUT", "/v1/feeds/{feed}/mark-all-as-read", 204, nil),
    Call("PUT", "/v1/categories/{category}/mark-all-as-read", 204, nil),
    Call("PUT", "/v1/users/1/mark-all-as-read", 204, nil),
    // What is gone afterwards.
    Call("DELETE", "/v1/feeds/{feed}", 204, nil), Call("DELETE", "/v1/categories/{category}", 204, nil),
  ]

  private func number(_ value: JSONValue?) throws -> String { String(Int(try #require(value?.number))) }

  @Test("Each has its status and the members that the client decodes, also if the hub does not have it")
  func calls() throws {
    try follow(TwoUsers.science, by: ann, more: #","tag":["herTag"]"#)
    try poll()
    let entry = try #require(try hub.get("/v1/entries?limit=1", ann).json["entries"]?.elements?.first)
    let values = [
      "{entry}": try number(entry["id"]), "{feed}": try number(entry["feed_id"]),
      "{category}": try number(entry["feed"]?["category"]?["id"]),
      "{whole}": try #require(entry["feed"].map { String(decoding: $0.bytes, as: UTF8.self) }),
    ]
    func filled(_ text: String) -> String { values.reduce(text) { $0.replacing($1.key, with: $1.value) } }
    for call in MinifluxClientTests.calls {
      let response = try hub.send(call.method, filled(call.path), [ann], body: filled(call.body).utf8)
      let context = "\(call.method) \(call.path) \(call.body): \(response.status) \(response.text.prefix(300))"
      #expect(response.status == call.status, "\(context)")
      switch call.content {
      case nil: #expect(response.body.isEmpty || call.path == "/v1/export", "\(context)")
      case .text(let text): #expect(response.text == text, "\(context)")
      case .message(let message):
        #expect(try response.json["error_message"]?.string?.contains(message) == true, "\(context)")
      case .members(let names):
        #expect(response.headers["content-type"] == "application/json", "\(context)")
        let value = try response.json
        let first = value.elements?.first ?? value
        for name in names { #expect(first[name] != nil, "\(name): \(context)") }
      }
    }
    #expect(try hub.get("/v1/feeds", bob).json.elements?.isEmpty == true)
  }

  @Test("A request that is refused for one member changes nothing")
  func refused() throws {
    try follow(TwoUsers.science, by: ann, more: #","tag":["herTag"]"#)
    try poll()
    let feed = try #require(try hub.get("/v1/feeds", ann).json.elements?.first)
    let entry = try number(hub.get("/v1/entries?limit=1", ann).json["entries"]?.elements?.first?["id"])
    for body in [
      #"{"title":"Other","site_url":"https://example.org"}"#, #"{"title":"Other","category_id":"1"}"#,
      #"{"category_id":0,"title":{}}"#,
    ] {
      let response = try hub.send("PUT", "/v1/feeds/\(number(feed["id"]))", json: body, ann)
      #expect(response.status == 400 && response.text.contains("error_message"), "\(body)")
    }
    let marked = #"{"entry_ids":[\#(entry)],"status":"read","starred":"yes"}"#
    #expect(try hub.send("PUT", "/v1/entries", json: marked, ann).status == 400)
    #expect(try hub.get("/v1/feeds", ann).json.elements?.first?["title"] == feed["title"])
    #expect(try hub.get("/v1/entries?status=read", ann).json["total"] == 0)
  }

  @Test("Entries with a tag, in any spelling, with several, and with an unused one; numbers alone are the same")
  func tags() throws {
    try follow(TwoUsers.science, by: ann, more: #","tag":["Science","Short trips"]"#)
    try follow(TwoUsers.other, by: ann, more: #","tag":["Science"]"#)
    try poll()
    func list(_ query: String) throws -> (total: Double?, ids: [JSONValue]) {
      let list = try hub.get("/v1/entries?limit=1000&\(query)", ann).json
      let ids = try hub.get("/v1/entries/ids?limit=10000&\(query)", ann).json
      #expect(list["total"] == ids["total"])
      #expect(list["entries"]?.elements?.compactMap { $0["id"] } == ids["entry_ids"]?.elements)
      return (list["total"]?.number, ids["entry_ids"]?.elements ?? [])
    }
    let all = try list("")
    let trips = try list("tags=Short+trips")
    #expect(!trips.ids.isEmpty && trips.ids.count < all.ids.count && trips.total == Double(trips.ids.count))
    #expect(try list("tags=science").ids == all.ids && list("tags=SCIENCE&tags=short+trips").ids == trips.ids)
    // Miniflux leaves out empty ones.
    #expect(try list("tags=").ids == all.ids && list("tags=&tags=short+trips&tags=+").ids == trips.ids)
    #expect(try list("tags=none").ids.isEmpty && list("tags=science&tags=none").ids.isEmpty)
    let feeds = try #require(try hub.get("/v1/feeds", ann).json.elements)
    let other = try number(feeds.first { $0["site_url"]?.string?.hasSuffix(TwoUsers.other) == true }?["id"])
    #expect(try list("feed_id=\(other)&tags=short+trips").ids.isEmpty)
    #expect(try list("feed_id=\(other)&tags=science").ids.count == all.ids.count - trips.ids.count)
    let counted = try #require(try hub.get("/v1/categories?counts=true", ann).json.elements)
    #expect(counted.map { $0["feed_count"] } == [2, 1])
    #expect(counted.map { $0["total_unread"]?.number } == [all.total, trips.total])
    _ = try hub.send("PUT", "/v1/entries", json: #"{"entry_ids":[\#(try number(trips.ids[0]))],"status":"read"}"#, ann)
    let after = try #require(try hub.get("/v1/categories?counts=true", ann).json.elements)
    func unread(_ categories: [JSONValue]) -> [Double] { categories.compactMap { $0["total_unread"]?.number } }
    #expect(unread(after) == unread(counted).map { $0 - 1 })
    #expect(try hub.get("/v1/categories", ann).json.elements?.first?["feed_count"] == nil)
  }

  @Test("Not starred excludes every starred entry, also on a short page")
  func notStarred() throws {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let ids = try hub.get("/v1/entries/ids?direction=desc&limit=4", ann).json["entry_ids"]?.elements ?? []
    let starred = try ids.prefix(3).map { try number($0) }.joined(separator: ",")
    #expect(try hub.send("PUT", "/v1/entries", json: #"{"entry_ids":[\#(starred)],"starred":true}"#, ann).status == 204)
    let page = try hub.get("/v1/entries/ids?direction=desc&limit=1&starred=false", ann).json
    #expect(page["entry_ids"]?.elements == [ids[3]])
  }
}
