import Core

/// A word or a quoted phrase of a search, without regard to case and accents.
///
/// It is found anywhere in a title or a channel's title. In a description it is found where a word begins; scripts that
/// do not separate words, and signs, begin everywhere. One of signs alone is looked for in titles only.
struct SearchTerm: Equatable {
  /// Normalised, with one blank for white space.
  let bytes: [UInt8]
  /// What narrows the descriptions by FTS5; nil if the term is not looked for in descriptions.
  let expression: String?
  /// Whether FTS5 finds too many descriptions, so that their texts must be read.
  let mustRead: Bool

  /// A term of text without quotes; nil if nothing is left of it.
  private init?(_ text: Substring) {
    let bytes = SearchTerm.collapsed(NormalizedText.bytes(of: String(text)))
    guard !bytes.isEmpty else { return nil }
    self.bytes = bytes
    let tokens = SearchTerm.tokens(bytes)
    let words = tokens.filter { $0.sort != .signs }
    guard let last = words.last else {
      (expression, mustRead) = (nil, false)
      return
    }
    // A token that ends with the term may go on in a text; two neighbours are whole.
    let isPair = last.sort == .pair && !TextToken.isOneCharacter(bytes[last.bytes])
    let isOpen = last.bytes.upperBound == bytes.count && !isPair
    expression = words.enumerated().map { index, token in
      // No token has a quotation mark.
      let quoted = "\"\(String(decoding: bytes[token.bytes], as: UTF8.self))\""
      return index == words.count - 1 && isOpen ? quoted + " *" : quoted
    }.joined(separator: " ")
    mustRead = tokens.count > 1
  }

  /// The most terms of a search; each takes a pass over all titles.
  static let most = 50

  /// The terms of a search, each once: words separated by white space, and phrases in double quotes. Ends after one
  /// more than `most`.
  static func terms(_ text: String) -> [SearchTerm] {
    var terms: [SearchTerm] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      let words = index % 2 == 1 ? [part] : part.split(whereSeparator: \.isWhitespace)
      for term in words.lazy.compactMap({ SearchTerm($0) }) where !terms.contains(term) {
        terms.append(term)
        if terms.count > most { return terms }
      }
    }
    return terms
  }

  private static func tokens(_ bytes: [UInt8]) -> [TextToken] {
    var tokens: [TextToken] = []
    TextToken.forEach(in: bytes.span) { tokens.append($0) }
    return tokens
  }

  /// A normalised text with one blank for each run of white space, and none at the ends.
  static func collapsed(_ text: [UInt8]) -> [UInt8] {
    var collapsed: [UInt8] = []
    collapsed.reserveCapacity(text.count)
    for byte in text {
      if byte > 0x20, byte != 0x7f {
        collapsed.append(byte)
      } else if let last = collapsed.last, last != 0x20 {
        collapsed.append(0x20)
      }
    }
    if collapsed.last == 0x20 { collapsed.removeLast() }
    return collapsed
  }

  /// Whether the term is in a normalised description where a word begins.
  func begins(in description: [UInt8]) -> Bool {
    let text = bytes.contains(0x20) ? SearchTerm.collapsed(description) : description
    let isWord = TextToken.character(in: bytes.span, at: 0).sort == .word
    var place = 0
    while let found = SearchWords.position(of: bytes, in: text.span.bytes, from: place) {
      if !isWord || !TextToken.isAfterWord(found, in: text.span) { return true }
      place = found + 1
    }
    return false
  }
}
