import Core
import FeedParser

/// Rewrites a document that is not well-formed, so that libxml2 reads as much of it as a person would.
///
/// Undeclared entities of HTML become their characters; a bare `&` or `<` is escaped; what XML forbids is dropped: control
/// characters, attributes without quotes or value, a second attribute of a name, end tags without a start; missing end tags
/// are added where an outer one shows that they are missing. Bytes that are not UTF-8 are read as windows-1252. Nothing
/// after the root's end tag is kept, and without that tag there is no document.
struct DocumentRepair {
  private let bytes: [UInt8]
  private let limits: ParserLimits
  private var position: Int
  private var output: [UInt8] = []
  /// The ranges of the names of the open elements.
  private var open: [Range<Int>] = []
  /// Whether the root element has ended.
  private var isEnded = false
  /// Whether no single or double quote is left.
  private var (noQuote, noDoubleQuote) = (false, false)

  /// The document from `start`, where its root element begins, rewritten; throws `incomplete` without the root's end tag,
  /// and `tooDeep`.
  static func repaired(_ document: WebDocument, limits: ParserLimits) throws(ParseError) -> [UInt8] {
    var repair = DocumentRepair(document, limits: limits)
    guard try repair.run() else { throw .incomplete(root: document.root) }
    return repair.output
  }

  private init(_ document: WebDocument, limits: ParserLimits) {
    (bytes, position, self.limits) = (document.bytes, document.start, limits)
    output.reserveCapacity(bytes.count + bytes.count / 16)
  }

  /// Whether the root's end tag was met.
  private mutating func run() throws(ParseError) -> Bool {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        append(position..<end, .text)
        position = end
        continue
      }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch next {
      case UInt8(ascii: "/"): takeEndTag()
      case UInt8(ascii: "!"): takeSection()
      case UInt8(ascii: "?"): skip(past: "?>", length: 2)
      case let byte where byte.beginsName: try takeStartTag()
      default:
        output += "&lt;".utf8
        position += 1
      }
      if isEnded { return true }
    }
    return false
  }

  private mutating func append(_ range: Range<Int>, _ context: TextRepair.Context) {
    // A name of its own for the bytes, as the output is written to.
    let bytes = bytes
    TextRepair.append(bytes.span.extracting(range), context, to: &output)
  }

  private mutating func skip(past literal: StaticString, length: Int) {
    position = bytes.span.firstIndex(of: literal, from: position + 2).map { $0 + length } ?? bytes.count
  }

  /// A CDATA section is kept; comments and declarations are dropped.
  private mutating func takeSection() {
    if bytes.span.has("<![CDATA[", at: position) {
      let start = position + "<![CDATA[".utf8.count
      guard let end = bytes.span.firstIndex(of: "]]>", from: start) else {
        position = bytes.count
        return
      }
      output += "<![CDATA[".utf8
      append(start..<end, .section)
      output += "]]>".utf8
      position = end + 3
    } else if bytes.span.has("<!--", at: position) {
      position = bytes.span.firstIndex(of: "-->", from: position + 4).map { $0 + 3 } ?? bytes.count
    } else {
      skip(past: ">", length: 1)
    }
  }

  private mutating func takeEndTag() {
    let name = nameRange(from: position + 2)
    guard let end = bytes[name.upperBound...].firstIndex(of: UInt8(ascii: ">")) else {
      position = bytes.count
      return
    }
    position = end + 1
    guard let depth = open.lastIndex(where: { bytes[$0] == bytes[name] }) else { return }
    while open.count > depth { close(open.removeLast()) }
    isEnded = open.isEmpty
  }

  private mutating func close(_ name: Range<Int>) {
    output += "</".utf8
    output += bytes[name]
    output.append(UInt8(ascii: ">"))
  }

  private func nameRange(from start: Int) -> Range<Int> {
    var end = min(start, bytes.count)
    while end < bytes.count, bytes[end].continuesName { end += 1 }
    return min(start, bytes.count)..<end
  }
}

// MARK: Start tags

extension DocumentRepair {
  private mutating func takeStartTag() throws(ParseError) {
    let name = nameRange(from: position + 1)
    let begin = output.count
    output.append(UInt8(ascii: "<"))
    output += bytes[name]
    var index = name.upperBound
    var names: [Range<Int>] = []
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") { break }
      if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") { break }
      if byte.beginsName {
        index = takeAttribute(at: index, &names)
      } else {
        index += 1
      }
    }
    guard index < bytes.count else {
      // A tag that is cut off.
      output.removeLast(output.count - begin)
      position = bytes.count
      return
    }
    output.append(UInt8(ascii: ">"))
    open.append(name)
    guard open.count <= limits.depth else {
      throw .tooDeep(limit: limits.depth, line: 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") })
    }
    position = index
    if bytes[index] == UInt8(ascii: "/") {
      close(open.removeLast())
      isEnded = open.isEmpty
      position += 2
    } else if bytes[index] == UInt8(ascii: ">") {
      position += 1
    }
  }

  /// Copies an attribute if it is one; returns the index after it.
  private mutating func takeAttribute(at start: Int, _ names: inout [Range<Int>]) -> Int {
    let name = nameRange(from: start)
    var index = name.upperBound
    while index < bytes.count, Document.isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return name.upperBound }
    index += 1
    while index < bytes.count, Document.isSpace(bytes[index]) { index += 1 }
    guard let value = valueRange(from: index) else { return index }
    let isWanted =
      names.count < 64 && value.count <= 16 << 10 && name.count <= 256 && !names.contains { bytes[$0] == bytes[name] }
    if isWanted {
      names.append(name)
      output.append(UInt8(ascii: " "))
      output += bytes[name]
      output += "=\"".utf8
      append(value, .attribute)
      output.append(UInt8(ascii: "\""))
    }
    let isQuoted = value.lowerBound > index
    return value.upperBound + (isQuoted ? 1 : 0)
  }

  /// The range of a value with or without quotes; nil if its quote is not closed.
  private mutating func valueRange(from start: Int) -> Range<Int>? {
    guard start < bytes.count else { return nil }
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      var end = start
      while end < bytes.count, !Document.isSpace(bytes[end]), bytes[end] != UInt8(ascii: ">"),
        bytes[end] != UInt8(ascii: "<")
      {
        end += 1
      }
      return start..<end
    }
    if quote == UInt8(ascii: "'") ? noQuote : noDoubleQuote { return nil }
    guard let end = bytes[(start + 1)...].firstIndex(of: quote) else {
      if quote == UInt8(ascii: "'") { noQuote = true } else { noDoubleQuote = true }
      return nil
    }
    return (start + 1)..<end
  }
}

/// Makes characters valid.
enum TextRepair {
  /// What the characters are in.
  enum Context { case text, section, attribute }

  /// Appends the characters as XML that is well-formed in its context.
  static func append(_ bytes: Span<UInt8>, _ context: Context, to output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x80 {
        index += appendSequence(bytes, at: index, to: &output)
        continue
      }
      switch byte {
      case UInt8(ascii: "&") where context != .section:
        index += appendReference(bytes, at: index, to: &output)
        continue
      case UInt8(ascii: "<") where context == .attribute: output += "&lt;".utf8
      case UInt8(ascii: "\"") where context == .attribute: output += "&quot;".utf8
      case UInt8(ascii: ">") where context == .text: output += "&gt;".utf8
      case 0..<0x20 where !Document.isSpace(byte): break
      default: output.append(byte)
      }
      index += 1
    }
  }

  /// Appends the reference at an `&` as a number, or the `&` escaped; returns the length of what was read.
  private static func appendReference(_ bytes: Span<UInt8>, at index: Int, to output: inout [UInt8]) -> Int {
    if let reference = HTMLEntity.Reference(bytes, at: index + 1) {
      output += "&#\(reference.scalar.value);".utf8
      return 1 + reference.length
    }
    if bytes.has("&#", at: index) {
      // The number of a character that XML forbids.
      var end = index + 2
      while end < bytes.count, end - index < 12, bytes[end].isLetterOrDigit { end += 1 }
      if end > index + 2, end < bytes.count, bytes[end] == UInt8(ascii: ";") { return end + 1 - index }
    }
    output += "&#38;".utf8
    return 1
  }

  /// Appends the UTF-8 sequence at `index`, or one byte of windows-1252; returns the length of what was read.
  private static func appendSequence(_ bytes: Span<UInt8>, at index: Int, to output: inout [UInt8]) -> Int {
    let first = bytes[index]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    if index + length <= bytes.count, String(utf8: bytes.extracting(index..<(index + length))) != nil {
      // U+FFFE and U+FFFF are not characters of XML.
      if first == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE { return length }
      for offset in 0..<length { output.append(bytes[index + offset]) }
      return length
    }
    let scalar = Unicode.Scalar(SingleByteEncoding.windows1252.scalar(first)) ?? "\u{FFFD}"
    output.append(contentsOf: UTF8.encode(scalar) ?? .init())
    return 1
  }
}
