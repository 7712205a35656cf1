import Testing

@testable import Core

@Test(
  "URLs in every spelling",
  arguments: [
    ("HTTP://Example.COM", "http://example.com/"), ("https://example.com:443/a", "https://example.com/a"),
    ("http://example.com:8080?x#y", "http://example.com:8080/?x#y"),
    ("  https://example.com/a\n/b ", "https://example.com/a/b"),
    ("https://user:pa%20ss@example.com/feed", "https://user:pa%20ss@example.com/feed"),
    ("https://example.com./a", "https://example.com/a"),
    ("https://münchen.example/ü?ö", "https://xn--mnchen-3ya.example/%C3%BC?%C3%B6"),
    ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"), ("http://[2001:DB8::1]:81/", "http://[2001:db8::1]:81/"),
    ("https://example.com/a/./b/../c", "https://example.com/a/c"),
    ("https://example.com/../..", "https://example.com/"),
    ("https://example.com/a b\"c", "https://example.com/a%20b%22c"), ("https://example.com:/", "https://example.com/"),

  ])
func spelling(written: String, expected: String) {
  let url = WebURL(written)
  #expect(url?.text == expected)
  #expect(url.flatMap { WebURL($0.text) } == url, "the text of a URL is that URL")
}

@Test(
  "what is no URL of the web",
  arguments: [
    "", "example.com", "ftp://example.com/", "javascript:alert(1)", "https:", "https://", "http:///a",
    "https://exa mple.com/",
    "https://example.com:0/", "https://example.com:65536/", "https://example.com:8a/", "https://[::1",
    "https://[1.2.3.4]/",
    "https://exa\u{0}mple.com/", "https://a..b/", "https://exam%70le.com/", "https://\u{202e}/\u{7f}",
    "https://example.com/" + String(repeating: "a", count: 5000), "file:///etc/passwd",
  ])
func noURL(text: String) { #expect(WebURL(text) == nil) }

@Test(
  "references against a base (RFC 3986 §5.4)",
  arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"),
    ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
    ("https://b/x", "https://b/x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
  ])
func resolving(reference: String, expected: String) throws {
  let base = try #require(WebURL("http://a/b/c/d;p?q"))
  #expect(WebURL(reference, relativeTo: base)?.text == expected)
}

@Test(
  "references of other schemes lead nowhere", arguments: ["mailto:a@b", "javascript:x", "data:text/html,x", "feed:x"])
func foreignReference(reference: String) throws {
  #expect(WebURL(reference, relativeTo: try #require(WebURL("https://a/"))) == nil)
}

@Test(
  "what requests share manners with",
  arguments: [
    ("https://www.example.com/", "example.com"), ("https://a.b.example.co.uk/", "example.co.uk"),
    ("https://example.de/", "example.de"), ("https://me.example.de/", "example.de"),
    ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
    ("http://localhost/", "localhost"), ("http://[::1]:81/", "[::1]:81"),
  ])
func site(url: String, site: String) { #expect(WebURL(url)?.site == site) }

@Test(
  "URLs with secrets are private",
  arguments: [
    ("https://u:p@example.com/feed", true), ("https://example.com/rss?auth=x", true),
    ("https://example.com/rss?api_key=x", true),
    ("https://example.com/token/abc", true), ("https://example.com/rss?access_token=1", true),
    ("https://monkey.example/keyboards.xml", false), ("https://example.com/feed?author=1", false),
    ("https://example.com/feed?page=2", false),
  ])
func secret(url: String, isSecret: Bool) { #expect(WebURL(url)?.hasSecret == isSecret) }
