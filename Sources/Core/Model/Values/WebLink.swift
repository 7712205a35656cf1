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

extension WebLink {
  /// The end of the web URL that begins at `start`; nil if none does.
  ///
  /// A full stop, comma or bracket after a URL belongs to the sentence, unless the bracket was opened in the URL.
  static func end(in text: Span<UInt8>, from start: Int) -> Int? {
    guard let host = hostStart(in: text, from: start) else { return nil }
    var end = host
    var (opened, closed) = (0, 0)
    while end < text.count, isAddressByte(text[end]) {
      if text[end] == UInt8(ascii: "(") { opened += 1 }
      if text[end] == UInt8(ascii: ")") { closed += 1 }
      end += 1
    }
    while end > host {
      if text[end - 1] == UInt8(ascii: ")"), closed > opened {
        closed -= 1
      } else if !isPunctuation(text[end - 1]) {
        break
      }
      end -= 1
    }
    return end > host ? end : nil
  }

  private static func hostStart(in text: Span<UInt8>, from start: Int) -> Int? {
    for scheme in ["https://", "http://"] as [StaticString] {
      let length = scheme.utf8CodeUnitCount
      guard start + length <= text.count else { continue }
      if (0..<length).allSatisfy({ text[start + $0] == scheme.utf8Start[$0] }) { return start + length }
    }
    return nil
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
      UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
