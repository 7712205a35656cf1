import FixtureServer
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// Several hubs on one database as one subscriber of WebSub, against a hub of the tests' own.
@Suite("Subscriptions to news of a database", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
struct SharedPushTests {
  /// Waits for a number of requests to the hub of WebSub, and returns them by channel.
  private func awaited(_ count: Int, of scene: SharedPollScene) throws -> [String: WebSubRequest] {
    wait { scene.server.webSubRequests().count >= count }
    let requests = scene.server.webSubRequests()
    try #require(requests.count == count, "\(requests.map(\.mode))")
    let channels = requests.map { request in scene.ids.first { request.topic.contains($0) } ?? "" }
    return Dictionary(zip(channels, requests)) { $1 }
  }

  private func due(_ channel: String, in scene: SharedPollScene) throws -> Int {
    try scene.count("SELECT due - unix_time() FROM poll_channel WHERE subscription = ?", channel)
  }

  /// How long after its last request a feed is due.
  private func interval(_ channel: String, in scene: SharedPollScene) throws -> Int {
    try scene.count("SELECT due - requested FROM poll_channel WHERE subscription = ?", channel)
  }

  @Test("One process subscribes, each verifies and receives, and what is announced is found once, by push and by poll")
  func pushes() throws {
    let scene = try SharedPollScene(2, announces: true)
    let (first, second) = (scene.ids[0], scene.ids[1])
    try scene.poll()
    let hubs = [try scene.subscribe(), try scene.subscribe()]
    let requests = try awaited(2, of: scene)
    let (one, two) = (try #require(requests[first]), try #require(requests[second]))
    #expect([one, two].allSatisfy { $0.mode == "subscribe" && $0.path.hasPrefix("/push/") } && one.path != two.path)
    #expect(try hubs[0].push(one) == 410, "not verified yet")
    #expect(try hubs[1].verify(one, topic: "https://www.youtube.com/other").status == 404)
    #expect(try hubs[1].verify(one).text == "a.challenge-1")
    #expect(try hubs[0].verify(two).status == 200)
    try scene.pass(1200)
    let before = try due(second, in: scene)
    for hub in hubs {
      #expect(try hub.push(one, secret: "wrong") == 403 && hub.push(one, isSigned: false) == 403)
      #expect(try hub.push(one, secret: two.secret) == 403, "another topic's secret")
      #expect(try hub.send("POST", "/push/" + String(repeating: "x", count: 43), body: "x".utf8).status == 404)
    }
    #expect(try due(first, in: scene) > 0, "none of them counts")
    scene.server.forgetRequests()
    try scene.publish("newVideo00A", in: first)
    // The process that was not verified knows of the lease too; what a push says is never believed.
    let foreign = FixtureFeed.of(SyntheticChannel.first(3)[2], [(id: "bbbbbbbbb0A", title: "Not of this channel")]).xml
    #expect(try hubs[0].push(one, method: "sha512", body: foreign) == 202)
    #expect(try due(first, in: scene) <= 0)
    try scene.poll()
    for _ in 0..<200 { #expect(try hubs[1].push(one) == 202) }
    try scene.poll()
    #expect(scene.requests == [first: 1])
    #expect(try scene.found().filter { $0 == "newVideo00A" }.count == 1)
    #expect(try scene.found().count == 31)
    #expect(try interval(first, in: scene) == 900, "announced after the request")
    #expect(try due(second, in: scene) <= before)
    // Polls of their own come once a day.
    try scene.pass(1000)
    try scene.poll()
    #expect(try interval(first, in: scene) > 60_000)
    #expect(try scene.found().count == 31)
    #expect(scene.server.webSubRequests().isEmpty, "no other process subscribes")
    for hub in hubs { #expect(try hub.end().status == 0) }
  }

  @Test("A hub that fails pauses nothing but itself")
  func failingAlone() throws {
    let scene = try SharedPollScene(4, announces: true)
    try scene.poll()
    let other = try FixtureServer.start(port: 0)
    defer { other.stop() }
    other.route("/hub") { _ in .empty(status: 202) }
    scene.server.route("/hub") { _ in .empty(status: 503) }
    // The last in order, after those whose hub fails.
    try scene.database.run(
      "UPDATE poll_channel SET hub = ? WHERE subscription = (SELECT max(subscription) FROM poll_channel)",
      other.baseURL + "/hub")
    let hub = try scene.subscribe()
    wait { !other.webSubRequests("/hub").isEmpty && !scene.server.webSubRequests().isEmpty }
    #expect(other.webSubRequests("/hub").count == 1 && scene.server.webSubRequests().count == 1)
    #expect(try hub.end().status == 0)
  }

  @Test("News announced while a feed is being requested leads to another request 15 minutes later")
  func pushDuringPoll() throws {
    let scene = try SharedPollScene(1, announces: true)
    try scene.poll()
    let hub = try scene.subscribe()
    let request = try #require(try awaited(1, of: scene)[scene.ids[0]])
    #expect(try hub.verify(request).status == 200)
    try scene.pass(200_000)
    #expect(try scene.database.integer("SELECT lease_end FROM push") ?? 0 > 0)
    scene.server.responseLimit = 0
    let poller = try scene.start("--once")
    scene.server.forgetRequests()
    wait { scene.requests.count == 1 }
    #expect(try hub.push(request) == 202)
    scene.server.responseLimit = .max
    let outcome = try poller.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let wait = try interval(scene.ids[0], in: scene)
    #expect((900...960).contains(wait), "\(wait)")
  }

  @Test("When the process that subscribes crashes, another one renews the leases, with the same callbacks")
  func renewals() throws {
    let scene = try SharedPollScene(2, announces: true)
    try scene.poll()
    let keeper = try scene.subscribe()
    let requests = try awaited(2, of: scene)
    for request in requests.values { #expect(try keeper.verify(request).status == 200) }
    let other = try scene.subscribe()
    keeper.kill()
    // The leases are about to end, and the crashed process is not heard of for a minute.
    try scene.pass(431_000)
    scene.server.forgetRequests()
    let renewed = try awaited(2, of: scene)
    for (channel, request) in renewed {
      #expect(request.path == requests[channel]?.path && request.secret == requests[channel]?.secret)
      #expect(try other.push(request) == 202, "the lease is good until it ends")
      #expect(try other.verify(request).status == 200)
    }
    #expect(try scene.count("SELECT count(*) FROM push WHERE lease_end > unix_time() + 400000") == 2)
    #expect(try other.end().status == 0)
    #expect(try scene.count("SELECT count(*) FROM push_keeper WHERE until > unix_time()") == 0)
  }

  @Test("A denial ends the lease, and the feed is polled as before; a channel without followers is unsubscribed")
  func endings() throws {
    let scene = try SharedPollScene(2, announces: true)
    let (first, second) = (scene.ids[0], scene.ids[1])
    try scene.follow([second], by: 2)
    try scene.poll()
    #expect(try interval(first, in: scene) <= 3600, "once an hour")
    let hub = try scene.subscribe()
    let requests = try awaited(2, of: scene)
    for request in requests.values { #expect(try hub.verify(request).status == 200) }
    try scene.pass(200_000)
    // The process has renewed the leases meanwhile.
    try scene.database.run("UPDATE push SET lease_end = lease_end + 200000")
    try scene.database.run("UPDATE push_keeper SET until = until + 200000")
    try scene.poll()
    #expect(try interval(first, in: scene) > 60_000)
    let one = try #require(requests[first])
    scene.server.forgetRequests()
    // Somebody else still follows it.
    try scene.unfollow(second, by: 1)
    try scene.unfollow(second, by: 2)
    // A denial has the process look at all subscriptions at once.
    #expect(try hub.verify(one, mode: "denied").status == 200)
    #expect(try hub.push(one) == 410)
    #expect(try interval(first, in: scene) == 900)
    try scene.pass(1000)
    try scene.poll()
    #expect(try interval(first, in: scene) <= 3600)
    let last = try #require(try awaited(1, of: scene)[second])
    #expect(last.mode == "unsubscribe" && last.path == requests[second]?.path)
    #expect(try hub.verify(last).text == "a.challenge-1")
    wait { (try? scene.count("SELECT count(*) FROM push WHERE channel = ?", second)) == 0 }
    #expect([404, 410].contains(try hub.push(try #require(requests[second]))))
  }

  @Test("Without --push a process knows of no callbacks, and --push needs a public URL")
  func off() throws {
    let scene = try SharedPollScene(1, announces: true)
    try scene.poll()
    let refused = try scene.serve("--push").finish()
    #expect(refused.status == 64 && refused.errors.contains("--public-url"), "\(refused.errors)")
    let hub = try scene.subscribe()
    let request = try #require(try awaited(1, of: scene)[scene.ids[0]])
    let other = try scene.serveOnly("--public-url", "https://hub.example")
    #expect(try other.verify(request).status == 404 && other.push(request) == 404)
    #expect(try hub.verify(request).status == 200)
  }
}
