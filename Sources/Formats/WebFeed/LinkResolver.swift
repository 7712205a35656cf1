import Core

extension String {
  /// The text without white space of ASCII at its ends; itself if there is none.
  var trimmed: String {
    let bytes = utf8.span
    let range = bytes.trimmed
    return range.count == bytes.count
      ? self : String(decoding: utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
  }

  /// Whether the text begins with the scheme of a URL, and a colon.
  var hasScheme: Bool {
    guard let end = utf8.firstIndex(where: { !$0.isLetterOrDigit && !"+-.".utf8.contains($0) }) else { return false }
    return utf8[end] == UInt8(ascii: ":") && end != utf8.startIndex
  }
}

/// Makes the URLs of a document absolute (RFC 3986 §5, XML Base).
struct LinkResolver {
  /// What relative URLs are relative to; nil if unknown.
  var base: WebURL?

  /// The absolute http or https URL that a text stands for; nil for other schemes, as `javascript:`, and for relative URLs
  /// without a base.
  func resolve(_ text: String) -> String? {
    if isComplete(text) { return text }
    if let base { return WebURL(text, relativeTo: base)?.text }
    return WebURL(text)?.text
  }

  /// The longest base that an element may set, in bytes: each URL relative to it would be as long.
  private static let baseLimit = 512

  /// The resolver for elements within one that has this `xml:base`.
  func within(base text: String) -> LinkResolver {
    let inner = base.flatMap { WebURL(text, relativeTo: $0) } ?? WebURL(text)
    guard let inner, inner.text.utf8.count <= LinkResolver.baseLimit else { return self }
    return LinkResolver(base: inner)
  }

  /// Whether a URL is absolute, and needs no change to be safe as a link.
  private func isComplete(_ text: String) -> Bool {
    let bytes = text.utf8
    let length = bytes.starts(with: "https://".utf8) ? 8 : bytes.starts(with: "http://".utf8) ? 7 : 0
    guard length > 0, bytes.count > length, bytes.count <= WebURL.limit else { return false }
    let first = bytes[bytes.index(bytes.startIndex, offsetBy: length)]
    return first != UInt8(ascii: "/") && bytes.allSatisfy(WebLink.isAddressByte)
  }
}
