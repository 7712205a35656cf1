import Core

/// A published feed that others can subscribe to.
package struct FeedLink: Equatable, Sendable {
  package var title: String
  /// `https://feeds.example/science.atom`, or `file:///…`.
  package var address: String

  package init(title: String, address: String) {
    self.title = title
    self.address = address
  }

  /// Appends the feeds as OPML 2.0, in the given order.
  package static func appendOPML(_ links: [FeedLink], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n".utf8)
    bytes.append(contentsOf: "<head><title>YouTube by tag</title></head>\n<body>\n".utf8)
    for link in links {
      bytes.append(contentsOf: "<outline type=\"rss\" text=\"".utf8)
      MarkupText.escape(link.title, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\" title=\"".utf8)
      MarkupText.escape(link.title, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\" xmlUrl=\"".utf8)
      MarkupText.escape(link.address, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"/>\n".utf8)
    }
    bytes.append(contentsOf: "</body>\n</opml>\n".utf8)
  }
}
