/// The path and query of a request, decoded.
package struct RequestTarget {
  /// The parts of the path between slashes, without empty ones: clients join an address that ends with a slash and a
  /// path (`//v1/feeds`, newsboat 2.21).
  package var path: [String]
  /// Whether the path is spelt in its shortest form, without empty parts.
  package var isShortest: Bool
  /// The fields of the query, in order.
  package var query: [(name: String, value: String)]

  /// Decodes a target such as `/api/v1/videos?tag=a%20b`; nil if it is malformed: an invalid percent code or UTF-8, a
  /// control character, `.` or `..`.
  package init?(_ target: String) {
    guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= RequestTarget.longest else { return nil }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "/")
    isShortest = halves[0].utf8.count == max(1, parts.reduce(0) { $0 + 1 + $1.utf8.count })
    path = []
    for part in parts {
      guard let text = RequestTarget.decoded(part, plusIsBlank: false), ![".", ".."].contains(text) else { return nil }
      path.append(text)
    }
    // The address of the same API in FreshRSS, which its clients append themselves.
    if path.starts(with: ["api", "greader.php"]), path.count > 2, ["accounts", "reader"].contains(path[2]) {
      path.removeFirst(2)
    }
    guard let fields = RequestTarget.fields(of: halves.count == 2 ? halves[1] : "", takesLines: false) else {
      return nil
    }
    query = fields
  }

  /// The parts of a malformed target's path as they are: in whose form the problem is answered.
  package static func rawPath(_ target: String) -> [String] {
    target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
  }

  /// Decodes `a=1&b=two+words`; nil if it is malformed. `takesLines` is whether values may have line breaks and tabs, as
  /// those of forms do.
  package static func fields(of text: some StringProtocol, takesLines: Bool) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(Substring(sides[0]), plusIsBlank: true),
        let value = decoded(Substring(sides.count == 2 ? sides[1] : ""), plusIsBlank: true, takesLines: takesLines)
      else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  /// A path and query without the parameter `token`.
  package static func withoutToken(_ text: String) -> String { without(["token"], text) }

  /// A path and query as a log may have them: without tokens, also that of `/k/…`, passwords, codes, and
  /// callbacks of hubs.
  package static func withoutSecrets(_ text: String) -> String {
    let halves = without(["token", "Passwd", "code"], text).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var isSecret = false
    let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map { part -> Substring in
      guard !part.isEmpty else { return part }
      defer { isSecret = ["k", "push"].contains(decoded(part, plusIsBlank: false)) }
      return isSecret ? "-" : part
    }
    return ([parts.joined(separator: "/")] + halves.dropFirst().map(String.init)).joined(separator: "?")
  }

  private static func without(_ names: [String], _ text: String) -> String {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return text }
    let rest = halves[1].split(separator: "&").filter { pair in
      decoded(pair.prefix { $0 != "=" }, plusIsBlank: true).map { !names.contains($0) } ?? true
    }
    return halves[0] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
  }

  private static let longest = 8 << 10

  private static func decoded(_ text: Substring, plusIsBlank: Bool, takesLines: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
          rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
        else { return nil }
        rest = rest.dropFirst(2)
        bytes.append(value)
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || takesLines && [9, 10, 13].contains($0) }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
