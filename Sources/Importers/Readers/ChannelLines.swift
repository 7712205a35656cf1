import Core

/// A channel per line: newsboat's `urls`, or a plain list of IDs, addresses and handles.
///
/// Lines look like `URL tag "tag two" "~Title" !hidden` and end with CR, LF or both; lines that begin with `#` are
/// comments; one line may hold several channels. Commands that newsboat would run (`exec:`, `filter:`, `|…`) and its
/// queries are never run: they are not YouTube.
enum ChannelLines {
  /// Reads a whole file into `builder` and sets which of the two formats it is.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var rest = bytes[...]
    var number = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      rest = rest[line.endIndex...]
      rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
      number += 1
      guard line.count <= lineLimit else {
        try builder.refuse(.reference(.notAReference), line: number)
        continue
      }
      let words = words(in: String(decoding: line, as: UTF8.self))
      guard let first = words.first else { continue }
      let others = words.dropFirst().filter { isChannel($0, beside: first) }
      let notes = words.dropFirst().filter { !isChannel($0, beside: first) }
      if !notes.isEmpty || first.hasPrefix("query:") { builder.recognise(.newsboatURLs) }
      try take(first, notes: notes, line: number, into: &builder)
      for other in others {
        try take(other, notes: notes.filter { !$0.hasPrefix("~") }, line: number, into: &builder)
      }
    }
  }

  /// Whether a word after a channel is another channel rather than a tag of the first: an address or a channel ID or,
  /// if the first is not an address (newsboat's always are), anything that can be followed.
  private static func isChannel(_ word: String, beside first: String) -> Bool {
    guard reference(word) != nil, reference(first) != nil else { return false }
    return word.contains("/") || word.hasPrefix("UC") || !first.contains("/")
  }

  private static func reference(_ text: String) -> ChannelReference? {
    do { return try ChannelReference(text) } catch { return nil }
  }

  private static func take(
    _ text: String, notes: [String], line: Int, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let title = notes.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    // A note that begins with "!" hides the feed in newsboat's list; it is not a tag.
    let tags = notes.filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }
    try builder.subscribe(to: text, title: title, tags: tags, line: line)
  }

  /// The words of a line up to a comment. White space in quotes is literal, as is any character after a backslash.
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

  /// The maximum line length; no such file has longer ones.
  private static let lineLimit = 16_384
}
