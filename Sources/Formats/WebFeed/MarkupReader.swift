import Core
import FeedParser

/// Reads the text out of HTML, front to back, until enough is read.
struct MarkupReader {
  /// What is between the last word and the next.
  private enum Gap: UInt8 { case none, space, line, paragraph }

  private var text: [UInt8] = []
  /// Unicode scalars in `text`.
  private var scalars = 0
  private var gap = Gap.none
  private let keepsLines: Bool
  private let isTitle: Bool

  /// The text of some UTF-8: white space collapsed, control characters dropped, as much of it as `limit` characters or bytes
  /// may need.
  ///
  /// - Parameters:
  ///   - isMarkup: whether tags are dropped and references decoded.
  ///   - keepsLines: whether the ends of lines and paragraphs are kept; otherwise they become a space.
  ///   - isTitle: whether a `<` begins a tag only before the name of one: `Vec<T>` is text in a title.
  static func text(of bytes: Span<UInt8>, isMarkup: Bool, keepsLines: Bool, isTitle: Bool, limit: Int) -> String {
    var reader = MarkupReader(keepsLines: keepsLines, isTitle: isTitle)
    reader.text.reserveCapacity(min(bytes.count, 2 * limit))
    reader.read(bytes, isMarkup: isMarkup, limit: limit)
    if let text = String(utf8: reader.text.span) { return text }
    return String(decoding: reader.text, as: UTF8.self).replacing("\u{FFFD}", with: "")
  }

  private init(keepsLines: Bool, isTitle: Bool) { (self.keepsLines, self.isTitle) = (keepsLines, isTitle) }

  private mutating func read(_ bytes: Span<UInt8>, isMarkup: Bool, limit: Int) {
    var index = 0
    while index < bytes.count, scalars <= limit {
      let byte = bytes[index]
      if byte <= 0x20 || byte == 0x7F {
        widen(to: keepsLines && !isMarkup && byte == UInt8(ascii: "\n") ? .line : .space)
        index += 1
      } else if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] <= 0xA0 {
        // A no-break space, or a control character.
        if bytes[index + 1] == 0xA0 { widen(to: .space) }
        index += 2
      } else if isMarkup, byte == UInt8(ascii: "<") {
        index = skipTag(bytes, at: index)
      } else if isMarkup, byte == UInt8(ascii: "&") {
        index = decodeReference(bytes, at: index)
      } else {
        index = appendWord(bytes, from: index)
      }
    }
  }

  /// Appends the letters up to white space or the sign of a tag or reference; returns the index after them.
  private mutating func appendWord(_ bytes: Span<UInt8>, from start: Int) -> Int {
    closeGap()
    var (index, count) = (start, 0)
    repeat {
      if bytes[index] & 0xC0 != 0x80 { count += 1 }
      index += 1
    } while index < bytes.count && bytes[index].isPartOfWord
    text.append(bytes.extracting(start..<index))
    scalars += count
    return index
  }

  private mutating func widen(to next: Gap) {
    if next.rawValue > gap.rawValue { gap = next }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0...0x20, 0xA0, 0x85, 0x2028, 0x2029: widen(to: .space)
    case 0x7F...0x9F, 0xAD, 0x200B, 0xFEFF: break
    default:
      closeGap()
      text.append(contentsOf: UTF8.encode(scalar) ?? .init())
      scalars += 1
    }
  }

  private mutating func closeGap() {
    defer { gap = .none }
    guard !text.isEmpty, gap != .none else { return }
    switch keepsLines ? gap : .space {
    case .none, .space: text.append(UInt8(ascii: " "))
    case .line: text.append(UInt8(ascii: "\n"))
    case .paragraph: text.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])
    }
    scalars += 1
  }

  /// Appends the character of the reference at `start`, or the `&` if it is not one; returns the index after it.
  private mutating func decodeReference(_ bytes: Span<UInt8>, at start: Int) -> Int {
    if let reference = HTMLEntity.Reference(bytes, at: start + 1) {
      append(reference.scalar)
      return start + 1 + reference.length
    }
    append(Unicode.Scalar(UInt8(ascii: "&")))
    return start + 1
  }

  /// Skips the tag, comment or section at `start`, or appends the `<` if there is none; returns the index after it.
  private mutating func skipTag(_ bytes: Span<UInt8>, at start: Int) -> Int {
    if bytes.has("<!--", at: start) {
      return bytes.firstIndex(of: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
    }
    guard let tag = HTMLTag(bytes, at: start), !isTitle || tag.kind != .unknown else {
      append(Unicode.Scalar(UInt8(ascii: "<")))
      return start + 1
    }
    if tag.kind == .hidden, !tag.isEnd { return tag.endOfHidden(in: bytes) }
    switch tag.kind {
    case .unknown, .inline, .hidden: break
    case .line: widen(to: .line)
    case .paragraph: widen(to: .paragraph)
    }
    return tag.end(in: bytes)
  }
}

extension UInt8 {
  /// Whether it is neither white space, nor a control character, nor `<` nor `&`, nor may begin a no-break space.
  fileprivate var isPartOfWord: Bool {
    self > 0x20 && self != UInt8(ascii: "<") && self != UInt8(ascii: "&") && self != 0x7F && self != 0xC2
  }
}

/// A start or end tag of HTML.
struct HTMLTag {
  /// What an element is to the text around it.
  enum Kind: UInt8 {
    /// Not of HTML.
    case unknown
    /// Part of the line.
    case inline
    /// A line, or a paragraph, of its own.
    case line, paragraph
    /// Its content is not shown.
    case hidden
  }

  /// The first eight letters of the name, in lower case, the last in the lowest byte.
  private let key: UInt64
  /// What the element is.
  let kind: Kind
  /// Whether it is an end tag.
  let isEnd: Bool
  /// The index after the name.
  private let nameEnd: Int

  /// The tag at `start`, where a `<` is; nil if none begins there.
  init?(_ bytes: Span<UInt8>, at start: Int) {
    var index = start + 1
    isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isEnd { index += 1 }
    guard index < bytes.count,
      bytes[index].isLetter || bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "?")
    else { return nil }
    let first = index
    var key: UInt64 = 0
    while index < bytes.count, bytes[index].isLetterOrDigit {
      if index - first < 8 { key = key << 8 | UInt64(bytes[index] | 0x20) }
      index += 1
    }
    self.key = key
    kind = HTMLTag.kinds[key] ?? .unknown
    nameEnd = index
  }

  /// The index after the `>` that closes the tag, of which quotes may hold others; the end of the bytes if it is not closed.
  func end(in bytes: Span<UInt8>) -> Int {
    var (index, quote): (Int, UInt8) = (nameEnd, 0)
    while index < bytes.count {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && bytes[index - 1] == UInt8(ascii: "=") {
        quote = byte
      }
      index += 1
    }
    return bytes.count
  }

  /// The index after the end tag of a hidden element.
  func endOfHidden(in bytes: Span<UInt8>) -> Int {
    var index = end(in: bytes)
    while let close = bytes.firstIndex(of: "</", from: index) {
      guard let tag = HTMLTag(bytes, at: close) else {
        index = close + 2
        continue
      }
      if tag.isEnd, tag.key == key { return tag.end(in: bytes) }
      index = close + 2
    }
    return bytes.count
  }

  /// The elements of HTML, by the key of their names.
  private static let kinds: [UInt64: Kind] = {
    let rows: [(Kind, String)] = [
      (
        .inline,
        "a abbr acronym b bdi bdo big blink cite code data del dfn em font i img input ins kbd label mark nobr q rp rt ruby "
          + "s samp small span strike strong sub sup time tt u var wbr audio video source picture center html body"
      ),
      (
        .line,
        "br li tr dt dd div td th hr option figcaption caption section article header footer main nav aside"
      ),
      (
        .paragraph,
        "p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure details summary address form fieldset"
      ), (.hidden, "script style head template noscript iframe object svg math"),
    ]
    var kinds: [UInt64: Kind] = [:]
    for (kind, names) in rows {
      for name in names.split(separator: " ") {
        kinds[name.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1 | 0x20) }] = kind
      }
    }
    return kinds
  }()
}
