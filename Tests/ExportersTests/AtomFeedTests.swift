import TestSupport
import Testing

@testable import Core
@testable import Exporters

private func text(_ write: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  write(&bytes)
  return String(decoding: bytes, as: UTF8.self)
}

private let feed = AtomFeed(
  id: StableID.feed(filter: ""), title: "Videos", updated: Timestamp(seconds: 0), selfLink: nil)

@Test("Text is escaped, and characters that XML forbids or discourages are dropped")
func escaping() {
  let noncharacters = String(
    String.UnicodeScalarView([0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff].compactMap(Unicode.Scalar.init)))
  let hostile = "a\u{0}\u{8}\u{b}\u{7f}\u{85}" + noncharacters + "ü\u{fffd}👍<&>\"'\r\nx\ry\tz]]>"
  #expect(
    text { MarkupText.escape(hostile, in: .content, into: &$0) } == "aü\u{fffd}👍&lt;&amp;&gt;&quot;'\nx\ny\tz]]&gt;")
}

@Test("IDs are UUIDs that contain the video ID, so they differ whenever it does")
func ids() throws {
  let id = try #require(VideoID("dQw4w9WgXcQ"))
  #expect(StableID.of(id) == "urn:uuid:6d657475-6265-8a5b-800f-05f0a86c8a87")
  #expect(StableID.of(VideoID(bits: .max)) == "urn:uuid:6d657475-6265-8fff-800f-ffffffffffff")
  #expect(StableID.of(VideoID(bits: 0)) == "urn:uuid:6d657475-6265-8000-8000-000000000000")
  #expect(StableID.feed(filter: "") != StableID.feed(filter: "tag music"))
}

@Test("The first sighting of a video is not a change, a later one is")
func updated() throws {
  let row = try sampleRow(title: "t")
  #expect(row.updated == row.published)
  let changed = try sampleRow(title: "t", changed: row.found.adding(seconds: 60))
  #expect(changed.updated == row.found.adding(seconds: 60))
  #expect(AtomFeed.updated(of: [row, changed]) == changed.updated)
  #expect(AtomFeed.updated(of: []).rfc3339 == "2005-04-23T00:00:00Z")
}

@Test(
  "URLs in a description become links, and nothing else does",
  arguments: [
    (
      "see https://example.com/a?b=1&c=2.",
      #"see <a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>."#
    ),
    ("(http://a.b/(c))", #"(<a href="http://a.b/(c)">http://a.b/(c)</a>)"#),
    ("javascript:alert(1) https:// http", "javascript:alert(1) https:// http"),
    (#"https://x/"onclick="y"#, #"<a href="https://x/">https://x/</a>&quot;onclick=&quot;y"#),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"), ("a\r\nb\n", "a\n<br>\nb<br>\n"),
    ("詳細https://example.com/を見て", #"詳細<a href="https://example.com/">https://example.com/</a>を見て"#),
  ])
func links(description: String, html: String) throws {
  let row = try sampleRow(title: "t", duration: nil, thumbnail: "javascript:x")
  #expect(text { VideoHTML.append(row, description: description, to: &$0) } == "<p>\(html)</p>")
}

@Test("An entry has Media RSS elements, and no group, which would need several media:content")
func media() throws {
  let row = try sampleRow(title: "t")
  let entry = text { feed.append(row, description: "d", to: &$0) }
  #expect(entry.contains("<media:title>t</media:title>\n<media:thumbnail url=\"https://") && !entry.contains("group"))
}

@Test("Marking a video changes nothing in its entry")
func marking() throws {
  let row = try sampleRow(title: "t")
  var marked = row
  marked.status = .watched
  marked.saved = true
  #expect(
    text { feed.append(row, description: "d", to: &$0) } == text { feed.append(marked, description: "d", to: &$0) })
}
