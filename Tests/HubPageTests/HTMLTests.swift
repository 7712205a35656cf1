import HubPage
import Testing

/// The escaper and the paths.
@Suite("HTML and paths")
struct HTMLTests {
  private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

  @Test("A text is escaped wherever it is put")
  func escaping() {
    let hostile = "\"><script>alert(1)</script>&amp;"
    let safe = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"
    #expect(text("<p title=\"\(hostile)\">\(hostile)</p>") == "<p title=\"\(safe)\">\(safe)</p>")
  }

  @Test("HTML is put into HTML as it is, once")
  func nesting() {
    let inner: HTML = "<b>\("a<b")</b>"
    #expect(text("<p>\(inner)\([inner, inner])\(nil as HTML?)\("<hr>", if: false)</p>").hasSuffix("</p>"))
    #expect(text("\(inner)") == "<b>a&lt;b</b>")
    #expect(text("<input\(" checked", if: true)>") == "<input checked>")
  }

  @Test("Local links are put below a path, and nothing that a text says")
  func linkedBelow() {
    let text = " href=\"/x"
    let html: HTML =
      "<a href=\"\(PagePath(["a"]).description)\">\(text)</a><img src=\"https://i.example/a\"><form action=\"/\">"
    let linked = String(decoding: html.linked(below: "/hub"), as: UTF8.self)
    #expect(linked.contains("<a href=\"/hub/a\"> href=&quot;/x</a>"))
    #expect(linked.hasSuffix("<img src=\"https://i.example/a\"><form action=\"/hub/\">"))
    #expect(html.linked(below: "") == html.bytes)
  }

  @Test("Characters that documents may not have are dropped")
  func characters() {
    #expect(text("\("a\u{0}b\u{8}c\u{7f}")") == "abc")
  }

  @Test("Only web addresses become links")
  func links() {
    let linked = text(HTML(linking: "see https://a.example/?x=\"1 and javascript:alert(1)\n<b>"))
    #expect(linked.contains("<a href=\"https://a.example/?x=\">") && !linked.contains("href=\"javascript"))
    #expect(linked.contains("<br>") && linked.contains("&lt;b&gt;"))
  }

  @Test("Paths are encoded, so that nothing of a name becomes part of them")
  func encoding() {
    let path = PagePath(["collections", "a/b?c#d&é\""], query: [("q", "x y&z=1")])
    #expect(path.description == "/collections/a%2Fb%3Fc%23d%26%C3%A9%22?q=x%20y%26z%3D1")
    #expect(PagePath([]).description == "/")
  }

  @Test("A parameter is added before the fragment, in place of an older one")
  func adding() throws {
    let path = try #require(PagePath(local: "/?done=1&tag=a#v-x"))
    #expect(path.adding("done", "2").description == "/?tag=a&done=2#v-x")
    #expect(path.at("top").description == "/?done=1&tag=a#top")
  }

  @Test(
    "A path of another host is refused",
    arguments: ["//evil", "/\\evil", "https://evil", "evil", "", "/\t/evil", "/a\nb", "/a b", "/é", "javascript:1"])
  func foreign(_ text: String) { #expect(PagePath(local: text) == nil) }
}
