import Core

/// Text out of what feeds write: plain, HTML, or HTML that was escaped once more.
enum PlainText {
  /// How a text is written.
  enum Form: Equatable {
    /// As it is; `<` and `&` stand for themselves (Atom `type="text"`).
    case plain
    /// HTML.
    case html
    /// RSS does not say: HTML, where `<` begins a tag only before the name of one; escaped twice at times.
    case guessed
    /// HTML in Base64 (Atom 0.3, `mode="base64"`).
    case base64
  }

  /// A text in one line, without markup, of at most `limit` characters; nil if nothing is left.
  static func line(_ bytes: Span<UInt8>, _ form: Form, limit: Int) -> String? {
    let text: String
    switch form {
    case .base64:
      return Base64.decode(bytes).flatMap { line($0.span, .html, limit: limit) }
    case .plain:
      text = MarkupReader.text(of: bytes, isMarkup: false, keepsLines: false, isTitle: true, limit: limit)
    case .html:
      text = MarkupReader.text(of: bytes, isMarkup: true, keepsLines: false, isTitle: true, limit: limit)
    case .guessed:
      let once = MarkupReader.text(of: bytes, isMarkup: true, keepsLines: false, isTitle: true, limit: limit)
      // `&lt;b&gt;…&lt;/b&gt;` and `AT&amp;amp;T`: a text that was escaped twice. A tag that is not closed is a tag that
      // the title is about.
      text =
        once.utf8.contains(UInt8(ascii: "&")) || once.utf8.span.firstIndex(of: "</", from: 0) != nil
        ? MarkupReader.text(of: once.utf8.span, isMarkup: true, keepsLines: false, isTitle: true, limit: limit) : once
    }
    return text.isEmpty ? nil : cut(text, toCharacters: limit)
  }

  /// The beginning of a description in one line, of at most `limit` characters; nil if there is no text in it.
  static func summary(_ bytes: Span<UInt8>, _ form: Form, limit: Int) -> String? {
    if form == .base64 { return Base64.decode(bytes).flatMap { summary($0.span, .html, limit: limit) } }
    let text = MarkupReader.text(
      of: bytes, isMarkup: form != .plain, keepsLines: false, isTitle: false, limit: limit)
    return text.isEmpty ? nil : cut(text, toCharacters: limit)
  }

  /// The beginning of a description with its line breaks, of at most `limit` bytes; nil if there is no text in it.
  static func notes(_ bytes: Span<UInt8>, _ form: Form, limit: Int) -> String? {
    if form == .base64 { return Base64.decode(bytes).flatMap { notes($0.span, .html, limit: limit) } }
    let text = MarkupReader.text(of: bytes, isMarkup: form != .plain, keepsLines: true, isTitle: false, limit: limit)
    return text.isEmpty ? nil : cut(text, toBytes: limit)
  }

  /// At most the first `limit` Unicode scalars of a text, without a part of a character at the end.
  ///
  /// Counts scalars, of which a character has at least one, because one character can have a million of them.
  static func cut(_ text: String, toCharacters limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex
    else {
      return text
    }
    return String(text[..<boundary(before: end, of: text)])
  }

  /// At most the first `limit` bytes of a text, without a part of a character at the end.
  static func cut(_ text: String, toBytes limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<boundary(before: end, of: text)])
  }

  /// The end of the last character that ends at or before `end`, within the last 32 scalars; else `end`.
  private static func boundary(before end: String.Index, of text: String) -> String.Index {
    var candidate = end
    for _ in 0..<32 {
      if candidate.samePosition(in: text) != nil { return candidate }
      guard candidate > text.startIndex else { break }
      candidate = text.unicodeScalars.index(before: candidate)
    }
    return end
  }
}

/// Base64 (RFC 4648 §4), with white space between the letters.
enum Base64 {
  /// The bytes that a text encodes; nil if it is malformed.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for index in text.indices {
      let letter = text[index]
      if letter <= 0x20 || letter == UInt8(ascii: "=") { continue }
      guard let value = value(of: letter) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
