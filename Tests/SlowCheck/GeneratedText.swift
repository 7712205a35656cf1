import Glibc

/// Texts made of words listed with their normalised form, so that a search can be checked without normalising anything.
package enum GeneratedText {
  /// Words as written, each with its form for a search that ignores case and accents.
  static let words: [(written: String, plain: String)] = [
    ("Lantern", "lantern"), ("LANTÉRNE", "lanterne"), ("gefährlich", "gefahrlich"), ("STRAẞE", "strasse"),
    ("Straße", "strasse"), ("Æther", "aether"), ("cœur", "coeur"), ("Ёлка", "елка"), ("ΣΟΦΊΑ", "σοφια"),
    ("σοφίας", "σοφιασ"), ("Île", "ile"), ("nai\u{308}ve", "naive"), ("東京駅", "東京駅"), ("カフェ", "カフェ"),
    ("🎉party", "🎉party"), ("C++", "c++"), ("org/a", "org/a"), ("Việt", "viet"), ("Łódź", "lodz"), ("10", "10"),
    ("2026", "2026"), ("don't", "don't"), ("#shorts", "#shorts"), ("teaser", "teaser"), ("bell", "bell"),
    ("Bellwether", "bellwether"), ("Привет", "привет"), ("a", "a"), ("of", "of"), ("Gears", "gears"),
    // Parts of others, so that a text contains the parts and not the whole.
    ("org", "org"), ("c", "c"), ("++", "++"), ("/a", "/a"), ("東京", "東京"), ("京駅", "京駅"),
  ]
  private static let folded = Dictionary(uniqueKeysWithValues: words.map { ($0.written, $0.plain) })

  /// The normalised form of a text made of these words and of plain ASCII ones.
  package static func plain(_ text: String) -> String {
    text.split(separator: " ").map { folded[String($0)] ?? $0.lowercased() }.joined(separator: " ")
  }

  /// Patterns, each with its expected match on a plain text.
  static let patterns: [(pattern: String, judge: @Sendable (String) -> Bool)] = [
    ("\\bbell\\b", { $0.has("bell") && $0.split(separator: " ").contains("bell") }),
    ("teaser|#SHORTS", { $0.has("teaser") || $0.has("#shorts") }),
    ("^lant", { $0.hasPrefix("lant") }),
    ("gears$", { $0.hasSuffix("gears") }),
    ("\\d{4}", { $0.has("2026") }),
    ("stra(ss|ß)e (a|of)", { $0.has("strasse a") || $0.has("strasse of") }),
    ("c\\+\\+.*viet", { text in text.withCString { strstr($0, "c++").map { strstr($0, "viet") != nil } ?? false } }),
  ]

  /// Whether a pattern of the table matches a plain text.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    guard let known = patterns.first(where: { $0.pattern == pattern }) else { preconditionFailure("no such pattern") }
    return known.judge(text)
  }
}

extension String {
  /// Whether this text contains another, byte by byte; the library's own `contains` takes a hundred times as long.
  /// `strstr`.
  func has(_ text: String) -> Bool { strstr(self, text) != nil }

  /// Whether a word of the text begins with another text, or a run of writing without blanks contains it. Signs alone
  /// begin no word.
  func hasBeginning(of text: String) -> Bool {
    let (own, wanted) = (Array(unicodeScalars), Array(text.unicodeScalars))
    func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
    guard let first = wanted.first, wanted.contains(where: isLetter), own.count >= wanted.count else { return false }
    let isBegun = !isLetter(first) || (0x3000...0x9fff).contains(first.value)
    return (0...own.count - wanted.count).contains { start in
      own[start..<start + wanted.count].elementsEqual(wanted) && (isBegun || start == 0 || !isLetter(own[start - 1]))
    }
  }
}
