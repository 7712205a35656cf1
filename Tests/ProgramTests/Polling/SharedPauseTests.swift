import Core
import FixtureServer
import Glibc
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// Pauses that one of several pollers on one database begins.
@Suite(.enabled(if: SharedPollScene.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct SharedPauseTests {
  /// Waits until no poller requests anything.
  private func waitUntilIdle(_ scene: SharedPollScene) {
    wait { (try? scene.count("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL")) == 0 }
  }

  @Test("A refusal pauses all pollers of the address, and no others")
  func refusal() throws {
    let scene = try SharedPollScene(40)
    scene.server.fail(.status(403), on: .all, times: .first(1))
    let pollers = try (0..<2).map { _ in try scene.start("--batch", "4", "--jobs", "1") }
    wait { (try? scene.count("SELECT count(*) FROM poll_pause WHERE address = 'a' AND reason = 'refused'")) == 1 }
    waitUntilIdle(scene)
    let asked = scene.requests
    // The pollers are still there, and so are feeds that are due.
    try scene.poll()
    #expect(scene.requests == asked && asked.count < 40)
    try scene.poll(address: "b")
    #expect(scene.requests.count == 40 && scene.requests.values.allSatisfy { $0 == 1 })
    for poller in pollers { poller.signal(SIGTERM) }
    for poller in pollers { #expect(try poller.finish().status == 0) }
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE failures > 0") == 0)
    #expect(try scene.lines("runFinished").count { $0.contains("\"stopped\":\"refused\"") } == 1)
  }

  @Test("An outage that one poller sees pauses all, blames no channel, and ends for all when one finds that it is over")
  func outage() throws {
    let scene = try SharedPollScene(40)
    try scene.poll()
    try scene.pass(200_000)
    scene.server.fail(.status(404), on: .all, times: .always)
    scene.server.forgetRequests()
    let pollers = try (0..<2).map { _ in try scene.start("--batch", "20") }
    wait { (try? scene.count("SELECT count(*) FROM poll_pause WHERE address = '' AND reason = 'outage'")) == 1 }
    waitUntilIdle(scene)
    scene.server.forgetRequests()
    for address in ["a", "b"] { try scene.poll(address: address) }
    #expect(scene.server.requests.isEmpty)
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE failures > 0") == 0)
    for poller in pollers { poller.signal(SIGTERM) }
    for poller in pollers { _ = try poller.finish() }
    // It goes on: three feeds are tried, and the pause doubles.
    try scene.pass(8000)
    scene.server.forgetRequests()
    try scene.poll()
    #expect((1...6).contains(scene.requests.values.reduce(0, +)), "three, and their other feeds")
    #expect(try scene.count("SELECT backoff FROM poll_pause") == 3600)
    // It is over.
    scene.server.heal()
    try scene.pass(8000)
    scene.server.forgetRequests()
    let others = try (0..<2).map { _ in try scene.start("--once", address: "b") }
    for poller in others { _ = try poller.finish() }
    try scene.poll()
    #expect(try scene.count("SELECT count(*) FROM poll_pause") == 0)
    #expect(scene.requests.count == 40 && scene.requests.values.allSatisfy { $0 == 1 })
    try scene.expectAllFound()
  }

  @Test("A feed that fails while others work is to blame, also if it alone is due")
  func failing() throws {
    let scene = try SharedPollScene(20)
    try scene.poll()
    try scene.pass(200_000)
    scene.server.fail(.status(404), on: .key(scene.ids[0]), times: .always)
    try scene.poll()
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE failures = 1") == 1)
    try scene.pass(90_000)
    try scene.database.run("UPDATE poll_channel SET due = unix_time() + 80000 WHERE failures = 0")
    try scene.poll()
    #expect(try scene.count("SELECT failures FROM poll_channel WHERE subscription = ?", scene.ids[0]) == 2)
    #expect(try scene.count("SELECT count(*) FROM poll_pause") == 0)
  }

  @Test("Without a network no feed counts as requested, and the address rests for a minute")
  func offline() throws {
    let scene = try SharedPollScene(12)
    scene.sandbox.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:1"
    try scene.poll()
    #expect(try scene.count("SELECT count(*) FROM poll_channel WHERE requested IS NOT NULL OR failures > 0") == 0)
    #expect(try scene.count("SELECT retry - since FROM poll_pause WHERE reason = 'offline'") == 60)
    scene.sandbox.environment["METUBE_RSS_FEEDS_URL"] = scene.server.baseURL
    try scene.pass(1000)
    try scene.poll()
    try scene.poll()
    #expect(try scene.count("SELECT count(*) FROM poll_pause") == 0)
    try scene.expectAllFound()
  }
}
