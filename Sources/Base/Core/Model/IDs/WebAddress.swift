/// The parts of a URL that can name a channel, a playlist or a video.
///
/// Accepts what users type and files contain: `https://WWW.YouTube.com/@name?si=x`, `youtube.com/@name`,
/// `//youtu.be/x`, `feed:https://…`, and Piped's `/channel/…` and `/watch?v=…` without a host.
struct WebAddress {
  /// In lower case, without user, port and trailing dot.
  let host: String
  /// The path components, percent-decoded, without empty ones.
  let path: [String]
  private let query: Substring.UTF8View

  /// Parses a URL of at most 8,192 bytes; throws `notAReference`, or `notYouTube` for a non-web scheme.
  init(_ text: some StringProtocol) throws(ReferenceError) {
    var rest = Substring(text)
    guard rest.utf8.count <= 8192 else { throw .notAReference }
    let hasScheme = try WebAddress.dropScheme(of: &rest)
    if rest.hasPrefix("/channel/") || rest.hasPrefix("/watch?") || rest.hasPrefix("/playlist?") {
      rest = "www.youtube.com" + rest
    }
    let authorityEnd = rest.utf8.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
    guard let host = WebAddress.host(in: rest[..<authorityEnd]), hasScheme || host.contains(".") else {
      throw .notAReference
    }
    self.host = host
    rest = rest[authorityEnd...]
    rest = rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex)]
    let pathEnd = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    path = rest[..<pathEnd].utf8.split(separator: UInt8(ascii: "/")).map { String(percentDecoding: $0) }
    query = rest[pathEnd...].utf8.dropFirst()
  }

  /// The first value of a query parameter, percent-decoded; nil if absent.
  func value(_ name: String) -> String? {
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, String(percentDecoding: sides[0]) == name { return String(percentDecoding: sides[1]) }
    }
    return nil
  }

  /// Whether the host is `youtube.com`, `youtube-nocookie.com`, `youtu.be` or a subdomain of one.
  var isYouTube: Bool {
    ["youtube.com", "youtube-nocookie.com", "youtu.be"].contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Whether the host is YouTube's URL shortener for videos.
  var isShortener: Bool { host == "youtu.be" || host == "www.youtu.be" }

  /// Removes the scheme and `//` from the start of `text`; returns whether there were any.
  private static func dropScheme(of text: inout Substring) throws(ReferenceError) -> Bool {
    let length = text.utf8.count
    let commands = "|`".utf8  // newsboat: `|` runs a command for a feed, a backtick one for a value. Never run.
    if let first = text.utf8.first, commands.contains(first) { throw .notYouTube }
    while let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let scheme = scheme(in: text[..<colon]) {
      let rest = text[text.utf8.index(after: colon)...]
      switch scheme {
      case "feed", "http", "https": text = rest
      default: throw .notYouTube
      }
    }
    if text.utf8.starts(with: "//".utf8) { text = text[text.utf8.index(text.startIndex, offsetBy: 2)...] }
    return text.utf8.count < length
  }

  /// The scheme in lower case; nil if the text before the colon is a host or empty.
  private static func scheme(in text: Substring) -> String? {
    guard let first = text.utf8.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
      return nil
    }
    return text.utf8.contains { "./?#\\ ".utf8.contains($0) } ? nil : text.lowercased()
  }

  private static func host(in authority: Substring) -> String? {
    var host = authority.utf8[...]
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].dropFirst().allSatisfy(isDigit) {
      host = host[..<colon]
    }
    if host.last == UInt8(ascii: ".") { host = host.dropLast() }
    guard !host.isEmpty, host.allSatisfy(isHostLetter) else { return nil }
    return String(decoding: host, as: UTF8.self).lowercased()
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isHostLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || SortableBase64.rank(byte) != nil
  }
}

/// Recognition of untrusted URLs that are safe to link.
package enum WebLink {
  /// Whether a URL is http or https and contains only URL characters (RFC 3986 §2), so that it can neither execute
  /// anything nor break out of its link.
  package static func isSafe(_ address: String) -> Bool {
    let bytes = address.utf8
    guard bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8) else { return false }
    return bytes.allSatisfy(isAddressByte)
  }

  /// Whether an ASCII byte may appear in a URL: unreserved, reserved or `%`.
  package static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "?")...UInt8(ascii: "["), UInt8(ascii: "#")...UInt8(ascii: ";"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
