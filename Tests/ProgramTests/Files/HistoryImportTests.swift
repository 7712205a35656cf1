import FixtureServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The output of `import --format json` for a file.
struct Imported: Decodable, Equatable {
  let format: String
  let read: Int
  let new: Int
  let alreadyFollowed: Int
  let newFeeds: Int
  let feedsAlreadyFollowed: Int
  let duplicates: Int
  let unresolved: Int
  let notYouTube: Int
  let videos: Int
  let archived: Int
  let refused: [String]
  let watched: Int
  let alreadyWatched: Int
  let decidedOtherwise: Int
  let notFollowed: Int
  let advertisements: Int
  let withoutVideo: Int
  let collections: Int
  let collected: Int
  let alreadyCollected: Int
  let left: Int

  /// The required value of `read`.
  var sum: Int {
    let skipped = notYouTube + videos + archived + refused.count
    let feeds = newFeeds + feedsAlreadyFollowed
    let subscriptions = new + alreadyFollowed + feeds + unresolved + duplicates + skipped
    let history = watched + alreadyWatched + decidedOtherwise + notFollowed + advertisements + withoutVideo
    return subscriptions + history + collected + alreadyCollected + left
  }
}

extension Sandbox {
  /// Imports one file, or a text from standard input.
  func takeOver(_ path: String = "-", _ options: String..., text: String = "") throws -> Imported {
    let outcome = try program.run(["import", "--format", "json", path] + options, input: Array(text.utf8))
    return try JSONDecoder().decode(Imported.self, from: Data(outcome.output))
  }
}

@Suite("Importing histories and playlists")
struct HistoryImportTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// A history with these rows in Takeout's format.
  private func history(_ rows: [(video: String, channel: String, time: String)]) -> String {
    let objects = rows.map { row in
      """
      {"titleUrl":"https://www.youtube.com/watch?v=\(row.video)","time":"\(row.time)",
      "subtitles":[{"url":"https://www.youtube.com/channel/\(row.channel)"}],"products":["YouTube"]}
      """
    }
    return "[\(objects.joined(separator: ","))]"
  }

  @Test("A CSV of a history follows no channel, and a dry run says what it would do", arguments: [true, false])
  func table(isDry: Bool) throws {
    let channel = SyntheticChannel(number: 0)
    try sandbox.succeed("follow", channel.id)
    let text = """
      ,channel_id,channel_title,video_id,video_title,watched
      0,\(channel.id),known,AAAAAAAAAAA,One,2023-08-03T01:57:17+00:00
      1,\(stranger),unknown,BBBBBBBBBBA,Two,2023-08-04T01:57:17+00:00

      """
    let before = sandbox.log
    let report = try sandbox.run("import", "-", isDry ? "--dry-run" : "--only-new", input: text)
    let mark = isDry ? "1 would be marked watched" : "1 watched"
    #expect(report.status == 0 && report.text == "-: 2 read, \(mark), 1 from channels not followed\n")
    #expect(try sandbox.succeed("channels", "--format", "ids") == "\(channel.id)\n")
    #expect((sandbox.log == before) == isDry)
    #expect(try sandbox.succeed("history", "--format", "ids") == (isDry ? "" : "AAAAAAAAAAA\n"))
  }

  private let stranger = "UCBBBBBBBBBBBBBBBBBBBBBA"

  @Test("Watched videos of followed channels are marked, the rest counted; --all-history marks those too")
  func followedOnly() throws {
    let channel = SyntheticChannel(number: 0)
    try sandbox.succeed("follow", channel.id)
    let text = history([
      ("AAAAAAAAAAA", channel.id, "2024-02-03T04:05:06Z"), ("-bcdefghijA", stranger, "2024-02-03T04:05:06Z"),
    ])
    let first = try sandbox.takeOver(text: text)
    #expect(first.watched == 1 && first.notFollowed == 1 && first.sum == first.read)
    #expect(
      sandbox.events("statusSet").first?.contains("\"at\":\"2024-02-03T04:05:06Z\",\"reason\":\"history\"") == true)
    let second = try sandbox.takeOver("-", "--all-history", text: text)
    #expect(second.watched == 1 && second.alreadyWatched == 1 && second.notFollowed == 0)
  }

  @Test("A history imported again, or in a dry run, writes nothing, and the dry run counts the same")
  func again() throws {
    let channel = SyntheticChannel(number: 0)
    let text = history([("AAAAAAAAAAA", channel.id, "2024-02-03T04:05:06Z")])
    let list = sandbox.folder.write("\(channel.id)\n".utf8, to: "list.txt")
    let file = sandbox.folder.write(text.utf8, to: "history.json")
    let dry = try sandbox.program.run(["import", "--format", "json", "--dry-run", file, list])
    #expect(sandbox.log.isEmpty)
    let wet = try sandbox.program.run(["import", "--format", "json", file, list])
    #expect(dry.lines == wet.lines && wet.text.contains("\"watched\":1"))
    let log = sandbox.log
    let again = try sandbox.takeOver(file)
    #expect(again.watched == 0 && again.alreadyWatched == 1)
    #expect(sandbox.log == log)
  }

  @Test("A user's mark is kept, unless the video was watched later")
  func decisions() throws {
    let channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("skip", "--", threeVideos[0].id)
    try sandbox.succeed("skip", threeVideos[1].id)
    let report = try sandbox.takeOver(
      text: history([
        (threeVideos[0].id, channel.id, "2024-02-03T04:05:06Z"),
        (threeVideos[1].id, channel.id, "2099-02-03T04:05:06Z"),
      ]))
    #expect(report.decidedOtherwise == 1 && report.watched == 1)
    let status = try sandbox.everything().map(\.status)
    #expect(status == ["skipped", "watched", "new"])
  }

  @Test("An undone import can be repeated")
  func undone() throws {
    try sandbox.follow(threeVideos)
    let text = history([(threeVideos[0].id, stranger, "2024-02-03T04:05:06Z")])
    #expect(try sandbox.takeOver(text: text).watched == 1)
    try sandbox.succeed("undo")
    #expect(try sandbox.everything().map(\.status) == ["new", "new", "new"])
    #expect(try sandbox.takeOver(text: text).watched == 1)
  }

  @Test("Playlists become collections, named after the file if they have no other name")
  func playlists() throws {
    let file = sandbox.folder.write(
      "Video ID,Time\nAAAAAAAAAAA,2023-01-05T10:11:12+00:00\n".utf8, to: "Rainy-videos.csv")
    let report = try sandbox.takeOver(file)
    #expect(report.collected == 1 && report.collections == 1 && report.sum == report.read)
    #expect(sandbox.events("collectionSet").count == 1)
    #expect(sandbox.events("collectionSet")[0].contains("\"collection\":\"Rainy\",\"member\":true"))
    #expect(try sandbox.takeOver(file).alreadyCollected == 1)
    try sandbox.succeed("undo")
    #expect(sandbox.events("collectionSet").count == 2)
  }

  @Test("What was imported is listed by ID although no feed has shown it")
  func unseen() throws {
    let text = """
      {"subscriptions":[],"watch_history":["AAAAAAAAAAA"],"playlists":[{"title":"Rain","videos":["-_bbbbbbbbA"]}]}
      """
    #expect(try sandbox.takeOver("-", "--all-history", text: text).sum == 2)
    for format in ["ids", "urls", "jsonl", "csv", "table"] {
      let listed = try sandbox.succeed("collection", "show", "Rain", "--format", format)
      #expect(listed.contains("-_bbbbbbbbA"), "\(format)")
      #expect(try sandbox.succeed("history", "--format", format).contains("AAAAAAAAAAA"), "\(format)")
    }
    let row = try sandbox.succeed("collection", "show", "Rain", "--format", "jsonl")
    #expect(row.contains("\"channel\":null") && row.contains("\"published\":null"))
    #expect(try sandbox.succeed("history").hasPrefix("1 of 1 video watched\n"))
  }

  @Test("Titles of a history are shown until a feed shows better ones, and its videos can be named and marked")
  func described() throws {
    let channel = SyntheticChannel(number: 0)
    try sandbox.succeed("follow", channel.id)
    let text = """
      [{"titleUrl":"https://www.youtube.com/watch?v=-bcdefghijA","time":"2024-02-03T04:05:06Z","products":["YouTube"],
      "title":"Watched An old title","subtitles":[{"name":"Strange","url":"https://www.youtube.com/channel/\(stranger)"}]}]
      """
    #expect(try sandbox.takeOver("-", text: text).notFollowed == 1 && sandbox.events("videoDescribed").isEmpty)
    #expect(try sandbox.takeOver("-", "--all-history", text: text).watched == 1)
    let log = sandbox.log
    _ = try sandbox.takeOver("-", "--all-history", text: text)
    #expect(sandbox.log == log, "nothing is said twice")
    let row = try sandbox.succeed("history", "--format", "jsonl")
    #expect(row.contains("\"title\":\"An old title\"") && row.contains("\"channelTitle\":\"Strange\""))
    #expect(row.contains("\"channel\":\"\(stranger)\""))
    #expect(try sandbox.succeed("history").contains("An old title"))
    let shown = try sandbox.succeed("show", "-bcdefghijA")
    #expect(
      shown.hasPrefix("An old title\n") && shown.contains("no feed has shown this video yet; described by a history"),
      "\(shown)")
    #expect(try sandbox.succeed("why", "-bcdefghijA").contains("no feed has shown it yet"))
    #expect(try sandbox.succeed("show", "-bcdefghijA", "--format", "jsonl").contains("\"published\":null"))
    #expect(try sandbox.succeed("unwatched", "-bcdefghijA").hasPrefix("new again: An old title  -bcdefghijA\n"))
    #expect(try sandbox.list().isEmpty && sandbox.everything().map(\.video) == ["-bcdefghijA"])
    // The feed of its channel has the last word, before and after.
    try sandbox.succeed("follow", stranger)
    let entry = FixtureEntry.of("-bcdefghijA", "The new title", published: 1_793_404_800)
    let feed = FixtureFeed(channel: stranger, title: "Strange", published: 1_200_000_000, entries: [entry])
    sandbox.server.serve(stranger, .feed(feed.xml))
    _ = try sandbox.poll("--force")
    #expect(try sandbox.everything().map(\.title) == ["The new title"])
    #expect(try sandbox.takeOver("-", "--all-history", text: text).decidedOtherwise == 1)
    #expect(try sandbox.everything().map(\.title) == ["The new title"])
    #expect(sandbox.events("videoDescribed").count == 1)
  }

  @Test("Lists of another status than new end with what only a history named, page by page, and history finds it")
  func describedInLists() throws {
    try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "ccccccccccI")
    let known = SyntheticChannel(number: 0).id
    let rows = [("AAAAAAAAAAA", known, "One"), ("BBBBBBBBBBA", known, "Two"), ("CCCCCCCCCCA", stranger, "Three")]
    let text = rows.enumerated().map { index, row in "\(row.0),\(row.1),\(row.2) lamp,2024-02-0\(index + 1)T00:00:00Z\n"
    }
    let file = "video,channel,title,watched\n" + text.joined()
    #expect(try sandbox.takeOver("-", "--all-history", text: file).watched == 3)
    func ids(_ options: String...) throws -> [String] {
      try sandbox.program.run(["list", "--format", "ids"] + options).lines
    }
    #expect(try ids() == ["-bcdefghijA", "bbbbbbbbbbE"])
    #expect(try ids("--watched") == ["ccccccccccI", "BBBBBBBBBBA", "AAAAAAAAAAA"])
    #expect(try ids("--watched", "--all", "--search", "LAMP") == ["CCCCCCCCCCA", "BBBBBBBBBBA", "AAAAAAAAAAA"])
    #expect(try ids("--watched", "--channel", known, "--search", "two") == ["BBBBBBBBBBA"])
    #expect(try ids("--watched", "--since", "2020-01-01") == ["ccccccccccI"], "when they were published is unknown")
    var (pages, after) = ([String](), "ccccccccccI")
    while case let page = try ids("--watched", "--limit", "1", "--after", after), let last = page.first {
      pages.append(last)
      after = last
    }
    #expect(pages == ["BBBBBBBBBBA", "AAAAAAAAAAA"])
    let table = try sandbox.succeed("list", "--watched", "--limit", "2")
    #expect(table.hasPrefix("2 of 3 videos") && table.contains("Two lamp") && table.contains("--after BBBBBBBBBBA"))
    #expect(try sandbox.succeed("history", "--search", "three LAMP", "--format", "ids") == "CCCCCCCCCCA\n")
    #expect(try sandbox.succeed("history", "--search", "lamp", "-n", "1").hasPrefix("1 of 3 videos watched\n"))
    #expect(try sandbox.run("history", "--search", " ").status == 64)
    try sandbox.succeed("save", "AAAAAAAAAAA")
    #expect(try ids("--saved") == ["AAAAAAAAAAA"])
    try sandbox.succeed("unwatched", "AAAAAAAAAAA")
    #expect(try ids("--watched") == ["ccccccccccI", "BBBBBBBBBBA"] && ids().count == 2)
  }

  @Test("A report of many counts has a line for each")
  func lines() throws {
    let channel = SyntheticChannel(number: 0)
    try sandbox.succeed("follow", channel.id)
    let text = """
      [{"titleUrl":"https://www.youtube.com/watch?v=AAAAAAAAAAA","subtitles":[{"url":"https://www.youtube.com/channel/\(channel.id)"}]},
      {"titleUrl":"https://www.youtube.com/watch?v=AAAAAAAAAAA"}, {"titleUrl":"https://www.youtube.com/watch?v=BBBBBBBBBBA"},
      {"titleUrl":"https://www.youtube.com/watch?v=CCCCCCCCCCI","details":[{"name":"From Google Ads"}]},
      {"titleUrl":"https://example.org/"}]
      """
    let lines = ["-: 5 read", "1 duplicate", "1 watched", "1 from channels not followed", "1 advertisement"]
    let last = ["1 without a video", "2 watched without a clear time"]
    #expect(try sandbox.succeed("import", "-", input: text) == (lines + last).joined(separator: "\n  ") + "\n")
  }

  @Test("Counts in a report are in the singular where they are one")
  func singular() throws {
    let text = """
      [{"titleUrl":"https://www.youtube.com/watch?v=AAAAAAAAAAA","time":"2024-02-03T04:05:06Z","products":["YouTube"],
      "details":[{"name":"From Google Ads"}]}, {"titleUrl":"https://www.youtube.com/watch?v=AAAAAAAAAAA"}]
      """
    let said = try sandbox.succeed("import", "-", input: text)
    #expect(said.contains("1 advertisement,") && said.contains("1 watched without a clear time"))
  }

  @Test("Every file in the package adds up, and importing it again changes nothing")
  func everyFile() throws {
    let folder = Files.packageRoot + "/Fixtures/imports"
    for name in TemporaryFolder.names(in: folder) where !["bomb.zip", "hostile.db"].contains(name) {
      let report = try sandbox.takeOver("\(folder)/\(name)", "--all-history")
      #expect(report.sum == report.read, "\(name)")
      let log = sandbox.log
      let again = try sandbox.takeOver("\(folder)/\(name)", "--all-history")
      #expect(again.sum == report.read && again.new == 0 && again.watched == 0 && again.collected == 0, "\(name)")
      #expect(sandbox.log == log, "\(name)")
    }
  }

  @Test("--only-new keeps the tags of followed channels")
  func onlyNew() throws {
    let channel = SyntheticChannel(number: 0)
    try sandbox.succeed("follow", channel.id)
    try sandbox.succeed("import", "--tag", "x", "--only-new", "-", input: "\(channel.id)\n\(stranger)\n")
    #expect(sandbox.events("channelChanged").isEmpty)
    #expect(sandbox.events("channelFollowed").last?.contains("\"tags\":[\"x\"]") == true)
  }

  @Test("A signal ends the marking between two writes, and repeating the import does the rest")
  func interrupted() throws {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var (file, outcome) = ("", Program.Outcome(status: 0, output: [], errors: ""))
    // On a busy machine the signal may come after the end; then with more to mark.
    for (round, count) in [125_000, 500_000, 2_000_000].enumerated() where outcome.status == 0 {
      let ids = (0..<count).map { number in
        let letters = [number / 125_000, number / 2500 % 50, number / 50 % 50, number % 50].map { alphabet[$0] }
        return "AAAAA\(round)" + String(letters) + "A"
      }
      let text = "{\"subscriptions\":[],\"watch_history\":[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]}"
      file = sandbox.folder.write(text.utf8, to: "history.json")
      let size = sandbox.log.count
      let running = try sandbox.program.start(["import", "--format", "json", "--all-history", file])
      wait { sandbox.log.count != size || running.hasEnded }
      running.signal(SIGINT)
      outcome = try running.finish()
    }
    #expect(outcome.status == 1 && outcome.errors.contains("import it again to continue"))
    let first = try JSONDecoder().decode(Imported.self, from: Data(outcome.output))
    #expect(first.left > 0 && first.sum == first.read)
    let second = try sandbox.takeOver(file, "--all-history")
    #expect(second.left == 0 && second.alreadyWatched == first.watched && second.watched == first.left)
  }

  @Test("A history too long for one write is marked completely, as one action, from a pipe too")
  func manyBatches() throws {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let ids = (0..<25_000).map { number in
      "AAAAAAA" + String([alphabet[number / 2500], alphabet[number / 50 % 50], alphabet[number % 50]]) + "A"
    }
    let text = "{\"subscriptions\":[],\"watch_history\":[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]}"
    let report = try sandbox.takeOver("-", "--all-history", text: text)
    #expect(report.watched == 25_000)
    let events = sandbox.events("statusSet")
    let actions = Set(events.map { $0.split(separator: ",").first { $0.hasPrefix("\"action\"") } })
    #expect(events.count == 25_000 && actions.count == 1)
  }
}
