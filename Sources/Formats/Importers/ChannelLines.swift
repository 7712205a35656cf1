import Core

/// A channel per line: newsboat's `urls`, newsraft's `feeds`, sfeed's `sfeedrc`, or a plain list of IDs, addresses and
/// handles.
///
/// Lines look like `URL tag "tag two" "~Title" !hidden` and end with CR, LF or both; lines that begin with `#` are
/// comments; one line may hold several channels. Grayjay's list begins with the line `Subscriptions`. newsraft has `URL "Title"` below `@ Section`, sfeed `feed "Title"
/// "URL"` between lines of shell. Commands that these programs would run (`exec:`, `filter:`, `|…`, `$(…)`) and
/// newsboat's queries are never run: they are not YouTube.
enum ChannelLines {
  /// Reads a whole file into `builder` and sets which of the two formats it is.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var rest = bytes[...]
    var number = 0
    var section: String?
    let isSfeed = isSfeed(bytes)
    if isSfeed { builder.recognise(.sfeedrc) }
    while !rest.isEmpty {
      let line = nextLine(&rest)
      number += 1
      guard line.count <= lineLimit else {
        try builder.refuse(.reference(.notAReference), line: number)
        continue
      }
      var fields = fields(in: String(decoding: line, as: UTF8.self))
      if isSfeed {
        guard fields.count > 2, fields[0] == "feed" else { continue }
        fields = [fields[2], "~" + fields[1]]
      }
      guard let start = fields.first else { continue }
      // The first line of Grayjay's list.
      if number == 1, fields == ["Subscriptions"] { continue }
      if start == "@" {
        section = fields.dropFirst().prefix { !$0.hasPrefix("{") && !$0.hasPrefix("<") }.joined(separator: " ")
        builder.recognise(.newsboatURLs)
        continue
      }
      if let section {
        fields = [start] + fields.dropFirst().prefix(1).filter { !$0.hasPrefix("{") }.map { "~" + $0 } + [section]
      }
      try take(fields, isSfeed: isSfeed, line: number, into: &builder)
    }
  }

  /// Removes the next line and its end, in any of the three forms; returns the line without its end.
  private static func nextLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    rest = rest[line.endIndex...]
    rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
    return line
  }

  /// Subscribes to the channels of a line; its other fields are titles and tags.
  private static func take(
    _ fields: [String], isSfeed: Bool, line: Int, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let first = fields[0]
    let others = fields.dropFirst().filter { isChannel($0, beside: first) }
    let notes = fields.dropFirst().filter { !isChannel($0, beside: first) }
    if !isSfeed, !notes.isEmpty || first.hasPrefix("query:") { builder.recognise(.newsboatURLs) }
    try take(first, notes: notes, line: line, into: &builder)
    for other in others {
      try take(other, notes: notes.filter { !$0.hasPrefix("~") }, line: line, into: &builder)
    }
  }

  /// Whether a line begins sfeed's list: `feeds() {`.
  private static func isSfeed(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(FormatDetector.length).split(separator: UInt8(ascii: "\n")).contains { line in
      let fields = String(decoding: line.prefix(40), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      return fields.joined().hasPrefix("feeds()")
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

  /// The fields of a line up to a comment. White space in quotes is literal, as is any character after a backslash in
  /// double quotes.
  static func fields(in line: String) -> [String] {
    var fields: [String] = []
    var rest = line[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "#" {
        break
      } else {
        fields.append(first == "\"" || first == "'" ? quotedField(&rest, by: first) : plainField(&rest))
      }
    }
    return fields
  }

  private static func plainField(_ rest: inout Substring) -> String {
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private static func quotedField(_ rest: inout Substring, by quote: Character) -> String {
    rest.removeFirst()
    var word = ""
    while let letter = rest.popFirst(), letter != quote {
      if letter == "\\", quote == "\"", let escaped = rest.popFirst() {
        word.append(escaped)
      } else {
        word.append(letter)
      }
    }
    return word
  }

  /// The maximum line length; no such file has longer ones.
  private static let lineLimit = 16_384
}
