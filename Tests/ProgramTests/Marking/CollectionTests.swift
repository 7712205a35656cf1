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
    #expect(try list("jsonl") == [#"{"collection":"=Soups, hot","videos":2}"#])
    #expect(try list("json") == ["[", #"{"collection":"=Soups, hot","videos":2}"#, "]"])
    #expect(try list("csv") == ["collection,videos", "\"'=Soups, hot\",2"])
    #expect(try list("tsv") == ["collection\tvideos", "'=Soups, hot\t2"])
    #expect(try list("ids") == ["=Soups, hot"])
    #expect(try sandbox.run("collection", "list", "--format", "urls").status == 64)
  }

  @Test("An unknown collection ends with 1, one without a name with 64")
  func none() throws {
    #expect(try sandbox.run("collection", "show", "nowhere").status == 1)
    #expect(try sandbox.run("collection", "add", " ", ids[0]).status == 64)
  }
}
