import Core

/// Extracts the channel ID from a channel's web page (`/@handle`, `/c/name`, `/user/name`).
///
/// Such a page has about 1.6 MB and the IDs of many channels; the first bare `"channelId"` usually belongs to another.
/// So this reads only the parts that describe the page itself, and only those whose first occurrence was always right.
/// Text on the page cannot pass for one of them: HTML escapes its `<`, JSON its quotes.
package enum ChannelPage {
  /// The channel whose page this is; nil if not found.
  package static func channel(in page: [UInt8]) -> ChannelID? {
    for extract in extractors {
      if let channel = extract(page) { return channel }
    }
    return nil
  }

  /// The extractors, most trusted first.
  private static let extractors: [@Sendable ([UInt8]) -> ChannelID?] = [
    { link(in: $0, relation: "canonical", type: nil) },
    { ChannelID(bytes: value(of: "\"externalId\":\"", in: $0)) },
    { channel(inAddress: value(of: "\"rssUrl\":\"", in: $0)) },
    { link(in: $0, relation: "alternate", type: "application/rss+xml") },
  ]

  /// The channel in the first link with a relation: `<link rel="canonical"
  /// href="https://www.youtube.com/channel/UC…">`.
  private static func link(in page: [UInt8], relation: String, type: String?) -> ChannelID? {
    var start = 0
    while let tagStart = end(of: "<link ", in: page, from: start) {
      let rest = page[tagStart...].prefix(tagLimit)
      let tag = HTMLTag("link ".utf8 + rest.prefix { $0 != UInt8(ascii: ">") })
      if tag.value(of: "rel") == relation, type == nil || tag.value(of: "type") == type {
        return tag.value(of: "href").flatMap { channel(inAddress: $0.utf8) }
      }
      start = tagStart
    }
    return nil
  }

  /// The text from the first occurrence of a name up to the next quote, without the backslashes that precede slashes.
  private static func value(of name: StaticString, in page: [UInt8]) -> [UInt8] {
    guard let start = end(of: name, in: page, from: 0) else { return [] }
    let text = page[start...].prefix(valueLimit).prefix { $0 != UInt8(ascii: "\"") }
    return text.filter { $0 != UInt8(ascii: "\\") }
  }

  private static func channel(inAddress address: some Sequence<UInt8>) -> ChannelID? {
    let text = String(decoding: Array(address), as: UTF8.self)
    guard ChannelReference.isYouTube(text) else { return nil }
    return ChannelReference.subscription(in: text)?.channel
  }

  /// The offset after the first occurrence of a text at or after `start`.
  private static func end(of text: StaticString, in page: [UInt8], from start: Int) -> Int? {
    page.span.firstIndex(of: text, from: start).map { $0 + text.utf8CodeUnitCount }
  }

  /// The maximum lengths of a tag and of an address, in bytes.
  private static let tagLimit = 4096
  private static let valueLimit = 512
}
