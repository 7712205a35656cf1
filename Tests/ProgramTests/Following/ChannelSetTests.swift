import FixtureServer
import Testing

@Suite("channel set")
struct ChannelSetTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    channel = SyntheticChannel(number: 0)
    var feed = FixtureFeed.of(channel, threeVideos)
    feed.entries[0].isShort = true
    sandbox.server.serve(channel.id, .feed(feed.xml))
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
  }

  @Test("A channel's Shorts are listed, exported and counted once set so, until undo")
  func shorts() throws {
    let export = ["export", "jsonl"]
    #expect(try sandbox.list().map(\.video) == [ids[1], ids[2]])
    #expect(
      try sandbox.succeed("channel", "set", channel.id, "--shorts", "show") == "\(channel.title): Shorts listed\n")
    #expect(try sandbox.list().map(\.video) == ids)
    #expect(try sandbox.program.run(export).lines.count == 3)
    #expect(try sandbox.succeed("channels", "--format", "jsonl").contains("\"unwatched\":3,"))
    #expect(try sandbox.list("--shorts", "hide").map(\.video) == [ids[1], ids[2]])
    #expect(try sandbox.succeed("why", ids[0]).contains("yes: it is new, and nothing hides it"))
    try sandbox.succeed("undo")
    #expect(try sandbox.list().map(\.video) == [ids[1], ids[2]])
    #expect(try sandbox.program.run(export).lines.count == 2)
  }

  @Test("A channel's streams are hidden once set so, counted in the heading, and shown by --live")
  func live() throws {
    let key = "AIza-the-key-of-nobody-0123456789"
    sandbox.server.serve(
      DataAPI(key: key) { video in
        guard video == "bbbbbbbbbbE" else { return DataAPI.Video(duration: "PT1M") }
        let times = ["actualStartTime": "2026-10-30T10:00:00Z", "actualEndTime": "2026-10-30T11:00:00Z"]
        return DataAPI.Video(duration: "PT1H", stream: times)
      })
    (sandbox.environment["METUBE_RSS_API_URL"], sandbox.environment["METUBE_RSS_API_KEY"]) = (
      sandbox.server.baseURL, key
    )
    try sandbox.succeed("enrich")
    try sandbox.succeed("channel", "set", channel.id, "--live", "hide")
    #expect(try sandbox.list().map(\.video) == [ids[2]])
    #expect(try sandbox.succeed("list").hasPrefix("1 of 1 video, 1 Short hidden, 1 stream hidden, "))
    #expect(try sandbox.list("--live").map(\.video) == [ids[1]])
    #expect(try sandbox.succeed("why", ids[1]).contains("it is a stream, and you hide streams of its channel"))
  }

  @Test("A channel set to oldest first begins its own list with its oldest, and no other list")
  func order() throws {
    try sandbox.succeed("channel", "set", channel.id, "--order", "oldest")
    #expect(try sandbox.list("--channel", channel.id).map(\.video) == [ids[2], ids[1]])
    #expect(try sandbox.list("--channel", channel.id, "--newest").map(\.video) == [ids[1], ids[2]])
    #expect(try sandbox.list().map(\.video) == [ids[1], ids[2]])
    #expect(try sandbox.run("list", "--oldest", "--newest").status == 64)
  }

  @Test("A title or tag that looks like an ID is kept as typed")
  func likeAnID() throws {
    try sandbox.succeed("channel", "set", channel.id, "--title", "-bcdefghijA", "--tag", "-bcdefghijE")
    let line = try sandbox.succeed("channels", "--format", "jsonl")
    #expect(line.contains("\"title\":\"-bcdefghijA\"") && line.contains("\"tags\":[\"-bcdefghijE\"]"))
    try sandbox.succeed("channel", "set", "-bcdefghijA", "--untag", "-bcdefghijE")
    #expect(try sandbox.succeed("channels", "--format", "jsonl").contains("\"tags\":[]"))
  }

  @Test("A setting is reported, listed and logged as an event; an unchanged one writes nothing")
  func reported() throws {
    let set = ["channel", "set", channel.id, "--live", "hide", "--order", "oldest", "--feed", "videos", "--tag", "a b"]
    let reported = "\(channel.title): tags a b, feed videos, streams hidden, oldest first\n"
    #expect(try sandbox.program.run(set).text == reported)
    #expect(try sandbox.program.run(set).text == "\(channel.title): no change\n")
    #expect(
      sandbox.events("channelChanged").filter { $0.contains("\"live\":\"hide\",\"order\":\"oldest\"") }.count == 1)
    let line = try sandbox.succeed("channels", "--format", "jsonl")
    #expect(line.contains("\"shorts\":\"hide\",\"live\":\"hide\",\"order\":\"oldest\",\"intervalSeconds\":"))
    #expect(try sandbox.succeed("channels").contains("feed videos, no streams, oldest first"))
    let columns = try #require(sandbox.run("channels", "--format", "csv").lines.first)
    #expect(columns.hasSuffix(",verdict,shorts,live,order,intervalSeconds,avatarURL,subscribers,videoCount"))
    #expect(try sandbox.run("channel", "set", channel.id).status == 64)
    #expect(try sandbox.run("channel", "set", channel.id, "--shorts", "only").status == 64)
  }
}
