/// Why JSON could not be read.
package enum JSONError: Error, Hashable, Sendable {
  /// Malformed or truncated at this position; line and column from 1, the column in bytes.
  case malformed(line: Int, column: Int)
  /// Nested deeper than any real document.
  case tooDeep(limit: Int, line: Int)
  /// One value takes more memory than the limit in bytes.
  case valueTooLarge(limit: Int, line: Int)
}

/// A streaming JSON parser (RFC 8259) that keeps only requested values in memory.
///
/// A value may be nested at most `depthLimit` deep, and a kept value weigh at most `weightLimit`. Invalid UTF-8 and
/// unpaired surrogates become U+FFFD.
package struct JSONReader {
  /// The type of the next value.
  package enum Kind { case object, array, string, number, literal }

  /// The maximum nesting depth; real files stay below ten.
  package static let depthLimit = 64
  /// The maximum weight of one kept value, in bytes: its texts and names, and `partWeight` for each value in it.
  package static let weightLimit = 16 << 20
  /// The weight of a value without text, in bytes.
  package static let partWeight = 16

  private var bytes: ByteReader
  private var depth = 0
  private var weight = 0

  package init(_ bytes: ByteReader) { self.bytes = bytes }

  /// The type of the next value after white space; nil at the end of the file.
  package mutating func nextKind() throws -> Kind? {
    guard let letter = try nextLetter() else { return nil }
    switch letter {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .literal
    default: throw malformed
    }
  }

  /// Reads an object: `body` gets each name and must read or skip its value.
  package mutating func forEachMember(
    _ body: (String, inout JSONReader) throws -> Void
  ) throws {
    try forEachPart(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader in
      let name = try reader.string()
      try reader.expect(UInt8(ascii: ":"))
      try body(name, &reader)
    }
  }

  /// Reads an array: `body` must read or skip each element.
  package mutating func forEachElement(_ body: (inout JSONReader) throws -> Void) throws {
    try forEachPart(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), body)
  }

  /// Reads the next value completely.
  package mutating func value() throws -> JSONValue {
    weight = 0
    return try part()
  }

  /// Reads the next value completely, with the line it begins on.
  package mutating func valueAndLine() throws -> (value: JSONValue, line: Int) {
    _ = try nextLetter()
    let line = bytes.line
    return (try value(), line)
  }

  /// Skips the next value.
  package mutating func skip() throws {
    switch try nextKind() {
    case nil: throw malformed
    case .object: try forEachMember { _, reader in try reader.skip() }
    case .array: try forEachElement { reader in try reader.skip() }
    case .string: try skipString()
    case .number: _ = try number()
    case .literal: _ = try literal()
    }
  }

  /// Checks that only white space is left.
  package mutating func expectEnd() throws {
    guard try nextLetter() == nil else { throw malformed }
  }

  /// The error for malformed JSON at the current position.
  private var malformed: JSONError { .malformed(line: bytes.line, column: bytes.column) }

  private mutating func part() throws -> JSONValue {
    try weigh(JSONReader.partWeight)
    switch try nextKind() {
    case nil: throw malformed
    case .string: return .string(try keptString())
    case .number: return .number(try number())
    case .literal: return try literal()
    case .array:
      var elements: [JSONValue] = []
      try forEachElement { reader in elements.append(try reader.part()) }
      return .array(elements)
    case .object:
      var members: [JSONValue.Member] = []
      try forEachPart(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader in
        let name = try reader.keptString()
        try reader.expect(UInt8(ascii: ":"))
        members.append(JSONValue.Member(name: name, value: try reader.part()))
      }
      return .object(members)
    }
  }

  private mutating func weigh(_ count: Int) throws {
    weight += count
    guard weight <= JSONReader.weightLimit else {
      throw JSONError.valueTooLarge(limit: JSONReader.weightLimit, line: bytes.line)
    }
  }

  private mutating func keptString() throws -> String {
    let text = try string()
    try weigh(text.utf8.count)
    return text
  }

  private mutating func forEachPart(
    from first: UInt8, to last: UInt8, _ body: (inout JSONReader) throws -> Void
  ) throws {
    try expect(first)
    depth += 1
    guard depth <= JSONReader.depthLimit else {
      throw JSONError.tooDeep(limit: JSONReader.depthLimit, line: bytes.line)
    }
    var isMore = try nextLetter() != last
    if !isMore { _ = try bytes.next() }
    while isMore {
      try body(&self)
      isMore = try nextLetter() == UInt8(ascii: ",")
      try expect(isMore ? UInt8(ascii: ",") : last)
    }
    depth -= 1
  }

  /// The next byte after white space, without consuming it.
  private mutating func nextLetter() throws -> UInt8? {
    while let byte = try bytes.peek() {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      _ = try bytes.next()
    }
    return nil
  }

  private mutating func expect(_ letter: UInt8) throws {
    guard try nextLetter() == letter else { throw malformed }
    _ = try bytes.next()
  }

  private mutating func string() throws -> String {
    guard try nextLetter() == UInt8(ascii: "\"") else { throw malformed }
    return try bytes.jsonString(limit: JSONReader.weightLimit)
  }

  private mutating func skipString() throws {
    _ = try bytes.next()
    while let byte = try bytes.next(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { _ = try bytes.next() }
    }
  }

  private mutating func number() throws -> Double {
    let isPart = { (byte: UInt8) in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard let number = Double(try bytes.word(of: isPart)) else { throw malformed }
    return number
  }

  private mutating func literal() throws -> JSONValue {
    switch try bytes.word(of: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: throw malformed
    }
  }
}
