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
  /// Calls `body` with every token of a text that `NormalizedText` folded, from its beginning to its end.
  static func forEach(in text: UnsafeRawBufferPointer, _ body: (TextToken) -> Void) {
    classes.withUnsafeBufferPointer { classes in
      var place = 0
      while place < text.count {
        let start = place
        switch classes[Int(text[place])] {
        case .blank: place += 1
        case .word:
          place = end(of: .word, in: text, from: place + 1, classes)
          body(TextToken(bytes: start..<place, sort: .word))
        case .signs:
          place = end(of: .signs, in: text, from: place + 1, classes)
          body(TextToken(bytes: start..<place, sort: .signs))
        case .pair: place = pairs(in: text, from: place, body)
        case .open:
          guard case (.pair?, _) = character(in: text, at: place) else {
            place = end(of: .word, in: text, from: place + 1, classes)
            body(TextToken(bytes: start..<place, sort: .word))
            continue
          }
          place = pairs(in: text, from: place, body)
        }
      }
    }
  }

  /// Where a run ends that has got as far as a place.
  private static func end(
    of run: ByteClass, in text: UnsafeRawBufferPointer, from start: Int, _ classes: UnsafeBufferPointer<ByteClass>
  ) -> Int {
    var place = start
    while place < text.count {
      let next = classes[Int(text[place])]
      if next != run {
        guard next == .open, run == .word, case (.word?, _) = character(in: text, at: place) else { return place }
      }
      place += 1
    }
    return place
  }

  /// What a byte makes where a character begins with it, and of a run of letters what each of its bytes makes.
  private enum ByteClass: UInt8 {
    case blank, word, signs, pair
    /// The bytes behind it decide.
    case open
  }

  /// The classes of all bytes: one look for each byte of all texts.
  private static let classes: [ByteClass] = (0...255 as ClosedRange<UInt8>).map { byte in
    if byte == 0xe0 || byte == 0xf0 { return .open }
    let sort = [byte, 0, 0, 0].withUnsafeBytes { character(in: $0, at: 0).sort }
    return switch sort {
    case nil: .blank
    case .word?: .word
    case .signs?: .signs
    case .pair?: .pair
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
