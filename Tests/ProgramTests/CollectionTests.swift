import FixtureServer
import Testing

@Suite("Collections through the program")
struct CollectionTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  @Test("A collection has what was put into it, in that order, whatever its status, until it is taken out")
  func wholeLife() throws {
    #expect(try sandbox.succeed("collection", "add", "To cook", ids[2], ids[0]) == "2 videos in To cook\n")
    #expect(try sandbox.succeed("collection", "add", "To cook", ids[0], ids[1]) == "1 video in To cook; 1 already so\n")
    try sandbox.succeed("watched", ids[0])
    let show = ["collection", "show", "To cook", "--format", "ids"]
    #expect(try sandbox.program.run(show).lines == [ids[2], ids[0], ids[1]])
    #expect(try sandbox.succeed("collection", "list") == "To cook: 3 videos\n")
    #expect(try sandbox.succeed("collection", "show", "To cook").hasPrefix("3 videos\n"))
    #expect(try sandbox.succeed("show", ids[0]).contains("\ncollection  To cook\n"))
    try sandbox.succeed("collection", "remove", "To cook", "--all", "--status", "watched")
    #expect(try sandbox.program.run(show).lines == [ids[2], ids[1]])
    try sandbox.succeed("undo")
    #expect(try sandbox.program.run(show).lines.sorted() == ids.sorted())
  }

  @Test("What was saved is a collection too")
  func saved() throws {
    try sandbox.succeed("collection", "add", "saved", ids[1])
    #expect(try sandbox.list("--saved").map(\.video) == [ids[1]])
    #expect(try sandbox.succeed("collection", "list") == "saved: 1 video\n")
    #expect(try sandbox.run("collection", "show", "saved", "--format", "ids").lines == [ids[1]])
    try sandbox.succeed("unsave", ids[1])
    #expect(try sandbox.succeed("collection", "list") == "No collections: see metube-rss collection add --help.\n")
  }

  @Test("A collection that is not there ends with 1, one without a name with 64")
  func none() throws {
    #expect(try sandbox.run("collection", "show", "nowhere").status == 1)
    #expect(try sandbox.run("collection", "add", " ", ids[0]).status == 64)
  }
}
