import FixtureServer
import TestSupport
import Testing

@Suite("Saved videos and collections stay complete")
struct PutAsideTests {
  private let sandbox: Sandbox
  private let channel = SyntheticChannel(number: 0)
  private let short = "aaaaaaaaaaA"
  private let ruled = "bbbbbbbbbbE"
  private let plain = "ccccccccccI"

  init() throws {
    sandbox = try Sandbox()
    let videos = [(short, "A Short"), (ruled, "Hidden by a rule"), (plain, "A plain one")]
    var entries = videos.enumerated().map { position, video in
      FixtureEntry.of(video.0, video.1, published: 1_793_404_800 - position * 86_400)
    }
    entries[0].isShort = true
    let feed = FixtureFeed(channel: channel.id, title: channel.title, published: 1_200_000_000, entries: entries)
    sandbox.server.serve(channel.id, .feed(feed.xml))
    try sandbox.succeed("follow", channel.id)
    try sandbox.succeed("poll", "--rate", "0", "--force")
    try sandbox.succeed("rule", "add", "block", "--contains", "hidden")
  }

  @Test("A saved video is listed even if it is a Short, a rule hides it, or its channel was unfollowed")
  func listed() throws {
    try sandbox.succeed("save", short, ruled, plain)
    #expect(try sandbox.list("--saved").map(\.video) == [short, ruled, plain])
    try sandbox.succeed("unfollow", channel.id)
    #expect(try sandbox.list("--saved", "--unwatched").map(\.video) == [short, ruled, plain])
    #expect(try sandbox.list("--saved", "--shorts", "hide").map(\.video) == [ruled, plain])
  }

  @Test("unsave --all covers everything saved, and nothing else")
  func unsave() throws {
    try sandbox.succeed("save", short, ruled)
    #expect(try sandbox.succeed("unsave", "--all") == "2 videos no longer saved\n")
    try sandbox.succeed("save", short, plain)
    try sandbox.succeed("watched", short)
    #expect(try sandbox.succeed("unsave", "--all", "--status", "watched") == "1 video no longer saved\n")
    #expect(try sandbox.list("--saved").map(\.video) == [plain])
  }

  @Test("collection remove --all covers its members, including those never seen in a feed, and nothing else")
  func collection() throws {
    let playlist = sandbox.folder.write(
      "Video ID,Time\n\(short),2023-01-05T10:11:12+00:00\nZZZZZZZZZZA,2023-01-05T10:11:13+00:00\n".utf8,
      to: "Trains-videos.csv")
    try sandbox.succeed("import", playlist)
    try sandbox.succeed("collection", "add", "Trains", plain)
    #expect(
      try sandbox.succeed("collection", "remove", "Trains", "--all", "--search", "plain").hasPrefix("1 video removed"))
    #expect(try sandbox.succeed("collection", "remove", "Trains", "--all") == "2 videos removed from Trains\n")
    #expect(try sandbox.run("collection", "show", "Trains").status == 1)
  }

  @Test("An explicit status takes precedence over --all, in lists and exports alike")
  func status() throws {
    try sandbox.succeed("watched", plain)
    #expect(try sandbox.list("--all").map(\.video) == [plain])
    #expect(try sandbox.list("--all", "--watched").map(\.video) == [plain])
    #expect(try sandbox.list("--all", "--no-rules", "--unwatched").map(\.video) == [ruled])
    try sandbox.succeed("unfollow", channel.id)
    #expect(try sandbox.list("--watched").isEmpty)
    #expect(try sandbox.list("--all", "--watched").map(\.video) == [plain])
    #expect(try sandbox.run("export", "jsonl", "--all", "--watched").lines.count == 1)
    #expect(try sandbox.run("export", "jsonl", "--all", "--skipped").lines.isEmpty)
  }

  @Test("A video that no feed has shown can be saved and collected by URL, until a feed shows it too")
  func unseen() throws {
    let late = "eeeeeeeeeeQ"
    #expect(
      try sandbox.succeed("save", "https://youtu.be/\(late)")
        == "saved: \(late), which no feed has shown yet\n1 video saved\n")
    #expect(try sandbox.list("--saved").map(\.video) == [late])
    try sandbox.succeed("save", plain)
    #expect(try sandbox.succeed("collection", "add", "Later", late).hasSuffix("\n1 video added to Later\n"))
    #expect(try sandbox.list("--saved").map(\.video) == [plain, late])
    #expect(try sandbox.succeed("list", "--saved").contains(late))
    #expect(try sandbox.succeed("collection", "show", "saved", "--format", "ids") == "\(plain)\n\(late)\n")
    #expect(try sandbox.run("save", "no-video").status == 1)
    #expect(try sandbox.run("watched", "fffffffffU").status == 1)
    let entries = [FixtureEntry.of(late, "It came", published: 1_793_404_800)]
    let feed = FixtureFeed(channel: channel.id, title: channel.title, published: 1_200_000_000, entries: entries)
    sandbox.server.serve(channel.id, .feed(feed.xml))
    _ = try sandbox.poll("--force")
    #expect(try sandbox.list("--saved").map(\.video).contains(late))
    #expect(try sandbox.list("--saved").first { $0.video == late }?.title == "It came")
    try sandbox.succeed("unsave", late)
    #expect(try sandbox.list("--saved").map(\.video) == [plain])
  }
}
