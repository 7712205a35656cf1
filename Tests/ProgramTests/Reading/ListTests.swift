import Core
import FixtureServer
import Glibc
import Testing

@Suite("list")
struct ListTests {
  private let sandbox: Sandbox
  private let all: [Listed]

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(8)
    _ = try sandbox.poll()
    all = try sandbox.everything()
    #expect(all.count == 120)
  }

  @Test("shows the newest published first, ties by ID, and --oldest reverses it")
  func order() throws {
    let sorted = all.sorted { ($1.published, $0.video) < ($0.published, $1.video) }
    #expect(all == sorted)
    let oldest = try sandbox.list("--all", "--shorts", "show", "--oldest")
    #expect(oldest.map(\.published) == all.map(\.published).reversed())
  }

  @Test("--sort found shows the last found first")
  func found() throws {
    let channel = SyntheticChannel(number: 3)
    var feed = channel.feed(generation: 0)
    // A premiere: found today with an old date.
    feed.entries[14] = .of("premiere00A", "Made public late", published: 1_400_000_000)
    sandbox.server.serve(channel.id, .feed(feed.xml))
    sleep(1)
    #expect(try sandbox.poll("--force").new == 1)
    #expect(try sandbox.list("--sort", "found").first?.video == "premiere00A")
    #expect(try sandbox.list().last?.video == "premiere00A")
  }

  @Test("hides Shorts, or shows them, or shows only them")
  func shorts() throws {
    let hidden = all.filter { $0.short == "yes" }
    #expect(hidden.count > 5 && hidden.allSatisfy { $0.url.contains("/shorts/") })
    #expect(try sandbox.list() == all.filter { $0.short != "yes" })
    #expect(try sandbox.list("--shorts", "only") == hidden)
    #expect(try sandbox.succeed("list").contains("\(hidden.count) Shorts hidden"))
  }

  @Test("--limit keeps the first, by default 50, 0 for all, in every format")
  func limit() throws {
    for format in ["ids", "urls", "jsonl"] {
      #expect(try sandbox.run("list", "--format", format).lines.count == 50)
      #expect(try sandbox.run("list", "--format", format, "--limit", "7").lines.count == 7)
      let whole = try sandbox.run("list", "--format", format, "--limit", "0", "--shorts", "show")
      #expect(whole.lines.count == 120)
    }
    #expect(try sandbox.run("list", "--limit", "5").lines.count == 8)
    #expect(try sandbox.succeed("list", "--limit", "5").hasPrefix("5 of "))
  }

  @Test("--channel takes an ID, an address or a part of the title, and can be repeated")
  func channel() throws {
    let (first, second) = (all[0].channel, try #require(all.first { $0.channel != all[0].channel }))
    #expect(try sandbox.list("--shorts", "show", "--channel", first) == all.filter { $0.channel == first })
    let address = "https://www.youtube.com/channel/\(first)"
    #expect(try sandbox.list("--shorts", "show", "--channel", address) == all.filter { $0.channel == first })
    let both = try sandbox.list("--shorts", "show", "--channel", first, "--channel", second.channelTitle.lowercased())
    #expect(both == all.filter { [first, second.channel].contains($0.channel) })
  }

  @Test("--search finds every word in title, channel or description, ignoring case and accents")
  func search() throws {
    let channel = SyntheticChannel(number: 0)
    var feed = channel.feed(generation: 0)
    feed.entries[0].title = "Eine Crème in Zürich"
    feed.entries[0].description = "With a hidden word: Xylophone."
    sandbox.server.serve(channel.id, .feed(feed.xml))
    _ = try sandbox.poll("--force", channel.id)
    for words in ["creme", "CRÈME zurich", "xylophone", "xylophone creme \(channel.title)"] {
      #expect(
        try sandbox.list("--search", words, "--shorts", "show").map(\.video) == [feed.entries[0].video], "\(words)")
    }
    #expect(try sandbox.list("--search", "xylophone nowhere").isEmpty)
  }

  @Test("--since and --until take dates, times and spans")
  func times() throws {
    let day = "2026-10-20"
    #expect(try sandbox.list("--shorts", "show", "--since", day) == all.filter { $0.published >= day })
    #expect(try sandbox.list("--shorts", "show", "--until", day) == all.filter { $0.published < day })
    let moment = all[40].published
    #expect(try sandbox.list("--shorts", "show", "--since", moment) == all.filter { $0.published >= moment })
    #expect(try sandbox.list("--shorts", "show", "--since", "5000w") == all)
    #expect(try sandbox.list("--since", "1s").isEmpty)
  }

  @Test("--status and its short forms select, --all lifts the restriction")
  func statuses() throws {
    let ids = all.filter { $0.short != "yes" }.map(\.video)
    try sandbox.succeed("watched", ids[0], ids[3])
    try sandbox.succeed("skip", ids[5])
    #expect(try sandbox.list("--watched").map(\.video) == [ids[0], ids[3]])
    #expect(try sandbox.list("--status", "skipped").map(\.video) == [ids[5]])
    #expect(try sandbox.list("--watched", "--skipped").count == 3)
    #expect(try sandbox.list().count == ids.count - 3 && sandbox.list("--unwatched").count == ids.count - 3)
    #expect(try sandbox.list("--all").count == ids.count)
    #expect(try sandbox.list("--snoozed").isEmpty)
  }

  @Test("has the same contents in every format")
  func formats() throws {
    #expect(try sandbox.run("list", "--format", "ids", "--limit", "0").lines == sandbox.list().map(\.video))
    #expect(try sandbox.run("list", "--format", "urls", "--limit", "0").lines == sandbox.list().map(\.url))
    let csv = try sandbox.run("list", "--format", "csv", "--limit", "9").lines
    #expect(csv.count == 10 && csv[0].hasPrefix("video,channel,channelTitle,title,url,published,found,status"))
    let tsv = try sandbox.run("list", "--format", "tsv", "--limit", "9").lines
    #expect(
      tsv.count == 10 && tsv.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 16 })
  }

  @Test("A line of jsonl has every field of the contract in order, unknown ones as null")
  func contract() throws {
    let line = try #require(sandbox.run("list", "--format", "jsonl", "--limit", "1").lines.first)
    let names = [
      "video", "channel", "channelTitle", "title", "url", "published", "found", "status", "snoozedUntil", "saved",
      "short", "live", "durationSeconds", "tags", "thumbnail", "savedAt",
      "viewCount", "platform", "entry", "feed", "link", "media",
    ]
    var rest = line[...]
    for name in names {
      let pieces = rest.split(separator: "\"\(name)\":", maxSplits: 1, omittingEmptySubsequences: false)
      rest = try #require(pieces.count == 2 ? pieces[1] : nil, "\(name) is missing, or not in its place")
    }
    #expect(line.contains("\"snoozedUntil\":null") && line.contains("\"durationSeconds\":null"))
    #expect(line.contains("\"short\":\"unknown\",\"live\":\"unknown\""))
  }

  @Test("savedAt is when a video was saved, while it is saved")
  func savedAt() throws {
    let before = Int64(time(nil))
    try sandbox.succeed("save", all[0].video)
    func moment() throws -> String? { try sandbox.list("--all", "--shorts", "show")[0].savedAt }
    let saved = try #require(try moment().flatMap { Timestamp(rfc3339: $0) })
    #expect(saved.seconds >= before && saved.seconds <= Int64(time(nil)))
    try sandbox.succeed("unsave", all[0].video)
    #expect(try moment() == nil)
  }

  @Test("A video with 0 views on YouTube is shown, and for a day as possibly upcoming")
  func upcoming() throws {
    let channel = SyntheticChannel(number: 0)
    var feed = channel.feed(generation: 0)
    feed.entries.insert(.of("upcoming00A", "Live tomorrow", published: time(nil) - 3600), at: 0)
    feed.entries.insert(.of("forgotten0A", "Nobody watched", published: time(nil) - 90_000), at: 1)
    for index in 0...1 { feed.entries[index].views = 0 }
    sandbox.server.serve(channel.id, .feed(feed.xml))
    _ = try sandbox.poll("--force", channel.id)
    let line = try #require(sandbox.run("list").lines.first { $0.contains("Live tomorrow") })
    #expect(line.contains("maybe upcoming"))
    let older = try #require(sandbox.run("list").lines.first { $0.contains("Nobody watched") })
    #expect(!older.contains("maybe upcoming"))
  }

  @Test("--after continues from the last line of a list, in every order")
  func pages() throws {
    for mode in [["--sort", "found"], ["--oldest"], ["--catch-up"], ["--mix"], ["--all", "--shorts", "show"]] {
      let whole = try sandbox.program.run(["list", "--format", "ids", "--limit", "0"] + mode).lines
      var (shown, cursor): ([String], [String]) = ([], [])
      repeat {
        let ids = try sandbox.program.run(["list", "--limit", "30", "--format", "ids"] + mode + cursor).lines
        shown += ids
        let table = try sandbox.program.run(["list", "--limit", "30"] + mode + cursor).lines
        cursor = table.last.map { $0.split(separator: " ").suffix(2).map(String.init) } ?? []
      } while cursor.first == "--after"
      #expect(shown == whole, "\(mode)")
    }
    #expect(try sandbox.run("list", "--watched", "--catch-up", "--after", all[0].video).status == 1)
    #expect(try sandbox.run("list", "--after", "nowhere").status == 1)
    for wrong in [["--catch-up", "--mix"], ["--mix", "--oldest"], ["--catch-up", "--sort", "found"]] {
      #expect(try sandbox.program.run(["list"] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test("--saved shows saved videos, whatever their state, unless a status is given")
  func saved() throws {
    let ids = all.filter { $0.short != "yes" }.map(\.video)
    try sandbox.succeed("save", ids[1], ids[2])
    try sandbox.succeed("watched", ids[2])
    #expect(try sandbox.list("--saved").map(\.video) == [ids[1], ids[2]])
    #expect(try sandbox.list("--saved", "--unwatched").map(\.video) == [ids[1]])
  }

  @Test("An empty list says why it is empty, and the heading what a duration filter leaves out")
  func empty() throws {
    #expect(try sandbox.succeed("list", "--watched").hasSuffix("\nNothing matches.\n"))
    #expect(try sandbox.succeed("list", "--min-duration", "10m").hasPrefix("0 of 0 videos, "))
    #expect(try sandbox.succeed("list", "--max-duration", "10m").contains(" of unknown length"))
    #expect(try sandbox.list("--live").isEmpty)
    try sandbox.succeed("watched", "--all")
    #expect(try sandbox.succeed("list").hasSuffix("\nYou're all caught up.\n"))
    #expect(try sandbox.run("list", "--min-duration", "soon").status == 64)
  }

  @Test("METUBE_RSS_ORDER is the order of a list whose options give none")
  func usualOrder() throws {
    let newest = try sandbox.list().map(\.video)
    for (order, options) in [
      ("oldest", ["--oldest"]), ("catch-up", ["--catch-up"]), ("mix", ["--mix"]), ("newest", []),
    ] {
      sandbox.environment["METUBE_RSS_ORDER"] = nil
      let arguments = ["list", "--format", "ids", "--limit", "0"]
      let wanted = try sandbox.program.run(arguments + options).text
      sandbox.environment["METUBE_RSS_ORDER"] = order
      #expect(try sandbox.program.run(arguments).text == wanted, "\(order)")
      #expect(try sandbox.list("--newest").map(\.video) == newest, "\(order)")
    }
    sandbox.environment["METUBE_RSS_ORDER"] = "random"
    let outcome = try sandbox.run("list")
    #expect(outcome.status == 64 && outcome.errors.contains("use one of newest, oldest, catch-up, mix"))
  }
}
