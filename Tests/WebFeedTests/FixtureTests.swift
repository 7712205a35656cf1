import Core
import FeedParser
import FixtureServer
import Testing

@testable import WebFeed

private let base = WebURL("https://feeds.example/dir/feed")

/// Feeds as sites and programs write them. Each has its expected value in a file of the same name with `.expected` added.
private let fixtures = [
  "atom-0.3.xml", "blog-windows-1251.xml", "bridge.atom", "broken.xml", "news.rdf", "notes.json", "odysee.xml",
  "peertube.xml", "podcast.xml", "vimeo.xml",
]

@Suite struct FixtureTests {
  @Test("A feed gives the expected value beside it", arguments: fixtures) func value(name: String) throws {
    let feed = try WebFeedParser.parse(fixture(name), contentType: nil, base: base)
    let expected = try String(decoding: fixture(name + ".expected"), as: UTF8.self)
    #expect(rendering(feed) == expected)
  }

  @Test("A feed cut at any byte is rejected", arguments: fixtures) func truncation(name: String) throws {
    let bytes = try fixture(name)
    let endings = ["</rss>", "</feed>", "</rdf:RDF>", "\n}"].map { Array($0.utf8) }
    let end = try #require(
      endings.compactMap { ending in
        bytes.indices.last { bytes[$0...].starts(with: ending) }.map { $0 + ending.count }
      }.max())
    for length in 0..<end {
      #expect(throws: ParseError.self, "cut at byte \(length)") {
        try WebFeedParser.parse(Array(bytes[..<length]), contentType: nil, base: base)
      }
    }
  }

  @Test("A feed with any byte changed gives a value or an error", arguments: fixtures)
  func oneByteChanged(name: String) throws {
    let bytes = try fixture(name)
    var generator = SystemRandomNumberGenerator()
    for position in bytes.indices {
      var changed = bytes
      changed[position] = .random(in: 0...255, using: &generator)
      _ = try? WebFeedParser.parse(changed, contentType: nil, base: base)
    }
  }

  @Test("A podcast of 3,000 episodes keeps each") func longPodcast() throws {
    let podcast = SyntheticPodcast(episodes: 3000)
    let feed = try WebFeedParser.parse(podcast.document, contentType: nil, base: nil)
    #expect(feed.title == "The Endless Harbour")
    #expect(feed.entries.count == 3000)
    for (index, entry) in feed.entries.enumerated() {
      let number = 3000 - index
      #expect(entry.id == "endless-\(number)")
      #expect(entry.title == "Episode \(number)")
      #expect(entry.published == podcast.published(number))
      #expect(entry.duration == podcast.duration(number))
      #expect(entry.media.map(\.url) == ["https://cdn.endless.example/\(number).mp3"])
      #expect(entry.media.first?.length == podcast.length(number))
      #expect(entry.notes?.utf8.count ?? 0 > 100)
    }
  }
}
