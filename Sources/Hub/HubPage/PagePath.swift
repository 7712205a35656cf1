/// A path of the hub with its query, percent-encoded: `/?tag=a%20b&mode=mix`.
package struct PagePath: Hashable, Sendable, CustomStringConvertible {
  package private(set) var description: String

  /// A path from its decoded parts: `["collections", "To cook"]`.
  package init(_ parts: [String], query: [(name: String, value: String)] = []) {
    description = "/" + parts.map(PagePath.encoded).joined(separator: "/")
    if !query.isEmpty {
      let pairs = query.map { PagePath.encoded($0.name) + "=" + PagePath.encoded($0.value) }
      description += "?" + pairs.joined(separator: "&")
    }
  }

  /// A local path as a form sends it back; nil if a browser would leave the hub with it.
  package init?(local text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= 4096 else { return nil }
    // `//host` and `/\host` name another host; browsers drop tabs and newlines anywhere.
    if bytes.count > 1, bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\") { return nil }
    guard bytes.allSatisfy({ (0x21..<0x7f).contains($0) }) else { return nil }
    description = text
  }

  /// The path with one more parameter, before the fragment; one of the same name is replaced.
  package func adding(_ name: String, _ value: String) -> PagePath {
    let halves = description.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = halves[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var pairs = sides.count == 2 ? sides[1].split(separator: "&").map(String.init) : []
    pairs.removeAll { $0.hasPrefix(name + "=") }
    pairs.append("\(name)=\(PagePath.encoded(value))")
    var path = self
    path.description = sides[0] + "?" + pairs.joined(separator: "&") + (halves.count == 2 ? "#" + halves[1] : "")
    return path
  }

  /// The path with a fragment instead of its own.
  package func at(_ fragment: String) -> PagePath {
    var path = self
    path.description = description.prefix { $0 != "#" } + "#" + PagePath.encoded(fragment)
    return path
  }

  /// Percent-encodes everything but the unreserved characters (RFC 3986, section 2.3).
  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes += (byte < 16 ? "0" : "").utf8
        bytes += String(byte, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
