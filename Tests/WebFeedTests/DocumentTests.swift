import Core
import FeedParser
import Testing

@testable import WebFeed

/// Documents as the web has them.
@Suite struct DocumentTests {
  private let title = "<rss><channel><title>Grüße</title></channel></rss>"

  @Test("The charset of the content type comes before the declaration")
  func charset() throws {
    let bytes = [UInt8](title.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    let feed = try WebFeedParser.parse(bytes, contentType: "text/xml; charset=ISO-8859-1", base: nil)
    #expect(feed.title == "Grüße")
    let declared = Array("<?xml version='1.0' encoding='utf-8'?>".utf8) + bytes
    #expect(try WebFeedParser.parse(declared, contentType: "text/xml;charset=\"latin1\"", base: nil).title == "Grüße")
  }

  @Test("A byte order mark comes before the charset")
  func mark() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(title.utf8)
    #expect(try WebFeedParser.parse(bytes, contentType: "text/xml; charset=windows-1251", base: nil).title == "Grüße")
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in title.utf16 { wide += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    #expect(try WebFeedParser.parse(wide, contentType: nil, base: nil).title == "Grüße")
  }

  @Test("What is UTF-8 and says so or nothing is not Latin-1, whatever the server adds")
  func wrongCharset() throws {
    #expect(try parse(title, contentType: "text/xml; charset=iso-8859-1").title == "Grüße")
    #expect(try parse("<?xml version='1.0' encoding='utf-16'?>" + title).title == "Grüße")
  }

  @Test("Encodings of several bytes are converted", arguments: ["shift_jis", "Shift-JIS", "x-sjis"])
  func shiftJIS(name: String) throws {
    let head = "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>"
    let bytes = Array(head.utf8) + [0x93, 0xFA, 0x96, 0x7B] + Array("</title></channel></rss>".utf8)
    #expect(try WebFeedParser.parse(bytes, contentType: nil, base: nil).title == "日本")
  }

  @Test("Bytes that are not UTF-8 are read as windows-1252")
  func mixed() throws {
    let bytes = Array("<rss><channel><title>It".utf8) + [0x92] + Array("s für</title></channel></rss>".utf8)
    let feed = try WebFeedParser.parse(bytes, contentType: nil, base: nil)
    #expect(feed.title == "It’s für")
    #expect(feed.isRepaired)
  }

  @Test("An unknown encoding is named")
  func unknownEncoding() {
    #expect(throws: ParseError.encoding("utf-7")) { try parse("<?xml version='1.0' encoding='utf-7'?>" + title) }
  }

  static let repairable: [(String, String)] = [
    ("R&D &eacute;&hellip; &unknown; &#128; x", "R&D é… &unknown; € x"), ("a\u{1}b\u{8}c", "abc"), ("1 < 2", "1 < 2"),
    ("a & b &amp; c &lt; d", "a & b & c < d"), ("]]> x", "]]> x"), ("<b class=x class=y disabled>bold</b>", "bold"),
    ("one<br>two", "one two"), ("</i>one", "one"), ("&#0;one&#xFFFF;", "one"),
  ]

  @Test("What is not well-formed is repaired", arguments: repairable)
  func repair(written: String, expected: String) throws {
    let feed = try parse("<rss><channel><title>\(written)&nbsp;</title><item><title>x</title></item></channel></rss>")
    #expect(feed.title == expected)
    #expect(feed.isRepaired)
    #expect(feed.entries.count == 1)
  }

  @Test("Text before the declaration and after the root is dropped")
  func textAround() throws {
    let document = "<br />\n<b>Warning</b>: x\n<?xml version='1.0'?><!-- c --><?p i?>" + title + "</div>trailing & <p"
    #expect(try parse(document).title == "Grüße")
  }

  @Test("A document type is ignored; one that defines entities is refused")
  func documentType() throws {
    #expect(
      try parse("<!DOCTYPE rss PUBLIC '-//N//DTD RSS 0.91//EN' 'http://n.example/rss.dtd'>" + title).title == "Grüße")
    let parameter = "<!DOCTYPE rss [<!ENTITY % HTMLlat1 SYSTEM 'http://n.example/lat1.ent'> %HTMLlat1;]>"
    #expect(try parse(parameter + title).title == "Grüße")
    let bomb =
      "<!DOCTYPE rss [<!ENTITY a 'aaaa'>\n<!ENTITY b '&a;&a;'>]><rss><channel><title>&b;</title></channel></rss>"
    #expect(throws: ParseError.doctype(line: 1)) { try parse(bomb) }
  }

  static let refused: [(String, ParseError)] = [
    ("", .empty), (" \n", .empty), ("<!DOCTYPE html><html><body>502</body></html>", .notAFeed(root: "html")),
    ("<html xmlns='http://www.w3.org/1999/xhtml'/>", .notAFeed(root: "html")), ("<opml/>", .notAFeed(root: "opml")),
    ("<rss><channel><item></channel>", .incomplete(root: "rss")), ("{\"a\":1}", .notAFeed(root: "json")),
    ("{\"items\":[", .malformedJSON(line: 1, column: 11)), ("<rss><channel><![CDATA[</rss>", .incomplete(root: "rss")),
  ]

  @Test("What is not a feed is refused with evidence", arguments: refused)
  func refusal(document: String, error: ParseError) { #expect(throws: error) { try parse(document) } }

  @Test("A namespace without a declaration, in another spelling or with another prefix, is known")
  func namespaces() throws {
    let undeclared = "<rss><channel><item><itunes:duration>90</itunes:duration></item></channel></rss>"
    #expect(try parse(undeclared).entries.first?.duration == 90)
    let spelled =
      "<rss xmlns:i='HTTP://www.iTunes.com/DTDs/Podcast-1.0.dtd'><channel><item><i:duration>90</i:duration></item>"
      + "</channel></rss>"
    #expect(try parse(spelled).entries.first?.duration == 90)
    let strange = "<rss xmlns='http://nobody.example/rss'><channel><item><title>x</title></item></channel></rss>"
    #expect(try parse(strange).entries.first?.title == "x")
    let foreign = "<rss xmlns:s='http://www.w3.org/2000/svg'><channel><item><s:title>x</s:title></item></channel></rss>"
    #expect(try parse(foreign).entries.first?.title == nil)
  }

  @Test("Entries beyond the limit are counted, and depth, names and size are bounded")
  func limits() throws {
    var limits = WebFeedParser.limits
    limits.entries = 2
    let document = Array("<rss><channel>\(String(repeating: "<item/>", count: 5))</channel></rss>".utf8)
    let feed = try WebFeedParser.parse(document, contentType: nil, base: nil, limits: limits)
    #expect(feed.entries.count == 2)
    #expect(feed.droppedEntries == 3)
    let deep = "<rss><channel><item>" + String(repeating: "<a>", count: 500)
    #expect(throws: ParseError.self) {
      try parse(deep + String(repeating: "</a>", count: 500) + "</item></channel></rss>")
    }
    limits.bytes = 10
    #expect(throws: ParseError.tooLarge(limit: 10)) {
      try WebFeedParser.parse(document, contentType: nil, base: nil, limits: limits)
    }
  }

  @Test("A text of megabytes is read at its beginning only")
  func longText() throws {
    let text = String(repeating: "word ", count: 1_000_000)
    let document = "<rss><channel><item><description>\(text)</description><title>x</title></item></channel></rss>"
    let feed = try parse(document)
    #expect(feed.entries.first?.summary?.count == WebFeed.summaryLimit)
    #expect(feed.entries.first?.title == "x")
  }

  @Test("A tag that is too long for the parser is shortened")
  func longTag() throws {
    let image = "<img src='data:image/png;base64,\(String(repeating: "A", count: 200_000))'/>"
    let feed = try atomEntry("<title>x</title><content type='xhtml'><div>\(image)text</div></content>")
    #expect(feed.summary == "text")
  }

  @Test("Relative URLs are bounded, whatever their base")
  func longBase() throws {
    let base = String(repeating: "é", count: 2000)
    let document =
      "<rss xml:base='http://a.example/\(base)/'><channel><item xml:base='\(base)/'><guid>1</guid>"
      + "<enclosure url='a'/></item></channel></rss>"
    let entry = try #require(try parse(document).entries.first)
    #expect(entry.media.allSatisfy { $0.url.utf8.count <= WebURL.limit })
    let inner = "<rss xml:base='http://a.example/b/'><channel><item xml:base='c/'><guid>1</guid><enclosure url='d'/>"
    #expect(try parse(inner + "</item></channel></rss>").entries.first?.media.first?.url == "http://a.example/b/c/d")
  }

  @Test("Namespaces in scope are bounded, and a long one is unknown")
  func namespacesInScope() throws {
    let declared = (0..<60).map { " xmlns:n\($0)='urn:\($0)'" }.joined()
    let deep = String(repeating: "<a\(declared)>", count: 150) + String(repeating: "<b/>", count: 20_000)
    let document = "<rss><channel>\(deep)\(String(repeating: "</a>", count: 150))</channel></rss>"
    #expect(throws: ParseError.self) { try parse(document) }
    let long = String(repeating: "/", count: 20_000)
    #expect(try parse("<x:rss xmlns:x='\(long)'><channel><title>T</title></channel></x:rss>").entries.isEmpty)
  }

  @Test("Of several lists of items in JSON the first counts")
  func repeatedItems() throws {
    let text = #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1"}],"items":[{"id":"2"}]}"#
    #expect(try parse(text).entries.map(\.id) == ["1"])
  }

  @Test("Markup that nests and repeats without end takes no long time")
  func hostile() {
    let pieces = ["<a x=\"", "<a x='", "&#", "<!--", "<![CDATA[", "</", "<x ", "<<", "&amp", "<a<"]
    for piece in pieces {
      let document = "<rss><channel><item><title>" + String(repeating: piece, count: 200_000)
      #expect(throws: ParseError.self) { try parse(document) }
      _ = try? parse(document + "</title></item></channel></rss>")
      _ = try? parse(
        "<rss><channel><item><title><![CDATA[\(String(repeating: piece, count: 200_000))]]></title></item></channel></rss>"
      )
    }
  }
}
