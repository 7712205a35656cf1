import FixtureServer
import TestSupport
import Testing

@Suite("Long exports")
struct LongExportTests {
  @Test("10,000 entries are in the feed, each once, and the file is not rewritten if nothing changed")
  func tenThousand() throws {
    let sandbox = try Sandbox()
    let channels = SyntheticChannel.first(667)
    sandbox.server.serveSynthetic(channels, generation: 0)
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    #expect(try sandbox.poll("--jobs", "16").new >= 10_000)
    let path = sandbox.folder.path + "/long.atom"
    let arguments = ["export", "atom", "--limit", "10000", "--shorts", "show", "--output", path]
    #expect(try sandbox.program.run(arguments).errors.contains("10000 videos written"))
    let modified = sandbox.folder.modified("long.atom")
    let text = String(decoding: try #require(sandbox.folder.read("long.atom")), as: UTF8.self)
    let ids = text.split(separator: "<yt:videoId>").dropFirst().map { $0.prefix(11) }
    #expect(ids.count == 10_000 && Set(ids).count == 10_000)
    #expect(try sandbox.program.run(arguments).errors.contains("nothing changed"))
    #expect(sandbox.folder.modified("long.atom") == modified)
    #expect(sandbox.folder.names(in: "").contains { $0.hasSuffix(".tmp") } == false)
  }
}
