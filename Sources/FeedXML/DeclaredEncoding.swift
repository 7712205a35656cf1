/// The encoding in an XML declaration: `<?xml version="1.0" encoding="UTF-8"?>`.
struct DeclaredEncoding {
  /// The encoding as it is written, or its first 40 letters.
  let name: String
  /// Where `encoding="UTF-8"` stands in the text.
  private let range: Range<Int>

  /// The encoding declared at the start of `text`, or nil where none is.
  ///
  /// Only found, not judged: a declaration that is damaged is refused by libxml2, and if it is read in another way
  /// there, `SAX` refuses the encoding it would change to.
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

  /// Overwrites the encoding by spaces, for the text is in UTF-8 now; every letter keeps its place.
  func blank(in text: inout [UInt8]) {
    for position in range { text[position] = UInt8(ascii: " ") }
  }

  private static func firstIndex(of word: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return bytes.indices.first { bytes[$0...].starts(with: letters) }
  }
}
