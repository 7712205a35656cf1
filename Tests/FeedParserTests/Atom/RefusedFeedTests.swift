import Core
import Testing

@testable import FeedParser

/// The error for a text parsed as a feed; nil if accepted.
private func damage(_ text: String) -> ParseError? { damage(Array(text.utf8)) }

private func damage(_ bytes: [UInt8]) -> ParseError? {
  do throws(ParseError) {
    _ = try Feed(xml: bytes)
    return nil
  } catch {
    return error
  }
}

/// A feed with this content.
private func feed(_ inside: String) -> String {
  """
  <feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015" \
  xmlns:media="http://search.yahoo.com/mrss/" xmlns:at="http://purl.org/atompub/tombstones/1.0">
  \(inside)</feed>
  """
}

/// An entry's fields by name, each as written.
private let fields = [
  "video": "<yt:videoId>dQw4w9WgXcQ</yt:videoId>\n",
  "channel": "<yt:channelId>UCsXVk37bltHxD1rDPwtNM8Q</yt:channelId>\n",
  "title": "<title>Title</title>\n",
  "link": "<link href='https://www.youtube.com/watch?v=dQw4w9WgXcQ'/>\n",
  "published": "<published>2026-01-02T03:04:05Z</published>\n",
]

private func entry(_ fields: [String: String]) -> String {
  "<entry>\n" + fields.sorted { $0.key < $1.key }.map(\.value).joined() + "</entry>\n"
}

@Test(
  "Nothing, and white space alone, is an empty document", arguments: ["", " ", "\r\n\t ", "\u{FEFF}", "\u{FEFF}\n"])
func emptyDocument(text: String) { #expect(damage(text) == .empty) }

@Test(
  "A document that is not a feed is reported by its root element",
  arguments: [
    ("<html><body>Not found</body></html>", "html"), ("<HTML lang=en><p>Sorry", "html"),
    ("<!DOCTYPE html><html lang=en>\n  <meta charset=utf-8>", "html"),
    ("<!doctype html>\n<title>Consent</title>", "html"),
    ("\n<!-- saved -->\n<!DOCTYPE html SYSTEM 'about:legacy-compat'><html/>", "html"),
    ("<?xml version='1.0'?><rss version='2.0'><channel/></rss>", "rss"), ("<opml version='2.0'><body/></opml>", "opml"),
    ("<feed><title>in no namespace</title></feed>", "feed"),
    ("<feed xmlns='http://purl.org/atom/ns#' version='0.3'/>", "feed"),
    ("<entry xmlns='http://www.w3.org/2005/Atom'/>", "entry"),
  ])
func notAFeed(text: String, root: String) { #expect(damage(text) == .notAFeed(root: root)) }

@Test(
  "Documents that do not even look like XML are rejected", arguments: ["{\"error\": 404}", "not found", "%PDF-1.7"])
func notXML(text: String) { #expect(damage(text) == .malformed(code: 4, line: 1, column: 1)) }

@Test(
  "Every missing required field of an entry is reported",
  arguments: ["video", "channel", "title", "link", "published"])
func missingField(name: String) {
  let field: [String: EntryField] = [
    "video": .video, "channel": .channel, "title": .title, "link": .link, "published": .published,
  ]
  #expect(damage(feed(entry(fields))) == nil)
  let incomplete = entry(fields.filter { $0.key != name })
  #expect(damage(feed(entry(fields) + incomplete)) == .badEntry(line: 14, field: field[name] ?? .when, flaw: .missing))
}

@Test(
  "A field in an unknown format makes the whole feed invalid",
  arguments: [
    ("video", "<yt:videoId>VIDEO_ID</yt:videoId>", .video), ("video", "<yt:videoId/>", .video),
    ("video", "<yt:videoId>dQw4w9WgXcQ </yt:videoId>", .video),
    ("channel", "<yt:channelId>CHANNEL_ID</yt:channelId>", .channel),
    ("channel", "<yt:channelId>sXVk37bltHxD1rDPwtNM8Q</yt:channelId>", .channel),
    ("published", "<published>yesterday</published>", .published), ("published", "<published/>", .published),
    ("published", "<published>2026-02-30T00:00:00Z</published>", .published),
    ("updated", "<updated>later</updated>", .updated),
  ] as [(String, String, EntryField)])
func invalidField(name: String, written: String, field: EntryField) {
  let wrong = fields.merging([name: written + "\n"]) { $1 }
  #expect(damage(feed(entry(wrong))) == .badEntry(line: 3 + wrong.count, field: field, flaw: .invalid))
}

@Test(
  "A deletion notice names a video and a time",
  arguments: [
    ("when='2024-03-05T13:00:00Z'", .video, .missing), ("ref='yt:video:dQw4w9WgXcQ'", .when, .missing),
    ("ref='yt:video:VIDEO_ID' when='2024-03-05T13:00:00Z'", .video, .invalid),
    ("ref='dQw4w9WgXcQ' when='2024-03-05T13:00:00Z'", .video, .invalid),
    ("ref='yt:video:dQw4w9WgXcQ' when='soon'", .when, .invalid),
  ] as [(String, EntryField, FieldFlaw)])
func badRemoval(attributes: String, field: EntryField, flaw: FieldFlaw) {
  #expect(damage(feed("<at:deleted-entry \(attributes)/>")) == .badEntry(line: 2, field: field, flaw: flaw))
}

@Test("Entries without any field are refused", arguments: ["<entry/>", "<at:deleted-entry/>"])
func emptyEntries(entry: String) {
  guard case .badEntry(line: 2, _, flaw: .missing)? = damage(feed(String(repeating: entry, count: 3))) else {
    Issue.record("not refused for a missing field")
    return
  }
}

@Test("A parse error after complete entries rejects the whole feed")
func damageBehindEntries() {
  let whole = feed(entry(fields))
  #expect(damage(whole) == nil)
  #expect(damage(whole + "<feed/>") != nil)
  #expect(damage(whole + "text") != nil)
  #expect(damage(whole.replacing("</feed>", with: "</entry></feed>")) != nil)
  #expect(damage(feed(entry(fields) + "<title>&nbsp;</title>")) != nil)
}

@Test(
  "Parse errors have line and column",
  arguments: [
    (feed("<title>a & b</title>"), 68, 2, 11), (feed("<title>\n</titel>"), 76, 3, 9),
    (feed("<title a='1' a='2'/>"), 42, 2, 19), (feed("<x:title/>"), 201, 2, 9), (feed("<title>&#0;</title>"), 9, 2, 12),
  ])
func placeOfDamage(text: String, code: Int32, line: Int, column: Int) {
  #expect(damage(text) == .malformed(code: code, line: line, column: column))
}
