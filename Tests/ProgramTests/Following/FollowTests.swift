import FixtureServer
import TestSupport
import Testing

@Suite("Following")
struct FollowTests {
  private let sandbox: Sandbox
  private let id = "UCAAAAAAAAAAAAAAAAAAAAAA"
  private let playlist = "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

  init() throws { sandbox = try Sandbox() }

  private func followed() throws -> [String] { try sandbox.run("channels", "--format", "ids").lines }

  @Test(
    "A channel is followed by its ID and by every URL that contains it",
    arguments: [
      "UCAAAAAAAAAAAAAAAAAAAAAA", "https://www.youtube.com/channel/UCAAAAAAAAAAAAAAAAAAAAAA",
      "http://m.youtube.com/channel/UCAAAAAAAAAAAAAAAAAAAAAA/videos?view=0",
      "youtube.com/channel/UCAAAAAAAAAAAAAAAAAAAAAA",
      "https://www.youtube.com/feeds/videos.xml?channel_id=UCAAAAAAAAAAAAAAAAAAAAAA",
      "https://www.youtube.com/feeds/videos.xml?playlist_id=UUAAAAAAAAAAAAAAAAAAAAAA",
    ])
  func forms(text: String) throws {
    #expect(try sandbox.succeed("follow", text).hasPrefix("following \(id)\n"))
    #expect(try followed() == [id])
    #expect(try sandbox.succeed("follow", id) == "already following \(id)\n")
    #expect(sandbox.events("channelFollowed").count == 1)
  }

  @Test("A playlist is followed too, and keeps its entries' own channels")
  func playlists() throws {
    try sandbox.succeed("follow", "https://www.youtube.com/playlist?list=\(playlist)")
    #expect(try followed() == [playlist])
    let owner = SyntheticChannel(number: 0)
    sandbox.server.serve(playlist, .feed(owner.feed(generation: 0).xml))
    #expect(try sandbox.poll().new == 15)
    let videos = try sandbox.list("--shorts", "show")
    #expect(videos.count == 15 && videos.allSatisfy { $0.channel == owner.id && $0.channelTitle == owner.title })
    #expect(try sandbox.list("--shorts", "show", "--channel", playlist).count == 15)
  }

  @Test("An invalid channel is reported, the others are followed, and the status is 1")
  func refused() throws {
    let outcome = try sandbox.run("follow", "UC789", id, "http://127.0.0.1/", "WL")
    #expect(outcome.status == 1)
    for name in ["UC789: ", "http://127.0.0.1/: ", "WL: "] {
      #expect(outcome.errors.contains("metube-rss: \(name)"))
    }
    #expect(try followed() == [id])
  }

  @Test("Tags come from the option and from a file's folders, and select channels and videos")
  func tags() throws {
    try sandbox.follow(1)
    let science = SyntheticChannel(number: 0).id
    try sandbox.succeed("follow", "--tag", "science", "--tag", "slow", science)
    _ = try sandbox.run("import", Files.packageRoot + "/Fixtures/imports/reader.opml", "--tag", "more")
    #expect(try sandbox.run("channels", "--tag", "science", "--format", "ids").lines == [science])
    _ = try sandbox.poll(science)
    #expect(try sandbox.list("--tag", "slow", "--shorts", "show").count == 15)
    #expect(try sandbox.list("--tag", "slow", "--shorts", "show").allSatisfy { $0.tags == ["science", "slow"] })
    #expect(try sandbox.list("--tag", "more").isEmpty)
    #expect(try sandbox.run("channels", "--tag", "more", "--format", "ids").lines.count > 1)
  }

  @Test("An unfollowed channel leaves the list and stays in the log; followed again, everything is as before")
  func unfollow() throws {
    let channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "bbbbbbbbbbE")
    let (list, all) = (try sandbox.list(), try sandbox.everything())
    #expect(try sandbox.succeed("unfollow", channel.title) == "unfollowed \(channel.title)  \(channel.id)\n")
    #expect(try sandbox.list().isEmpty && followed().isEmpty)
    #expect(try sandbox.everything().map(\.video) == all.map(\.video))
    #expect(try sandbox.poll("--force").checked == 0)
    try sandbox.succeed("follow", channel.id)
    #expect(try sandbox.list() == list)
  }

  @Test("undo reverts an import as one action, and an unfollow too")
  func undo() throws {
    try sandbox.succeed("import", Files.packageRoot + "/feeds.opml")
    let all = try followed()
    try sandbox.succeed("unfollow", all[0], all[1])
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 2 unfollows (2 changes)\n"))
    #expect(try followed() == all)
    #expect(try sandbox.succeed("undo", "--yes") == "undone: 20 follows (20 changes)\n")
    #expect(try followed().isEmpty)
  }

  @Test("--seen-before marks the older videos of the first poll watched, and none later")
  func seenBefore() throws {
    let channel = SyntheticChannel(number: 0)
    // 2026-10-31, 2026-10-30 and 2026-10-29.
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos).xml))
    try sandbox.succeed("follow", "--seen-before", "2026-10-31", channel.id)
    #expect(try sandbox.poll().new == 3)
    #expect(try sandbox.everything().map(\.status) == ["new", "watched", "watched"])
    let late = [(id: "lateoldvidA", title: "Old, but made public today")]
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos + late).xml))
    #expect(try sandbox.poll("--force").new == 1)
    #expect(try sandbox.everything().map(\.status) == ["new", "watched", "watched", "new"])
  }

  @Test("--seen-before marks known videos of a channel, followed or followed again, and undo reverts it")
  func seenBeforeKnown() throws {
    let channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("skip", "ccccccccccI")
    let said = try sandbox.succeed("follow", "--seen-before", "2026-10-31", channel.id)
    #expect(
      said
        == "already following \(channel.title)  \(channel.id)\n1 video found earlier and published before that date marked watched\n"
    )
    #expect(try sandbox.everything().map(\.status) == ["new", "watched", "skipped"])
    try sandbox.succeed("undo")
    #expect(try sandbox.everything().map(\.status) == ["new", "new", "skipped"])
    try sandbox.succeed("unfollow", channel.id)
    let list = [(id: "wwwwwwwwwwA", title: "Came meanwhile")] + threeVideos
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, list).xml))
    #expect(try sandbox.succeed("follow", "--seen-before", "2026-11-05", channel.id).contains("2 videos found earlier"))
    #expect(try sandbox.poll("--force").new == 1)
    #expect(try sandbox.everything().map(\.status).sorted() == ["skipped", "watched", "watched", "watched"])
    let late = [(id: "lateoldvidA", title: "Old, but made public today")]
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, list + late).xml))
    #expect(try sandbox.poll("--force").new == 1)
    #expect(try sandbox.list().map(\.video) == ["lateoldvidA"])
  }

  @Test(
    "--seen-before also applies to a channel, or a name, followed and not polled yet", arguments: [false, true])
  func seenBeforeFollowed(isUndone: Bool) throws {
    let channel = SyntheticChannel(number: 0)
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos).xml))
    try sandbox.succeed("follow", channel.id)
    #expect(
      try sandbox.succeed("follow", "--seen-before", "2026-10-31", channel.id) == "already following \(channel.id)\n")
    if isUndone { try sandbox.succeed("undo") }
    #expect(try sandbox.poll().new == 3)
    let older = isUndone ? "new" : "watched"
    #expect(try sandbox.everything().map(\.status) == ["new", older, older])
  }

  @Test("The address of a known video follows its channel; that of another is reported as a video's")
  func videos() throws {
    let channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("unfollow", channel.id)
    let known = "https://www.youtube.com/watch?v=\(threeVideos[1].id)&list=WL"
    #expect(try sandbox.succeed("follow", known).hasPrefix("following \(channel.title)  \(channel.id)\n"))
    for address in ["https://youtu.be/-bcdefghijA", "youtube.com/shorts/bbbbbbbbbbE", "/watch?v=ccccccccccI"] {
      #expect(try sandbox.succeed("follow", address) == "already following \(channel.title)  \(channel.id)\n")
    }
    let outcome = try sandbox.run("follow", "https://www.youtube.com/live/AAAAAAAAAAA")
    #expect(outcome.status == 1 && outcome.errors.contains("a video; give its channel"))
    let file = sandbox.folder.write("https://youtu.be/AAAAAAAAAAA\n\(channel.id)\n".utf8, to: "list.txt")
    #expect(try sandbox.succeed("import", file).contains("1 already followed, 1 video instead of a channel\n"))
  }

  @Test("A later file names a channel that was imported without a title, once")
  func laterTitle() throws {
    let list = sandbox.folder.write("\(id)\n@lamps\n".utf8, to: "list.txt")
    let opml = sandbox.folder.write(
      "<opml><body><outline text=\"Lamps\" xmlUrl=\"\(id)\"/><outline text=\"Of handle\" xmlUrl=\"@lamps\"/></body></opml>"
        .utf8, to: "named.opml")
    let said = try sandbox.succeed("import", list, opml)
    #expect(said.contains("2 files: 4 read, 1 new, 1 already followed\n"))
    #expect(try sandbox.succeed("channels").contains("Lamps"))
    #expect(sandbox.events("handleFollowed").last?.contains("\"title\":\"Of handle\"") == true)
    let log = sandbox.log
    try sandbox.succeed("import", opml, list)
    #expect(sandbox.log == log)
  }

  @Test("A followed list of Shorts is listed, unless its Shorts are hidden")
  func listOfShorts() throws {
    let channel = SyntheticChannel(number: 0)
    let list = "UUSH" + channel.id.dropFirst(2)
    sandbox.server.serve(list, .feed(FixtureFeed.of(channel, threeVideos).xml))
    try sandbox.succeed("follow", list)
    #expect(try sandbox.poll().new == 3)
    #expect(try sandbox.list().count == 3)
    try sandbox.succeed("channel", "set", channel.id, "--shorts", "hide")
    #expect(try sandbox.list().isEmpty)
  }

  @Test("Videos of a channel and a playlist count once")
  func sharedVideos() throws {
    let channel = SyntheticChannel(number: 0)
    let feed = FixtureFeed.of(channel, threeVideos)
    for id in [channel.id, playlist] {
      sandbox.server.serve(id, .feed(feed.xml))
      try sandbox.succeed("follow", id)
    }
    #expect(try sandbox.poll().new == 3)
    #expect(try sandbox.succeed("status").contains("2 subscriptions, 3 videos found\n3 videos new to you\n"))
    try sandbox.succeed("watched", "bbbbbbbbbbE")
    #expect(try sandbox.succeed("status").contains("\n2 videos new to you\n"))
  }

  @Test("A poll that could not even look up a handle ends with 75, however often it is repeated")
  func offlineHandle() throws {
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:1"
    try sandbox.succeed("follow", "@somebody")
    for _ in 1...2 { #expect(try sandbox.run("poll").status == 75) }
  }

  @Test("A dry run reports what would be done and does nothing")
  func dryRun() throws {
    let outcome = try sandbox.succeed("import", "--dry-run", Files.packageRoot + "/feeds.opml")
    #expect(outcome.contains("20 would be new") && sandbox.log.isEmpty)
  }
}
