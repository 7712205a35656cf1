/// A piece of a folded text by which the index of texts finds it: `trains`, `://`, `東京`.
///
/// Every byte of a text that is no blank is in a token, and a token is as long as it can be. Therefore a word without a
/// change of class in it is in a text just where it is in one of its tokens.
struct TextToken: Equatable {
  var bytes: Range<Int>
  var sort: Sort

  /// What a token is made of.
  enum Sort {
    /// Letters and digits of writing that parts its words.
    case word
    /// Signs of ASCII.
    case signs
    /// Two neighbours in writing that parts no words, where a run would be a sentence; one, where it stands alone.
    case pair
  }
}

extension TextToken {
  /// Calls `body` with every token of a text that `FoldedText` folded, from its beginning to its end.
  static func forEach(in text: UnsafeRawBufferPointer, _ body: (TextToken) -> Void) {
    var place = 0
    while place < text.count {
      let (sort, length) = character(in: text, at: place)
      switch sort {
      case nil: place += length
      case .pair?: place = pairs(in: text, from: place, body)
      case let run?:
        let start = place
        place += length
        while place < text.count, case (run?, let length) = character(in: text, at: place) { place += length }
        body(TextToken(bytes: start..<place, sort: run))
      }
    }
  }

  /// Gives the pairs of a run and returns its end.
  private static func pairs(in text: UnsafeRawBufferPointer, from start: Int, _ body: (TextToken) -> Void) -> Int {
    var before = start
    var place = start + character(in: text, at: start).length
    while place < text.count, case (.pair?, let length) = character(in: text, at: place) {
      body(TextToken(bytes: before..<place + length, sort: .pair))
      (before, place) = (place, place + length)
    }
    if before == start { body(TextToken(bytes: start..<place, sort: .pair)) }
    return place
  }

  /// What the character at a place makes, nil for a blank, and how many bytes it has.
  private static func character(in text: UnsafeRawBufferPointer, at place: Int) -> (sort: Sort?, length: Int) {
    let first = text[place]
    switch first {
    case 0...0x20, 0x7f: return (nil, 1)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return (.word, 1)
    case 0x21..<0x7f: return (.signs, 1)
    // U+3000 to U+9FFF: kana and ideographs.
    case 0xe3...0xe9: return (.pair, min(3, text.count - place))
    // U+0E00 to U+0EFF: Thai and Lao.
    case 0xe0 where place + 2 < text.count && (0xb8...0xbb).contains(text[place + 1]): return (.pair, 3)
    // U+20000 and above: rare ideographs.
    case 0xf0 where place + 3 < text.count && text[place + 1] >= 0xa0: return (.pair, 4)
    default: return (.word, 1)
    }
  }
}
