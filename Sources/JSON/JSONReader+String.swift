/// Reading JSON strings and literals.
extension ByteReader {
  /// Parses the string whose opening quote is the next byte (RFC 8259 §7). Throws if it has more than `limit` bytes or
  /// an unescaped control character, so that a truncated line ends with its line.
  mutating func jsonString(limit: Int) throws -> String {
    var text = DecodedString()
    _ = try next()
    while true {
      text.append(run { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 })
      guard text.bytes.count <= limit else { throw JSONError.valueTooLarge(limit: limit, line: line) }
      switch try peek() {
      case UInt8(ascii: "\""):
        _ = try next()
        return text.finished()
      case UInt8(ascii: "\\"): try readEscape(into: &text)
      case let byte? where byte >= 0x20: continue  // the next piece has begun
      default: throw JSONError.malformed(line: line, column: column)
      }
    }
  }

  private mutating func readEscape(into text: inout DecodedString) throws {
    let place = JSONError.malformed(line: line, column: column)
    _ = try next()
    switch try next() {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case let byte? where "\"\\/".utf8.contains(byte): text.append(byte)
    case UInt8(ascii: "u"):
      var unit: UInt16 = 0
      for _ in 0..<4 {
        guard let byte = try next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw place }
        unit = unit << 4 | UInt16(digit)
      }
      text.append(utf16: unit)
    default: throw place
    }
  }

  /// The longest run of bytes for which `isPart` holds, at most 64.
  mutating func word(of isPart: (UInt8) -> Bool) throws -> String {
    var letters: [UInt8] = []
    while letters.count < 64, let byte = try peek(), isPart(byte) {
      letters.append(byte)
      _ = try next()
    }
    return String(decoding: letters, as: UTF8.self)
  }
}

/// A string being decoded; unpaired surrogates become U+FFFD.
private struct DecodedString {
  private(set) var bytes: [UInt8] = []
  /// A lead surrogate waiting for its second half.
  private var half: UInt16?

  mutating func append(_ run: ArraySlice<UInt8>) {
    if run.isEmpty { return }
    endHalf()
    bytes.append(contentsOf: run)
  }

  mutating func append(_ byte: UInt8) {
    endHalf()
    bytes.append(byte)
  }

  mutating func append(utf16 unit: UInt16) {
    if let first = half, UTF16.isTrailSurrogate(unit) {
      half = nil
      append(UTF16.decode(UTF16.EncodedScalar([first, unit])))
      return
    }
    endHalf()
    if UTF16.isLeadSurrogate(unit) { half = unit } else { append(Unicode.Scalar(unit) ?? "\u{FFFD}") }
  }

  mutating func finished() -> String {
    endHalf()
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func endHalf() {
    if half != nil { append("\u{FFFD}" as Unicode.Scalar) }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    half = nil
    bytes.append(contentsOf: scalar.utf8)
  }
}
