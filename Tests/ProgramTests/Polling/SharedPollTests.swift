import Core
import FixtureServer
import Glibc
import Library
import ReadModel
import SQLDrivers
import Seeded
import TestSupport
import Testing

/// Several pollers on one database.
@Suite(.enabled(if: SharedPollScene.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct SharedPollTests {
  @Test("Pollers share the feeds that are due: each is requested once, and each video found once")
  func sharing() throws {
    let scene = try SharedPollScene(60)
    let pollers = try (0..<3).map { _ in try scene.start("--once", "--batch", "7", "--verbose") }
    for poller in pollers {
      let outcome = try poller.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(scene.requests == Dictionary(scene.ids.map { ($0, 1) }) { $1 })
    try scene.expectAllFound()
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE answered >= requested AND poller IS NULL") == 60)
    #expect(try scene.count("SELECT min(due - requested) FROM poll_channel") >= 900)
    // The catalogue follows what users follow, and nothing is due again.
    #expect(try scene.lines("channelFollowed").count == 60)
    scene.server.forgetRequests()
    try scene.poll()
    #expect(scene.server.requests.isEmpty)
  }

  @Test("Pollers that are killed lose nothing, and no feed is requested twice within 15 minutes")
  func killing() throws {
    let scene = try SharedPollScene(80)
    var generator = SeededGenerator(seed: 7)
    scene.server.latency = 5
    var pollers: [Running] = []
    var started = 0
    func count() -> Int { scene.requests.values.reduce(0, +) }
    for _ in 0..<6 {
      while pollers.count < 3 {
        pollers.append(try scene.start("--batch", "6", "--lease", "30"))
        started += 1
      }
      // Before that it ends by any signal.
      wait { (try? scene.count("SELECT count(*) FROM poller")) == started }
      let enough = count() + Int.random(in: 1...6, using: &generator)
      wait {
        count() >= enough || (try? scene.count("SELECT count(*) FROM poll_channel WHERE due <= unix_time()")) == 0
      }
      let killed = pollers.remove(at: Int.random(in: 0..<3, using: &generator))
      killed.signal(SIGKILL)
      _ = try killed.finish()
    }
    for poller in pollers { poller.signal(SIGTERM) }
    for poller in pollers { #expect(try poller.finish().status == 0) }
    try scene.poll()
    #expect(scene.requests.values.allSatisfy { $0 == 1 })
    // What the killed ones had claimed is all that is left.
    let lost = try scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL")
    #expect(
      try scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NULL AND answered >= requested") == 80 - lost)
    try scene.pass(930)
    try scene.poll()
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL") == 0)
    #expect(scene.requests.count == 80)
    #expect(scene.requests.values.filter { $0 == 2 }.count <= lost && scene.requests.values.allSatisfy { $0 <= 2 })
    try scene.expectAllFound()
  }

  @Test("A poller that was suspended until others have its claims sends nothing more of them")
  func suspending() throws {
    let scene = try SharedPollScene(10)
    scene.server.responseLimit = 0
    let poller = try scene.start("--once", "--lease", "12", "--jobs", "2")
    wait { scene.requests.count == 2 }
    poller.signal(SIGSTOP)
    let end = try scene.count("SELECT max(lease_until) FROM poll_channel")
    wait { (try? scene.count("SELECT unix_time()")) ?? 0 > end }
    try scene.pass(2000)
    #expect(try scene.count("SELECT count(*) FROM claim_channels(unix_time(), 999, 'b', 100, 300)") == 10)
    scene.server.responseLimit = .max
    poller.signal(SIGCONT)
    let outcome = try poller.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(scene.requests.count == 2)
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE poller = 999") == 10)
  }

  @Test("A server polls beside other pollers, unless it is not to, and ends with what it has begun")
  func serving() throws {
    let scene = try SharedPollScene(3)
    let idle = try scene.serveOnly()
    let server = try scene.serve()
    wait { (try? scene.count("SELECT count(*) FROM poll_channel WHERE answered IS NOT NULL AND poller IS NULL")) == 3 }
    #expect(scene.requests.count == 3)
    #expect(try scene.count("SELECT count(*) FROM poller") == 1)
    // It ends also while requests are not answered.
    scene.server.responseLimit = 3
    try scene.pass(200_000)
    wait { scene.requests.values.reduce(0, +) > 3 }
    server.signal(SIGTERM)
    for outcome in [try server.finish(), try idle.end()] { #expect(outcome.status == 0, "\(outcome.errors)") }
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL") == 0)
  }

  @Test("On SIGTERM feeds that were not requested stay due, and those that were requested do not")
  func terminating() throws {
    let scene = try SharedPollScene(10)
    scene.server.responseLimit = 3
    let poller = try scene.start("--jobs", "2")
    wait { scene.requests.count == 5 }
    poller.signal(SIGTERM)
    let outcome = try poller.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL") == 0)
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE due <= unix_time()") == 5)
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE due > unix_time() + 800") == 5)
    scene.server.responseLimit = .max
    try scene.poll()
    #expect(scene.requests.count == 10 && scene.requests.values.allSatisfy { $0 == 1 })
  }

  @Test("A poller shows signs of life while it polls a batch, and says when it ends")
  func life() throws {
    let scene = try SharedPollScene(60)
    let poller = try scene.start("--rate", "0.5", "--batch", "60")
    wait { scene.requests.count == 2 }
    try scene.database.run("UPDATE poller SET seen = 0")
    // Not between two batches.
    wait {
      (try? scene.count(
        "SELECT count(*) FROM poller WHERE seen > 0 AND EXISTS (SELECT FROM poll_channel WHERE poller = n)")) == 1
    }
    #expect(scene.requests.count < 60)
    #expect(try scene.count("SELECT working FROM poller_life()") == 1)
    poller.signal(SIGTERM)
    #expect(try poller.finish().status == 0)
    #expect(try scene.count("SELECT working FROM poller_life()") == 0)
  }

  @Test("Requests of all pollers of an address leave at one pace")
  func pace() throws {
    let scene = try SharedPollScene(50)
    let start = try scene.count("SELECT unix_milliseconds()")
    let pollers = try (0..<3).map { _ in try scene.start("--once", "--rate", "20", "--batch", "5") }
    for poller in pollers { #expect(try poller.finish().status == 0) }
    let times = scene.arrivalTimes.sorted()
    #expect(times.count == 50)
    // The nth request has a moment that is n - 1 gaps after the first one.
    for (index, time) in times.enumerated() { #expect(time >= start + index * 50) }
  }

  @Test("What no user follows any longer is not requested, and another kind of feed is the one that all followers want")
  func wanting() throws {
    let scene = try SharedPollScene(4)
    try scene.poll()
    try scene.unfollow(scene.ids[0], by: 1)
    try scene.follow([scene.ids[1]], by: 1, form: "videos")
    try scene.follow([scene.ids[2]], by: 1, form: "videos")
    try scene.follow([scene.ids[2]], by: 2, form: "shorts")
    try scene.pass(200_000)
    scene.server.forgetRequests()
    try scene.poll()
    let keys = scene.requests
    #expect(keys[scene.ids[0]] == nil && keys[scene.ids[2]] == 1 && keys[scene.ids[3]] == 1)
    #expect(keys["UULF" + scene.ids[1].dropFirst(2)] == 1)
    #expect(try scene.lines("channelUnfollowed").count == 1)
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE due IS NULL") == 1)
    // Followed again, it is due.
    try scene.follow([scene.ids[0]], by: 2)
    try scene.poll()
    #expect(scene.requests[scene.ids[0]] == 1)
  }

  @Test("What users follow in their logs is polled, and channels of handles are followed for those who are not there")
  func users() throws {
    let scene = try SharedPollScene(2, areFollowed: false)
    func library(_ user: String) throws -> PostgresLibrary {
      try PostgresLibrary(scene.database, of: user) { UInt64((try? scene.count("SELECT unix_milliseconds()")) ?? 0) }
    }
    let (channel, other) = (try #require(SubscriptionID(scene.ids[0])), try #require(SubscriptionID(scene.ids[1])))
    scene.server.serve("/@lantern", ChannelPage(channel: scene.ids[0]).response)
    let handle = EventBody.handleFollowed(HandleFollowed(handle: "@lantern", title: nil, tags: ["lamps"]))
    _ = try library("ann").commit(action: nil, undoing: nil) { [handle] }
    _ = try library("bob").commit(action: nil, undoing: nil) {
      [handle, .channelFollowed(ChannelFollowed(subscription: other, title: nil, tags: nil))]
    }
    try scene.poll()
    try scene.poll()
    #expect(scene.requests == [scene.ids[0]: 1, scene.ids[1]: 1])
    for (user, followed) in [("ann", [channel]), ("bob", [channel, other].sorted())] {
      let library = try library(user)
      let state = try library.model.state()
      #expect(state.followed.map(\.id).sorted() == followed, "\(user)")
      #expect(state.channels[channel]?.tags == ["lamps"])
      #expect(try library.model.videoCount() == followed.count * 15)
    }
    // Followed later, it needs no lookup.
    scene.server.forgetRequests()
    _ = try library("ann").commit(action: nil, undoing: nil) { [.channelUnfollowed(channel)] }
    try scene.poll()
    #expect(scene.server.requests.isEmpty)
  }

  @Test("A handle is looked up once for all who follow it")
  func names() throws {
    let scene = try SharedPollScene(1)
    scene.server.serve("/@lantern", ChannelPage(channel: scene.ids[0]).response)
    try scene.follow(["@lantern", "@nobody"], by: 1)
    try scene.follow(["@lantern"], by: 2)
    try scene.poll()
    let resolved = try scene.lines("handleResolved")
    #expect(resolved.count == 1 && resolved[0].contains("\"@lantern\"") && resolved[0].contains(scene.ids[0]))
    #expect(try scene.count("SELECT count(*) FROM poll_name WHERE due IS NULL") == 1)
    #expect(try scene.count("SELECT due - requested FROM poll_name WHERE name = '@nobody'") == 86_400)
    #expect(scene.server.requests.count { $0.target == "/@lantern" } == 1)
    scene.server.forgetRequests()
    try scene.poll()
    #expect(scene.server.requests.isEmpty)
  }
}
