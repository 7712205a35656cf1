import Core
import FoundationEssentials
import TestSupport
import Testing

@Suite("IDs that begin with -")
struct VideoIDArgumentTests {
  private let sandbox: Sandbox
  private let id = "-bcdefghijA"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private func status() throws -> String? { try sandbox.everything().first { $0.video == id }?.status }

  @Test("Every command that takes a video accepts an ID that begins with -", arguments: ["watched", "skip"])
  func marks(command: String) throws {
    #expect(try sandbox.succeed(command, id).contains("A Lantern in March  \(id)\n1 video"))
    #expect(try status() != "new")
    #expect(try sandbox.succeed("unwatched", "ccccccccccI", id).contains("1 video new again; 1 unchanged"))
    #expect(try status() == "new")
    #expect(try sandbox.succeed(command, "--", id).contains("1 video"))
    #expect(try sandbox.succeed("unwatched", "-", input: "\(id)\n").contains("1 video new again"))
    #expect(try sandbox.succeed("unwatched", "'\(id)").contains("0 videos new again; 1 unchanged"), "as CSV has it")
    #expect(try sandbox.succeed(command, "--home", sandbox.folder.path, id).contains("1 video"))
  }

  @Test(
    "URLs name a video too",
    arguments: [
      "https://www.youtube.com/watch?v=-bcdefghijA", "https://youtu.be/-bcdefghijA?t=3",
      "https://www.youtube.com/shorts/-bcdefghijA",
    ])
  func addresses(address: String) throws {
    try sandbox.succeed("watched", address)
    #expect(try status() == "watched")
  }

  @Test(
    "An ID that begins with - is no option though no feed has shown it: marked, or reported as typed")
  func unknown() throws {
    let outcome = try sandbox.run("show", "-zzzzzzzzzA")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("metube-rss: -zzzzzzzzzA: no feed has shown this video yet; "))
    #expect(
      try sandbox.succeed("watched", "-zzzzzzzzzA", id).hasPrefix(
        "watched: -zzzzzzzzzA, which no feed has shown yet\nwatched: "))
    #expect(try status() == "watched")
  }

  @Test("Text that looks like such an ID is accepted wherever text is allowed")
  func texts() throws {
    let tag = "-tagtagtagA"
    try sandbox.succeed("follow", "--tag", tag, "UCAAAAAAAAAAAAAAAAAAAAAA")
    #expect(try sandbox.succeed("channels", "--tag", tag, "--format", "ids") == "UCAAAAAAAAAAAAAAAAAAAAAA\n")
    #expect(try sandbox.list("--search", tag).isEmpty && sandbox.list("--tag", tag).isEmpty)
    for command in [
      ["import", tag], ["poll", tag], ["unfollow", tag], ["list", "--since", tag], ["list", "--channel", tag],
      ["log", "merge", tag],
    ] {
      let outcome = try sandbox.program.run(command)
      #expect(outcome.status != 0 && outcome.errors.contains("\(tag): ") || outcome.errors.contains("“\(tag)”"))
      #expect(!outcome.errors.utf8.contains(1), "\(command)")
    }
  }

  @Test("No option of any command could be mistaken for an ID")
  func options() throws {
    let names = try Help.of("metube-rss").commands.flatMap { command in
      command.arguments.flatMap { ($0.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    }
    #expect(names.contains("--unwatched") && names.contains("--help") && names.count > 80)
    #expect(names.filter { VideoID($0) != nil } == [])
  }
}
