import App
import Core
import EventLog
import FixtureServer
import TestSupport
import Testing
import WebPolling

@Suite("A poll of feeds of other sites")
struct WebPollTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_PRIVATE_NETWORKS"] = "yes"
  }

  private var base: String { sandbox.server.baseURL }

  /// All that lists show, in whatever form.
  private func listed() throws -> String {
    try sandbox.run("list", "--all", "--upcoming", "show", "--format", "jsonl").text
  }

  @Test("A podcast, a channel of PeerTube and a blog are polled beside a channel of YouTube, as one run")
  func kinds() throws {
    try sandbox.follow(1)
    let names = ["podcast.xml", "peertube.xml", "blog-windows-1251.xml"]
    for name in names {
      try sandbox.serveWebFeed(name, at: "/\(name)")
      try sandbox.followFeed("\(base)/\(name)")
    }
    let first = try sandbox.poll()
    #expect(first.exit == 0 && first.checked == 4 && first.failed == 0 && first.stopped == nil, "\(first)")
    #expect(first.new > 17)
    let list = try listed()
    for title in ["Salt", "A crab & its borrowed house", "«Толбухин»: как светит старейший маяк"] {
      #expect(list.contains(title))
    }
    #expect(list.contains("\"\(base)/2026/11/tolbuhin.html\""), "a relative link")
    let titles = try sandbox.run("channels", "--format", "tsv").text
    for title in ["The Long Harbour", "Tide Pools", "Записки о маяках"] { #expect(titles.contains(title)) }
    #expect(sandbox.events("runFinished").count == 1)
    // Nothing changed, and nothing is due.
    let second = try sandbox.poll()
    #expect(second.exit == 0 && second.checked == 0 && second.notDue == 4 && second.new == 0)
    let forced = try sandbox.poll("--force")
    #expect(forced.checked == 4 && forced.new == 0 && forced.changed == 0)
    #expect(try listed() == list)
  }

  @Test("Without such feeds a poll says and keeps nothing of them")
  func absent() throws {
    try sandbox.follow(1)
    let outcome = try sandbox.run("poll", "--rate", "0", "--format", "json")
    #expect(!outcome.text.contains("moved") && !outcome.text.contains("pausedSites"))
    #expect(!sandbox.folder.names(in: "state").contains("webpoll"))
  }

  @Test("Validators are sent back, and only new entries are found")
  func validators() throws {
    sandbox.server.sendsETags = true
    sandbox.serve(FixtureBlog(entries: ["Two", "One"]), at: "/blog")
    try sandbox.followFeed("\(base)/blog")
    #expect(try sandbox.poll().new == 2)
    #expect(try sandbox.poll("--force").checked == 1)
    #expect(sandbox.server.requests.last?.headers["if-none-match"] != nil)
    sandbox.serve(FixtureBlog(entries: ["Three", "Two", "One"]), at: "/blog")
    let third = try sandbox.poll("--force")
    #expect(third.new == 1 && third.gaps == 0)
    #expect(try listed().contains("Three"))
  }

  @Test("Of a long podcast the newest hundred are found, and the others never are new")
  func long() throws {
    sandbox.server.serve("/podcast", .feed(SyntheticPodcast(episodes: 250).document))
    try sandbox.followFeed("\(base)/podcast")
    #expect(try sandbox.poll().new == 100)
    #expect(sandbox.events("entriesKnown").count == 1)
    sandbox.server.serve("/podcast", .feed(SyntheticPodcast(episodes: 251).document))
    #expect(try sandbox.poll("--force").new == 1)
  }

  @Test("Addresses in private networks are requested only if a setting allows it; the report does not show them")
  func privateNetworks() throws {
    sandbox.environment["METUBE_RSS_PRIVATE_NETWORKS"] = nil
    sandbox.serve(FixtureBlog(entries: ["One"]), at: "/blog")
    let feed = try sandbox.followFeed("\(base)/blog?token=secret")
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 0 && outcome.errors.contains("METUBE_RSS_PRIVATE_NETWORKS=yes"))
    #expect(outcome.errors.contains("metube-rss: \(feed): ") && !outcome.errors.contains("secret"))
    #expect(sandbox.server.requests.isEmpty)
    sandbox.environment["METUBE_RSS_PRIVATE_NETWORKS"] = "perhaps"
    let refused = try sandbox.run("poll", "--force")
    #expect(refused.status == 64 && refused.errors.contains("METUBE_RSS_PRIVATE_NETWORKS is “perhaps”; use yes or no"))
  }

  @Test("A dead blog is reported and fails no run; what it showed stays")
  func dead() throws {
    try sandbox.follow(1)
    sandbox.serve(FixtureBlog(entries: ["One"]), at: "/blog")
    let feed = try sandbox.followFeed("\(base)/blog")
    #expect(try sandbox.poll().exit == 0)
    sandbox.server.serve("/blog", .status(404))
    for _ in 1...2 {
      let polled = try sandbox.poll("--force")
      #expect(polled.exit == 0 && polled.checked == 1 && polled.failed == 1)
      #expect(polled.failures.map(\.channel) == ["\(feed)"] && polled.failures.map(\.reason) == ["HTTP 404"])
      #expect(polled.reported == "metube-rss: Notes from the Quay: HTTP 404\n")
    }
    #expect(try sandbox.run("channels", "--failing", "--format", "ids").lines == ["\(feed)"])
    #expect(try sandbox.succeed("status").contains("failing: Notes from the Quay (HTTP 404, 2 times"))
    #expect(try listed().contains("\"One\""))
    sandbox.server.serve("/blog", .status(410))
    #expect(try sandbox.poll("--force").reported?.contains("its publisher says that it is gone") == true)
  }

  @Test("A page in the place of a feed is a failure, and a damaged feed is one")
  func noFeed() throws {
    sandbox.server.serve("/page", .html("<!DOCTYPE html><title>Log in</title>", status: 200))
    sandbox.server.serve("/half", .feed(String(FixtureBlog(entries: ["One"]).xml.dropLast(20))))
    try sandbox.followFeed("\(base)/page", title: "A page")
    try sandbox.followFeed("\(base)/half", title: "A half")
    let polled = try sandbox.poll()
    #expect(polled.exit == 0 && polled.failed == 2 && polled.new == 0)
    #expect(polled.reported?.contains("A page: a web page instead of a feed\n") == true)
    #expect(polled.reported?.contains("A half: incomplete: </rss> is missing\n") == true)
  }

  @Test("Without any network the run ends with 75, and no feed is blamed")
  func offline() throws {
    let feeds = try (0..<3).map { number in
      // Nothing listens there any more.
      let server = try FixtureServer.start(port: 0)
      server.stop()
      return try sandbox.followFeed("\(server.baseURL)/feed", title: "Feed \(number)")
    }
    let polled = try sandbox.poll()
    #expect(polled.exit == 75 && polled.stopped == "offline" && polled.checked == 0)
    #expect(try sandbox.run("channels", "--format", "ids").lines.sorted() == feeds.map(\.description).sorted())
    let memory = try sandbox.session().webPollState().memory
    #expect(memory.feeds.values.allSatisfy { $0.failures == 0 && $0.requested == nil })
    #expect(sandbox.events("runFinished").count == 1)
  }

  @Test("poll takes a feed by its title, address or ID, and requests nothing else")
  func named() throws {
    try sandbox.follow(1)
    sandbox.serve(FixtureBlog(entries: ["One"]), at: "/blog")
    let feed = try sandbox.followFeed("\(base)/blog", title: "Quay")
    for name in ["Quay", "\(base)/blog/", "\(feed)"] {
      sandbox.server.forgetRequests()
      #expect(try sandbox.poll("--force", name).checked == 1)
      #expect(sandbox.server.requests.map(\.target) == ["/blog"])
    }
    #expect(try sandbox.succeed("poll", "Quay").contains("1 skipped: checked less than 15 minutes ago"))
  }

  @Test("A feed that moved lastingly is followed at its new address, under its ID")
  func moved() throws {
    sandbox.serve(FixtureBlog(entries: ["One"]), at: "/new")
    sandbox.server.serve("/old", Response(status: 301, headers: ["Location": "/new"], body: []))
    let feed = try sandbox.followFeed("\(base)/old")
    #expect(try sandbox.poll().new == 1)
    // As if it had said so for days.
    let session = try sandbox.session()
    var content = try session.webPollState()
    let id = PolledFeedID("\(feed)")
    let target = try #require(WebURL("\(base)/new"))
    #expect(content.memory.feeds[id]?.move?.target == target)
    let past = Timestamp(seconds: session.now.seconds - 400_000)
    content.memory.feeds[id]?.move = MoveEvidence(
      target: target, source: .redirect, count: 2, first: past, last: past, isSame: true)
    try WebPollStateFile(session.home).write(content)
    #expect(try sandbox.succeed("poll", "--force").contains("Notes from the Quay has moved to 127.0.0.1\n"))
    #expect(sandbox.events("feedChanged").contains { $0.contains("\"url\":\"\(base)/new\"") })
    sandbox.server.forgetRequests()
    #expect(try sandbox.poll("--force").new == 0)
    #expect(sandbox.server.requests.map(\.target) == ["/new"])
    #expect(try sandbox.run("channels", "--format", "ids").lines == ["\(feed)"])
  }

  @Test("At the deadline the feeds that are left are counted, and what was found is kept")
  func deadline() throws {
    for number in 1...4 {
      sandbox.serve(FixtureBlog(title: "Blog \(number)", entries: ["Entry \(number)"]), at: "/\(number)")
      try sandbox.followFeed("\(base)/\(number)")
    }
    // One site gets one request a second.
    let polled = try sandbox.poll("--deadline", "1")
    #expect(polled.exit == 1 && polled.stopped == "deadline" && polled.checked < 4)
    #expect(polled.new == polled.checked)
    #expect(try sandbox.poll().new == 4 - polled.checked)
  }

  @Test("Feeds are tagged, listed and unfollowed as channels are")
  func commands() throws {
    sandbox.serve(FixtureBlog(entries: ["Two", "One"]), at: "/blog")
    let feed = try sandbox.followFeed("\(base)/blog")
    _ = try sandbox.poll()
    try sandbox.succeed("channel", "set", "Notes from the Quay", "--tag", "sea", "--title", "Quay")
    #expect(try sandbox.run("channels", "--tag", "sea", "--format", "ids").lines == ["\(feed)"])
    #expect(try sandbox.run("list", "--tag", "sea", "--format", "jsonl").lines.count == 2)
    #expect(try sandbox.succeed("status").contains("1 subscription, 2 videos found"))
    #expect(try sandbox.succeed("unfollow", "\(base)/blog") == "unfollowed Quay  \(feed)\n")
    #expect(try sandbox.poll("--force").checked == 0)
    #expect(try sandbox.succeed("undo").contains("undone: "))
    #expect(try sandbox.poll("--force").new == 0)
  }
}
