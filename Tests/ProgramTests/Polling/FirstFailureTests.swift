import FixtureServer
import Glibc
import TestSupport
import Testing

/// What new users meet first: a mistyped ID, no network, an interrupted poll.
@Suite("The first failures of a new user")
struct FirstFailureTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private let missing = "UCsXVk37bltHxD1rDPwtNZZQ"

  @Test("A dead feed among good ones is named with its status, and pauses nothing")
  func deadFeed() throws {
    let channels = try sandbox.follow(20)
    #expect(try sandbox.poll().checked == 20)
    sandbox.server.forgetRequests()
    try sandbox.succeed("follow", missing)
    let polled = try sandbox.poll()
    #expect(polled.exit == 1 && polled.stopped == nil && !polled.outage)
    #expect(polled.failures.map(\.channel) == [missing] && polled.failures.map(\.status) == [404])
    #expect(polled.reported?.contains("\(missing): HTTP 404 (never found: mistyped, deleted") == true)
    #expect(sandbox.server.requests.allSatisfy { request in !channels.contains { $0.id == request.key } })
    let failing = try sandbox.run("channels", "--failing", "--format", "jsonl")
    #expect(failing.lines.count == 1 && failing.text.contains(missing) && failing.text.contains("HTTP 404"))
    #expect(try sandbox.run("status").text.contains("HTTP 404"))
    #expect(try sandbox.run("list").text.contains("1 feed not checked"))
  }

  @Test("A dead feed followed first says that there is nothing to compare with, and pauses nothing")
  func deadFeedFirst() throws {
    try sandbox.succeed("follow", missing)
    let outcome = try sandbox.run("poll", "--rate", "0")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("\(missing): HTTP 404; uploads feed: HTTP 404"))
    #expect(outcome.text.contains("no other feed responded lately"))
    let failing = try sandbox.run("channels", "--failing", "--format", "jsonl").text
    #expect(failing.contains("HTTP 404; uploads feed: HTTP 404") && failing.contains(#""failures":0"#))
    // A channel followed next is polled at once.
    let channels = try sandbox.follow(1)
    let polled = try sandbox.poll()
    #expect(polled.checked == channels.count && polled.exit == 0)
  }

  @Test("A poll without a network leaves every feed due, and lists say how many were not checked")
  func offline() throws {
    _ = try sandbox.follow(12)
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:1"
    let polled = try sandbox.poll()
    #expect(polled.stopped == "offline" && polled.exit == 75)
    #expect(try sandbox.run("list").text.contains("12 feeds not checked"))
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = sandbox.server.baseURL
    let online = try sandbox.poll()
    #expect(online.checked == 12 && online.notDue == 0 && online.exit == 0)
  }

  @Test("A proxy that wants a password is no outage of YouTube, and every feed stays due")
  func proxyPassword() throws {
    _ = try sandbox.follow(12)
    let proxy = try FixtureServer.start(port: 0)
    defer { proxy.stop() }
    proxy.fail(.response(.empty(status: 407)), on: .all, times: .always)
    sandbox.environment["METUBE_RSS_PROXY"] = proxy.baseURL
    sandbox.environment["no_proxy"] = nil
    let polled = try sandbox.poll()
    #expect(polled.stopped == "offline" && polled.failures.allSatisfy { $0.reason.contains("407") })
    sandbox.environment["METUBE_RSS_PROXY"] = ""
    #expect(try sandbox.poll().checked == 12)
  }

  @Test("A killed poll does not repeat what it requested, up to its last request")
  func killed() throws {
    _ = try sandbox.follow(260)
    let running = try sandbox.program.start(["poll", "--rate", "50", "--jobs", "1"])
    wait { sandbox.server.requests.count >= 240 }
    running.signal(SIGKILL)
    _ = try running.finish()
    let before = sandbox.server.requests.count
    sandbox.server.forgetRequests()
    let polled = try sandbox.poll()
    // Its last request may not have reached the server yet.
    #expect((before...before + 1).contains(polled.notDue), "\(polled.notDue) of \(before)")
    #expect(polled.checked == 260 - polled.notDue)
    #expect((polled.checked...polled.checked + 1).contains(sandbox.server.requests.count))
    _ = try sandbox.poll("--force")
    #expect(try sandbox.everything().count == 260 * 15)
  }

  @Test("A 429 holds although the poll is killed while other responses are awaited")
  func killedAfterRefusal() throws {
    _ = try sandbox.follow(8)
    sandbox.server.fail(.response(.tooManyRequests(retryAfter: 3600)), on: .all, times: .first(1))
    sandbox.server.fail(.hangBeforeResponse, on: .all, times: .always)
    let running = try sandbox.program.start(["poll", "--rate", "0", "--jobs", "4"])
    wait {
      sandbox.folder.read("state/poll").map { String(decoding: $0, as: UTF8.self).contains("tooMany") } ?? false
    }
    running.signal(SIGKILL)
    _ = try running.finish()
    // Another one, which the killed poll's last requests cannot reach late.
    let server = try FixtureServer.start(port: 0)
    defer { server.stop() }
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = server.baseURL
    let polled = try sandbox.poll()
    #expect(polled.exit == 75 && polled.notDue == 8 && server.requests.isEmpty)
  }

  @Test("Validators are not sent when the log lost what came with them")
  func restoredLog() throws {
    sandbox.server.sendsETags = true
    _ = try sandbox.follow(3)
    let name = try #require(sandbox.folder.names(in: "log").first)
    let old = try #require(sandbox.folder.read("log/\(name)"))
    #expect(try sandbox.poll().new == 45)
    sandbox.folder.write(old, to: "log/\(name)")
    #expect(try sandbox.run("log", "repair", "--yes").status == 0)
    #expect(try sandbox.poll("--force").new == 45)
  }

  @Test("A pause that a clock set a year ahead has left is over")
  func clockAhead() throws {
    _ = try sandbox.follow(3)
    let pause =
      #"{"v":1,"pause":"outage","since":"2099-01-01T00:00:00Z","retry":"2099-01-01T00:30:00Z","backoffSeconds":1800"#
    let lines = [#"{"v":1,"records":1"#, pause].map { Seal.line($0) + "\n" }
    sandbox.folder.write(lines.joined().utf8, to: "state/poll")
    let polled = try sandbox.poll()
    #expect(polled.exit == 0 && polled.checked == 3 && polled.notDue == 0)
  }
}
