import Foundation
import Gzip
import Testing

@testable import FixtureServer

@Suite("Feed sources for a whole server")
final class FeedSourcesTests {
  let server: FixtureServer

  init() throws { server = try FixtureServer.start(port: 0) }

  deinit { server.stop() }

  @Test("A folder is read at each request, and nothing outside it")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "feeds"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("outside".utf8).write(to: folder.appending(path: "secret.xml"))
    server.serveFeeds(in: folder.appending(path: "feeds").path)
    let target = "/feeds/videos.xml?playlist_id=PL1"
    #expect(RawResponse(server, get: target).status.contains("404"))
    for text in ["<feed/>", "<feed> </feed>"] {
      try Data(text.utf8).write(to: folder.appending(path: "feeds/PL1.xml"))
      #expect(RawResponse(server, get: target).body == Array(text.utf8))
    }
    #expect(RawResponse(server, get: "/feeds/videos.xml?user=../secret").status.contains("404"))
    #expect(RawResponse(server, get: "/feeds/videos.xml?user=%2e%2e%2fsecret").status.contains("404"))
  }

  @Test("A feed of another site is served by its name")
  func web() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("{}".utf8).write(to: file)
    server.serveWebFeed(file.path)
    #expect(RawResponse(server, get: "/web/\(file.lastPathComponent)").body == Array("{}".utf8))
    #expect(RawResponse(server, get: "/web/other.json").status.contains("404"))
  }

  @Test("Synthetic channels switch generations on request")
  func generations() throws {
    let channels = SyntheticChannel.first(3)
    server.serveSynthetic(channels, generation: 0)
    let channel = try #require(channels.first)
    let target = "/feeds/videos.xml?channel_id=\(channel.id)"
    #expect(RawResponse(server, get: target).body == Array(channel.feed(generation: 0).xml.utf8))
    #expect(RawResponse(server, get: "/__generation?n=1").status.contains("200"))
    #expect(RawResponse(server, get: target).body == Array(channel.feed(generation: 1).xml.utf8))
    #expect(RawResponse(server, get: "/__generation?n=-1").status.contains("404"))
    let packed = RawResponse(server, get: target, "Accept-Encoding: deflate, gzip")
    #expect(packed.headers["content-encoding"] == "gzip")
    #expect(packed.body == Gzip.pack(Array(channel.feed(generation: 1).xml.utf8)))
  }
}
