import Core
import Testing

@testable import FeedParser

/// The encodings in which a test writes a text.
private enum Writing: String, CaseIterable {
  case utf8, utf16LittleEndian, utf16BigEndian, latin1, ascii

  /// The bytes of a text; characters missing from the encoding become question marks.
  func bytes(_ text: String) -> [UInt8] {
    switch self {
    case .utf8: Array(text.utf8)
    case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .latin1: text.unicodeScalars.map { $0.value < 0x100 ? UInt8($0.value) : UInt8(ascii: "?") }
    case .ascii: text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") }
    }
  }
}

/// A feed without entries, with this XML declaration and this title.
private func feed(_ declaration: String, title: String) -> String {
  "\(declaration)<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>\(title)</title></feed>\n"
}

/// The title that is read, or the parse error.
private func title(_ bytes: [UInt8]) -> Result<String, ParseError> {
  Result { () throws(ParseError) in try Feed(xml: bytes).title }
}

@Test(
  "A feed is read in each supported encoding",
  arguments: [
    ("", .utf8, [], "Ünïcode 水 🚢"), ("<?xml version='1.0'?>", .utf8, [], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='utf-8'?>", .utf8, [], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='UTF-8'?>", .utf8, [0xEF, 0xBB, 0xBF], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='US-ASCII'?>", .ascii, [], "plain &#252;"),
    ("<?xml version='1.0' encoding='ISO-8859-1'?>", .latin1, [], "Ünïcode"),
    ("<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?>", .latin1, [], "Ünïcode"),
    ("<?xml version='1.0' encoding='UTF-16'?>", .utf16LittleEndian, [0xFF, 0xFE], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='UTF-16'?>", .utf16BigEndian, [0xFE, 0xFF], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='UTF-16LE'?>", .utf16LittleEndian, [], "Ünïcode 水 🚢"),
    ("<?xml version='1.0' encoding='UTF-16BE'?>", .utf16BigEndian, [], "Ünïcode 水 🚢"),
    ("", .utf16LittleEndian, [0xFF, 0xFE], "Ünïcode 水 🚢"),
  ] as [(String, Writing, [UInt8], String)])
private func allowedEncoding(declaration: String, writing: Writing, mark: [UInt8], text: String) {
  let expected = text.replacing("&#252;", with: "ü")
  #expect(title(mark + writing.bytes(feed(declaration, title: text))) == .success(expected))
}

@Test("windows-1252 has letters where ISO-8859-1 has controls")
func windows1252() {
  let text = Writing.latin1.bytes(
    feed("<?xml version=\"1.0\" encoding=\"windows-1252\"?>", title: "\u{93}5 \u{80}\u{94} \u{E9}"))
  #expect(title(text) == .success("\u{201C}5 \u{20AC}\u{201D} é"))
}

@Test(
  "A byte order mark takes precedence over the declaration",
  arguments: [
    ("UTF-8", .utf16LittleEndian, [0xFF, 0xFE]), ("ISO-8859-1", .utf16BigEndian, [0xFE, 0xFF]),
    ("UTF-16", .utf8, [0xEF, 0xBB, 0xBF]), ("windows-1252", .utf8, [0xEF, 0xBB, 0xBF]),
  ] as [(String, Writing, [UInt8])])
private func byteOrderMark(declared: String, writing: Writing, mark: [UInt8]) {
  let text = feed("<?xml version=\"1.0\" encoding=\"\(declared)\"?>\n", title: "水")
  #expect(title(mark + writing.bytes(text)) == .success("水"))
}

@Test(
  "Every other encoding is rejected by name",
  arguments: [
    "UTF-7", "EBCDIC-CP-US", "IBM037", "UTF-32", "ISO-10646-UCS-4", "Shift_JIS", "KOI8-R", "GB18030", "ISO-2022-JP",
    "UTF-16", "utf-16be", "HTML", "x",
  ])
func refusedEncoding(name: String) {
  let plain = Writing.ascii.bytes(feed("<?xml version=\"1.0\" encoding=\"\(name)\"?>", title: "Title"))
  #expect(title(plain) == .failure(.encoding(name)))
}

@Test("An encoding hidden from the first check is rejected all the same")
func hiddenEncoding() {
  let hidden = "<?xml version='1.0' encoding\u{9}=\n'KOI8-R'?>"
  #expect(title(Writing.ascii.bytes(feed(hidden, title: "Title"))) == .failure(.encoding("KOI8-R")))
  let odd = "<?xml version='encoding=\"utf-8\"' encoding='KOI8-R'?>"
  #expect(throws: ParseError.self) { try title(Writing.ascii.bytes(feed(odd, title: "Title"))).get() }
}

@Test(
  "A damaged declaration is rejected, not repaired",
  arguments: ["encoding", "encoding=<", "encoding=Å", "encoding=="])
func damagedDeclaration(key: String) {
  let text = feed("<?xml version=\"1.0\" \(key)\"ISO-8859-1\"?>", title: "Title")
  #expect(throws: ParseError.self) { try Feed(xml: Writing.latin1.bytes(text)) }
}

@Test("EBCDIC and UTF-32 are also rejected without a declared encoding")
func unnamedEncodings() {
  let ebcdic: [UInt8] = [
    0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95, 0x7E, 0x7F, 0xF1,
  ]
  #expect(throws: ParseError.self) { try Feed(xml: ebcdic) }
  let wide = feed("", title: "Title").unicodeScalars.flatMap { scalar -> [UInt8] in [0, 0, 0, UInt8(scalar.value)] }
  #expect(throws: ParseError.self) { try Feed(xml: wide) }
  #expect(throws: ParseError.self) { try Feed(xml: [0xFF, 0xFE, 0, 0] + Array(wide.dropFirst(3)) + [0, 0, 0]) }
}

/// Byte sequences that are never UTF-8 (RFC 3629): stray and missing continuation bytes, overlong forms, surrogates,
/// beyond U+10FFFF.
private let notUTF8: [[UInt8]] = [
  [0x80], [0xBF], [0xC2], [0xC2, 0x41], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x9A], [0xC0, 0x80],
  [0xC1, 0x81], [0xE0, 0x81, 0x81], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x81, 0x81], [0xF0, 0x8F, 0xBF, 0xBF],
  [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
]

@Test("Invalid UTF-8 is rejected wherever it occurs", arguments: notUTF8)
func invalidUTF8(bytes: [UInt8]) {
  let contexts: [(before: String, after: String)] = [
    ("", ""), ("<![CDATA[", "]]>"), ("</title><author><name>", "</name></author><title>"),
    ("</title><author><name><![CDATA[long enough to be read by eight bytes at once: ", "]]></name></author><title>"),
    ("</title><x y='", "'/><title>"), ("</title><", "/><title>"),
  ]
  for context in contexts {
    let parts = feed("", title: "€\(context.before)|\(context.after)").split(separator: "|").map { Array($0.utf8) }
    #expect(throws: ParseError.self, "\(context)") { try Feed(xml: parts[0] + bytes + parts[1]) }
  }
}

@Test("A list with an attribute that is not UTF-8 is rejected, not read without it", arguments: notUTF8)
func invalidAttribute(bytes: [UInt8]) {
  for name in ["title", "text", "xmlUrl", "htmlUrl", "category", "TITLE"] {
    let (before, after) = ("<opml><outline xmlUrl='x' \(name)='long enough: ", "'/></opml>")
    #expect(throws: ParseError.self, "\(name)") {
      try Outline.read(opml: Array(before.utf8) + bytes + Array(after.utf8))
    }
  }
}

@Test("A title in another encoding than declared is rejected with its position")
func wrongEncoding() {
  let latin1 = Writing.latin1.bytes(feed("<?xml version='1.0' encoding='UTF-8'?>\n", title: "Ünïcode"))
  #expect(title(latin1) == .failure(.malformed(code: 9, line: 2, column: 50)))
  let ascii = Writing.latin1.bytes(feed("<?xml version='1.0' encoding='US-ASCII'?>\n", title: "Ünïcode"))
  #expect(title(ascii) == .failure(.malformed(code: 81, line: 2, column: 50)))
}

@Test("UTF-16 cut inside a character, and unpaired surrogates, are rejected")
func halfUTF16() {
  let whole = [0xFF, 0xFE] + Writing.utf16LittleEndian.bytes(feed("", title: "🚢"))
  #expect(title(whole) == .success("🚢"))
  #expect(throws: ParseError.self) { try Feed(xml: whole + [0x20]) }
  let half = whole.firstRange(of: [0x3D, 0xD8]).map { Array(whole[..<$0.lowerBound] + whole[$0.upperBound...]) }
  #expect(throws: ParseError.self) { try Feed(xml: half ?? []) }
}

@Test("White space before the declaration is skipped, and counted")
func spaceBefore() {
  let text = feed("\u{FEFF}\r\n \n<?xml version='1.0' encoding='UTF-8'?>", title: "Title")
  #expect(title(Array(text.utf8)) == .success("Title"))
  let damaged = text.replacing("</title>", with: "</titel>")
  #expect(title(Array(damaged.utf8)) == .failure(.malformed(code: 76, line: 3, column: 101)))
}

@Test("A NUL is rejected at any byte")
func nulBytes() throws {
  let bytes = try Files.fixture("feeds/xml-channel-2026.xml")
  for position in bytes.indices {
    #expect(throws: ParseError.self, "at byte \(position)") {
      try Feed(xml: bytes[..<position] + [0] + bytes[position...])
    }
  }
}
