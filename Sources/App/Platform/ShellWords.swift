/// Splits a command line in a setting as a shell does, but without expansion, except a leading `~/`:
/// `atom --tag 'long reads' --output ~/feeds/long.atom`.
package enum ShellWords {
  /// The words; nil if a quote is unclosed. `home` replaces `~`.
  package static func split(_ text: String, home: String?) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for letter in text {
      if isEscaped {
        word = (word ?? "") + String(letter)
        isEscaped = false
      } else if letter == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if letter == open { quote = nil } else { word = (word ?? "") + String(letter) }
      } else if letter == "'" || letter == "\"" {
        quote = letter
        word = word ?? ""
      } else if letter.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(letter)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words.map { expanded($0, home) }
  }

  /// A word quoted for a shell with single quotes.
  package static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  private static func expanded(_ word: String, _ home: String?) -> String {
    guard let home, word.hasPrefix("~/") else { return word }
    return home + word.dropFirst()
  }
}
