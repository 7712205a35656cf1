import Core

/// A channel a line: newsboat's `urls`, or a plain list of ids, addresses and handles.
///
/// `URL tag "tag two" "~Title" !hidden`, and lines that begin with `#` are comments. The commands that newsboat would
/// run (`exec:`, `filter:`, `|…`) and its queries are never run: they are not YouTube.
enum ChannelLines {
  /// Reads a whole file into `builder`, and tells it which of the two sorts that is.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var rest = bytes[...]
    var number = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      guard line.count <= lineLimit else {
        try builder.refuse(.reference(.notAReference), line: number)
        continue
      }
      let words = words(in: String(decoding: line, as: UTF8.self))
      guard let first = words.first else { continue }
      if words.count > 1 || first.hasPrefix("query:") { builder.recognise(.newsboatURLs) }
      try take(first, notes: words.dropFirst(), line: number, into: &builder)
    }
  }

  private static func take(
    _ text: String, notes: ArraySlice<String>, line: Int, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let title = notes.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    // A note that begins with "!" hides the feed in newsboat's list; it is no tag.
    let tags = notes.filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }
    try builder.subscribe(to: text, title: title, tags: Array(tags), line: line)
  }

  /// The words of a line up to a comment; in quotes a blank is a letter, as is what follows a backslash.
  static func words(in line: String) -> [String] {
    var words: [String] = []
    var rest = line[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "#" {
        break
      } else {
        words.append(first == "\"" ? quotedWord(&rest) : plainWord(&rest))
      }
    }
    return words
  }

  private static func plainWord(_ rest: inout Substring) -> String {
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private static func quotedWord(_ rest: inout Substring) -> String {
    rest.removeFirst()
    var word = ""
    while let letter = rest.popFirst(), letter != "\"" {
      if letter == "\\", let escaped = rest.popFirst() { word.append(escaped) } else { word.append(letter) }
    }
    return word
  }

  /// No line of such a file is longer.
  private static let lineLimit = 16_384
}
