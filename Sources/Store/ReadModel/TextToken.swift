/// A piece of a normalised text by which the index of texts finds it: `trains`, `://`, `東京`.
///
/// Every byte of a text that is not blank is in a token, and a token is as long as it can be.
struct TextToken: Equatable {
  var bytes: Range<Int>
  var sort: Sort

  /// What a token is made of.
  enum Sort {
    /// Letters and digits of scripts that separate words.
    case word
    /// Punctuation, symbols and emoji.
    case signs
    /// Two neighbours in scripts that do not separate words, where a run would be a sentence; one if it stands alone.
    case pair
  }
}

extension TextToken {
  /// Calls `body` with every token of a text that `NormalizedText` folded, from its beginning to its end.
  static func forEach(in text: Span<UInt8>, _ body: (TextToken) -> Void) {
    let classes = classes.span
    var position = 0
    while position < text.count {
      let start = position
      switch classes[Int(text[position])] {
      case .blank: position += 1
      case .word:
        position = end(of: .word, in: text, from: position + 1, classes)
        body(TextToken(bytes: start..<position, sort: .word))
      case .signs:
        position = end(of: .signs, in: text, from: position + 1, classes)
        body(TextToken(bytes: start..<position, sort: .signs))
      case .pair: position = pairs(in: text, from: position, body)
      case .open:
        let (sort, length) = character(in: text, at: position)
        switch sort {
        case nil: position += length
        case .pair?: position = pairs(in: text, from: position, body)
        case .word?:
          position = end(of: .word, in: text, from: position + length, classes)
          body(TextToken(bytes: start..<position, sort: .word))
        case .signs?:
          position = end(of: .signs, in: text, from: position + length, classes)
          body(TextToken(bytes: start..<position, sort: .signs))
        }
      }
    }
  }

  /// The end of a run that has reached a position.
  private static func end(
    of run: ByteClass, in text: Span<UInt8>, from start: Int, _ classes: Span<ByteClass>
  ) -> Int {
    var position = start
    while position < text.count {
      let next = classes[Int(text[position])]
      if next == run {
        position += 1
      } else if next == .open, case (let sort?, let length) = character(in: text, at: position),
        sort == (run == .word ? .word : .signs)
      {
        position += length
      } else {
        return position
      }
    }
    return position
  }

  /// What a byte makes where a character begins with it, and of a run of letters what each of its bytes makes.
  private enum ByteClass: UInt8 {
    case blank, word, signs, pair
    /// The bytes behind it decide.
    case open
  }

  /// The classes of all bytes: one look for each byte of all texts.
  private static let classes: [ByteClass] = (0...255 as ClosedRange<UInt8>).map { byte in
    if [0xc2, 0xe0, 0xe2, 0xf0].contains(byte) { return .open }
    let sort = character(in: [byte, 0, 0, 0].span, at: 0).sort
    return switch sort {
    case nil: .blank
    case .word?: .word
    case .signs?: .signs
    case .pair?: .pair
    }
  }

  /// Whether a text is one character.
  static func isOneCharacter(_ text: some Collection<UInt8>) -> Bool {
    text.lazy.filter { $0 & 0xc0 != 0x80 }.prefix(2).count == 1
  }

  /// Gives the pairs of a run and returns its end.
  private static func pairs(in text: Span<UInt8>, from start: Int, _ body: (TextToken) -> Void) -> Int {
    var before = start
    var position = start + character(in: text, at: start).length
    while position < text.count, case (.pair?, let length) = character(in: text, at: position) {
      body(TextToken(bytes: before..<position + length, sort: .pair))
      (before, position) = (position, position + length)
    }
    if before == start { body(TextToken(bytes: start..<position, sort: .pair)) }
    return position
  }

  /// Whether the character before a position belongs to a word.
  static func isAfterWord(_ position: Int, in text: Span<UInt8>) -> Bool {
    var start = position - 1
    while start > 0, text[start] & 0xc0 == 0x80 { start -= 1 }
    return start >= 0 && character(in: text, at: start).sort == .word
  }

  /// What the character at a position makes, nil for a blank, and how many bytes it has.
  static func character(in text: Span<UInt8>, at position: Int) -> (sort: Sort?, length: Int) {
    let first = text[position]
    switch first {
    case 0...0x20, 0x7f: return (nil, 1)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return (.word, 1)
    case 0x21..<0x7f: return (.signs, 1)
    // U+3000 to U+9FFF: kana and ideographs.
    case 0xe3...0xe9: return (.pair, min(3, text.count - position))
    // U+0E00 to U+0EFF: Thai and Lao.
    case 0xe0 where position + 2 < text.count && (0xb8...0xbb).contains(text[position + 1]): return (.pair, 3)
    // U+20000 and above: rare ideographs.
    case 0xf0 where position + 3 < text.count && text[position + 1] >= 0xa0: return (.pair, 4)
    // U+0080 to U+00BF: signs, but for ª, ², ³, µ, ¹ and º.
    case 0xc2 where position + 1 < text.count:
      switch text[position + 1] {
      case 0xaa, 0xb2, 0xb3, 0xb5, 0xb9, 0xba: return (.word, 2)
      case 0xa0: return (nil, 2)
      default: return (.signs, 2)
      }
    // U+2000 to U+2BFF: punctuation and symbols.
    case 0xe2 where position + 2 < text.count && text[position + 1] < 0xb0:
      let isBlank =
        text[position + 1] == 0x80 && (text[position + 2] <= 0x8a || [0xa8, 0xa9, 0xaf].contains(text[position + 2]))
      return (isBlank ? nil : .signs, 3)
    // U+1F000 to U+1FFFF: emoji.
    case 0xf0 where position + 3 < text.count && text[position + 1] == 0x9f: return (.signs, 4)
    default: return (.word, 1)
    }
  }
}
