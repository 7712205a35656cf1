import Core

/// The supported encodings.
package enum TextEncoding: Sendable {
  case utf8, ascii, latin1, windows1252, utf16LittleEndian, utf16BigEndian

  /// The encoding named in an XML declaration, case-insensitive; nil if unsupported.
  package init?(name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8": self = .utf8
    case "us-ascii", "ascii": self = .ascii
    case "iso-8859-1", "latin1": self = .latin1
    case "windows-1252", "cp1252": self = .windows1252
    case "utf-16", "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    default: return nil
    }
  }

  /// Whether its code units have two bytes.
  package var isWide: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

  /// These bytes converted to UTF-8; throws if they are invalid in this encoding.
  package func decode(_ bytes: ArraySlice<UInt8>) throws(ParseError) -> [UInt8] {
    switch self {
    case .utf8: return Array(bytes)
    case .ascii: return try TextEncoding.utf8(units: bytes, from: Unicode.ASCII.self)
    case .latin1: return try TextEncoding.utf8(units: bytes.lazy.map(UInt32.init), from: Unicode.UTF32.self)
    case .windows1252: return SingleByteEncoding.windows1252.decode(bytes)
    case .utf16LittleEndian: return try TextEncoding.utf8(units: UTF16Units(bytes, low: 0), from: Unicode.UTF16.self)
    case .utf16BigEndian: return try TextEncoding.utf8(units: UTF16Units(bytes, low: 1), from: Unicode.UTF16.self)
    }
  }

  private static func utf8<Encoding: Unicode.Encoding>(
    units: some Sequence<Encoding.CodeUnit>, from: Encoding.Type
  ) throws(ParseError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(units.underestimatedCount)
    let damaged = transcode(
      units.makeIterator(), from: from, to: Unicode.UTF8.self, stoppingOnError: true, into: { text.append($0) })
    guard !damaged else { throw Document.malformed(ParserCode.invalidEncoding, at: text.count, of: text) }
    return text
  }
}

/// The 16-bit code units of bytes; an odd last byte becomes an unpaired surrogate, so that decoding fails.
private struct UTF16Units: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// The offset of the low byte within a unit.
  private let low: Int

  init(_ bytes: ArraySlice<UInt8>, low: Int) {
    (self.bytes, self.low) = (bytes, low)
    position = bytes.startIndex
  }

  mutating func next() -> UInt16? {
    let left = bytes.endIndex - position
    guard left > 1 else {
      position = bytes.endIndex
      return left == 1 ? 0xD800 : nil
    }
    defer { position += 2 }
    return UInt16(bytes[position + 1 - low]) << 8 | UInt16(bytes[position + low])
  }
}

/// What the first bytes indicate about the encoding.
package struct ByteOrderMark: Equatable {
  package let encoding: TextEncoding
  /// Number of bytes to skip.
  package let length: Int

  /// The UTF-8 mark.
  static let utf8 = ByteOrderMark(encoding: .utf8, length: 3)

  private init(encoding: TextEncoding, length: Int) {
    (self.encoding, self.length) = (encoding, length)
  }

  /// The mark at the start of a document, or UTF-16 without a mark, detected by its `<` (XML 1.0, appendix F); else
  /// nil.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self.init(encoding: .utf16LittleEndian, length: 2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self.init(encoding: .utf16BigEndian, length: 2)
    } else if bytes.starts(with: [UInt8(ascii: "<"), 0]) {
      self.init(encoding: .utf16LittleEndian, length: 0)
    } else if bytes.starts(with: [0, UInt8(ascii: "<")]) {
      self.init(encoding: .utf16BigEndian, length: 0)
    } else {
      return nil
    }
  }
}

/// The encoding in an XML declaration: `<?xml version="1.0" encoding="UTF-8"?>`.
package struct DeclaredEncoding {
  /// The encoding's name as written, at most 40 characters.
  package let name: String
  /// The range of `encoding="UTF-8"` in the text.
  private let range: Range<Int>

  /// The encoding declared at the start of `text`; nil if absent.
  ///
  /// It is only located, not validated: libxml2 rejects a malformed declaration, and if it reads the declaration
  /// differently, `SAX` rejects the encoding it would switch to.
  package init?(in text: [UInt8], at start: Int) {
    let document = text[start...]
    guard document.starts(with: "<?xml".utf8), let end = document.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = document[..<end]
    guard let key = text.span.firstIndex(of: "encoding", from: start), key < end else { return nil }
    let isQuote: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    guard let open = declaration[key...].firstIndex(where: isQuote) else { return nil }
    let between = declaration[key..<open].dropFirst("encoding".utf8.count)
    guard between.filter({ !Document.isSpace($0) }) == [UInt8(ascii: "=")] else { return nil }
    let rest = declaration[(open + 1)...]
    guard let close = rest.firstIndex(of: declaration[open]) else { return nil }
    name = String(decoding: rest[..<close].prefix(40), as: UTF8.self)
    range = key..<(close + 1)
  }

  /// Overwrites the encoding with spaces, because the text is now UTF-8; offsets stay the same.
  func blank(in text: inout [UInt8]) {
    for position in range { text[position] = UInt8(ascii: " ") }
  }
}
