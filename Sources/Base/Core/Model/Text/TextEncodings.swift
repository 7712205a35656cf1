extension String {
  /// The text percent-encoded (RFC 3986 §2.1) but for ASCII letters, digits and the given signs: `k%C3%A4the`.
  package func percentEncoded(keeping signs: String) -> String {
    utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isLetter = byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber)
      if isLetter || signs.utf8.contains(byte) { return String(scalar) }
      return "%" + String(hex: byte, digits: 2).uppercased()
    }.joined()
  }

  /// The text with every `%41` decoded; an invalid `%` stays as it is.
  package init(percentDecoding text: some Sequence<UInt8>) {
    var rest = Array(text)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      let isEscape = byte == UInt8(ascii: "%") && digits.count == 2
      bytes.append(isEscape ? UInt8(digits[0] * 16 + digits[1]) : byte)
      if isEscape { rest = rest.dropFirst(2) }
    }
    self.init(decoding: bytes, as: UTF8.self)
  }

  /// A number in hexadecimal, with zeros before it up to `digits` digits: `00a1`.
  package init(hex number: some FixedWidthInteger, digits: Int) {
    let text = String(number, radix: 16)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension StringProtocol {
  /// The text without leading and trailing whitespace.
  package var withoutBlanks: Substring {
    let start = Substring(self).drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }

  /// The first `count` scalars of the text. Counts scalars because one grapheme can have a million of them.
  package func cut(toScalars count: Int) -> String {
    String(String.UnicodeScalarView(Substring(self).unicodeScalars.prefix(count)))
  }
}

/// Hexadecimal digits in lower case, the only ones that IDs and the log have.
package enum HexDigit {
  /// The digit for a value from 0 to 15.
  @inlinable package static func letter(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The value of a digit; nil if the byte is not one.
  @inlinable package static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes of a literal stand at `start`.
  @inlinable package func has(_ literal: StaticString, at start: Int) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard start + length <= count else { return false }
    for offset in 0..<length where self[start + offset] != literal.utf8Start[offset] { return false }
    return true
  }

  /// The index of the first occurrence of a literal at or after `start`; nil if absent.
  @inlinable package func firstIndex(of literal: StaticString, from start: Int) -> Int? {
    let first = literal.utf8Start.pointee
    var index = start
    while index + literal.utf8CodeUnitCount <= count {
      if self[index] == first, has(literal, at: index) { return index }
      index += 1
    }
    return nil
  }
}

extension String {
  /// The text of these bytes; nil unless they are UTF-8 (RFC 3629 §4).
  ///
  /// `UTF8Span(validating:)` of Swift 6.3 looks at every byte of a text that is not ASCII throughout. Here it sees only the
  /// words of eight bytes that are not, which nearly halves the instructions for the descriptions of a feed.
  package init?(utf8 bytes: Span<UInt8>) {
    var (end, isASCII) = (0, true)
    while case let start = bytes.endOfWords(isASCII: true, from: end), start < bytes.count {
      end = bytes.endOfWords(isASCII: false, from: start)
      guard let span = try? UTF8Span(validating: bytes.extracting(start..<end)) else { return nil }
      isASCII = isASCII && span.isKnownASCII
    }
    self.init(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
  }
}

extension Span<UInt8> {
  /// The index after the words of eight bytes from `start` that are ASCII, or that are not, as the bytes after the last
  /// whole word count.
  fileprivate func endOfWords(isASCII: Bool, from start: Int) -> Int {
    var index = start
    while index + 8 <= count {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard (word & 0x8080_8080_8080_8080 == 0) == isASCII else { return index }
      index += 8
    }
    return isASCII ? index : count
  }
}
