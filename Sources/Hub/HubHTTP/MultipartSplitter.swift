import Glibc
import NIOCore

/// Splits a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1.1) into its parts while it arrives, in pieces of any size.
/// Keeps no content.
package struct MultipartSplitter {
  /// What a piece of the body has, in order.
  package enum Event: Equatable {
    case part(FormPart)
    /// Some of the content of the last part.
    case content(ByteBuffer)
  }

  /// The body is not a form.
  package struct Malformed: Error {}

  private enum State {
    /// Before the first delimiter, which no content precedes.
    case start
    case content
    /// Behind a delimiter.
    case line
    case head
    /// Behind the last delimiter.
    case end
  }

  private var state = State.start
  private var delimiter: SplitSearch
  private var headEnd = SplitSearch(for: Array("\r\n\r\n".utf8))
  /// What has come of a line or of a head.
  private var kept: [UInt8] = []
  private var parts = 0

  private static let maxParts = 50
  private static let maxHeadBytes = 8 << 10

  /// A splitter of a body whose parts this text separates.
  package init(boundary: String) {
    // The first delimiter lacks the line break.
    delimiter = SplitSearch(for: Array("\r\n--\(boundary)".utf8), matched: 2)
  }

  /// The boundary that a `Content-Type` header names: `multipart/form-data; boundary="x"`; nil if absent or too long.
  package static func boundary(of type: String) -> String? {
    for part in type.split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard sides.count == 2, sides[0].lowercased() == "boundary" else { continue }
      let text = sides[1].filter { $0 != "\"" }
      return (1...70).contains(text.utf8.count) ? String(text) : nil
    }
    return nil
  }

  /// Whether the last delimiter has come.
  package var isComplete: Bool { state == .end }

  /// Takes the next piece of the body.
  package mutating func take(_ piece: ByteBuffer) throws(Malformed) -> [Event] {
    var (rest, events): (ByteBuffer, [Event]) = (piece, [])
    while rest.readableBytes > 0, state != .end {
      switch state {
      case .start:
        let found = delimiter.look(in: rest.readableBytesView)
        guard found.released.isEmpty, found.before == 0 else { throw Malformed() }
        if found.isFound { state = .line }
        rest.moveReaderIndex(forwardBy: found.end)
      case .content:
        let found = delimiter.look(in: rest.readableBytesView)
        if !found.released.isEmpty { events.append(.content(ByteBuffer(bytes: found.released))) }
        if found.before > 0, let content = rest.readSlice(length: found.before) { events.append(.content(content)) }
        rest.moveReaderIndex(forwardBy: found.end - found.before)
        if found.isFound { state = .line }
      case .line: try takeLine(&rest)
      case .head:
        let found = headEnd.look(in: rest.readableBytesView)
        kept += found.released + rest.readableBytesView.prefix(found.before)
        rest.moveReaderIndex(forwardBy: found.end)
        guard kept.count <= MultipartSplitter.maxHeadBytes else { throw Malformed() }
        if found.isFound { events.append(.part(try part())) }
      case .end: break
      }
    }
    return events
  }

  /// Takes what follows a delimiter: a line break, or `--` behind the last one.
  private mutating func takeLine(_ rest: inout ByteBuffer) throws(Malformed) {
    kept += rest.readBytes(length: min(2 - kept.count, rest.readableBytes)) ?? []
    guard kept.count == 2 else { return }
    let line = kept
    kept = []
    if line == Array("--".utf8) {
      state = .end
      return
    }
    guard line == Array("\r\n".utf8), parts < MultipartSplitter.maxParts else { throw Malformed() }
    state = .head
    // The line break may belong to the empty line of a head without fields.
    headEnd = SplitSearch(for: Array("\r\n\r\n".utf8), matched: 2)
  }

  private mutating func part() throws(Malformed) -> FormPart {
    guard let part = FormPart(header: kept) else { throw Malformed() }
    kept = []
    parts += 1
    state = .content
    return part
  }
}

/// Looks for a text in bytes that come in pieces. What has come of it may have to be released as something else, but never
/// contains its beginning: it begins with CR and, if it has another one, the same follows both. So each byte is compared
/// at most twice.
struct SplitSearch {
  /// What was found in a piece.
  struct Found {
    /// Bytes of earlier pieces that are not part of the text.
    var released: ArraySlice<UInt8>
    /// How many bytes of this piece are before the text, or what may be its beginning.
    var before: Int
    /// Behind the text; else the end of the piece.
    var end: Int
    var isFound: Bool
  }

  private let text: [UInt8]
  /// The number of bytes of the text with which the previous bytes end.
  private var matched: Int
  /// The number of bytes compared.
  private(set) var comparisons = 0

  init(for text: [UInt8], matched: Int = 0) { (self.text, self.matched) = (text, matched) }

  /// Looks through a piece up to the end of the text, if it has one.
  mutating func look(in piece: ByteBufferView) -> Found {
    piece.withUnsafeBytes { bytes in
      var (released, held, index): (ArraySlice<UInt8>, Int, Int) = ([], matched, 0)
      while index < bytes.count {
        if matched == 0 {
          guard let start = SplitSearch.carriageReturn(in: bytes, from: index) else {
            index = bytes.count
            break
          }
          index = start
        }
        comparisons += 1
        while index < bytes.count, matched < text.count, bytes[index] == text[matched] {
          (index, matched, comparisons) = (index + 1, matched + 1, comparisons + 1)
        }
        if matched == text.count {
          matched = 0
          return Found(released: released, before: max(0, index - text.count), end: index, isFound: true)
        }
        guard index < bytes.count else { break }
        if held > 0 { released = text[..<held] }
        (held, matched) = (0, 0)
      }
      return Found(released: released, before: index - (matched - held), end: index, isFound: false)
    }
  }

  /// The next CR (`memchr`).
  private static func carriageReturn(in bytes: UnsafeRawBufferPointer, from index: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    return memchr(base + index, 13, bytes.count - index).map { UnsafeRawPointer($0) - base }
  }
}

/// The head of a part of a form.
package struct FormPart: Equatable {
  /// The name of the field.
  package var name: String
  /// The name of the file; nil if the part is a field.
  package var file: String?

  /// Reads `Content-Disposition: form-data; name="file"; filename="subscriptions.csv"`; nil if that is missing.
  init?(header: [UInt8]) {
    let lines = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let name = FormPart.parameter("name", of: line)
    else { return nil }
    (self.name, file) = (name, FormPart.parameter("filename", of: line))
  }

  /// A parameter in quotes, in which browsers write a quote as `%22`.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    guard let start = line.firstRange(of: "; \(name)=\"")?.upperBound else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
  }
}
