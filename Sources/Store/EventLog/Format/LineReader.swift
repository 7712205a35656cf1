import Core
import Glibc

/// Reads the members of a line by name, in any order.
struct LineReader {
  private var object = FlatObject()
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var origin = LogRange(file: 0, length: 0, offset: 0)
  /// The slot after the last one found: the next member, if the line was written in order.
  private var next = 0

  /// Opens a line, passed without its checksum, whose first byte is at `origin`; false if it is not a flat object.
  mutating func open(_ bytes: UnsafeRawBufferPointer, at origin: LogRange) -> Bool {
    (self.bytes, self.origin) = (bytes, origin)
    next = 0
    return object.scan(bytes)
  }

  /// The value of a member; nil if absent or `null`.
  mutating func value(_ name: StaticString) -> LineValue? {
    if next < object.slots.count, isNamed(object.slots[next], name) { return take(next) }
    let length = name.utf8CodeUnitCount
    for index in object.slots.indices where object.slots[index].name.count == length {
      if isNamed(object.slots[index], name) { return take(index) }
    }
    return nil
  }

  private mutating func take(_ index: Int) -> LineValue? {
    next = index + 1
    let slot = object.slots[index]
    guard slot.sort != .null else { return nil }
    let range = LogRange(
      file: origin.file, length: UInt32(slot.value.count), offset: origin.offset + UInt64(slot.value.lowerBound))
    return LineValue(sort: slot.sort, bytes: UnsafeRawBufferPointer(rebasing: bytes[slot.value]), range: range)
  }

  private func isNamed(_ slot: FlatObject.Slot, _ name: StaticString) -> Bool {
    guard slot.name.count == name.utf8CodeUnitCount else { return false }
    for offset in 0..<slot.name.count where bytes[slot.name.lowerBound + offset] != name.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The members of the line in its own order, for lines without a schema.
  func forEachMember(_ body: (String?, LineValue) -> Void) {
    for slot in object.slots {
      let name = JSONString.unescaped(UnsafeRawBufferPointer(rebasing: bytes[slot.name]))
      let value = UnsafeRawBufferPointer(rebasing: bytes[slot.value])
      body(name, LineValue(sort: slot.sort, bytes: value, range: origin))
    }
  }
}

extension LineReader: FieldCoder {
  mutating func option<Value: FieldValue>(_ name: StaticString, _ value: Value?) throws(NotUnderstood) -> Value? {
    guard let found = self.value(name) else { return nil }
    guard let understood = Value(found) else { throw NotUnderstood() }
    return understood
  }
}

/// The object of one line, parsed into the byte ranges of its names and values; nothing is copied.
///
/// Created once and reused for every line, so that its memory is reused too.
struct FlatObject {
  /// The ranges of a member's name and value; for a string or an array, the range between its quotes or brackets.
  struct Slot {
    var name: Range<Int>
    var value: Range<Int>
    var sort: Sort
  }

  /// The type of a member's value.
  enum Sort { case text, escapedText, number, yes, no, null, texts }

  /// The members in the order of the line.
  private(set) var slots: [Slot] = []

  init() { slots.reserveCapacity(32) }

  /// Parses an object without its closing brace, the part covered by `LineChecksum`; false if it is not a flat object.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Bool {
    slots.removeAll(keepingCapacity: true)
    guard bytes.first == UInt8(ascii: "{") else { return false }
    var index = 1
    while true {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\""),
        let name = FlatObject.string(in: bytes, from: index + 1), name.end + 1 < bytes.count,
        bytes[name.end + 1] == UInt8(ascii: ":"),
        let (value, sort, end) = FlatObject.value(in: bytes, from: name.end + 2)
      else { return false }
      slots.append(Slot(name: index + 1..<name.end, value: value, sort: sort))
      if end == bytes.count { return true }
      guard bytes[end] == UInt8(ascii: ",") else { return false }
      index = end + 1
    }
  }

  private typealias Value = (range: Range<Int>, sort: Sort, end: Int)

  private static func value(in bytes: UnsafeRawBufferPointer, from start: Int) -> Value? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""):
      guard let string = string(in: bytes, from: start + 1) else { return nil }
      return (start + 1..<string.end, string.isEscaped ? .escapedText : .text, string.end + 1)
    case UInt8(ascii: "["):
      guard let end = arrayEnd(in: bytes, from: start + 1) else { return nil }
      return (start + 1..<end, .texts, end + 1)
    case UInt8(ascii: "t"): return word("true", .yes, in: bytes, from: start)
    case UInt8(ascii: "f"): return word("false", .no, in: bytes, from: start)
    case UInt8(ascii: "n"): return word("null", .null, in: bytes, from: start)
    default: return number(in: bytes, from: start)
    }
  }

  /// The end of the string whose content begins at `start`, and whether it contains escapes.
  static func string(in bytes: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isEscaped: Bool)? {
    var index = start
    var isEscaped = false
    while true {
      index = JSONText.firstSpecial(in: bytes.bytes, from: index)
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "\""): return (index, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        index += 2
      default: return nil
      }
    }
  }

  /// The index of the bracket that closes an array of strings whose content begins at `start`.
  private static func arrayEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    guard index < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: "]") { return index }
    while index < bytes.count, bytes[index] == UInt8(ascii: "\""),
      let string = string(in: bytes, from: index + 1), string.end + 1 < bytes.count
    {
      index = string.end + 1
      if bytes[index] == UInt8(ascii: "]") { return index }
      guard bytes[index] == UInt8(ascii: ",") else { return nil }
      index += 1
    }
    return nil
  }

  private static func word(
    _ word: StaticString, _ sort: Sort, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Value? {
    let end = start + word.utf8CodeUnitCount
    guard end <= bytes.count else { return nil }
    for index in start..<end where bytes[index] != word.utf8Start[index - start] { return nil }
    return (start..<end, sort, end)
  }

  /// A number in any form: non-integers may be members of a newer version, and are skipped.
  private static func number(in bytes: UnsafeRawBufferPointer, from start: Int) -> Value? {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        index += 1
      default: return nil
      }
    }
    return index == start ? nil : (start..<index, .number, index)
  }
}

/// Reads the content of a JSON string (RFC 8259 §7).
enum JSONString {
  /// The text of bytes without escapes; nil if they are not UTF-8.
  static func plain(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(utf8: bytes.bindMemory(to: UInt8.self).span)
  }

  /// The text of bytes with escapes; nil if an escape is invalid, a surrogate is unpaired, or the rest is not UTF-8.
  static func unescaped(_ bytes: UnsafeRawBufferPointer) -> String? {
    withoutEscapes(bytes).flatMap { String(utf8: $0.span) }
  }

  /// The text of bytes with escapes, normalised by `NormalizedText`; nil if `unescaped` returns nil.
  static func folded(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    withoutEscapes(bytes).flatMap { NormalizedText.bytes(of: $0.span) }
  }

  /// The bytes that bytes with escapes stand for; nil if an escape is invalid or a surrogate is unpaired.
  private static func withoutEscapes(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count)
    var index = 0
    while let found = backslash(in: bytes, from: index) {
      utf8.append(contentsOf: bytes[index..<found])
      guard let (scalar, length) = escape(in: bytes, at: found) else { return nil }
      utf8.append(contentsOf: scalar.utf8)
      index = found + length
    }
    utf8.append(contentsOf: bytes[index...])
    return utf8
  }

  /// Whether every escape is one that `JSONText` would write, so that equal texts have equal bytes.
  static func isCanonical(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while let found = backslash(in: bytes, from: index) {
      index = found
      if index + 1 < bytes.count, isShort(bytes[index + 1]) {
        index += 2
        continue
      }
      guard let (scalar, length) = escape(in: bytes, at: index) else { return false }
      var written: [UInt8] = []
      JSONText.escape(String(scalar), into: &written)
      guard bytes[index..<index + length].elementsEqual(written) else { return false }
      index += length
    }
    return true
  }

  /// Whether a byte behind a backslash makes an escape of two characters that `JSONText` writes.
  private static func isShort(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "\""), UInt8(ascii: "\\"): true
    default: false
    }
  }

  private static func backslash(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(UInt8(ascii: "\\")), bytes.count - start)
    else { return nil }
    return found - UnsafeMutableRawPointer(mutating: base)
  }

  /// The scalar of the escape at `start`, and the escape's length in bytes.
  private static func escape(in bytes: UnsafeRawBufferPointer, at start: Int) -> (UnicodeScalar, length: Int)? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{c}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): return scalar(in: bytes, at: start)
    default: return nil
    }
  }

  /// The scalar of `\uXXXX`, or of two that form a surrogate pair.
  private static func scalar(in bytes: UnsafeRawBufferPointer, at start: Int) -> (UnicodeScalar, length: Int)? {
    guard let first = codeUnit(in: bytes, at: start) else { return nil }
    if let scalar = UnicodeScalar(first) { return (scalar, 6) }
    guard (0xd800...0xdbff).contains(first), let second = codeUnit(in: bytes, at: start + 6),
      (0xdc00...0xdfff).contains(second)
    else { return nil }
    let value = 0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))
    return UnicodeScalar(value).map { ($0, 12) }
  }

  private static func codeUnit(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var value: UInt16 = 0
    for byte in bytes[start + 2..<start + 6] {
      let lowered = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
      guard let digit = HexDigit.value(lowered) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
