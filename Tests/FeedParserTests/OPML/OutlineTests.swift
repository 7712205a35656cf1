import Core
import Testing

@testable import FeedParser

/// The error for a document parsed as OPML; nil if accepted.
private func damage(_ bytes: [UInt8]) -> ParseError? {
  do throws(ParseError) {
    _ = try Outline.read(opml: bytes)
    return nil
  } catch {
    return error
  }
}

private func damage(_ text: String) -> ParseError? { damage(Array(text.utf8)) }

/// Each has its expected value in a file of the same name with the extension `.expected`.
private let fixtures = ["nested", "bare", "categories", "any-case", "latin1"]

@Test("An outline list gives the expected value beside it", arguments: fixtures)
func outlineFixture(name: String) throws {
  let outlines = try Outline.read(opml: Files.fixture("opml/\(name).opml"))
  #expect(rendering(outlines) == String(decoding: try Files.fixture("opml/\(name).expected"), as: UTF8.self))
}

@Test("A list truncated at any byte is rejected", arguments: fixtures)
func outlineTruncation(name: String) throws {
  let bytes = try Files.fixture("opml/\(name).opml")
  let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
  for length in 0...end {
    #expect(throws: ParseError.self, "cut at byte \(length)") { try Outline.read(opml: Array(bytes[..<length])) }
  }
}

@Test("A byte order mark, UTF-16 and white space before the declaration change nothing")
func savedAgain() throws {
  let text = String(decoding: try Files.fixture("opml/nested.opml"), as: UTF8.self)
  let plain = try Outline.read(opml: Array(text.utf8))
  #expect(try Outline.read(opml: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == plain)
  #expect(try Outline.read(opml: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == plain)
  #expect(try Outline.read(opml: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == plain)
  #expect(try Outline.read(opml: Array(text.replacing("\n", with: "\r\n").utf8)) == plain)
  let moved = try Outline.read(opml: Array("\r\n\n".utf8) + Array(text.utf8))
  #expect(moved.map(\.line) == plain.map { $0.line + 2 })
}

@Test("Malformed lists are reported with line and column")
func malformedOutlines() throws {
  #expect(damage(try Files.fixture("opml/malformed.opml")) == .malformed(code: 68, line: 3, column: 9))
  #expect(damage("<opml>\n<body><outline text='a & b'/></body></opml>") == .malformed(code: 68, line: 2, column: 25))
  #expect(damage("<opml>\n<body>\n") == .malformed(code: 5, line: 2, column: 7))
}

@Test("A list without outlines is empty, as is one without body or head")
func noOutlines() throws {
  for text in ["<opml/>", "<opml version='2.0'><head><title>t</title></head></opml>", "<opml><body/></opml>"] {
    #expect(try Outline.read(opml: Array(text.utf8)) == [])
  }
}

@Test(
  "A document that is not OPML is reported by its root element",
  arguments: [
    ("<!DOCTYPE html><html><body>", "html"), ("<feed xmlns='http://www.w3.org/2005/Atom'/>", "feed"),
    ("<OPML/>", "OPML"),
  ])
func notOPML(text: String, root: String) { #expect(damage(text) == .notOPML(root: root)) }

@Test("No entity is expanded, from the network or from the document")
func outlineEntities() {
  #expect(damage("<!DOCTYPE opml [<!ENTITY a 'b'>]><opml><outline text='&a;'/></opml>") == .doctype(line: 1))
  #expect(damage("<!DOCTYPE opml SYSTEM 'http://127.0.0.1:9/opml.dtd'><opml/>") == .doctype(line: 1))
  #expect(damage("<opml><outline text='&copy;'/></opml>") != nil)
}

@Test("100,000 outlines are accepted, one more is not")
func outlineCount() throws {
  func list(_ count: Int) -> [UInt8] {
    Array("<opml><body>".utf8) + Array(String(repeating: "<outline xmlUrl='x'/>\n", count: count).utf8)
      + Array("</body></opml>".utf8)
  }
  let maximum = try Outline.read(opml: list(100_000))
  #expect(maximum.count == 100_000 && maximum.last?.line == 100_000)
  #expect(damage(list(100_001)) == .tooManyEntries(limit: 100_000))
}

@Test("Folders nested deeper than 32 are rejected, and so are tags over 64 KiB")
func outlineLimits() {
  let nested = String(repeating: "<outline text='f'>", count: 32) + String(repeating: "</outline>", count: 32)
  #expect(damage("<opml>\(nested)</opml>") == .tooDeep(limit: 32, line: 1))
  let long = "<outline text='\(String(repeating: ">", count: 64 << 10))'/>"
  #expect(damage("<opml>\n\(long)</opml>") == .tagTooLong(limit: 64 << 10, line: 2))
  #expect(damage([UInt8](repeating: UInt8(ascii: " "), count: (64 << 20) + 1)) == .tooLarge(limit: 64 << 20))
}
