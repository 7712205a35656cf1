import Core

/// The page of a channel (`/@handle`, `/c/name`, `/user/name`), read for the channel's id alone.
///
/// Such a page has about 1.6 MB and the ids of many channels; the first bare `"channelId"` in it is most often another's.
/// So only the places that speak of the page itself are read, those that were right whenever they were there first. A
/// text on the page cannot pass for one of them: in HTML its `<` is escaped, in JSON its quotes.
package enum ChannelPage {
  /// The channel whose page this is; nil where the page does not say.
  package static func channel(in page: [UInt8]) -> ChannelID? {
    page.withUnsafeBytes { page in
      for place in places {
        if let channel = place(page) { return channel }
      }
      return nil
    }
  }

  /// The places, the most trusted first.
  private static let places: [@Sendable (UnsafeRawBufferPointer) -> ChannelID?] = [
    { link(in: $0, relation: "canonical", type: nil) },
    { ChannelID(bytes: value(of: "\"externalId\":\"", in: $0)) },
    { channel(inAddress: value(of: "\"rssUrl\":\"", in: $0)) },
    { link(in: $0, relation: "alternate", type: "application/rss+xml") },
  ]

  /// The channel in the first link of a relation: `<link rel="canonical" href="https://www.youtube.com/channel/UC…">`.
  private static func link(in page: UnsafeRawBufferPointer, relation: String, type: String?) -> ChannelID? {
    var start = 0
    while let place = page.end(of: "<link ", from: start) {
      let rest = page[place...].prefix(tagLimit)
      let tag = HTMLTag("link ".utf8 + rest.prefix { $0 != UInt8(ascii: ">") })
      if tag.value(of: "rel") == relation, type == nil || tag.value(of: "type") == type {
        return tag.value(of: "href").flatMap { channel(inAddress: $0.utf8) }
      }
      start = place
    }
    return nil
  }

  /// The text that follows the first occurrence of a name, up to its quote: none where a backslash is in it but for
  /// those before slashes.
  private static func value(of name: StaticString, in page: UnsafeRawBufferPointer) -> [UInt8] {
    guard let start = page.end(of: name, from: 0) else { return [] }
    let text = page[start...].prefix(valueLimit).prefix { $0 != UInt8(ascii: "\"") }
    return text.filter { $0 != UInt8(ascii: "\\") }
  }

  private static func channel(inAddress address: some Sequence<UInt8>) -> ChannelID? {
    let text = String(decoding: Array(address), as: UTF8.self)
    guard ChannelReference.isYouTube(text) else { return nil }
    return ChannelReference.subscription(in: text)?.channel
  }

  /// Bytes of a tag and of an address that are looked at.
  private static let tagLimit = 4096
  private static let valueLimit = 512
}

extension UnsafeRawBufferPointer {
  /// The place after the first occurrence of a text from an offset on.
  fileprivate func end(of text: StaticString, from start: Int) -> Int? {
    let length = text.utf8CodeUnitCount
    return text.withUTF8Buffer { wanted in
      var place = start
      while place + length <= count {
        if self[place] == wanted[0], self[place..<place + length].elementsEqual(wanted) { return place + length }
        place += 1
      }
      return nil
    }
  }
}
