import FixtureServer
import TestSupport
import Testing

/// The main workflow end to end, with the channels bundled in the package.
@Suite("End to end")
struct WholeWayTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
  }

  private var feeds: String { Files.packageRoot + "/feeds.opml" }
  private var atom: String { sandbox.folder.path + "/feed.atom" }

  @Test("Import, poll, list, mark, undo and export turn a file of channels into a feed")
  func wholeWay() throws {
    #expect(try sandbox.succeed("import", feeds).hasPrefix("\(feeds): 20 read, 20 new, 0 already followed\n"))
    #expect(try sandbox.succeed("poll", "--rate", "0") == "20 feeds checked: 300 new, 0 changed\n")
    let videos = try sandbox.list()
    #expect(videos.count == 259)
    #expect(videos.map(\.published) == videos.map(\.published).sorted(by: >))

    #expect(try sandbox.succeed("watched", videos[0].video).hasSuffix("1 video watched\n"))
    #expect(try sandbox.list().map(\.video) == videos.dropFirst().map(\.video))
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 1 mark (1 change)\n"))
    #expect(try sandbox.list() == videos)

    let exported = try sandbox.run("export", "atom", "--output", atom)
    #expect(exported.status == 0 && exported.errors.hasSuffix("feed.atom: 100 videos written\n"))
  }

  @Test("Repeated with nothing new, it changes nothing except for the run's line")
  func onceMore() throws {
    try sandbox.succeed("import", feeds)
    try sandbox.succeed("poll", "--rate", "0")
    _ = try sandbox.run("export", "atom", "--output", atom)
    let (log, written) = (sandbox.log, sandbox.folder.modified("feed.atom"))

    #expect(try sandbox.succeed("import", feeds) == "\(feeds): 20 read, 0 new, 20 already followed\n")
    #expect(sandbox.log == log)
    #expect(try sandbox.succeed("poll", "--rate", "0", "--force") == "20 feeds checked: 0 new, 0 changed\n")
    #expect(Array(sandbox.log.dropLast()) == log)
    #expect(sandbox.log.last?.contains("\"kind\":\"runFinished\"") == true)
    #expect(try sandbox.run("export", "atom", "--output", atom).errors.hasSuffix("nothing changed\n"))
    #expect(sandbox.folder.modified("feed.atom") == written)
  }

  @Test("A poll within 15 minutes requests nothing and writes nothing")
  func tooSoon() throws {
    try sandbox.succeed("import", feeds)
    try sandbox.succeed("poll", "--rate", "0")
    let log = sandbox.log
    sandbox.server.forgetRequests()
    #expect(try sandbox.poll("--all").notDue == 20)
    #expect(sandbox.server.requests.isEmpty)
    #expect(sandbox.log == log)
  }
}
