import Core
import EventLog
import FixtureServer
import Glibc
import HubStore
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// The hub as a subscriber of WebSub, against a hub of the tests' own; the numbers are the steps of websub.rocks.
@Suite("Subscriptions to news")
struct HubPushTests {
  private let sandbox: Sandbox
  private static let channels = SyntheticChannel.first(2)

  init() throws {
    sandbox = try Sandbox()
    serve(links: #"<link rel="hub" href="\#(sandbox.server.baseURL)/hub"/>"#)
    sandbox.server.route("/hub") { _ in .empty(status: 202) }
    try sandbox.succeed("follow", HubPushTests.channels[0].id, HubPushTests.channels[1].id)
    try sandbox.succeed("poll", "--rate", "0")
    _ = try Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      .run(["user", "add", "ann"], input: Array("correct horse\n".utf8))
  }

  /// Serves the channels' feeds with more links.
  private func serve(links: String, headers: [String: String] = [:]) {
    for (number, channel) in HubPushTests.channels.enumerated() {
      let feed = FixtureFeed.of(channel, [(id: "aaaaaaaaa\(number)A", title: "Video")]).xml
      var response = Response.feed(feed.replacing(" <id>", with: " \(links)\n <id>", maxReplacements: 1).utf8)
      response.headers.merge(headers) { $1 }
      sandbox.server.serve(channel.id, response)
    }
  }

  private func start() throws -> RunningHub {
    try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--push", "--public-url", "https://hub.example")
  }

  private func asked(_ path: String = "/hub") -> [WebSubRequest] { sandbox.server.webSubRequests(path) }

  /// Waits for a number of requests to the hub of WebSub; the last ones.
  private func awaited(_ count: Int, at path: String = "/hub") throws -> [WebSubRequest] {
    wait { asked(path).count >= count }
    let requests = asked(path)
    try #require(requests.count >= count)
    return requests
  }

  /// Makes the last polls seem 20 minutes older.
  private func agePolls() throws {
    let path = sandbox.folder.path + "/state/poll"
    let records = try #require(try StateFile.read(path)).map { record in
      StateRecord(
        record.members.map { (member) -> (name: String, value: StateRecord.Value) in
          guard ["asked", "answered"].contains(member.name), case .text(let text) = member.value,
            let time = Timestamp(rfc3339: text)
          else { return (member.name, member.value) }
          return (member.name, .text(time.adding(seconds: -1200).rfc3339))
        })
    }
    try StateFile.write(path, records)
  }

  private func change(_ assignments: SQL) throws {
    let database = try Database(sandbox.folder.path + "/state/hub.db", .readWrite)
    try database.execute("UPDATE push SET \(assignments)")
  }

  private var isSaid: Bool {
    String(decoding: sandbox.folder.read("state/push") ?? [], as: UTF8.self).contains("until")
  }

  @Test("A subscription is verified, pushes poll their feed once in 15 minutes, and a flood does no more")
  func pushes() throws {
    let hub = try start()
    let requests = try awaited(2)
    #expect(Set(requests.map(\.topic)).count == 2 && Set(requests.map(\.path)).count == 2, "a path for each")
    #expect(requests.allSatisfy { $0.mode == "subscribe" && $0.path.hasPrefix("/push/") && $0.path.utf8.count > 40 })
    #expect(requests.allSatisfy { (20..<200).contains($0.secret.utf8.count) })
    #expect(try hub.push(requests[0]) == 410, "not verified yet")
    // 205: the hub verifies another topic.
    #expect(try hub.verify(requests[0], topic: "https://www.youtube.com/other").status == 404)
    #expect(try hub.verify(requests[0], mode: "unsubscribe").status == 404)
    #expect(try hub.verify(requests[0], challenge: "").status == 404)
    #expect(
      try hub.get("/push/\(String(repeating: "x", count: 43))?hub.mode=denied", "Host: hub.example").status == 404)
    for request in requests {
      let verified = try hub.verify(request)
      #expect(verified.status == 200 && verified.text == "a.challenge-1")
      #expect(verified.headers["content-type"]?.hasPrefix("text/plain") == true)
    }
    wait { isSaid }
    #expect(isSaid, "polls once a day")
    try agePolls()
    sandbox.server.forgetRequests()
    let topics = requests.map { request in HubPushTests.channels.first { request.topic.contains($0.id) }?.id ?? "" }
    // 301, 302: signed wrongly, or not at all.
    #expect(try hub.push(requests[0], secret: "wrong") == 403)
    #expect(try hub.push(requests[0], secret: requests[1].secret) == 403, "another topic's secret")
    #expect(try hub.push(requests[0], isSigned: false) == 403)
    // 300, also twice and by other methods; the content is never believed.
    let foreign = FixtureFeed.of(SyntheticChannel.first(3)[2], [(id: "bbbbbbbbb0A", title: "Not of this channel")]).xml
    for method in ["sha1", "sha256", "sha384", "sha512"] {
      #expect((200..<300).contains(try hub.push(requests[0], method: method, body: foreign)))
    }
    wait { sandbox.server.requestCount(topics[0]) > 0 }
    #expect(sandbox.server.requestCount(topics[0]) > 0, "a request of the feed")
    for _ in 0..<1000 { #expect(try hub.push(requests[0]) == 202) }
    // The other one's request comes after everything that the flood led to.
    #expect(try hub.push(requests[1]) == 202)
    wait { sandbox.server.requestCount(topics[1]) > 0 }
    #expect(sandbox.server.requestCount(topics[1]) > 0, "a request of the other feed")
    #expect(sandbox.server.requestCount(topics[0]) == 1 && sandbox.server.requestCount(topics[1]) == 1)
    #expect(try sandbox.everything().count == 2)
    #expect(try hub.end().status == 0)
    #expect(!isSaid, "without the hub polls go on as before")
  }

  @Test("A push may have a mebibyte, although it needs no login", arguments: [0, 40 << 10, 1 << 20, (1 << 20) + 1])
  func sizes(_ count: Int) throws {
    let hub = try start()
    let request = try awaited(2)[0]
    #expect(try hub.verify(request).status == 200)
    let body = String(repeating: " ", count: count)
    #expect(try hub.push(request, body: body) == (count <= 1 << 20 ? 202 : 413))
    // What has no such callback is not read.
    let unknown = try hub.send("POST", "/push/unknown", ["Host: hub.example"], body: body.utf8)
    #expect(unknown.status == 404, "\(unknown.status)")
  }

  @Test("A lease survives a restart and is renewed with the same callback; a denial ends it")
  func leases() throws {
    let first = try start()
    let requests = try awaited(2)
    for request in requests { #expect(try first.verify(request).status == 200) }
    wait { isSaid }
    #expect(isSaid, "polls once a day")
    _ = try first.end()
    try change("lease_end = lease_end - 432000 + 60, sent = sent - 432000, retry = 0")
    sandbox.server.forgetRequests()
    let second = try start()
    let renewed = try awaited(2)
    #expect(Set(renewed.map(\.path)) == Set(requests.map(\.path)), "the same subscription")
    #expect(Set(renewed.map(\.secret)) == Set(requests.map(\.secret)))
    try agePolls()
    #expect(try second.push(renewed[0]) == 202, "the lease is good until it ends")
    #expect(try second.verify(renewed[0]).status == 200)
    #expect(try second.verify(renewed[1], mode: "denied").status == 200)
    #expect(try second.push(renewed[1]) == 410)
    #expect(try second.push(renewed[0]) == 202)
  }

  @Test("What is unfollowed is unsubscribed, and then pushed no more")
  func unfollowed() throws {
    let hub = try start()
    let requests = try awaited(2)
    for request in requests { #expect(try hub.verify(request).status == 200) }
    let other = try #require(requests.first { !$0.topic.contains(HubPushTests.channels[0].id) })
    try sandbox.succeed("unfollow", HubPushTests.channels[0].id)
    #expect(try hub.verify(other).status == 200, "a second time, which has it look at all subscriptions at once")
    let last = try #require(try awaited(3).last)
    #expect(last.mode == "unsubscribe" && last.topic.contains(HubPushTests.channels[0].id))
    let own = try #require(requests.first { $0.path == last.path })
    #expect(try hub.verify(last, mode: "subscribe").status == 404)
    #expect(try hub.verify(last).text == "a.challenge-1")
    #expect([404, 410].contains(try hub.push(own)))
    #expect(try other.path != last.path && hub.push(other) == 202)
  }

  @Test("201, 202, 203, 204: redirects of the topic and of the hub are followed", arguments: [307, 308])
  func redirects(status: Int) throws {
    // The topic moved: its feed names itself by the new address.
    let moved = status == 307 ? 302 : 301
    for channel in HubPushTests.channels {
      let target = "\(sandbox.server.baseURL)/moved/\(channel.id)"
      sandbox.server.serve(channel.id, Response(status: moved, headers: ["Location": target], body: []))
      let feed = FixtureFeed.of(channel, [(id: "ccccccccc0A", title: "Video")]).xml
      var response = Response.feed(feed.utf8)
      response.headers["Link"] = "<\(sandbox.server.baseURL)/old>; rel=\"hub\", <\(target)>; rel=\"self\""
      sandbox.server.serve("/moved/\(channel.id)", response)
    }
    let hub = sandbox.server.baseURL + "/hub"
    sandbox.server.route("/old") { _ in Response(status: status, headers: ["Location": hub], body: []) }
    try sandbox.succeed("poll", "--rate", "0", "--force")
    let running = try start()
    let requests = try awaited(2)
    #expect(requests.allSatisfy { $0.topic.contains("/moved/") && $0.mode == "subscribe" })
    #expect(asked("/old") == requests)
    #expect(try running.verify(requests[0]).status == 200)
  }

  @Test("A hub that fails is left alone; the feeds are polled as ever")
  func failing() throws {
    sandbox.server.route("/hub") { _ in .empty(status: 503) }
    let hub = try start()
    _ = try awaited(1)
    sandbox.server.route("/hub") { _ in .empty(status: 202) }
    let outcome = try hub.end()
    #expect(outcome.errors.contains("does not answer: HTTP 503") && asked().count == 1, "\(outcome.errors)")
    #expect(!isSaid)
  }

  @Test("A hub that fails pauses nothing but itself")
  func failingAlone() throws {
    sandbox.server.route("/hub") { _ in .empty(status: 503) }
    let other = try FixtureServer.start(port: 0)
    defer { other.stop() }
    other.route("/hub") { _ in .empty(status: 202) }
    let feed = FixtureFeed.of(HubPushTests.channels[1], [(id: "aaaaaaaaa1A", title: "Video")]).xml
    var response = Response.feed(feed.utf8)
    response.headers["Link"] = "<\(other.baseURL)/hub>; rel=hub"
    sandbox.server.serve(HubPushTests.channels[1].id, response)
    try sandbox.succeed("poll", "--rate", "0", "--force")
    let hub = try start()
    wait { !other.webSubRequests("/hub").isEmpty && !asked().isEmpty }
    #expect(other.webSubRequests("/hub").count == 1 && asked().count == 1)
    // While one rests, the other one is asked for more.
    let request = try #require(other.webSubRequests("/hub").first)
    #expect(try hub.verify(request).status == 200)
    try sandbox.succeed("unfollow", HubPushTests.channels[1].id)
    #expect(try hub.verify(request).status == 200, "a second time, which has it look at all subscriptions at once")
    wait { other.webSubRequests("/hub").count == 2 }
    #expect(other.webSubRequests("/hub").last?.mode == "unsubscribe" && asked().count == 1)
  }

  @Test("A feed cannot make the hub send requests into the network around it")
  func insecure() throws {
    serve(links: #"<link rel="hub" href="http://10.0.0.1/hub"/>"#)
    try sandbox.succeed("poll", "--rate", "0", "--force")
    let hub = try start()
    serve(links: "", headers: ["Link": "<\(sandbox.server.baseURL)/second>; rel=hub"])
    sandbox.server.route("/second") { _ in .empty(status: 202) }
    try sandbox.succeed("poll", "--rate", "0", "--force")
    // Had it tried the first one, it would be the one that it keeps.
    _ = try awaited(2, at: "/second")
    #expect(!(try hub.end().errors.contains("does not answer")))
  }

  @Test("Without an address that others reach it does not start, and without --push there is no callback")
  func off() throws {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let outcome = try program.run(["serve", "--listen", "127.0.0.1:0", "--push"])
    #expect(outcome.status == 64 && outcome.errors.contains("--public-url"), "\(outcome.errors)")
    let hub = try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--public-url", "https://hub.example")
    #expect(try hub.get("/push/x?hub.mode=denied", "Host: hub.example").status == 404)
    #expect(asked().isEmpty)
  }

  @Test("Neither the path nor the secret is in what the hub writes")
  func logged() throws {
    let hub = try RunningHub(
      sandbox, "--listen", "127.0.0.1:0", "--push", "--public-url", "https://hub.example", "--log-requests")
    let requests = try awaited(2)
    #expect(try hub.verify(requests[0]).status == 200)
    let errors = try hub.end().errors
    #expect(errors.contains("GET /push/-"), "\(errors)")
    #expect(!errors.contains(requests[0].path) && !errors.contains(requests[0].secret))
  }
}
