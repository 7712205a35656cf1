import FixtureServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Exports in every format")
struct ExportTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel

  init() throws {
    sandbox = try Sandbox()
    channel = try sandbox.follow(threeVideos)
  }

  @Test("JSONL is identical to list in JSON, byte for byte")
  func lines() throws {
    #expect(try sandbox.succeed("export", "jsonl") == sandbox.succeed("list", "--format", "jsonl", "--limit", "0"))
  }

  @Test("CSV is identical to list as CSV, and a limit cuts it")
  func table() throws {
    #expect(try sandbox.succeed("export", "csv") == sandbox.succeed("list", "--format", "csv", "--limit", "0"))
    #expect(try sandbox.succeed("export", "csv", "--limit", "1").split(separator: "\n").count == 2)
  }

  @Test("A JSON Feed is one JSON value, with the IDs of the Atom feed")
  func jsonFeed() throws {
    struct Document: Decodable {
      struct Item: Decodable { let id: String }

      let version: String
      let items: [Item]
    }
    let feed = try JSONDecoder().decode(
      Document.self, from: Data(sandbox.succeed("export", "json-feed", "--url", "https://me.example/f.json").utf8))
    let atom = try sandbox.succeed("export", "atom")
    #expect(feed.version == "https://jsonfeed.org/version/1.1" && feed.items.count == 3)
    #expect(feed.items.allSatisfy { atom.contains("<id>\($0.id)</id>") })
  }

  @Test("Every filter of list applies", arguments: ["atom", "json-feed", "csv", "jsonl"])
  func filters(format: String) throws {
    try sandbox.succeed("watched", "bbbbbbbbbbE")
    for (filter, wanted) in [
      (["--unwatched"], 2), (["--watched"], 1), (["--status", "watched", "--status", "new"], 3),
      (["--search", "tune bell"], 1), (["--since", "2026-10-31"], 1), (["--until", "2026-10-31"], 2),
      (["--tag", "none"], 0), (["--shorts", "only"], 0), (["--limit", "2"], 2), (["--all"], 3),
    ] {
      let text = try sandbox.program.run(["export", format] + filter).text
      let found = threeVideos.filter { text.contains("watch?v=\($0.id)") }
      #expect(found.count == wanted, "\(format) \(filter)")
    }
  }

  @Test("- as the output file is standard output")
  func standardOutput() throws {
    for format in ["atom", "csv", "opml"] {
      #expect(try sandbox.succeed("export", format, "-o", "-") == sandbox.succeed("export", format))
    }
    #expect(access("-", F_OK) != 0)
  }

  @Test("Nothing is written over the program's own files", arguments: ["atom", "opml"])
  func ownFiles(format: String) throws {
    let home = sandbox.folder.path
    let log = try "\(home)/log/\(#require(sandbox.folder.names(in: "log").first))"
    let link = home + "/link"
    try #require(symlink(log, link) == 0)
    let before = sandbox.log
    let state = sandbox.folder.names(in: "state")
    for path in [log, "\(home)/log/new", link, "\(home)/log/../state/poll", "\(home)/cache/x", "\(home)/env"] {
      let outcome = try sandbox.run("export", format, "--output", path)
      #expect(outcome.status == 64 && outcome.errors.contains("belongs to metube-rss itself"), "\(path)")
    }
    #expect(sandbox.log == before && sandbox.folder.names(in: "state") == state && sandbox.folder.read("env") == nil)
    try sandbox.succeed("channel", "set", channel.id, "--tag", "x")
    #expect(try sandbox.run("export", "atom", "--all-tags", "\(home)/log").status == 64)
    #expect(try sandbox.run("export", format, "--output", "\(home)/feed").status == 0)
  }

  @Test("A tag that no channel has is reported, and the export is still written")
  func unknownTag() throws {
    let outcome = try sandbox.run("export", "atom", "--tag", "nosuch")
    #expect(outcome.status == 0 && outcome.errors == "metube-rss: --tag: no channel has the tag “nosuch”\n")
  }

  @Test("Repeated --search narrows like the words of one")
  func searches() throws {
    #expect(try sandbox.list("--search", "tune", "--search", "bell").count == 1)
    #expect(try sandbox.list("--search", "tune", "--search", "lantern").isEmpty)
  }

  @Test("A URL that is not a web URL is a usage error")
  func badAddress() throws {
    #expect(try sandbox.run("export", "atom", "--url", "javascript:alert(1)").status == 64)
    #expect(try sandbox.succeed("export", "atom", "--url", "https://me.example/a").contains("rel=\"self\""))
  }

  @Test("Each tag gets its own feed, and an OPML file lists them")
  func allTags() throws {
    try sandbox.succeed("channel", "set", channel.id, "--tag", "science", "--tag", "a/b ü")
    let folder = sandbox.folder.path + "/tags"
    let reported = try sandbox.run("export", "atom", "--all-tags", folder)
    #expect(
      reported.status == 0 && reported.errors.hasSuffix("2 feeds and feeds.opml; 3 changed\n"), "\(reported.errors)")
    #expect(sandbox.folder.names(in: "tags") == ["a%2Fb%20%C3%BC.atom", "feeds.opml", "science.atom"])
    let science = String(decoding: try #require(sandbox.folder.read("tags/science.atom")), as: UTF8.self)
    #expect(science.contains("<title>Subscriptions: science</title>"))
    #expect(science.split(separator: "<entry>").count == 4)
    let opml = String(decoding: try #require(sandbox.folder.read("tags/feeds.opml")), as: UTF8.self)
    #expect(opml.contains("text=\"a/b ü\"") && opml.contains("/tags/a%252Fb%2520%25C3%25BC.atom\""))
    let again = try sandbox.run("export", "atom", "--all-tags", folder)
    #expect(again.errors.hasSuffix("0 changed\n"))
  }

  @Test("A gap is an entry only on request, and always the same one")
  func gap() throws {
    let later = (0..<15).map { (id: "later-\($0 < 10 ? "0" : "")\($0)xxA", title: "Later \($0)") }
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, later, newest: 1_793_404_800 + 60 * 86_400).xml))
    #expect(try sandbox.poll("--force").gaps == 1)
    #expect(try !sandbox.succeed("export", "atom").contains("some videos may be missing"))
    let noticed = try sandbox.succeed("export", "atom", "--with-notices")
    #expect(noticed.split(separator: "some videos may be missing").count == 2)
    #expect(try sandbox.succeed("export", "atom", "--with-notices") == noticed)
  }

  @Test("An outage is an entry while it lasts")
  func outage() throws {
    sandbox.server.fail(.status(500), on: .all, times: .always)
    #expect(try sandbox.poll("--force").outage)
    #expect(try sandbox.succeed("export", "atom", "--with-notices").contains("YouTube's feeds are failing"))
    sandbox.server.heal()
    #expect(try !sandbox.poll("--force").outage)
    #expect(try !sandbox.succeed("export", "atom", "--with-notices").contains("feeds are failing"))
  }
}

@Suite("Exports at the end of a poll")
struct NamedExportTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(1)
  }

  @Test("A poll refreshes the named exports, with any kind of quotes, and prints nothing about them")
  func refresh() throws {
    let path = sandbox.folder.path
    sandbox.environment["METUBE_RSS_EXPORT"] = "atom --output \(path)/all.atom"
    sandbox.folder.write("METUBE_RSS_EXPORT_TABLE='csv' -o '\(path)/a table.csv'\n".utf8, to: "env")
    sandbox.environment["METUBE_RSS_EXPORT_APP"] = "newpipe --output \(path)/subscriptions.json"
    for _ in 1...2 { #expect(try sandbox.poll().reported == "") }
    #expect(sandbox.folder.read("subscriptions.json")?.isEmpty == false)
    #expect(sandbox.folder.read("all.atom") == Array(try sandbox.succeed("export", "atom").utf8))
    #expect(sandbox.folder.read("a table.csv") == Array(try sandbox.succeed("export", "csv").utf8))
  }

  @Test(
    "A failing export is reported by name and harms neither the poll nor other exports",
    arguments: [
      ("atom --output /nonexistent/feed.atom", "/nonexistent: no such folder"), ("atom", "--output FILE"),
      ("atom --output 'x", "quote"),
      ("atom --limit -1 --output /dev/null", "--limit"),
      ("atm --output /dev/null", "“atm” is not an export; use one of atom, json-feed"),
      ("csv --output -", "--output FILE"),
    ])
  func failing(line: String, text: String) throws {
    sandbox.environment["METUBE_RSS_EXPORT_BAD"] = line
    sandbox.environment["METUBE_RSS_EXPORT_GOOD"] = "jsonl --output \(sandbox.folder.path)/good.jsonl"
    let polled = try sandbox.poll()
    #expect(polled.exit == 0 && polled.checked == 1)
    let reported = try #require(polled.reported)
    #expect(reported.contains("METUBE_RSS_EXPORT_BAD: ") && reported.contains(text), "\(reported)")
    #expect(sandbox.folder.read("good.jsonl")?.isEmpty == false)
  }
}
