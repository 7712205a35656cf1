import Core
import Exporters

/// HTML as bytes. Its markup comes from literals of the source alone; what is interpolated is escaped.
///
/// `"<a href=\"\(path)\">\(title)</a>"` escapes both texts. Attributes are always in double quotes. A literal is a
/// `StaticString`, so no text of another origin becomes markup.
package struct HTML: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends other HTML.
  package static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }

  /// The parts in order.
  package init(_ parts: some Sequence<HTML>) { for part in parts { bytes += part.bytes } }

  /// A text with its line breaks and with its web addresses as links.
  package init(linking text: String) { VideoHTML.appendLinked(Array(text.utf8), to: &bytes) }

  package var isEmpty: Bool { bytes.isEmpty }

  /// The bytes with every local link below a path: `href="/saved"` becomes `href="/metube/saved"`. Quotes of interpolated
  /// texts are escaped, so what looks like such an attribute is one.
  package func linked(below base: String) -> [UInt8] {
    guard !base.isEmpty else { return bytes }
    var linked: [UInt8] = []
    linked.reserveCapacity(bytes.count + 256 * base.utf8.count)
    for byte in bytes {
      if byte == UInt8(ascii: "/"), HTML.linkAttributes.contains(where: { linked.suffix($0.count).elementsEqual($0) }) {
        linked += base.utf8
      }
      linked.append(byte)
    }
    return linked
  }

  private static let linkAttributes = ["href", "src", "action", "data-api"].map { Array(" \($0)=\"".utf8) }
}

extension HTML: ExpressibleByStringInterpolation {
  package init(stringLiteral literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package init(stringInterpolation: Interpolation) { bytes = stringInterpolation.bytes }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Escapes a text for an attribute, which suits content too.
    package mutating func appendInterpolation(_ text: String) {
      MarkupText.escape(text, in: .attribute, into: &bytes)
    }

    package mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }
    package mutating func appendInterpolation(_ video: VideoID) { video.append(to: &bytes) }
    package mutating func appendInterpolation(_ html: HTML) { bytes += html.bytes }
    package mutating func appendInterpolation(_ html: HTML?) { if let html { bytes += html.bytes } }
    package mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { bytes += part.bytes } }

    /// The markup if the condition holds: `\(" checked", if: isOn)`.
    package mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { bytes += html.bytes }
    }
  }
}
