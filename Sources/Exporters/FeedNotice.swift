import Core

/// A notice about the polling itself (an outage or a gap), shown to feed readers alongside the videos.
package struct FeedNotice: Equatable, Sendable {
  /// `StableID.notice(_:)`.
  package var id: String
  package var title: String
  /// Plain text.
  package var text: String
  /// The URL of the page it concerns.
  package var link: String
  /// When the outage or gap began.
  package var began: Timestamp

  package init(id: String, title: String, text: String, link: String, began: Timestamp) {
    self.id = id
    self.title = title
    self.text = text
    self.link = link
    self.began = began
  }
}

extension AtomFeed {
  /// Appends one notice as an entry.
  package func append(_ notice: FeedNotice, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<entry>\n".utf8)
    AtomFeed.append("id", notice.id, to: &bytes)
    AtomFeed.append("title", notice.title, to: &bytes)
    bytes.append(contentsOf: "<link rel=\"alternate\" type=\"text/html\" href=\"".utf8)
    MarkupText.escape(notice.link, in: .attribute, into: &bytes)
    bytes.append(contentsOf: "\"/>\n<author><name>metube-rss</name></author>\n".utf8)
    AtomFeed.append("published", notice.began.rfc3339, to: &bytes)
    AtomFeed.append("updated", notice.began.rfc3339, to: &bytes)
    bytes.append(contentsOf: "<content type=\"text\">".utf8)
    MarkupText.escape(notice.text, in: .content, into: &bytes)
    bytes.append(contentsOf: "</content>\n</entry>\n".utf8)
  }
}
