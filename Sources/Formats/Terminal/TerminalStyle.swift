import Core

/// The escape sequences a terminal may receive.
package struct TerminalStyle: Equatable, Sendable {
  /// Whether to use colours and bold text (SGR, ECMA-48 §8.3.117).
  package var colors: Bool
  /// Whether to turn URLs into links (OSC 8).
  package var links: Bool

  package init(colors: Bool, links: Bool) {
    (self.colors, self.links) = (colors, links)
  }
}

/// Bold and the colours in use; raw value: the SGR parameters.
///
/// Colours are from the 256-colour palette, of medium lightness: their contrast is at least 3.9 to 1 on both black and
/// white. Green and cyan of the 16 colours have as little as 2 to 1 on white.
package enum Tint: String, CaseIterable, Sendable {
  case bold = "1"
  case red = "38;5;160"
  case green = "38;5;28"
  case magenta = "38;5;133"
  case cyan = "38;5;31"

  /// The colour by number, in the palette of 256 colours and in that of 8; nil for bold.
  package var number: (of256: Int, of8: Int)? {
    switch self {
    case .bold: nil
    case .red: (160, 1)
    case .green: (28, 2)
    case .magenta: (133, 5)
    case .cyan: (31, 6)
    }
  }
}

extension TerminalStyle {
  /// Appends a text with its colour and link, as far as the style allows.
  package func append(_ text: DisplayText, tint: Tint?, link: String?, to bytes: inout [UInt8]) {
    let shownTint = colors ? tint : nil
    let shownLink = links ? link.flatMap { WebLink.isSafe($0) ? $0 : nil } : nil
    if let address = shownLink { bytes.append(contentsOf: "\u{1b}]8;;\(address)\u{1b}\\".utf8) }
    if let tint = shownTint { bytes.append(contentsOf: "\u{1b}[\(tint.rawValue)m".utf8) }
    bytes.append(contentsOf: text.text.utf8)
    if shownTint != nil { bytes.append(contentsOf: "\u{1b}[0m".utf8) }
    if shownLink != nil { bytes.append(contentsOf: "\u{1b}]8;;\u{1b}\\".utf8) }
  }
}
