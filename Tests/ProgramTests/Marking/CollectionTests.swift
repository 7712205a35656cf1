import FixtureServer
import Testing

@Suite("Collections in the program")
struct CollectionTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  @Test("A collection has the videos added, in order, whatever their status, until they are removed")
  func wholeLife() throws {
    #expect(
      try sandbox.succeed("collection", "add", "To cook", ids[2], ids[0]).hasSuffix("\n2 videos added to To cook\n"))
    #expect(
      try sandbox.succeed("collection", "add", "To cook", ids[0], ids[1])
        .hasSuffix("\n1 video added to To cook; 1 unchanged\n"))
    try sandbox.succeed("watched", ids[0])
    let show = ["collection", "show", "To cook", "--format", "ids"]
    #expect(try sandbox.program.run(show).lines == [ids[2], ids[0], ids[1]])
    #expect(try sandbox.succeed("collection", "list") == "videos  collection\n     3  To cook\n")
    #expect(try sandbox.succeed("collection", "show", "To cook").hasPrefix("3 videos\n"))
    #expect(try sandbox.succeed("show", ids[0]).contains("\ncollection  To cook\n"))
    try sandbox.succeed("collection", "remove", "To cook", "--all", "--status", "watched")
    #expect(try sandbox.program.run(show).lines == [ids[2], ids[1]])
    try sandbox.succeed("undo")
    #expect(try sandbox.program.run(show).lines.sorted() == ids.sorted())
  }

  @Test("Saved videos are a collection too")
  func saved() throws {
    try sandbox.succeed("collection", "add", "saved", ids[1])
    #expect(try sandbox.list("--saved").map(\.video) == [ids[1]])
    #expect(try sandbox.succeed("collection", "list") == "videos  collection\n     1  saved\n")
    #expect(try sandbox.run("collection", "show", "saved", "--format", "ids").lines == [ids[1]])
    try sandbox.succeed("unsave", ids[1])
    #expect(try sandbox.succeed("collection", "show", "saved") == "0 videos\n")
    #expect(try sandbox.succeed("collection", "list") == "No collections yet; see metube-rss collection add --help.\n")
  }

  @Test("The list of collections has every format but URLs, which collections do not have")
  func formats() throws {
    try sandbox.succeed("collection", "add", "=Soups, hot", ids[2], ids[0])
    func list(_ format: String) throws -> [String] { try sandbox.run("collection", "list", "--format", format).lines }
    #expect(try list("jsonl") == [#"{"collection":"=Soups, hot","videos":2,"description":null}"#])
    #expect(try list("json") == ["[", #"{"collection":"=Soups, hot","videos":2,"description":null}"#, "]"])
    #expect(try list("csv") == ["collection,videos,description", "\"'=Soups, hot\",2,"])
    #expect(try list("tsv") == ["collection\tvideos\tdescription", "'=Soups, hot\t2\t"])
    #expect(try list("ids") == ["=Soups, hot"])
    #expect(try sandbox.run("collection", "list", "--format", "urls").status == 64)
  }

  @Test("An unknown collection ends with 1, one without a name with 64")
  func none() throws {
    #expect(try sandbox.run("collection", "show", "nowhere").status == 1)
    #expect(try sandbox.run("collection", "add", " ", ids[0]).status == 64)
  }

  @Test("An empty collection can be created, described, renamed, deleted, and each is undone")
  func empty() throws {
    func list() throws -> [String] {
      try sandbox.succeed("collection", "list", "--format", "tsv").split(separator: "\n").dropFirst().map(String.init)
    }
    #expect(try sandbox.succeed("collection", "create", "Trains", "Only steam") == "created: Trains\n")
    #expect(try list() == ["Trains\t0\tOnly steam"])
    #expect(try sandbox.succeed("collection", "show", "trains") == "0 videos\n")
    #expect(try sandbox.run("collection", "create", "trains").errors.contains("there is a collection “Trains” already"))
    try sandbox.succeed("collection", "add", "trains", ids[2], ids[0])
    #expect(try sandbox.succeed("collection", "describe", "TRAINS", "All of them") == "described: Trains\n")
    #expect(try sandbox.succeed("collection", "describe", "trains") == "All of them\n")
    #expect(try sandbox.succeed("collection", "rename", "trains", "Railways") == "renamed: Trains is now Railways\n")
    #expect(try list() == ["Railways\t2\tAll of them"])
    #expect(try sandbox.run("collection", "show", "Railways", "--format", "ids").lines == [ids[2], ids[0]])
    #expect(
      try sandbox.succeed("collection", "rename", "railways", "RailWays") == "renamed: Railways is now RailWays\n")
    #expect(try sandbox.succeed("collection", "delete", "railways") == "deleted: RailWays (2 videos)\n")
    #expect(try list().isEmpty)
    #expect(try sandbox.run("collection", "describe", "RailWays").status == 1)
    for wanted in ["RailWays\t2\tAll of them", "Railways\t2\tAll of them", "Trains\t2\tAll of them"] {
      try sandbox.succeed("undo", "--yes")
      #expect(try list() == [wanted])
    }
    for wanted in ["Trains\t2\tOnly steam", "Trains\t0\tOnly steam"] {
      try sandbox.succeed("undo", "--yes")
      #expect(try list() == [wanted])
    }
    try sandbox.succeed("undo", "--yes")
    #expect(try list().isEmpty)
  }

  @Test("A collection cannot take the name of another, nor that of the saved videos; its videos stay")
  func names() throws {
    try sandbox.succeed("collection", "add", "One", ids[0])
    try sandbox.succeed("collection", "add", "Two", ids[1])
    let log = sandbox.log
    #expect(
      try sandbox.run("collection", "rename", "One", "two").errors.contains("there is a collection “Two” already"))
    for arguments in [
      ["rename", "One", "Saved"], ["create", "saved"], ["delete", "saved"], ["describe", "saved", "x"],
    ] {
      #expect(try sandbox.program.run(["collection"] + arguments).status == 64, "\(arguments)")
    }
    #expect(try sandbox.succeed("collection", "rename", "One", "One") == "no change: One\n" && sandbox.log == log)
    try sandbox.succeed("collection", "describe", "One", "Kept from now on")
    try sandbox.succeed("collection", "remove", "One", ids[0])
    #expect(try sandbox.succeed("collection", "list", "--format", "ids") == "One\nTwo\n")
    try sandbox.succeed("log", "compact")
    #expect(try sandbox.succeed("collection", "describe", "one") == "Kept from now on\n")
  }
}
