/// Text normalised for search and patterns: lower case, without diacritics, with one form of apostrophe, as UTF-8.
///
/// Without Foundation the standard library decomposes characters only to compare them; tables of the Latin letters
/// (U+00C0 to U+024F, U+1E00 to U+1EFF) and of the Greek and Cyrillic letters with diacritics suffice here.
package enum NormalizedText {
  /// Normalises a text.
  package static func bytes(of text: String) -> [UInt8] { bytes(of: text.utf8Span.span) ?? [] }

  /// Normalises UTF-8; nil if it is invalid.
  package static func bytes(of utf8: Span<UInt8>) -> [UInt8]? {
    // There is always room for what is left and eight bytes more.
    var bytes = [UInt8](repeating: 0, count: utf8.count + 8)
    var (index, end) = (0, 0)
    while true {
      copyASCII(utf8.bytes, &index, to: &bytes, &end)
      guard index < utf8.count else { break }
      guard let (scalar, length) = scalar(in: utf8, at: index) else { return nil }
      if let letter = baseLetter(scalar.value) {
        bytes[end] = letter
        end += 1
      } else if scalar.mayChange {
        var normalized: [UInt8] = []
        append(scalar, to: &normalized)
        if normalized.count > length { bytes += Array(repeating: 0, count: normalized.count - length) }
        for byte in normalized {
          bytes[end] = byte
          end += 1
        }
      } else {
        for next in index..<index + length {
          bytes[end] = utf8[next]
          end += 1
        }
      }
      index += length
    }
    bytes.removeLast(bytes.count - end)
    return bytes
  }

  /// The character of several bytes at an index, and how many (RFC 3629 §3); nil if the bytes are invalid.
  private static func scalar(in utf8: Span<UInt8>, at start: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    let length = (~utf8[start]).leadingZeroBitCount
    guard 2...4 ~= length, start + length <= utf8.count else { return nil }
    var value = UInt32(utf8[start] & 0x7f >> length)
    for next in start + 1..<start + length {
      guard utf8[next] & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(utf8[next] & 0x3f)
    }
    // The shortest form alone is valid.
    guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000) else { return nil }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  /// Copies ASCII in lower case, eight bytes at once, until another character or the end.
  private static func copyASCII(
    _ text: RawSpan, _ index: inout Int, to bytes: inout [UInt8], _ end: inout Int
  ) {
    var span = bytes.mutableSpan
    var room = span.mutableBytes
    while index + 8 <= text.byteCount {
      let word = UInt64(littleEndian: text.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      room.storeBytes(of: lowered(word).littleEndian, toByteOffset: end, as: UInt64.self)
      let count = (word & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
      (index, end) = (index + count, end + count)
      if count < 8 { return }
    }
    while index < text.byteCount, case let byte = text.unsafeLoad(fromByteOffset: index, as: UInt8.self), byte < 0x80 {
      room.storeBytes(of: lowered(byte), toByteOffset: end, as: UInt8.self)
      (index, end) = (index + 1, end + 1)
    }
  }

  /// Eight bytes of ASCII in lower case, up to the first other byte.
  private static func lowered(_ word: UInt64) -> UInt64 {
    // The highest bit of each byte: from A on, and behind Z.
    let (letters, others) = (word &+ 0x3f3f_3f3f_3f3f_3f3f, word &+ 0x2525_2525_2525_2525)
    return word | (letters & ~others & 0x8080_8080_8080_8080) >> 2
  }

  /// Appends one normalised character, which may become none, one or two.
  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if scalar.isASCII { return bytes.append(lowered(UInt8(scalar.value))) }
    if let letter = baseLetter(scalar.value) { return bytes.append(letter) }
    switch scalar {
    case "ß", "\u{1e9e}": bytes.append(contentsOf: "ss".utf8)
    case "æ", "Æ": bytes.append(contentsOf: "ae".utf8)
    case "œ", "Œ": bytes.append(contentsOf: "oe".utf8)
    // Titles use the typographic apostrophe, keyboards the straight one.
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

  /// An ASCII byte in lower case.
  static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The Latin base letter of a character with diacritics; nil for other characters.
  static func baseLetter(_ value: UInt32) -> UInt8? {
    let letter: UInt8
    switch value {
    case 0xc0...0x24f: letter = latin[Int(value - 0xc0)]
    case 0x1e00...0x1eff: letter = additional[Int(value - 0x1e00)]
    default: return nil
    }
    return letter == UInt8(ascii: ".") ? nil : letter
  }

  /// The base letters of U+00C0 to U+024F; a full stop where there is none.
  private static let latin = Array(
    """
    aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggg\
    gggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnnn..oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
    b......................i..l.....oo.............uu....zz......................aaiioouuuuuuuuuu.aa\
    aa....ggkkoooo..j...gg..nnaa..ooaaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy.........l..\
    ...b..eejj..rryy
    """.utf8)
  /// The base letters of U+1E00 to U+1EFF.
  private static let additional = Array(
    """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr\
    ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """.utf8)

  private static let others: [Unicode.Scalar: Unicode.Scalar] = [
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ϊ": "ι", "ΐ": "ι", "ό": "ο", "ύ": "υ", "ϋ": "υ", "ΰ": "υ", "ώ": "ω",
    "ς": "σ", "ё": "е",
  ]
}

extension Unicode.Scalar {
  /// Whether normalisation may change it; a fast no for emoji and for scripts without case and diacritics.
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

/// A name normalised for comparison: ignores case, accents, whitespace, invisible characters and apostrophe style,
/// because users type `adam savage's tested` for `Adam Savage’s Tested`.
package struct NormalizedName: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Normalises a name; one of whitespace alone is empty.
  package init(_ name: String) {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where scalar.properties.generalCategory != .format {
      scalars.append(NormalizedName.apostrophes.contains(scalar) ? "'" : scalar)
    }
    let words = String(scalars).split(whereSeparator: \.isWhitespace)
    bytes = NormalizedText.bytes(of: words.joined(separator: " "))
  }

  /// The characters used as apostrophes.
  private static let apostrophes: Set<Unicode.Scalar> = [
    "\u{2018}", "\u{2019}", "\u{02bc}", "\u{00b4}", "`", "\u{ff07}",
  ]

  package var isEmpty: Bool { bytes.isEmpty }

  /// How a name matches a part that was typed, best first.
  package enum Match: Int, Comparable, Sendable {
    case equal, beginning, beginningOfWord, middle

    package static func < (first: Match, second: Match) -> Bool { first.rawValue < second.rawValue }
  }

  /// How the part occurs in this name; nil if it does not.
  package func match(_ part: NormalizedName) -> Match? {
    if bytes == part.bytes { return .equal }
    let starts = bytes.indices.filter { bytes[$0...].starts(with: part.bytes) }
    if starts.contains(0) { return .beginning }
    // Other letters than ASCII's are never taken for the end of a word.
    let isWord = starts.contains { index in
      let before = bytes[index - 1]
      return before < 0x80 && !(0x30...0x39).contains(before) && !(0x61...0x7a).contains(before)
    }
    return starts.isEmpty ? nil : isWord ? .beginningOfWord : .middle
  }

  /// The name without spaces, apostrophes, hyphens, dots and underscores, as handles are derived from titles:
  /// `adamsavagestested`. Other characters are significant: C++ is not C.
  package var joined: [UInt8] { bytes.filter { !" '-._".utf8.contains($0) } }
}
