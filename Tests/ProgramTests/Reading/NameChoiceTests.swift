import FixtureServer
import Testing

@Suite("Names of channels, tags and collections")
struct NameChoiceTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("channel", "set", channel.id, "--title", "Adam Savage’s Tésted", "--tag", "Ünï")
  }

  @Test(
    "A channel is found by its title, ignoring case, accents, spaces and apostrophes, by its handle and by its address",
    arguments: [
      "Adam Savage's Tested", "  adam  savage`s tésted ", "savage's", "@adamsavagestested",
      "https://www.youtube.com/@AdamSavagesTested",
    ])
  func channels(name: String) throws {
    #expect(try sandbox.list("--channel", name).count == 3)
  }

  @Test("The beginning of a title beats the beginning of a word, and that beats the middle of one")
  func ranks() throws {
    let others = (1...3).map { SyntheticChannel(number: $0) }
    for (other, title) in zip(others, ["TED-Ed", "Veritasium", "The Verge"]) {
      sandbox.server.serve(other.id, .feed(other.feed(generation: 0).xml))
      try sandbox.succeed("follow", other.id)
      try sandbox.succeed("channel", "set", other.id, "--title", title)
    }
    for (name, wanted) in [("ted", 0), ("ver", 1), ("verg", 2), ("ed", 0)] {
      let outcome = try sandbox.run("channel", "set", name, "--tag", "x")
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
      #expect(try sandbox.run("channels", "--tag", "x", "--format", "ids").lines == [others[wanted].id], "\(name)")
      try sandbox.succeed("channel", "set", others[wanted].id, "--untag", "x")
    }
    let several = try sandbox.run("list", "--channel", "t")
    #expect(several.status == 1 && several.errors.contains("“t” matches 2 channels; use more of the title, or an ID: "))
    #expect(several.errors.contains("TED-Ed (\(others[0].id))"))
  }

  @Test("A channel that is no longer followed is named as such")
  func former() throws {
    try sandbox.succeed("unfollow", channel.id)
    let outcome = try sandbox.run("list", "--channel", "savage")
    #expect(outcome.status == 1 && outcome.errors.contains("“Adam Savage’s Tésted” is no longer followed; list --all"))
  }

  @Test("A resolved handle names its channel, in any case")
  func handle() throws {
    let other = SyntheticChannel(number: 1)
    sandbox.server.serve(other.id, .feed(other.feed(generation: 0).xml))
    sandbox.server.serve("/@lamps", ChannelPage(channel: other.id).response)
    try sandbox.succeed("follow", "@lamps")
    _ = try sandbox.run("channels", "--resolve")
    #expect(try sandbox.run("list", "--channel", "@LAMPS").status == 0)
    let unknown = try sandbox.run("list", "--channel", "@nobody")
    #expect(unknown.status == 1 && unknown.errors.contains("“@nobody” is not a known handle"))
  }

  @Test("A tag is found ignoring case and accents, and one that no channel has is reported")
  func tags() throws {
    #expect(try sandbox.list("--tag", "uni").count == 3)
    #expect(try sandbox.run("channels", "--tag", "ÜNI", "--format", "ids").lines == [channel.id])
    let outcome = try sandbox.program.run(["list", "--tag", "nosuch"])
    #expect(outcome.status == 1 && outcome.errors.contains("no channel has the tag “nosuch”"))
    // Meanwhile, an export refreshed by a timer is empty.
    #expect(try sandbox.run("export", "csv", "--tag", "nosuch").lines.count == 1)
    #expect(try sandbox.succeed("channel", "set", channel.id, "--tag", " ünï ").contains("no change"))
    #expect(try sandbox.succeed("channel", "set", channel.id, "--untag", "uni").contains("no tags"))
  }

  @Test("--all lists videos by their unfollowed channel, and rules can name it")
  func unfollowed() throws {
    try sandbox.succeed("unfollow", channel.id)
    for name in [channel.id, "adam savage's tested"] {
      #expect(try sandbox.list("--all", "--channel", name).count == 3)
      #expect(try sandbox.run("list", "--channel", name).status == 1)
      #expect(try sandbox.run("rule", "test", "block", "--channel", name).status == 0)
    }
  }

  @Test("Two collections cannot differ only in case, accents or spaces")
  func collections() throws {
    try sandbox.succeed("collection", "add", " Trains ", ids[0])
    #expect(
      try sandbox.succeed("collection", "add", "trains", ids[1])
        == "added to Trains: How to Tune a Bell  \(ids[1])\n1 video added to Trains\n")
    try sandbox.succeed("collection", "add", "Saved", ids[2])
    #expect(try sandbox.list("--saved").map(\.video) == [ids[2]])
    #expect(try sandbox.run("collection", "list", "--format", "ids").lines == ["Trains", "saved"])
    #expect(try sandbox.run("collection", "show", "TRAINS", "--format", "ids").lines == [ids[0], ids[1]])
  }

  @Test("A missing collection is reported when removed from, by name or with --all")
  func noCollection() throws {
    let log = sandbox.log
    for rest in [[ids[0]], ["--all"]] {
      let outcome = try sandbox.program.run(["collection", "remove", "Nope"] + rest)
      #expect(outcome.status == 1 && outcome.errors.contains("there is no collection “Nope”"))
    }
    #expect(sandbox.log == log)
  }

  @Test(
    "An invisible name is rejected with 64",
    arguments: ["", " \t", "\u{200b}", "a\u{7}b", "a\nb", "a\u{202e}b", "\u{2067}a"])
  func refused(name: String) throws {
    let log = sandbox.log
    #expect(try sandbox.run("collection", "add", name, ids[0]).status == 64)
    #expect(try sandbox.run("channel", "set", channel.id, "--tag", name).status == 64)
    #expect(try sandbox.run("follow", "--tag", name, channel.id).status == 64)
    if !name.isEmpty { #expect(try sandbox.run("channel", "set", channel.id, "--title", name).status == 64) }
    #expect(sandbox.log == log)
  }
}
