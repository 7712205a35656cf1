/// The encoding in an XML declaration: `<?xml version="1.0" encoding="UTF-8"?>`.
struct DeclaredEncoding {
  /// The encoding's name as written, at most 40 characters.
  let name: String
  /// The range of `encoding="UTF-8"` in the text.
  private let range: Range<Int>

  /// The encoding declared at the start of `text`; nil if absent.
  ///
  /// It is only located, not validated: libxml2 rejects a malformed declaration, and if it reads the declaration
  /// differently, `SAX` rejects the encoding it would switch to.
  init?(in text: [UInt8], at start: Int) {
    let document = text[start...]
    guard document.starts(with: "<?xml".utf8), let end = document.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = document[..<end]
    guard let key = DeclaredEncoding.firstIndex(of: "encoding", in: declaration) else { return nil }
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

  private static func firstIndex(of word: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return bytes.indices.first { bytes[$0...].starts(with: letters) }
  }
}
