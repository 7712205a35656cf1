/// Texts as searches and patterns see them: in lower case, without the marks on their letters, with one sort of
/// apostrophe, as UTF-8.
///
/// Without Foundation the standard library takes letters and marks apart only to compare; tables of the Latin letters
/// (U+00C0 to U+024F, U+1E00 to U+1EFF) and the Greek and Cyrillic ones that bear marks are enough here.
package enum FoldedText {
  /// A text folded.
  package static func bytes(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { utf8 in
      // What a String has is UTF-8.
      bytes(of: UnsafeRawBufferPointer(utf8), unescape: nil) ?? []
    }
  }

  /// Appends a text folded.
  package static func append(_ text: String, to bytes: inout [UInt8]) { bytes += self.bytes(of: text) }

  /// A text folded, out of UTF-8 in which `unescape` reads what a backslash begins, if it is not nil: the character, and
  /// how many bytes spell it. Nil where the bytes are no such text.
  package static func bytes(
    of utf8: UnsafeRawBufferPointer, unescape: ((UnsafeRawBufferPointer, Int) -> (Unicode.Scalar, length: Int)?)?
  ) -> [UInt8]? {
    var writer = FoldedWriter(capacity: utf8.count)
    var place = 0
    while place < utf8.count {
      place = writer.appendPlain(utf8, from: place, stoppingAtBackslash: unescape != nil)
      guard place < utf8.count else { break }
      if utf8[place] < 0x80 {
        guard let (scalar, length) = unescape?(utf8, place) else { return nil }
        writer.append(scalar)
        place += length
      } else {
        guard let (scalar, length) = StrictUTF8.scalar(in: utf8, at: place) else { return nil }
        writer.append(scalar)
        place += length
      }
    }
    return writer.finished
  }

  /// Appends one character folded, which may be none, one or two.
  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if scalar.isASCII { return bytes.append(lowered(UInt8(scalar.value))) }
    if let letter = baseLetter(scalar.value) { return bytes.append(letter) }
    switch scalar {
    case "ß", "\u{1e9e}": bytes.append(contentsOf: "ss".utf8)
    case "æ", "Æ": bytes.append(contentsOf: "ae".utf8)
    case "œ", "Œ": bytes.append(contentsOf: "oe".utf8)
    // Titles have the printer's apostrophe, keyboards the typewriter's.
    case "\u{2018}", "\u{2019}", "\u{02bc}": bytes.append(UInt8(ascii: "'"))
    case _ where !scalar.mayChange: append(plain: scalar, to: &bytes)
    case _ where scalar.properties.generalCategory == .nonspacingMark: break
    default:
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        append(plain: others[lower] ?? lower, to: &bytes)
      }
    }
  }

  private static func append(plain scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// A byte of ASCII in lower case.
  static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The Latin letter that a character is but for its marks; nil where it is none.
  static func baseLetter(_ value: UInt32) -> UInt8? {
    let letter: UInt8
    switch value {
    case 0xc0...0x24f: letter = latin.utf8Start[Int(value - 0xc0)]
    case 0x1e00...0x1eff: letter = additional.utf8Start[Int(value - 0x1e00)]
    default: return nil
    }
    return letter == UInt8(ascii: ".") ? nil : letter
  }

  /// The letters of U+00C0 to U+024F without their marks; a full stop where one is no such letter.
  private static let latin: StaticString = """
    aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggg\
    gggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnnn..oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
    b......................i..l.....oo.............uu....zz......................aaiioouuuuuuuuuu.aa\
    aa....ggkkoooo..j...gg..nnaa..ooaaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy.........l..\
    ...b..eejj..rryy
    """
  /// Those of U+1E00 to U+1EFF.
  private static let additional: StaticString = """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr\
    ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """

  private static let others: [Unicode.Scalar: Unicode.Scalar] = [
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ϊ": "ι", "ΐ": "ι", "ό": "ο", "ύ": "υ", "ϋ": "υ", "ΰ": "υ", "ώ": "ω",
    "ς": "σ", "ё": "е",
  ]
}

extension Unicode.Scalar {
  /// Whether folding may change it; a quick no for scripts without case and marks, and for emoji.
  var mayChange: Bool {
    switch value {
    case 0x3b1...0x3c1, 0x3c3...0x3c9, 0x430...0x44f, 0x2010...0x2017, 0x201a...0x20cf, 0x2190...0x245f,
      0x2500...0x2bff,
      0x3000...0x3029, 0x3041...0x3096, 0x309b...0x9fff,
      0xac00...0xd7a3, 0x1f000...0x3ffff:
      false
    default: true
    }
  }
}
