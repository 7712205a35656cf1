import FixtureServer
import Glibc
import TestSupport
import Testing

/// Polls of whose requests nothing is stored: killed, or on a full disk.
@Suite("Polls that store nothing")
struct UnstoredPollTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("A killed poll's requests are known, said, and not repeated within 15 minutes")
  func killed() throws {
    let channels = try sandbox.follow(30)
    sandbox.server.responseLimit = 20
    let running = try sandbox.program.start(["poll", "--rate", "0", "--jobs", "4"])
    wait { sandbox.server.requests.count == 24 }
    running.signal(SIGKILL)
    _ = try running.finish()
    let asked = Set(sandbox.server.requests.map(\.key))
    #expect(asked.count == 24)
    sandbox.server.responseLimit = .max
    sandbox.server.forgetRequests()
    let heading = try sandbox.succeed("list")
    #expect(heading.contains("24 feeds were requested, but nothing of them is stored"), "\(heading)")
    let status = try sandbox.succeed("status")
    #expect(status.contains("24 feeds were requested") && status.contains("no poll was completed yet"), "\(status)")
    let polled = try sandbox.run("poll", "--rate", "0")
    #expect(polled.status == 0 && polled.text.contains("6 feeds checked"), "\(polled.text)\(polled.errors)")
    #expect(polled.text.contains("24 skipped: requested less than 15 minutes ago, but nothing of it is stored"))
    #expect(asked.isDisjoint(with: sandbox.server.requests.map(\.key)))
    #expect(try sandbox.succeed("list").contains(", 24 feeds not stored"))
    _ = try sandbox.poll("--force")
    #expect(try sandbox.everything().count == 15 * channels.count)
    #expect(try !sandbox.succeed("list").contains("not stored"))
    #expect(try !sandbox.succeed("status").contains("stored"))
  }

  @Test(
    "A poll on a full disk says what is saved and what is not, and so do lists, status and the next poll",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
  func fullDisk() throws {
    let disk = try SmallDisk(at: sandbox.folder, kibibytes: 4096)
    sandbox.environment["METUBE_RSS_HOME"] = disk.path
    try sandbox.follow(20)
    sandbox.server.sendsETags = true
    try disk.fill(leaving: 24_576)
    let full = try sandbox.run("poll", "--rate", "0")
    #expect(full.status == 74, "\(full.errors)")
    #expect(full.errors.contains("the videos of 20 feeds are not saved"), "\(full.errors)")
    #expect(!full.errors.contains("the videos are saved") && full.errors.contains("is due again 15 minutes after"))
    disk.clear()
    #expect(try sandbox.succeed("list").contains("20 feeds were requested, but nothing of them is stored"))
    #expect(try sandbox.succeed("status").contains("due again at"))
    sandbox.server.forgetRequests()
    let next = try sandbox.run("poll", "--rate", "0")
    #expect(next.text.contains("20 skipped: requested less than 15 minutes ago, but nothing of it is stored"))
    #expect(sandbox.server.requests.isEmpty)
    // With the validators of what was lost the response would be 304.
    #expect(try sandbox.poll("--force").new == 300)
    #expect(try !sandbox.succeed("list").contains("not stored"))
  }

  @Test("A forced poll without a network leaves a home that was polled minutes ago up to date")
  func offline() throws {
    try sandbox.follow(12)
    #expect(try sandbox.poll().checked == 12)
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:1"
    #expect(try sandbox.poll("--force").stopped == "offline")
    let heading = try sandbox.succeed("list")
    #expect(heading.contains("last poll just now") && !heading.contains("offline"), "\(heading)")
    #expect(!heading.contains("not checked"), "\(heading)")
    let page = try RunningHub(sandbox).get("/").text
    #expect(page.contains("Checked just now<"), "the page says no more")
  }
}

/// Followed handles that belong to no channel.
@Suite("Mistyped handles")
struct MistypedHandleTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(2)
    try sandbox.succeed("follow", "@veritasiun")
  }

  @Test("fail the poll that looks them up, and stay visible")
  func visible() throws {
    #expect(try sandbox.succeed("status").contains("1 handle not yet looked up"))
    let polled = try sandbox.run("poll", "--rate", "0", "--quiet")
    #expect(polled.status == 1 && polled.errors.contains("@veritasiun: HTTP 404"), "\(polled.errors)")
    #expect(try sandbox.succeed("list").contains(", 1 handle not found"))
    let status = try sandbox.succeed("status")
    #expect(status.contains("failing: @veritasiun: HTTP 404, looked up ") && !status.contains("not yet looked up"))
    #expect(try sandbox.succeed("status", "--format", "json").contains(#""notFound":["@veritasiun"]"#))
    let failing = try sandbox.succeed("channels", "--failing")
    #expect(failing.hasPrefix("@veritasiun: HTTP 404, looked up ") && failing.contains("check the spelling"))
    #expect(try sandbox.succeed("channels").contains("@veritasiun: HTTP 404"))
    sandbox.server.forgetRequests()
    let resolved = try sandbox.run("channels", "--resolve")
    #expect(resolved.status == 1 && resolved.errors.contains("@veritasiun: HTTP 404"), "\(resolved.text)")
    #expect(!resolved.text.contains("no handles") && sandbox.server.requests.isEmpty, "within 15 minutes")
    try sandbox.succeed("unfollow", "@veritasiun")
    #expect(try !sandbox.succeed("list").contains("not found"))
  }

  @Test("A name without its @ is refused with the handle that may be meant")
  func suggestion() throws {
    let outcome = try sandbox.run("follow", "NASA")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("NASA: not an ID, a handle (@name) or a URL; did you mean @NASA?"))
    #expect(try !sandbox.run("follow", "two words").errors.contains("did you mean"))
  }
}
