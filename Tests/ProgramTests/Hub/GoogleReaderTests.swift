import FixtureServer
import GoogleReaderDialect
import HubWeb
import JSON
import TestSupport
import Testing

@testable import metube_hub

/// The hub as clients of Google Reader's API see it.
@Suite("Readers that speak Google Reader")
struct GoogleReaderTests {
  private let sandbox: Sandbox
  private let hub: TestHub
  private static let api = "/reader/api/0"
  private static let read = "user/-/state/com.google/read"
  private static let starred = "user/-/state/com.google/starred"
  private static let list = "user/-/state/com.google/reading-list"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", "--tag", "science & tech", "UCsXVk37bltHxD1rDPwtNM8Q")
    try sandbox.succeed("follow", "UCHnyfMqiRRG1u-2MsSQLbXA")
    try sandbox.succeed("poll", "--rate", "0")
    hub = TestHub(sandbox)
  }

  private func post(_ path: String, _ form: String) throws -> HubResponse {
    try hub.send(
      "POST", GoogleReaderTests.api + path, ["Content-Type: application/x-www-form-urlencoded"], body: form.utf8)
  }

  private func ids(_ query: String) throws -> (ids: [String], next: String?) {
    let response = try hub.get("\(GoogleReaderTests.api)/stream/items/ids?output=json&\(query)").json
    return (response.texts("itemRefs", of: "id"), response["continuation"]?.string)
  }

  private func items(_ stream: String, _ query: String = "") throws -> [JSONValue] {
    try hub.get("\(GoogleReaderTests.api)/stream/contents/\(stream)?n=1000&\(query)").json["items"]?.elements ?? []
  }

  /// The videos of items, by their links.
  private func videos(_ items: [JSONValue]) -> [String] {
    items.compactMap { $0["canonical"]?.elements?.first?["href"]?.string?.split(separator: "=").last.map(String.init) }
  }

  @Test("Logging in, subscriptions, labels and counts")
  func lists() throws {
    let login = try hub.send(
      "POST", "/accounts/ClientLogin", ["Content-Type: application/x-www-form-urlencoded"],
      body: "Email=a&Passwd=b".utf8)
    #expect(login.status == 200 && login.text.split(separator: "\n").contains { $0.hasPrefix("Auth=") })
    let subscriptions = try hub.get("\(GoogleReaderTests.api)/subscription/list?output=json").json["subscriptions"]
    #expect(subscriptions?.elements?.count == 2)
    #expect(
      subscriptions?.elements?.compactMap { $0["categories"]?.elements?.first?["label"]?.string } == ["science & tech"])
    let tags = try hub.get("\(GoogleReaderTests.api)/tag/list").json
    #expect(tags.texts("tags", of: "id") == [GoogleReaderTests.starred, "user/-/label/science & tech"])
    let counts = try hub.get("\(GoogleReaderTests.api)/unread-count").json["unreadcounts"]?.elements ?? []
    #expect(try counts.last?["count"]?.number == Double(sandbox.list().count))
    #expect(try hub.get("\(GoogleReaderTests.api)/token").text.count == 57)
    #expect(try hub.get("\(GoogleReaderTests.api)/user-info").json["userName"]?.string == "owner")
  }

  @Test("Streams: everything, a feed, a label, and pages that make the whole")
  func streams() throws {
    let all = try ids("s=\(GoogleReaderTests.list)&n=10000").ids
    #expect(Set(try videos(items(GoogleReaderTests.list))) == Set(try sandbox.list().map(\.video)))
    var (paged, next): ([String], String?) = ([], nil)
    repeat {
      let page = try ids("s=\(GoogleReaderTests.list)&n=7\(next.map { "&c=\($0)" } ?? "")")
      paged += page.ids
      next = page.next
    } while next != nil && paged.count < 1000
    #expect(paged == all && !all.isEmpty)
    #expect(try ids("s=\(GoogleReaderTests.list)&n=10000&r=o").ids.count == all.count)
    let labelled = try items("user/-/label/science%20%26%20tech")
    #expect(
      !labelled.isEmpty && labelled.allSatisfy { $0["origin"]?["streamId"] == labelled[0]["origin"]?["streamId"] })
    let feed = try #require(labelled[0]["origin"]?["streamId"]?.string)
    #expect(try items(feed) == labelled && items(feed.split(separator: "/").joined(separator: "%2F")) == labelled)
    let unused = try hub.get("\(GoogleReaderTests.api)/stream/contents/user/-/label/none")
    #expect(try unused.status == 200 && unused.json["items"]?.elements?.isEmpty == true)
    #expect(try ids("s=\(GoogleReaderTests.list)&n=100&ot=99999999999").ids.isEmpty)
    #expect(try ids("s=\(GoogleReaderTests.list)&n=10000&ot=1").ids == all)
  }

  @Test("Items by their IDs in each of the four spellings")
  func spellings() throws {
    let id = try #require(try ids("s=\(GoogleReaderTests.list)&n=1").ids.first)
    let number = try #require(Int(id))
    let digits = String(number, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    let prefix = "tag:google.com,2005:reader/item/"
    for spelling in [prefix + padded, prefix + digits, padded, id] {
      let found = try post("/stream/items/contents", "i=\(spelling)&output=json").json["items"]?.elements
      #expect(found?.first?["id"]?.string == prefix + padded && found?.count == 1, "\(spelling)")
      #expect(try post("/edit-tag", "i=\(spelling)&a=\(GoogleReaderTests.starred)&T=x").text == "OK")
      #expect(try sandbox.list("--saved").count == 1)
      #expect(try post("/edit-tag", "i=\(spelling)&r=\(GoogleReaderTests.starred)").text == "OK")
      #expect(try sandbox.list("--saved").isEmpty)
    }
  }

  @Test("Read is watched, unread new, starred saved; also in what streams leave out")
  func marks() throws {
    let all = try ids("s=\(GoogleReaderTests.list)&n=10000").ids
    let marked = all[..<3].map { "i=\($0)" }.joined(separator: "&")
    #expect(try post("/edit-tag", "\(marked)&a=\(GoogleReaderTests.read)").text == "OK")
    #expect(try sandbox.list("--watched").count == 3)
    #expect(try ids("s=\(GoogleReaderTests.list)&n=10000&xt=\(GoogleReaderTests.read)").ids == Array(all[3...]))
    #expect(try ids("s=\(GoogleReaderTests.read)&n=10000").ids == Array(all[..<3]))
    #expect(try post("/edit-tag", "i=\(all[0])&r=\(GoogleReaderTests.read)").text == "OK")
    #expect(
      try post("/edit-tag", "i=\(all[1])&a=user/-/state/com.google/kept-unread&r=\(GoogleReaderTests.read)").text
        == "OK")
    #expect(try sandbox.list("--watched").count == 1)
    #expect(try post("/edit-tag", "i=\(all[4])&a=\(GoogleReaderTests.starred)").text == "OK")
    #expect(try ids("s=\(GoogleReaderTests.starred)&n=10").ids == [all[4]])
    #expect(try post("/mark-all-as-read", "s=\(GoogleReaderTests.read)").text == "OK")
    #expect(try sandbox.list("--watched").count == 1)
    #expect(try post("/mark-all-as-read", "s=\(GoogleReaderTests.list)&ts=1000000").text == "OK")
    #expect(try sandbox.list("--watched").count == 1)
    #expect(try post("/mark-all-as-read", "s=user/-/label/science%20%26%20tech").text == "OK")
    #expect(try sandbox.list("--tag", "science & tech").isEmpty && !sandbox.list().isEmpty)
    #expect(try post("/mark-all-as-read", "s=\(GoogleReaderTests.list)&ts=4000000000000000").text == "OK")
    #expect(try sandbox.list().isEmpty)
  }

  @Test("An Atom stream says what is read")
  func atom() throws {
    let feed = try #require(
      try hub.get("\(GoogleReaderTests.api)/subscription/list").json["subscriptions"]?.elements?.first?["id"]?.string)
    let first = try #require(try ids("s=\(feed)&n=1").ids.first)
    let before = try hub.get("/reader/atom/\(feed.split(separator: "/").joined(separator: "%2F"))?n=5")
    #expect(before.headers["content-type"] == "application/atom+xml; charset=utf-8")
    #expect(before.text.split(separator: "<entry>").count == 6 && !before.text.contains(#"label="read""#))
    #expect(try post("/edit-tag", "i=\(first)&a=\(GoogleReaderTests.read)").text == "OK")
    #expect(try hub.get("/reader/atom/\(feed)?n=5").text.contains(#"label="read""#))
  }

  @Test("Following, labelling, renaming and unfollowing")
  func subscriptions() throws {
    let address = "https://www.youtube.com/feeds/videos.xml?channel_id=UC3I2GFN_F8WudD_2jUZbojA"
    let escaped = address.split(separator: "?").joined(separator: "%3F").split(separator: "=").joined(separator: "%3D")
    #expect(
      try post("/subscription/edit", "ac=subscribe&s=feed/\(escaped)&a=user/-/label/Music&t=Ignored").text == "OK")
    #expect(try sandbox.succeed("channels", "--tag", "Music", "--format", "ids") == "UC3I2GFN_F8WudD_2jUZbojA\n")
    let quick = try post("/subscription/quickadd", "quickadd=\(escaped)").json
    let stream = try #require(quick["streamId"]?.string)
    #expect(
      try post("/subscription/edit", "ac=edit&s=\(stream)&t=Sessions&a=user/-/label/Live&r=user/-/label/Music").text
        == "OK")
    #expect(try sandbox.succeed("channels", "--tag", "Live").contains("Sessions"))
    #expect(try post("/rename-tag", "s=user/-/label/Live&dest=user/-/label/Concerts").text == "OK")
    #expect(try sandbox.succeed("channels", "--tag", "Concerts").contains("Sessions"))
    #expect(try post("/disable-tag", "s=user/-/label/Concerts").text == "OK")
    #expect(try hub.get("\(GoogleReaderTests.api)/tag/list").json["tags"]?.elements?.count == 2)
    #expect(try post("/subscription/edit", "ac=unsubscribe&s=\(stream)").text == "OK")
    #expect(try !sandbox.succeed("channels", "--format", "ids").contains("UC3I2GFN_F8WudD_2jUZbojA"))
  }

  @Test("The address that readers of the kind FreshRSS append is the same API, and no other")
  func freshRSS() throws {
    let base = "/api/greader.php"
    let form = ["Content-Type: application/x-www-form-urlencoded"]
    let login = try hub.send("POST", "\(base)/accounts/ClientLogin", form, body: "Email=a&Passwd=b".utf8)
    #expect(login.status == 200 && login.text.contains("Auth="))
    let list = "\(GoogleReaderTests.api)/subscription/list?output=json"
    #expect(try hub.get(base + list).text == hub.get(list).text)
    #expect(try hub.get("/" + base + list).status == 200, "joined to an address that ends with a slash")
    let id = try #require(try ids("s=\(GoogleReaderTests.list)&n=1").ids.first)
    let marked = try hub.send(
      "POST", "\(base)\(GoogleReaderTests.api)/edit-tag", form, body: "i=\(id)&a=\(GoogleReaderTests.read)".utf8)
    #expect(try marked.text == "OK" && sandbox.list("--watched").count == 1)
    for path in ["/v1/feeds", "/api/v1/videos", "", "/reader/nothing"] {
      let response = try hub.get(base + path)
      #expect(
        response.status == 404 && response.text.hasPrefix("Error="), "\(path): \(response.status) \(response.text)")
    }
  }

  @Test("An OPML file that NetNewsWire sends is imported")
  func imported() throws {
    let file = try #require(Files.read(Files.packageRoot + "/feeds.opml"))
    let response = try hub.send(
      "POST", "\(GoogleReaderTests.api)/subscription/import", ["Content-Type: text/xml"], body: file)
    #expect(response.status == 200 && response.text == "OK")
    let list = try hub.get("\(GoogleReaderTests.api)/subscription/list").json["subscriptions"]?.elements
    #expect(list?.count == 20)
    let refused = try hub.send("POST", "\(GoogleReaderTests.api)/subscription/import", [], body: "nothing".utf8)
    #expect(refused.status == 422 && refused.text.hasPrefix("Error="))
  }

  @Test("The reading list by its short name, marked as read until now")
  func readingList() throws {
    #expect(try items("reading-list") == items(GoogleReaderTests.list) && !items("reading-list").isEmpty)
    #expect(try ids("s=reading-list&n=10000").ids == ids("s=\(GoogleReaderTests.list)&n=10000").ids)
    let unknown = try post("/mark-all-as-read", "s=user/-/state/com.google/broadcast")
    #expect(unknown.status == 400 && unknown.text.hasPrefix("Error="))
    #expect(try post("/mark-all-as-read", "s=reading-list&ts=0").text == "OK")
    #expect(try sandbox.list().isEmpty)
  }

  @Test(
    "A list that the hub does not have is refused in plain text, wherever a request names it",
    arguments: [
      "/stream/contents/user/-/state/com.google/broadcast",
      "/stream/contents/user/1/state/com.google/broadcast-friends", "/stream/contents/xyz",
      "/stream/contents?s=user/-/state/com.google/like", "/stream/items/ids?s=xyz&n=10",
      "/stream/items/ids?s=user/-/state/com.google/tracking-kept-unread&n=0",
      "/stream/items/ids?s=\(list)&it=user/-/state/com.google/broadcast",
      "/stream/items/ids?s=user/-/label/none&it=xyz", "/stream/items/ids?s=\(list)&xt=user/-/state/com.google/like",
      "/stream/items/ids?s=\(list)&xt=feed/1", "/reader/atom/user/-/state/com.google/broadcast",
    ])
  func noSuchList(_ path: String) throws {
    let response = try hub.get(path.hasPrefix("/reader") ? path : GoogleReaderTests.api + path)
    #expect(response.status == 400 && response.text.hasPrefix("Error="), "\(response.status) \(response.text)")
    #expect(response.headers["content-type"]?.hasPrefix("text/plain") == true)
  }

  @Test("Parameters without a value name no list")
  func emptyParameters() throws {
    let all = try ids("s=\(GoogleReaderTests.list)&n=10000").ids
    #expect(try ids("s=&it=&xt=&n=10000").ids == all && !all.isEmpty)
  }

  @Test("A state that the hub does not have is refused, and nothing of the request is done")
  func noSuchState() throws {
    let id = try #require(try ids("s=\(GoogleReaderTests.list)&n=1").ids.first)
    let read = "a=\(GoogleReaderTests.read)"
    for fields in [
      "a=user/-/state/com.google/like", "\(read)&a=user/-/state/com.google/broadcast", "\(read)&r=xyz",
      "\(read)&r=\(GoogleReaderTests.list)", "a=feed/1",
    ] {
      let response = try post("/edit-tag", "i=\(id)&\(fields)")
      #expect(
        response.status == 400 && response.text.hasPrefix("Error="), "\(fields): \(response.status) \(response.text)")
      #expect(try sandbox.list("--watched").isEmpty, "\(fields)")
    }
    // What clients send beside others: statistics, and fields without a value.
    let response = try post("/edit-tag", "i=\(id)&\(read)&a=user/-/state/com.google/tracking-kept-unread&r=")
    #expect(try response.text == "OK" && sandbox.list("--watched").count == 1)
  }

  @Test("What cannot be followed gets a response without results that says why")
  func quickaddRefused() throws {
    let response = try post("/subscription/quickadd", "quickadd=https://example.org/feed")
    #expect(try response.status == 200 && response.json["numResults"] == 0 && response.json["query"] != nil)
    #expect(try response.json["error"]?.string?.contains("example.org") == true && response.json["streamId"] == nil)
  }

  @Test("A label for an article is refused with a message, and nothing of the request is done")
  func labelled() throws {
    let id = try #require(try ids("s=\(GoogleReaderTests.list)&n=1").ids.first)
    let response = try post("/edit-tag", "i=\(id)&a=user/-/label/x&a=\(GoogleReaderTests.read)")
    #expect(response.status == 400 && response.text.contains("labels"))
    #expect(try sandbox.list("--watched").isEmpty)
  }

  @Test("A method that a path does not have is refused in plain text")
  func methods() throws {
    for (method, path) in [("POST", "/token"), ("GET", "/edit-tag"), ("PUT", "/subscription/list")] {
      let response = try hub.send(method, GoogleReaderTests.api + path)
      #expect(
        response.status == 405 && response.text.hasPrefix("Error=") && response.headers["allow"] != nil, "\(path)")
    }
  }

  @Test(
    "Invalid requests are refused in plain text",
    arguments: [
      ("/edit-tag", "", 400), ("/edit-tag", "i=xyz&a=\(read)", 400), ("/edit-tag", "i=1&a=user/-/label/x", 400),
      ("/stream/items/contents", "i=-1", 400), ("/mark-all-as-read", "", 400),
      ("/mark-all-as-read", "s=feed/999", 404), ("/mark-all-as-read", "s=\(list)&ts=x", 400),
      ("/subscription/edit", "ac=subscribe", 400), ("/subscription/edit", "ac=x&s=feed/1", 400),
      ("/subscription/edit", "ac=subscribe&s=feed/https://example.org", 400),
      ("/subscription/quickadd", "quickadd=", 400), ("/rename-tag", "s=user/-/label/x&dest=user/-/label/y", 404),
      ("/disable-tag", "s=user/-/label/x", 404), ("/nothing", "", 404), ("/edit-tag", "i=%00", 400),
    ])
  func refused(_ path: String, _ form: String, _ status: Int) throws {
    let response = try post(path, form)
    #expect(response.status == status && response.text.hasPrefix("Error="), "\(response.status) \(response.text)")
    #expect(sandbox.events("statusSet").isEmpty)
  }
}
