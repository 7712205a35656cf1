import Core
import Testing

@testable import FeedParser

private let url = "https://feed.example/fetched"
private let source = PushSource(hub: "https://hub.example/", topic: "https://feed.example/self")

private func read(_ headers: [String], _ document: String) -> PushSource? {
  PushLinks.source(headers: headers, body: Array(document.utf8), url: url)
}

/// The steps 100 to 104 of websub.rocks, in its order, and what else is in the world.
@Test(
  "The hub and the topic are read from headers, HTML, Atom and RSS",
  arguments: [
    (["<https://hub.example/>; rel=\"hub\"", "<https://feed.example/self>; rel=\"self\""], "<p>no links</p>"),
    (["<https://hub.example/>; rel=hub, <https://feed.example/self>; title=\"x\"; rel=\"other self\""], ""),
    (
      [],
      """
      <!doctype html><html><head><LINK REL=hub HREF=https://hub.example/><link href='https://feed.example/self' rel='self'>
      </head><body><link rel="hub" href="https://evil.example/"></body></html>
      """
    ),
    (
      [],
      """
      <?xml version="1.0"?><!-- <link rel="hub" href="https://comment.example/"/> -->
      <feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="https://hub.example/"/>
      <title><![CDATA[<link rel="self" href="https://cdata.example/"/>]]></title>
      <link rel="self" href="https://feed.example/self"/>
      <entry><link rel="self" href="https://feed.example/entry"/></entry></feed>
      """
    ),
    (
      [],
      """
      <rss><channel><link>https://site.example/</link>
      <atom:link href="https://hub.example/" rel="hub"/><atom:link href="https://feed.example/self" rel="self"/>
      <item><atom:link rel="hub" href="https://evil.example/"/></item></channel></rss>
      """
    ),
    // What headers say comes before what the document says.
    (
      ["<https://hub.example/>; rel=\"hub\"", "<https://feed.example/self>; rel=\"self\""],
      "<feed><link rel='hub' href='https://other.example/'/><link rel='self' href='https://other.example/self'/></feed>"
    ),
  ])
func discovered(_ headers: [String], _ document: String) { #expect(read(headers, document) == source) }

@Test("Without self the topic is the URL that answered; without a hub there is nothing")
func incomplete() {
  #expect(read(["<https://hub.example/>; rel=hub"], "")?.topic == url)
  #expect(read(["<https://feed.example/self>; rel=self"], "<feed><link rel='self' href='https://x.example/'/>") == nil)
  #expect(read([], "") == nil)
}

@Test(
  "What is malformed names no hub",
  arguments: [
    "<link rel=hub href=", "<link rel=\"hub\"", "<link rel='hub' href='javascript:alert(1)'>", "<link", "<!--",
    "<![CDATA[",
    "<link rel='hub' href='https://hub.example/ä'>", "<link rel='hub' href='https://hub.example/&#10;x'",
    "<link rel='hub' href='https://\(String(repeating: "x", count: 3000))'>",
  ])
func malformed(_ document: String) { #expect(read([], document) == nil) }

@Test("Escaped addresses are unescaped")
func escaped() {
  #expect(
    read([], "<feed><link rel='hub' href='https://hub.example/?a=1&amp;b=2'/>")?.hub == "https://hub.example/?a=1&b=2")
}
