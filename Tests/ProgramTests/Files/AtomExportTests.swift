import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Atom export")
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

  @Test("Marking a video leaves the default feed unchanged, byte for byte")
  func marking() throws {
    let before = try export()
    try sandbox.succeed("watched", "-bcdefghijA")
    try sandbox.succeed("skip", "bbbbbbbbbbE")
    #expect(try export() == before)
    #expect(ids(in: try export("--status", "new")).count == 1)
    #expect(ids(in: try export("--status", "watched", "--status", "skipped")).count == 2)
  }

  @Test("The feed's ID is a stable URN, and a restricted feed has another")
  func feedID() throws {
    let whole = try id(in: export())
    #expect(whole.hasPrefix("urn:uuid:"))
    #expect(try id(in: export("--limit", "1")) == whole)
    let watched = try id(in: export("--status", "watched"))
    #expect(watched != whole)
    #expect(try id(in: export("--status", "watched", "--status", "watched")) == watched)
    // Rules and per-channel Shorts settings count unless overridden.
    #expect(try id(in: export("--no-rules")) != whole && id(in: export("--shorts", "hide")) != whole)
    #expect(try id(in: export("--channel", channel.id)) == id(in: export("--channel", channel.title)))
  }

  @Test("The updated dates of an entry and of the feed change with the title, and not with lesser changes")
  func updated() throws {
    let before = try export()
    server(title: "A Lantern in March", views: 5)
    #expect(try sandbox.poll("--force").changed == 0)
    #expect(try export() == before)
    server(title: "A Lantern in April", views: 6)
    #expect(try sandbox.poll("--force").changed == 1)
    let after = try export()
    let (old, new) = (texts("updated", in: before), texts("updated", in: after))
    // The feed's own comes first, then the entries'.
    #expect(new[0] == new[1] && new[1] > old[1] && Array(new[2...]) == Array(old[2...]))
    #expect(texts("published", in: after) == texts("published", in: before))
    #expect(try id(in: after) == id(in: before) && ids(in: after) == ids(in: before))
  }

  @Test(
    "An external validator accepts the feed as Atom",
    .enabled(if: Files.atomGrammar != nil && access("/usr/bin/xmllint", X_OK) == 0))
  func valid() throws {
    try sandbox.follow(3)
    _ = try sandbox.poll()
    for (number, feed) in [
      try export(), try export("--shorts", "show", "--limit", "0"), try export("--until", "2000-01-01"),
    ]
    .enumerated() {
      let path = sandbox.folder.write(feed.utf8, to: "judged-\(number).atom")
      let xmllint = Program(path: "/usr/bin/xmllint", environment: [:])
      let verdict = try xmllint.run(["--noout", "--nonet", "--relaxng", try #require(Files.atomGrammar), path])
      #expect(verdict.status == 0, "\(verdict.errors)")
    }
  }

  @Test("An export replaces a longer file completely")
  func shorter() throws {
    let path = sandbox.folder.path + "/feed.atom"
    #expect(try sandbox.run("export", "atom", "--output", path).status == 0)
    let outcome = try sandbox.run("export", "atom", "--limit", "1", "--output", path)
    #expect(outcome.status == 0 && outcome.errors.hasSuffix("1 video written\n"), "\(outcome.errors)")
    #expect(sandbox.folder.read("feed.atom") == Array(try export("--limit", "1").utf8))
  }

  @Test("An export to a symlink writes its target, and keeps the target's permissions")
  func link() throws {
    let path = sandbox.folder.write("private".utf8, to: "private.atom")
    try #require(symlink("private.atom", sandbox.folder.path + "/feed.atom") == 0)
    #expect(try sandbox.run("export", "atom", "--output", sandbox.folder.path + "/feed.atom").status == 0)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode == S_IFREG | 0o600)
    #expect(sandbox.folder.read("private.atom") == Array(try export().utf8))
  }

  @Test("An export to a device is written to it, and fails if it is full")
  func device() throws {
    #expect(try sandbox.run("export", "atom", "--output", "/dev/null").status == 0)
    let outcome = try sandbox.run("export", "atom", "--output", "/dev/full")
    #expect(outcome.status == 74 && outcome.errors.contains("No space left on device"))
  }

  @Test("A missing folder is reported, and nothing is left behind")
  func noFolder() throws {
    let outcome = try sandbox.run("export", "atom", "--output", sandbox.folder.path + "/none/feed.atom")
    #expect(outcome.status == 74 && outcome.errors.contains("/none: no such folder"))
  }

  private func server(title: String, views: Int) {
    var feed = FixtureFeed.of(channel, [(id: "-bcdefghijA", title: title)] + threeVideos.dropFirst())
    for index in feed.entries.indices { feed.entries[index].views = views }
    // YouTube's own `updated` changes for days without any visible change.
    feed.entries[1].updated += 100 * views
    feed.entries[0].description = "About A Lantern in March."
    sandbox.server.serve(channel.id, .feed(feed.xml))
  }

  private func ids(in feed: String) -> [Substring] { texts("yt:videoId", in: feed) }

  private func id(in feed: String) throws -> Substring { try #require(texts("id", in: feed).first) }

  private func texts(_ element: String, in feed: String) -> [Substring] {
    feed.split(separator: "<\(element)>").dropFirst().map { $0.prefix { $0 != "<" } }
  }
}
