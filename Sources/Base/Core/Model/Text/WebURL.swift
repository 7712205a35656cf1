/// An absolute http or https URL in its parts, read as leniently as browsers do where feeds and users need it (RFC 3986,
/// WHATWG URL).
///
/// Scheme and host are lower-case, an international host is in punycode, the default port is absent. Path and query are
/// kept as written, except that what no URL may contain is percent-encoded.
package struct WebURL: Hashable, Sendable {
  package private(set) var isSecure: Bool
  /// `user:password`, as written; nil if absent.
  package private(set) var userInfo: String?
  /// `xn--mnchen-3ya.example`, `[2001:db8::1]`
  package private(set) var host: String
  /// The port, if it is not the scheme's.
  package private(set) var port: Int?
  /// At least `/`, without dot segments.
  package private(set) var path: String
  /// What follows `?`; nil if absent.
  package private(set) var query: String?
  /// What follows `#`; nil if absent.
  package private(set) var fragment: String?

  /// The longest URL accepted, in bytes.
  package static let limit = 4096

  /// Parses an absolute URL; nil if it has no scheme, another one, or an invalid host or port.
  package init?(_ text: some StringProtocol) {
    guard let clean = WebURL.cleaned(text), let (isSecure, rest) = WebURL.scheme(of: clean) else { return nil }
    self.init(isSecure: isSecure, afterScheme: rest)
  }

  /// Resolves a reference against a base (RFC 3986 §5.2); nil if the result is no http or https URL.
  package init?(_ reference: some StringProtocol, relativeTo base: WebURL) {
    guard let text = WebURL.cleaned(reference) else { return nil }
    if let (isSecure, rest) = WebURL.scheme(of: text) {
      // `https:page.html` is relative in browsers; nobody means it.
      self.init(isSecure: isSecure, afterScheme: rest)
    } else if WebURL.hasScheme(text) {
      return nil
    } else if text.hasPrefix("//") {
      self.init(isSecure: base.isSecure, afterScheme: text)
    } else {
      self = base
      resolve(text)
      guard self.text.utf8.count <= WebURL.limit else { return nil }
    }
  }

  private mutating func resolve(_ text: Substring) {
    let (before, fragment) = WebURL.split(text, at: "#")
    let (path, query) = WebURL.split(before, at: "?")
    self.fragment = fragment.map { WebURL.encoded($0) }
    guard !path.isEmpty else {
      if let query { self.query = WebURL.encoded(query) }
      return
    }
    let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
    self.path = WebURL.withoutDots(WebURL.encoded(path.hasPrefix("/") ? path : folder + path))
    self.query = query.map { WebURL.encoded($0) }
  }

  /// Parses `//user@host:port/path?query#fragment`.
  private init?(isSecure: Bool, afterScheme text: Substring) {
    guard text.hasPrefix("//") else { return nil }
    let rest = text.dropFirst(2)
    let authority = rest.prefix { !"/?#".contains($0) }
    let (before, fragment) = WebURL.split(rest[authority.endIndex...], at: "#")
    let (path, query) = WebURL.split(before, at: "?")
    var host = authority
    if let at = authority.lastIndex(of: "@") {
      userInfo = at == authority.startIndex ? nil : WebURL.encoded(authority[..<at])
      host = authority[authority.index(after: at)...]
    }
    let port: Int?
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let digits = host[host.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      port = Int(digits)
      guard digits.isEmpty || (1...65_535).contains(port ?? 0) else { return nil }
      host = host[..<colon]
    } else {
      port = nil
    }
    guard let name = DomainName.ascii(host) else { return nil }
    (self.isSecure, self.host) = (isSecure, name)
    self.port = port == (isSecure ? 443 : 80) ? nil : port
    self.path = path.isEmpty ? "/" : WebURL.withoutDots(WebURL.encoded(path))
    self.query = query.map { WebURL.encoded($0) }
    self.fragment = fragment.map { WebURL.encoded($0) }
    guard self.text.utf8.count <= WebURL.limit else { return nil }
  }
}

extension WebURL {
  /// `https` or `http`
  package var scheme: String { isSecure ? "https" : "http" }

  /// The scheme, host and port: `https://host.example:8443`.
  package var origin: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// The whole URL, with user name and password and the fragment.
  package var text: String {
    let user = userInfo.map { "\($0)@" } ?? ""
    return "\(scheme)://\(user)\(host)" + (port.map { ":\($0)" } ?? "") + target + (fragment.map { "#\($0)" } ?? "")
  }

  /// The URL as it is requested: without user name, password and fragment, neither of which belongs on the line.
  package var requestText: String { origin + target }

  /// Path and query.
  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The components of the path, percent-decoded, without empty ones.
  package var components: [String] { path.utf8.split(separator: UInt8(ascii: "/")).map { String(percentDecoding: $0) } }

  /// The first value of a query parameter, percent-decoded; nil if absent.
  package func value(_ name: String) -> String? {
    for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, String(percentDecoding: sides[0]) == name { return String(percentDecoding: sides[1]) }
    }
    return nil
  }

  /// The same URL without user name, password and fragment.
  package var withoutCredentials: WebURL {
    var url = self
    (url.userInfo, url.fragment) = (nil, nil)
    return url
  }

  /// The host without `www.`, for comparisons.
  package var bareHost: String { host.hasPrefix("www.") && host.utf8.count > 4 ? String(host.dropFirst(4)) : host }

  /// What requests share manners and failures with: the registrable domain, or an IP address with its port.
  package var site: String {
    DomainName.isAddress(host) ? host + (port.map { ":\($0)" } ?? "") : DomainName.site(of: host)
  }

  /// Whether the URL seems to contain a secret: a user name, or a parameter or a part of the path named like one. Feeds
  /// with such URLs are private.
  package var hasSecret: Bool {
    if userInfo != nil { return true }
    let names = (query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    let isNamed = { (name: String) in WebURL.secretNames.contains { name.contains($0) } && !name.hasPrefix("author") }
    if names.contains(where: isNamed) || names.contains("authorization") { return true }
    let words = path.lowercased().split { !$0.isLetter }
    return words.contains { WebURL.secretNames.contains(String($0)) }
  }

  private static let secretNames = ["token", "key", "auth", "secret", "password", "signature"]
}

// MARK: Parsing

extension WebURL {
  /// The text without surrounding blanks and inner line breaks, which browsers drop too; nil if it is too long or
  /// contains other control characters.
  private static func cleaned(_ text: some StringProtocol) -> Substring? {
    guard text.utf8.count <= limit * 2 else { return nil }
    var text = Substring(text).withoutBlanks
    if text.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 }) {
      text = text.filter { !["\t", "\n", "\r", "\r\n"].contains($0) }[...]
    }
    return text.utf8.contains { $0 < 0x20 || $0 == 0x7f } ? nil : text
  }

  private static func scheme(of text: Substring) -> (isSecure: Bool, rest: Substring)? {
    guard let colon = text.prefix(6).firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon].lowercased() {
    case "https": return (true, rest)
    case "http": return (false, rest)
    default: return nil
    }
  }

  /// Whether a text begins with a scheme: `mailto:`, `javascript:`.
  private static func hasScheme(_ text: Substring) -> Bool {
    let name = text.prefix { !":/?#".contains($0) }
    guard name.endIndex < text.endIndex, text[name.endIndex] == ":", let first = name.utf8.first else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
      && name.utf8.allSatisfy { WebLink.isAddressByte($0) && $0 != UInt8(ascii: "%") }
  }

  private static func split(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  /// Percent-encodes what a URL cannot contain; everything else stays as it is.
  private static func encoded(_ text: Substring) -> String {
    guard !text.utf8.allSatisfy(WebLink.isAddressByte) else { return String(text) }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if WebLink.isAddressByte(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hex(byte >> 4), hex(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }

  /// Removes `.` and `..` (RFC 3986 §5.2.4).
  private static func withoutDots(_ path: String) -> String {
    guard path.contains("/.") else { return path }
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in zip(1..., parts) {
      let isLast = index == parts.count
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
