import Core
import Testing

@testable import FeedParser

/// Parses bytes as a feed and as OPML; it only has to return.
private func read(_ bytes: [UInt8]) {
  _ = try? Feed(xml: bytes)
  _ = try? Outline.read(opml: bytes)
}

@Test("Random bytes give a value or an error")
func randomBytes() {
  var generator = SystemRandomNumberGenerator()
  for _ in 0..<2_000 {
    let count = Int.random(in: 0...200, using: &generator)
    read((0..<count).map { _ in .random(in: 0...255, using: &generator) })
  }
}

@Test("Random markup gives a value or an error")
func randomMarkup() {
  let pieces = [
    "<feed xmlns='http://www.w3.org/2005/Atom'>", "</feed>", "<entry>", "</entry>", "<opml>", "<outline text='a'", "/>",
    ">", "<", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE feed [", "<?xml version='1.0' encoding='", "utf-16'?>", "'",
    "\"", "&amp;", "&#x10FFFF;", "&#0;", "<title>", "</title>", "\u{FEFF}", "é", "\0", " x=''",
  ]
  var generator = SystemRandomNumberGenerator()
  for _ in 0..<5_000 {
    let count = Int.random(in: 0...12, using: &generator)
    let text = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
    read(Array(text.utf8))
  }
}

@Test(
  "A document with any byte changed gives a value or an error",
  arguments: ["feeds/xml-channel-2026.xml", "opml/nested.opml"])
func oneByteChanged(path: String) throws {
  let bytes = try Files.fixture(path)
  var generator = SystemRandomNumberGenerator()
  for position in bytes.indices {
    var changed = bytes
    changed[position] = .random(in: 0...255, using: &generator)
    read(changed)
  }
}

@Test("Threads parse in parallel")
func sideBySide() async throws {
  let bytes = try Files.fixture("feeds/xml-channel-2026.xml")
  let expected = try Feed(xml: bytes)
  await withTaskGroup(of: Bool.self) { group in
    for _ in 0..<64 {
      group.addTask { (try? Feed(xml: bytes)) == expected && (try? Feed(xml: Array(bytes.dropLast(9)))) == nil }
    }
    for await same in group { #expect(same) }
  }
}
