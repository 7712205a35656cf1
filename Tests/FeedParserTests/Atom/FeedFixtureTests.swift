import Core
import Testing

@testable import FeedParser

/// Each has its expected value in a file of the same name with the extension `.expected`.
private let fixtures = [
  "xml-channel-2021", "xml-channel-2022-empty-id", "xml-channel-2026", "xml-channel-no-entries", "xml-channel-videos",
  "xml-other-prefixes", "xml-playlist", "xml-push", "xml-push-deleted", "xml-push-topic", "xml-strangers",
]

@Test("A feed gives the expected value beside it", arguments: fixtures)
func feedFixture(name: String) throws {
  let feed = try Feed(xml: Files.fixture("feeds/\(name).xml"))
  let expected = try String(decoding: Files.fixture("feeds/\(name).expected"), as: UTF8.self)
  #expect(rendering(feed) == expected)
}

@Test("A feed truncated at any byte is rejected", arguments: fixtures)
func truncation(name: String) throws {
  let bytes = try Files.fixture("feeds/\(name).xml")
  let end = try #require(bytes.indices.last { bytes[$0...].starts(with: "feed>".utf8) }) + "feed>".utf8.count
  for length in 0..<end {
    #expect(throws: ParseError.self, "cut at byte \(length)") { try Feed(xml: Array(bytes[..<length])) }
  }
}
