/// The words of a search, without regard to case and accents.
package struct SearchWords: Equatable, Sendable {
  private let words: [String]

  /// The words of a text, parted by blanks; none match everything.
  package init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { SearchWords.folded(String($0)) }
  }

  /// Whether every word is in one of the texts.
  package func match(_ texts: [String]) -> Bool {
    let folded = texts.map(SearchWords.folded)
    return words.allSatisfy { word in folded.contains { $0.utf8Contains(word) } }
  }

  /// A text in lower case without the marks on its letters; plain ASCII, the most usual, goes the short way.
  private static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased().decomposed where !scalar.properties.isDiacriticMark { folded.append(scalar) }
    return String(folded)
  }
}

extension String {
  /// The scalars of the text with letters and their marks apart.
  fileprivate var decomposed: [Unicode.Scalar] {
    // Without Foundation the standard library decomposes only to compare; a table of the Latin letters is enough here.
    unicodeScalars.flatMap { LatinLetters.base(of: $0) }
  }

  /// Whether the bytes of `other` stand somewhere in the text.
  fileprivate func utf8Contains(_ other: String) -> Bool {
    guard !other.isEmpty else { return true }
    var (text, wanted) = (self, other)
    return text.withUTF8 { text in
      wanted.withUTF8 { wanted in
        guard wanted.count <= text.count else { return false }
        return (0...(text.count - wanted.count)).contains { start in
          text[start] == wanted[0] && text[start..<(start + wanted.count)].elementsEqual(wanted)
        }
      }
    }
  }
}

extension Unicode.Scalar.Properties {
  /// Whether it is a mark on the letter before it.
  fileprivate var isDiacriticMark: Bool { generalCategory == .nonspacingMark }
}

/// The letters that Latin letters with marks stand for, by the tables of ISO 8859 and Latin Extended-A.
enum LatinLetters {
  /// The letter without its marks; any other scalar as it is.
  static func base(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard (0xDF...0x17F).contains(scalar.value) else { return [scalar] }
    for (letters, base) in table where letters.contains(scalar) { return base }
    return [scalar]
  }

  private static let table: [(Set<Unicode.Scalar>, [Unicode.Scalar])] = [
    ("àáâãäåāăą", "a"), ("çćĉċč", "c"), ("ďđ", "d"), ("èéêëēĕėęě", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"), ("ĵ", "j"), ("ķ", "k"), ("ĺļľŀł", "l"), ("ñńņňŉ", "n"), ("òóôõöøōŏő", "o"), ("ŕŗř", "r"),
    ("śŝşš", "s"), ("ţťŧ", "t"), ("ùúûüũūŭůűų", "u"), ("ŵ", "w"), ("ýÿŷ", "y"), ("źżž", "z"), ("ß", "ss"),
    ("æ", "ae"), ("œ", "oe"),
  ].map { (Set($0.unicodeScalars), Array($1.unicodeScalars)) }
}
