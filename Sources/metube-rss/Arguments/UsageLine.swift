/// The usage of a command, which ArgumentParser writes on one line of any length.
enum UsageLine {
  /// A help text with its usage line wrapped between options to at most `width` columns.
  static func broken(_ text: String, within width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isUsage = line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ")
      return isUsage && line.count > width ? lines(words(line), within: width) : String(line)
    }.joined(separator: "\n")
  }

  /// The words of a usage line; a bracketed group is one word: `[--home <dir>]`.
  private static func words(_ line: Substring) -> [String] {
    var (words, word, depth) = ([String](), "", 0)
    for letter in line {
      if letter == "[" || letter == "<" { depth += 1 }
      if letter == "]" || letter == ">" { depth -= 1 }
      if letter == " ", depth == 0 {
        words.append(word)
        word = ""
      } else {
        word.append(letter)
      }
    }
    return words + [word]
  }

  private static func lines(_ words: [String], within width: Int) -> String {
    var lines = [words[0]]
    for word in words.dropFirst() {
      if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("       " + word)
      }
    }
    return lines.joined(separator: "\n")
  }
}
