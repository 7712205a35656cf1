/// A name of a channel that only YouTube can turn into an id, without its `@` or its path.
package enum ChannelName: Hashable, Sendable {
  /// `/@name`; handles can be renamed and taken by others.
  case handle(String)
  /// `/user/name`, of channels from before 2014; has a feed of its own (`?user=name`).
  case user(String)
  /// `/c/name`, or `/name` alone.
  case custom(String)

  /// The path of the page that says which channel it is: `/@name`, `/user/name`, `/c/name`, not percent-encoded.
  package var path: String {
    switch self {
    case .handle(let name): "/@\(name)"
    case .user(let name): "/user/\(name)"
    case .custom(let name): "/c/\(name)"
    }
  }

  /// The path of the page as a request has it, percent-encoded (RFC 3986 §2.1): `/@k%C3%A4the`.
  package var encodedPath: String {
    path.utf8.map { byte in
      let isPlain = byte < 0x80 && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: "@") || ChannelName.isPlain(byte))
      let hex = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }.joined()
  }

  /// The path of the feed that a name of the old sort has: `/feeds/videos.xml?user=NAME`; nil for the others.
  package var feedPath: String? {
    guard case .user = self else { return nil }
    return "/feeds/videos.xml?user=" + encodedPath.dropFirst("/user/".count)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    SortableBase64.rank(byte) != nil || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  /// Whether a text can be a handle or a name: letters of any script, digits, `_`, `-`, `.` and `·`, up to 100.
  ///
  /// YouTube allows a handle 30 characters; names from before are looser, and the look-up has the last word.
  static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 400 && text.unicodeScalars.count <= 100
      && text.unicodeScalars.allSatisfy(isLetter)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "·": true
    default:
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
      case .nonspacingMark, .spacingMark, .decimalNumber: scalar.value > 0x7F
      default: false
      }
    }
  }
}

extension ChannelName: CustomStringConvertible {
  /// As a person would type it: `@name`, `/user/name`, `/c/name`.
  package var description: String {
    if case .handle(let name) = self { "@\(name)" } else { path }
  }
}

extension ChannelName {
  /// The name in its description, which is how the log keeps it.
  package init?(description text: String) {
    do {
      let path = text.hasPrefix("/") ? text : "/" + text
      guard case .name(let name) = try ChannelReference("https://www.youtube.com" + path) else { return nil }
      self = name
    } catch { return nil }
  }
}
