import Core
import FeedParser

/// The bytes of a feed as passed to a parser: UTF-8, whatever the original encoding, and where its content begins.
struct WebDocument {
  /// What the document is written in.
  enum Syntax { case xml, json }

  let syntax: Syntax
  /// The whole document, meant to be UTF-8; not validated.
  let bytes: [UInt8]
  /// The offset of the root element, after declaration, comments and document type; of a JSON document its `{`.
  let start: Int
  /// The name of the root element as written: `rdf:RDF`; empty for JSON.
  let root: String

  /// The line of the root element, from 1.
  var line: Int { 1 + bytes[..<start].count { $0 == UInt8(ascii: "\n") } }

  /// The document in `bytes`.
  ///
  /// Its encoding is that of a byte order mark, else of the `charset` in the content type, else of the declaration
  /// (RFC 7303 §3), else UTF-8. Throws `empty`, `tooLarge`, `encoding`, `doctype` if it defines entities, `malformed` if
  /// nothing in it is an element, and `notAFeed` if it is an HTML page.
  init(_ bytes: [UInt8], contentType: String?, limit: Int) throws(ParseError) {
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let text = try WebEncoding.decode(bytes, contentType: contentType)
    let begin = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = text[begin...].firstIndex(where: { !Document.isSpace($0) && $0 != 0 }) else { throw .empty }
    self.bytes = text
    if text[first] == UInt8(ascii: "{") {
      (syntax, start, root) = (.json, first, "")
      return
    }
    syntax = .xml
    var prolog = Prolog(of: text, from: WebDocument.beginning(of: text, from: first))
    start = try prolog.skip()
    root = prolog.root
    if root.lowercased() == "html" { throw .notAFeed(root: "html") }
  }

  /// The offset of the declaration, which messages of a broken server may precede; else of the first tag.
  private static func beginning(of text: [UInt8], from first: Int) -> Int {
    if text[first] == UInt8(ascii: "<"), first + 1 < text.count, text[first + 1] != UInt8(ascii: "b") { return first }
    let head = text.span.extracting(0..<min(text.count, first + 4096))
    return head.firstIndex(of: "<?xml", from: first) ?? text[first...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
  }
}

/// What precedes the root element.
private struct Prolog {
  private let bytes: [UInt8]
  private var position: Int
  /// The name of the root element, once it is found.
  private(set) var root = ""

  init(of bytes: [UInt8], from start: Int) { (self.bytes, position) = (bytes, start) }

  /// The offset of the root element's `<`.
  mutating func skip() throws(ParseError) -> Int {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        position += 1
      } else if bytes.span.has("<?", at: position) {
        position = end(of: "?>", length: 2)
      } else if bytes.span.has("<!--", at: position) {
        position = end(of: "-->", length: 3)
      } else if bytes.span.has("<!", at: position) {
        try skipDocumentType()
      } else if position + 1 < bytes.count, bytes[position + 1].beginsName {
        root = name(at: position + 1)
        return position
      } else {
        position += 1
      }
    }
    throw Document.malformed(ParserCode.noElement, at: bytes.count, of: bytes)
  }

  /// The offset after the next occurrence of some bytes; the end if there is none.
  private func end(of literal: StaticString, length: Int) -> Int {
    bytes.span.firstIndex(of: literal, from: position + 2).map { $0 + length } ?? bytes.count
  }

  /// Skips `<!DOCTYPE rss PUBLIC "…" "…">`, also with an internal subset, in which only parameter entities may be defined.
  /// Nothing of it is ever read, so that they stand for nothing.
  private mutating func skipDocumentType() throws(ParseError) {
    var index = position + "<!DOCTYPE".utf8.count
    var isInside = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside:
        position = index + 1
        return
      case UInt8(ascii: "<") where bytes.span.has("<!ENTITY", at: index):
        let next = bytes[index...].dropFirst("<!ENTITY".utf8.count).first { !Document.isSpace($0) }
        guard next == UInt8(ascii: "%") else {
          throw .doctype(line: 1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") })
        }
      default: break
      }
      index += 1
    }
    position = bytes.count
  }

  private func name(at start: Int) -> String {
    let name = bytes[min(start, bytes.count)...].prefix { $0.continuesName }
    return String(decoding: name.prefix(64), as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte may begin a name in XML.
  var beginsName: Bool { isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80 }

  /// Whether the byte may continue a name in XML.
  var continuesName: Bool { beginsName || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") }
}
