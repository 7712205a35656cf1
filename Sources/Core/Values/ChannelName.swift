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
