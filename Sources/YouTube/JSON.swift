import Core

/// A JSON value (RFC 8259) from a response, held in memory whole; whoever fetched the response limits its size.
package enum JSON: Equatable {
  case null
  case boolean(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses a whole document; nil if it is not JSON or is nested deeper than any response is.
  package init?(_ bytes: [UInt8]) {
    var reader = JSONBytes(bytes: bytes)
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  /// The object member with this name; nil if absent.
  package subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The string; nil if another type.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements of the array; nil if another type.
  var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The time in an RFC 3339 string; nil if another type.
  var time: Timestamp? { text.flatMap { Timestamp(rfc3339: $0) } }
}

/// A JSON parser over bytes in memory.
private struct JSONBytes {
  private let bytes: [UInt8]
  private var position = 0
  private static let depthLimit = 32

  /// A parser at the first byte.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Whether only white space is left.
  var isAtEnd: Bool {
    mutating get { letter() == nil }
  }

  /// The next byte that is not white space, without consuming it.
  private mutating func letter() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  private mutating func take(_ wanted: UInt8) -> Bool {
    guard letter() == wanted else { return false }
    position += 1
    return true
  }

  /// Parses the next value; nil if malformed.
  mutating func value(depth: Int) -> JSON? {
    guard depth < JSONBytes.depthLimit, let first = letter() else { return nil }
    switch first {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> JSON? {
    var members: [String: JSON] = [:]
    position += 1
    if take(UInt8(ascii: "}")) { return .object([:]) }
    repeat {
      guard letter() == UInt8(ascii: "\""), let name = string(), take(UInt8(ascii: ":")),
        let value = value(depth: depth + 1)
      else { return nil }
      members[name] = value
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSON? {
    var elements: [JSON] = []
    position += 1
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(elements) : nil
  }

  private mutating func word() -> JSON? {
    let start = position
    while position < bytes.count, JSONBytes.isWordByte(bytes[position]) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: return Double(word) == nil ? nil : .number(word)
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
      || (byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber))
  }

  /// Parses the string whose opening quote is next.
  private mutating func string() -> String? {
    var text: [UInt8] = []
    var half: UInt16?
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\"), let unit = escape() {
        JSONBytes.append(unit, after: &half, to: &text)
        continue
      }
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      JSONBytes.endHalf(&half, in: &text)
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      text.append(byte)
    }
    return nil
  }

  /// The UTF-16 unit that the next escape sequence stands for.
  private mutating func escape() -> UInt16? {
    guard position < bytes.count else { return nil }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
    case UInt8(ascii: "u"):
      guard position + 4 <= bytes.count else { return nil }
      defer { position += 4 }
      return UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    default: return nil
    }
  }

  /// Appends a UTF-16 unit; unpaired surrogates become U+FFFD.
  private static func append(_ unit: UInt16, after half: inout UInt16?, to text: inout [UInt8]) {
    if let first = half, UTF16.isTrailSurrogate(unit) {
      half = nil
      text += String(UTF16.decode(UTF16.EncodedScalar([first, unit]))).utf8
      return
    }
    endHalf(&half, in: &text)
    if UTF16.isLeadSurrogate(unit) { half = unit } else { text += String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8 }
  }

  private static func endHalf(_ half: inout UInt16?, in text: inout [UInt8]) {
    if half != nil { text += "\u{FFFD}".utf8 }
    half = nil
  }
}
