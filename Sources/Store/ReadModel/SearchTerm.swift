import Core

/// A word or a quoted phrase of a search, without regard to case and accents.
///
/// It is found anywhere in a title or a channel's title. In a description it is found where a word begins; scripts that
/// do not separate words, and signs, begin everywhere. One of signs alone is looked for in titles only.
struct SearchTerm: Equatable {
  /// Normalised, with one blank for white space.
  let bytes: [UInt8]
  /// What narrows the descriptions by full-text search; empty if the term is not looked for in descriptions.
  let words: [Word]
  /// Whether its words find too many descriptions, so that their texts must be read.
  let mustRead: Bool

  /// A word that descriptions must have, or, of a prefix, words that begin so.
  struct Word: Equatable {
    var bytes: ArraySlice<UInt8>
    var isPrefix: Bool
  }

  /// A term of text without quotes; nil if nothing is left of it.
  private init?(_ text: Substring) {
    let bytes = SearchTerm.collapsed(NormalizedText.bytes(of: String(text)))
    guard !bytes.isEmpty else { return nil }
    self.bytes = bytes
    let tokens = SearchTerm.tokens(bytes)
    let words = tokens.filter { $0.sort != .signs }
    guard let last = words.last else {
      (self.words, mustRead) = ([], false)
      return
    }
    // A token that ends with the term may go on in a text; two neighbours are whole.
    let isPair = last.sort == .pair && !TextToken.isOneCharacter(bytes[last.bytes])
    let isOpen = last.bytes.upperBound == bytes.count && !isPair
    self.words = words.enumerated().map { index, token in
      Word(bytes: bytes[token.bytes], isPrefix: index == words.count - 1 && isOpen)
    }
    mustRead = tokens.count > 1
  }

  /// The words as FTS5 is asked for them; nil without any.
  var expression: String? {
    if words.isEmpty { return nil }
    return words.map { word in
      // No word has a quotation mark.
      "\"\(String(decoding: word.bytes, as: UTF8.self))\"" + (word.isPrefix ? " *" : "")
    }.joined(separator: " ")
  }

  /// The maximum number of terms of a search; each takes a pass over all titles.
  static let maximum = 50

  /// The terms of a search, each once: words separated by white space, and phrases in double quotes. Ends after one
  /// more than `maximum`.
  static func terms(_ text: String) -> [SearchTerm] {
    var terms: [SearchTerm] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      let words = index % 2 == 1 ? [part] : part.split(whereSeparator: \.isWhitespace)
      for term in words.lazy.compactMap({ SearchTerm($0) }) where !terms.contains(term) {
        terms.append(term)
        if terms.count > maximum { return terms }
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
    var start = 0
    while let found = SearchWords.position(of: bytes, in: text.span.bytes, from: start) {
      if !isWord || !TextToken.isAfterWord(found, in: text.span) { return true }
      start = found + 1
    }
    return false
  }
}

/// The words of a search, without regard to case and accents.
package struct SearchWords: Equatable, Sendable {
  /// The words, normalised; none of them is empty.
  let words: [[UInt8]]

  /// The words of a text, separated by white space, each once; without any, everything matches.
  package init(_ text: String) {
    var seen: Set<[UInt8]> = []
    words = text.split(whereSeparator: \.isWhitespace).map { NormalizedText.bytes(of: String($0)) }.filter {
      !$0.isEmpty && seen.insert($0).inserted
    }
  }

  /// The maximum number of words of a new rule.
  package static let maximum = SearchTerm.maximum

  /// Whether there is no word, so that every text matches.
  package var isEmpty: Bool { words.isEmpty }

  /// How many there are.
  package var count: Int { words.count }

  /// Whether every word is in a normalised text.
  package func match(_ text: [UInt8]) -> Bool { words.allSatisfy { SearchWords.occurs($0, in: text) } }

  /// Whether a word is in a text, both normalised.
  static func occurs(_ word: [UInt8], in text: [UInt8]) -> Bool {
    position(of: word, in: text.span.bytes, from: 0) != nil
  }

  /// Where a word that is not empty begins in a text, at or after an offset; nil if it is not there.
  static func position(of word: [UInt8], in text: RawSpan, from offset: Int) -> Int? {
    guard !word.isEmpty, text.byteCount - offset >= word.count else { return nil }
    let rare = rarest(of: word)
    // Where the word's rarest byte can be.
    var start = offset + rare
    let end = text.byteCount - word.count + rare + 1
    while let found = position(of: word[rare], in: text, from: start), found < end {
      var same = 0
      while same < word.count, text.unsafeLoad(fromByteOffset: found - rare + same, as: UInt8.self) == word[same] {
        same += 1
      }
      if same == word.count { return found - rare }
      start = found + 1
    }
    return nil
  }

  /// Where a byte is in a text, at or after an offset; nil if it is not there. Tests eight bytes at a time; only the
  /// lowest bit found is certain: a zero byte borrows from the next.
  static func position(of byte: UInt8, in text: RawSpan, from offset: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = UInt64(byte) * ones
    var index = offset
    while index + 8 <= text.byteCount {
      let word = UInt64(littleEndian: text.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ pattern
      let found = (word &- ones) & ~word & 0x8080_8080_8080_8080
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < text.byteCount {
      if text.unsafeLoad(fromByteOffset: index, as: UInt8.self) == byte { return index }
      index += 1
    }
    return nil
  }

  /// The index of the byte that is rarest in texts: a search for it seldom stops.
  private static func rarest(of word: [UInt8]) -> Int {
    var (best, least) = (0, UInt8.max)
    for index in word.indices where frequency(word[index]) < least { (best, least) = (index, frequency(word[index])) }
    return best
  }

  /// About how often a byte is in normalised texts, from 0.
  private static func frequency(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: " "): 250
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      // Of 1,000 letters of English.
      letters[Int(byte - UInt8(ascii: "a"))]
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 12
    // Lead bytes of a script are in every letter of it.
    case 0xc0...: 200
    case 0x80...: 30
    default: 8
    }
  }

  private static let letters: [UInt8] = [
    82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1,
  ]
}
