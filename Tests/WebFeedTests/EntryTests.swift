import Core
import Testing

@testable import WebFeed

@Suite struct TitleTests {
  static let rssRows: [(String, String?)] = [
    ("plain", "plain"), ("<![CDATA[a & b]]>", "a & b"), ("a &amp; b", "a & b"), ("a &amp;amp; b", "a & b"),
    ("a &amp;amp;amp; b", "a & b"), ("&lt;b&gt;bold&lt;/b&gt; x", "bold x"),
    ("&amp;lt;i&amp;gt;twice&amp;lt;/i&amp;gt;", "twice"),
    ("Vec&lt;T&gt; in Rust", "Vec<T> in Rust"), ("1 &lt; 2 &amp;&amp; 3", "1 < 2 && 3"),
    ("  two\n  lines ", "two lines"), ("The &amp;lt;b&amp;gt; tag", "The <b> tag"),
    ("&amp;#8220;quoted&amp;#8221;", "“quoted”"), ("&amp;nbsp;", nil), ("", nil), ("caf&amp;eacute;", "café"),
    ("<b xmlns='http://www.w3.org/1999/xhtml'>nested</b> x", "nested x"), ("&amp;#150; dash", "– dash"),
  ]

  @Test("Titles of RSS are plain, escaped or escaped twice", arguments: rssRows)
  func rss(written: String, expected: String?) throws {
    #expect(try entry("<title>\(written)</title>").title == expected)
  }

  static let atomRows: [(String, String, String)] = [
    ("text", "History of the &lt;blink&gt; &amp;amp; tag", "History of the <blink> &amp; tag"),
    ("html", "A &lt;em&gt;b&lt;/em&gt; &amp;amp; c", "A b & c"),
    ("html", "<![CDATA[A <em>b</em> &amp; c]]>", "A b & c"),
    ("xhtml", "<div xmlns='http://www.w3.org/1999/xhtml'>A <em>b</em> &amp; &lt;c></div>", "A b & <c>"),
  ]

  @Test("Titles of Atom are what their type says", arguments: atomRows)
  func atom(type: String, written: String, expected: String) throws {
    #expect(try atomEntry("<title type='\(type)'>\(written)</title>").title == expected)
  }

  @Test("The title of the entry comes before that of media")
  func preference() throws {
    #expect(try entry("<media:title>m</media:title><itunes:title>i</itunes:title><title>t</title>").title == "t")
    #expect(try entry("<media:title>m</media:title><itunes:title>i</itunes:title>").title == "i")
    #expect(try entry("<media:group><media:title>m</media:title></media:group>").title == "m")
    #expect(try atomEntry("<source><title>other</title></source>").title == nil)
  }

  @Test("An untitled entry is shown by its text or file")
  func substitute() throws {
    let text = String(repeating: "word ", count: 40)
    #expect(try entry("<description>\(text)</description>").substituteTitle?.count == 80)
    #expect(try entry("<enclosure url='https://a.example/x/My%20talk.mp3?a=/b'/>").substituteTitle == "My talk.mp3")
    #expect(try entry("<link>https://a.example/</link>").substituteTitle == nil)
  }
}

@Suite struct SummaryTests {
  @Test("Text of HTML has its line breaks in notes only")
  func lines() throws {
    let html =
      "<![CDATA[<style>p{}</style><p>One <b>two</b></p><ul><li>0:00 a</li><li>1:00 b &lt;c&gt;</li></ul><!-- x -->end]]>"
    let found = try entry("<enclosure url='https://a.example/a.mp3'/><content:encoded>\(html)</content:encoded>")
    #expect(found.summary == "One two 0:00 a 1:00 b <c> end")
    #expect(found.notes == "One two\n\n0:00 a\n1:00 b <c>\n\nend")
    #expect(try entry("<content:encoded>\(html)</content:encoded>").notes == nil)
  }

  @Test("Texts are cut between characters")
  func cut() throws {
    let family = "👩‍👩‍👧"
    let text = String(repeating: "a", count: 498) + family + "b"
    #expect(try entry("<description>\(text)</description>").summary == String(repeating: "a", count: 498))
    let notes = try entry(
      "<enclosure url='https://a.example/a.mp3'/><description>\(String(repeating: "é", count: 3000))</description>")
    #expect(notes.notes?.utf8.count == 4096)
    let tall = try entry("<description>e\(String(repeating: "\u{301}", count: 600))</description>")
    #expect(tall.summary?.unicodeScalars.count == 500)
  }
}

@Suite struct LinkTests {
  @Test("Relative links are resolved against xml:base, then the feed's URL")
  func relative() throws {
    #expect(try entry("<link>../a?b=c</link>", base: "https://s.example/x/feed.xml").link == "https://s.example/a?b=c")
    let based = try atomEntry("<link xml:base='https://b.example/y/' href='z'/>", base: "https://s.example/")
    #expect(based.link == "https://b.example/y/z")
    #expect(based.linkAsSent == "z")
    let feed = try parse(
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='blog/'><entry xml:base='2026/'><link href='x'/></entry></feed>",
      base: "https://s.example/")
    #expect(feed.entries.first?.link == "https://s.example/blog/2026/x")
    let unknown = try entry("<link>/a</link>")
    #expect(unknown.link == nil)
    #expect(unknown.linkAsSent == "/a")
  }

  @Test(
    "Only web links are kept",
    arguments: ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "mailto:a@b.example"])
  func schemes(link: String) throws {
    let found = try entry(
      "<link>\(link)</link><enclosure url='\(link)'/><itunes:image href='\(link)'/><guid>\(link)</guid>",
      base: "https://s.example/")
    #expect(found.link == nil)
    #expect(found.linkAsSent == nil)
    #expect(found.media.isEmpty)
    #expect(found.image == nil)
  }

  @Test("A permalink is the link of an entry without one")
  func permalink() throws {
    #expect(try entry("<guid>https://a.example/1</guid>").link == "https://a.example/1")
    #expect(try entry("<guid isPermaLink='false'>https://a.example/1</guid>").link == nil)
    #expect(try entry("<guid>1</guid>").id == "1")
    #expect(try entry("<guid> </guid>").id == nil)
  }

  @Test("Of Atom's links the page counts")
  func atomLinks() throws {
    let links =
      "<link rel='self' href='https://a.example/s'/><link rel='alternate' type='application/json' href='https://a.example/j'/>"
      + "<link type='text/html' href='https://a.example/h'/><link rel='via' href='https://a.example/v'/>"
    #expect(try atomEntry(links).link == "https://a.example/h")
  }
}

@Suite struct MediaTests {
  @Test("Files are told by their type, then by their extension")
  func kinds() throws {
    let rows: [(String, String, WebMedia.Kind)] = [
      ("audio/mpeg", "a", .audio), ("video/mp4", "a.mp3", .video),
      ("application/octet-stream", "a.MP3?x=1.jpg", .audio),
      ("", "a.webm#t", .video), ("text/html", "a.m4a", .audio), ("mp3", "a", .audio), ("image/png", "a", .image),
      ("application/x-mpegurl", "a", .video), ("application/pdf", "a.mp3", .other), ("", "a", .other),
    ]
    for (type, name, kind) in rows {
      let found = try entry("<enclosure url='https://a.example/\(name)' type='\(type)'/>")
      #expect(found.media.first?.kind == kind, "\(type) \(name)")
    }
  }

  @Test("A length that is absent, 0 or no number is unknown", arguments: ["", "0", "-1", "big", " 12 ", "12"])
  func length(written: String) throws {
    let found = try entry("<enclosure url='https://a.example/a.mp3' length='\(written)'/>")
    #expect(found.media.first?.length == (written.contains("12") ? 12 : nil))
  }

  @Test("Several files are kept once each, what can be played first")
  func several() throws {
    let found = try entry(
      "<enclosure url='https://a.example/a.torrent' type='application/x-bittorrent'/><enclosure url='https://a.example/a.mp4'/>"
        + "<media:group><media:content url='https://a.example/b.mp4' duration='61' isDefault='true'/>"
        + "<media:content url='https://a.example/a.mp4' duration='60' fileSize='9'/></media:group>"
        + "<media:content url='https://a.example/p.jpg' medium='image'/>")
    #expect(
      found.media.map(\.url) == ["https://a.example/b.mp4", "https://a.example/a.torrent", "https://a.example/a.mp4"])
    #expect(found.media.map(\.isDefault) == [true, false, false])
    #expect(found.media.last?.length == 9)
    #expect(found.image == "https://a.example/p.jpg")
    #expect(found.duration == 61)
  }

  @Test(
    "Explicit is yes, true or explicit",
    arguments: [("yes", true), ("Explicit", true), ("clean", false), ("no", false)])
  func explicit(word: String, value: Bool) throws {
    #expect(try entry("<itunes:explicit>\(word)</itunes:explicit>").isExplicit == value)
    #expect(try entry("<itunes:explicit>maybe</itunes:explicit>").isExplicit == nil)
  }
}
