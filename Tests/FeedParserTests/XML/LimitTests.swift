import Core
import Testing

@testable import FeedParser

/// The error for a text parsed as a feed; nil if accepted.
private func damage(_ text: String) -> ParseError? {
  do throws(ParseError) {
    _ = try Feed(xml: Array(text.utf8))
    return nil
  } catch {
    return error
  }
}

/// A feed with this content.
private func feed(_ inside: String) -> String { "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\(inside)\n</feed>" }

/// `count` numbered names, each followed by the same text.
private func numbered(_ count: Int, _ text: String) -> String {
  (0..<count).map { " a\($0)\(text)" }.joined()
}

private let kilobytes64 = 64 << 10

@Test("A feed of one mebibyte is accepted, one byte more is not")
func documentSize() {
  let frame = feed("").utf8.count
  #expect(damage(feed(String(repeating: " ", count: (1 << 20) - frame))) == nil)
  #expect(damage(feed(String(repeating: " ", count: (1 << 20) - frame + 1))) == .tooLarge(limit: 1 << 20))
}

@Test("500 entries are accepted, one more is not")
func entryCount() {
  let entry = """
    <entry xmlns:yt="http://www.youtube.com/xml/schemas/2015"><yt:videoId>dQw4w9WgXcQ</yt:videoId>
    <yt:channelId>UCsXVk37bltHxD1rDPwtNM8Q</yt:channelId><title/><link href=""/><published>2026-01-01T00:00:00Z</published>
    </entry>
    """
  #expect(damage(feed(String(repeating: entry, count: 500))) == nil)
  #expect(damage(feed(String(repeating: entry, count: 501))) == .tooManyEntries(limit: 500))
}

@Test("A field of 64 KiB is accepted, one byte more is not")
func fieldLength() {
  let text = String(repeating: "é", count: kilobytes64 / 2)
  #expect(damage(feed("<title>\(text)</title>")) == nil)
  #expect(damage(feed("<title>\(text)\n\n.</title>")) == .fieldTooLong(limit: kilobytes64, line: 4))
  #expect(damage(feed("<title><![CDATA[\(text).]]></title>")) == .fieldTooLong(limit: kilobytes64, line: 2))
  #expect(damage(feed("<subtitle>\(text)\(text)</subtitle>")) == nil)
}

@Test("An element nested in 31 others is accepted, in 32 it is not")
func nesting() {
  func nested(_ depth: Int) -> String {
    feed(String(repeating: "<x>\n", count: depth) + String(repeating: "</x>", count: depth))
  }
  #expect(damage(nested(31)) == nil)
  #expect(damage(nested(32)) == .tooDeep(limit: 32, line: 33))
  #expect(damage(feed(String(repeating: "<x>", count: 100_000))) == .tooDeep(limit: 32, line: 2))
}

@Test(
  "A document type is rejected, with what it defines",
  arguments: [
    "<!DOCTYPE feed>", "<!DOCTYPE feed SYSTEM 'feed.dtd'>", "<!DOCTYPE feed PUBLIC 'a' 'http://127.0.0.1:9/feed.dtd'>",
    "<!DOCTYPE feed [<!ENTITY a 'b'>]>", "<!DOCTYPE feed [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>",
    "<!DOCTYPE feed [<!ENTITY % a SYSTEM 'file:///etc/hostname'> %a;]>",
    "<!DOCTYPE feed [<!ATTLIST feed a CDATA 'b'>]>",
  ])
func documentType(type: String) {
  #expect(damage("\n" + type + feed("<title>&a;</title>")) == .doctype(line: 2))
}

@Test("A billion laughs is rejected before the first expansion")
func entityBomb() {
  let definitions = (1..<10).map { "<!ENTITY l\($0) '\(String(repeating: "&l\($0 - 1);", count: 10))'>" }.joined()
  let bomb = "<!DOCTYPE feed [<!ENTITY l0 'lol'>\(definitions)]>" + feed("<title>&l9;</title>")
  #expect(damage(bomb) == .doctype(line: 1))
}

@Test("A document type in a comment or a section is text")
func mentionedType() {
  #expect(damage(feed("<!-- <!DOCTYPE feed> --><title><![CDATA[<!DOCTYPE feed><!ENTITY a 'b'>]]></title>")) == nil)
}

@Test("256 attributes are accepted, one more is not")
func attributeCount() {
  #expect(damage(feed("<x\(numbered(256, "=''"))/>")) == nil)
  #expect(damage(feed("\n<x\(numbered(257, "=''"))/>")) == .tooManyAttributes(limit: 256, line: 3))
}

@Test("One tag may declare 16 namespaces, not one more")
func namespaceCount() {
  func declared(_ count: Int) -> String { (0..<count).map { " xmlns:n\($0)='urn:\($0)'" }.joined() }
  #expect(damage(feed("<x\(declared(16))><n0:y\(declared(16))/></x>")) == nil)
  #expect(damage(feed("<x>\n<y\(declared(17))/></x>")) == .tooManyNames(limit: 16, line: 3))
}

@Test("Endless distinct names are rejected after 4,096 of them")
func nameCount() {
  func elements(_ count: Int) -> String { (0..<count).map { "<e\($0)/>\n" }.joined() }
  #expect(damage(feed(elements(4_000))) == nil)
  let found = damage(feed(elements(60_000)))
  guard case .tooManyNames(limit: 4096, let line) = found else {
    Issue.record("\(String(describing: found))")
    return
  }
  #expect((4_096..<20_000).contains(line))
}

@Test(
  "A tag over 64 KiB never reaches the parser",
  arguments: [
    numbered(90_000, "=''"), numbered(40_000, "='>\"<'"), numbered(40_000, "=\"'>\""),
    " a='\(String(repeating: ">", count: 70_000))'",
    String(repeating: "\n", count: 70_000), String(repeating: "x", count: 70_000),
  ])
func longTag(inside: String) {
  // If a value contains a `<`, the tag is cut there: that is malformed, and no more than a parse error.
  let expected = inside.contains("<") ? nil : ParseError.tagTooLong(limit: kilobytes64, line: 3)
  for text in [feed("\n<x\(inside)/>"), feed("\n<x\(inside)"), feed("<!-- > -->\n<x\(inside)></x>")] {
    let found = damage(text)
    #expect(found != nil && (expected == nil || found == expected))
  }
}

@Test("A tag of exactly 64 KiB is accepted, wherever it begins")
func longestTag() {
  for offset in [0, 1, 100, kilobytes64 - 50, kilobytes64 - 1, kilobytes64, kilobytes64 + 1] {
    func document(_ length: Int) -> String {
      let tag = "<x a='" + String(repeating: ">", count: length - 9) + "'/>"
      return feed(String(repeating: " ", count: offset) + tag + String(repeating: " ", count: kilobytes64))
    }
    #expect(damage(document(kilobytes64)) == nil, "after \(offset) bytes")
    #expect(damage(document(kilobytes64 + 1)) == .tagTooLong(limit: kilobytes64, line: 2), "after \(offset) bytes")
  }
}

@Test("Texts, comments, sections and instructions may be longer than a tag")
func longTexts() {
  let long = String(repeating: "> ' \"", count: kilobytes64 / 4)
  #expect(damage(feed("<x>\(long)</x><title>t</title>")) == nil)
  #expect(damage(feed("<!--\(long)--><title>t</title>")) == nil)
  #expect(damage(feed("<x><![CDATA[\(long)]]></x><title>t</title>")) == nil)
  #expect(damage(feed("<?x \(long)?><title>t</title>")) == nil)
  #expect(damage(feed("<!--\(long)\(long)")) != nil)
}
