import Core

/// One request as the server received it.
package struct Request: Equatable, Sendable {
  /// `GET`, `HEAD`, `POST`.
  package let method: String
  /// Path and query as sent. Example: `/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8Q`.
  package let target: String
  /// Header fields by lower-case name; repeated fields are joined with `, ` (RFC 9110 §5.3).
  package let headers: [String: String]
  /// The body, `Content-Length` bytes long.
  package var body: [UInt8]

  /// The target without its query.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// Query values by name, percent-decoded; the first value if a name is repeated.
  package var query: [String: String] { Request.values(target.dropFirst(path.count + 1)) }

  /// The values of a form in the body, in the same way.
  package var form: [String: String] { Request.values(Substring(decoding: body, as: UTF8.self)) }

  /// The subject of the request, which selects responses and faults: the channel, playlist or user of a feed request;
  /// otherwise the whole target.
  package var key: String {
    guard path == "/feeds/videos.xml" else { return target }
    let query = query
    return query["channel_id"] ?? query["playlist_id"] ?? query["user"] ?? target
  }

  /// Whether the client accepts gzip.
  package var acceptsGzip: Bool { headers["accept-encoding"]?.contains("gzip") ?? false }

  /// Whether the connection ends after the response.
  var wantsClose: Bool { headers["connection"]?.lowercased() == "close" }

  /// The length of the body in bytes.
  var contentLength: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }
}

extension Request {
  /// Parses a head without its empty line (RFC 9112 §3), leaving the body empty; nil if malformed.
  init?(head: ArraySlice<UInt8>) {
    let lines = head.split(separator: UInt8(ascii: "\n")).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard let first = lines.first else { return nil }
    let parts = first.split(separator: UInt8(ascii: " "))
    guard parts.count == 3, parts[2].starts(with: "HTTP/1.".utf8) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = String(decoding: line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    self.init(
      method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
      headers: headers, body: [])
  }

  private static func values(_ text: Substring) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (unescaped(name), unescaped(pair.dropFirst(name.count + 1)))
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// A part of a query with `+` and `%41` decoded.
  private static func unescaped(_ text: Substring) -> String {
    String(percentDecoding: text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}
