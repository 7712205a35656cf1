import FixtureServer
import Glibc
import Testing

@Suite("Export of an Atom feed")
struct AtomExportTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel

  init() throws {
    sandbox = try Sandbox()
    channel = try sandbox.follow(threeVideos)
  }

  private func export(_ arguments: String...) throws -> String {
    try sandbox.program.run(["export", "atom"] + arguments).text
  }

  @Test("Marking a video leaves the default feed as it is, to the byte")
  func marking() throws {
    let before = try export()
    try sandbox.succeed("watched", "-bcdefghijA")
    try sandbox.succeed("skip", "bbbbbbbbbbE")
    #expect(try export() == before)
    #expect(try ids(in: export("--status", "new")).count == 1)
    #expect(try ids(in: export("--status", "watched", "--status", "skipped")).count == 2)
  }

  @Test("An export replaces a file that is longer than it")
  func shorter() throws {
    let path = sandbox.folder.path + "/feed.atom"
    #expect(try sandbox.run("export", "atom", "--output", path).status == 0)
    let outcome = try sandbox.run("export", "atom", "--limit", "1", "--output", path)
    #expect(outcome.status == 0 && outcome.errors.hasSuffix("1 video written\n"), "\(outcome.errors)")
    #expect(sandbox.folder.read("feed.atom") == Array(try export("--limit", "1").utf8))
  }

  @Test("An export to a link goes to what it links to, and keeps who may read that")
  func link() throws {
    let path = sandbox.folder.write("private".utf8, to: "private.atom")
    try #require(symlink("private.atom", sandbox.folder.path + "/feed.atom") == 0)
    #expect(try sandbox.run("export", "atom", "--output", sandbox.folder.path + "/feed.atom").status == 0)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode == S_IFREG | 0o600)
    #expect(sandbox.folder.read("private.atom") == Array(try export().utf8))
  }

  @Test("An export to a device is written to it, and fails where it is full")
  func device() throws {
    #expect(try sandbox.run("export", "atom", "--output", "/dev/null").status == 0)
    let outcome = try sandbox.run("export", "atom", "--output", "/dev/full")
    #expect(outcome.status == 74 && outcome.errors.contains("No space left on device"))
  }

  @Test("A folder that is not there is told, and nothing is left behind")
  func noFolder() throws {
    let outcome = try sandbox.run("export", "atom", "--output", sandbox.folder.path + "/none/feed.atom")
    #expect(outcome.status == 74 && outcome.errors.contains("No such file or directory"))
  }

  private func ids(in feed: String) throws -> [Substring] {
    feed.split(separator: "<yt:videoId>").dropFirst().map { $0.prefix(11) }
  }
}
