/// Reading JSON strings and literals.
extension ByteReader {
  /// Parses the string whose opening quote is the next byte (RFC 8259 §7). Throws if it has more than `limit` bytes or
  /// an unescaped control character, so that a truncated line ends with its line. Unpaired surrogates become U+FFFD.
  mutating func jsonString(limit: Int) throws -> String {
    var text: [UInt8] = []
    // Of `\u` escapes in a row, because two may make one character.
    var units: [UInt16] = []
    func endUnits() {
      if !units.isEmpty { text += String(decoding: units, as: UTF16.self).utf8 }
      units = []
    }
    _ = try next()
    while true {
      let run = run { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }
      if !run.isEmpty { endUnits() }
      text += run
      guard text.count + units.count <= limit else { throw JSONError.valueTooLarge(limit: limit, line: line) }
      switch try peek() {
      case UInt8(ascii: "\""):
        _ = try next()
        endUnits()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): units.append(try escape())
      case let byte? where byte >= 0x20: continue  // the next piece has begun
      default: throw JSONError.malformed(line: line, column: column)
      }
    }
  }

  /// The code unit that an escape stands for.
  private mutating func escape() throws -> UInt16 {
    let malformed = JSONError.malformed(line: line, column: column)
    _ = try next()
    switch try next() {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case let byte? where "\"\\/".utf8.contains(byte): return UInt16(byte)
    case UInt8(ascii: "u"):
      var unit: UInt16 = 0
      for _ in 0..<4 {
        guard let byte = try next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw malformed }
        unit = unit << 4 | UInt16(digit)
      }
      return unit
    default: throw malformed
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
