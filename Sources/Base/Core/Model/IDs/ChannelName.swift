/// A channel name that only YouTube can resolve to an ID, stored without its `@` or path.
package enum ChannelName: Hashable, Sendable {
  /// `/@name`; handles can be renamed and reassigned.
  case handle(String)
  /// `/user/name`, of channels created before 2014; has its own feed (`?user=name`).
  case user(String)
  /// `/c/name`, or just `/name`.
  case custom(String)

  /// The path of the page that identifies the channel: `/@name`, `/user/name`, `/c/name`, not percent-encoded.
  package var path: String {
    switch self {
    case .handle(let name): "/@\(name)"
    case .user(let name): "/user/\(name)"
    case .custom(let name): "/c/\(name)"
    }
  }

  /// The path percent-encoded for a request (RFC 3986 §2.1): `/@k%C3%A4the`.
  package var encodedPath: String { path.percentEncoded(keeping: "/@-_.~") }

  /// The feed path of a legacy user name: `/feeds/videos.xml?user=NAME`; nil for other names.
  package var feedPath: String? {
    guard case .user = self else { return nil }
    return "/feeds/videos.xml?user=" + encodedPath.dropFirst("/user/".count)
  }

  /// Whether a string can be a handle or name: letters of any script, digits, `_`, `-`, `.` and `·`, at most 100.
  ///
  /// YouTube limits handles to 30 characters, older names are less strict, and the lookup has the last word.
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
  /// As a user would type it: `@name`, `/user/name`, `/c/name`.
  package var description: String {
    if case .handle(let name) = self { "@\(name)" } else { path }
  }
}

extension ChannelName {
  /// Parses a `description`, the form stored in the log.
  package init?(description text: String) {
    do {
      let path = text.hasPrefix("/") ? text : "/" + text
      guard case .name(let name) = try ChannelReference("https://www.youtube.com" + path) else { return nil }
      self = name
    } catch { return nil }
  }
}
