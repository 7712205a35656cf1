import Core
import JSON

/// Google Takeout's `watch-history.html`: about 141,700 characters of CSS, then one `<div class="outer-cell …">` per
/// row.
///
/// The first `content-cell` of a row has the link of the video, that of the channel, and a time in the account's
/// language. A later one has, each under a `<b>`, the products, the details if it is an advertisement, and why the row
/// is there. The words are translated, so only the structure is used. Only one cell is in memory at a time, reduced to
/// the needed parts.
struct WatchHistoryHTML {
  /// The needed parts of one history row.
  private struct Cell {
    var line: Int
    /// The number of content cells begun; the first is the row's body.
    var contents = 0
    /// The first two links in the body.
    var links: [String] = []
    /// Their texts: the titles of the video and of its channel.
    var titles: [String] = []
    var headings = 0
    /// The last non-empty line of the body: the time.
    var lastLine = ""
    var saysFromGoogleAds = false
  }

  private var bytes: ByteReader
  private var builder: ImportBuilder
  private var cell: Cell?
  /// The text since the last tag, up to `tagLimit` bytes.
  private var text: [UInt8] = []

  /// Reads a whole file into a builder; the caller finishes the builder.
  static func read(_ bytes: ByteReader, limits: ImportLimits, entry: String?) throws(ImportError) -> ImportBuilder {
    let builder = ImportBuilder(format: .watchHistoryHTML, limits: limits, entry: entry)
    var history = WatchHistoryHTML(bytes: bytes, builder: builder)
    try ImportError.reading {
      while let byte = try history.bytes.next() {
        if byte == UInt8(ascii: "<") {
          try history.take(history.readTag())
        } else if let cell = history.cell, cell.contents > 0, history.text.count < textLimit {
          history.text.append(byte)
        }
      }
    }
    try history.endCell()
    return history.builder
  }

  private mutating func readTag() throws -> HTMLTag {
    var tag: [UInt8] = []
    while let byte = try bytes.next(), byte != UInt8(ascii: ">") {
      if tag.count < WatchHistoryHTML.tagLimit { tag.append(byte) }
    }
    return HTMLTag(tag)
  }

  private mutating func take(_ tag: HTMLTag) throws(ImportError) {
    if tag.name == "/a", let cell, cell.contents == 1, cell.titles.count < cell.links.count {
      self.cell?.titles.append(HTMLText.decoded(String(decoding: text, as: UTF8.self)))
    }
    endLine()
    switch tag.name {
    case "div":
      let classes = tag.value(of: "class")?.split(separator: " ") ?? []
      if classes.contains("outer-cell") {
        try endCell()
        cell = Cell(line: bytes.line)
      } else if classes.contains("content-cell") {
        cell?.contents += 1
      }
    case "a":
      guard let links = cell?.links, links.count < 2, cell?.contents == 1 else { break }
      cell?.links = links + [tag.value(of: "href")].compactMap { $0 }
    case "b": cell?.headings += 1
    default: break
    }
  }

  /// Evaluates the text before a tag: in the body it may be the time, after the body the mark of an advertisement.
  private mutating func endLine() {
    guard let contents = cell?.contents, contents > 0, !text.isEmpty else { return }
    let line = String(decoding: text, as: UTF8.self).withoutBlanks
    text.removeAll(keepingCapacity: true)
    if contents > 1 {
      if line.hasSuffix("From Google Ads") { cell?.saysFromGoogleAds = true }
    } else if !line.isEmpty {
      cell?.lastLine = String(line)
    }
  }

  private mutating func endCell() throws(ImportError) {
    guard let cell else { return }
    self.cell = nil
    // An advertisement has three headings (products, details, why it is here) and names no channel.
    if cell.saysFromGoogleAds || cell.headings > 2 && cell.links.count < 2 {
      builder.count(\.advertisements)
    } else if let link = cell.links.first {
      let channel = cell.links.dropFirst().first
      builder.describe(
        link, title: cell.titles.first, channel: channel, channelTitle: cell.titles.dropFirst().first)
      try builder.watch(link, when: Timestamp(takeoutText: cell.lastLine), channel: channel, line: cell.line)
    } else {
      builder.count(\.withoutVideo)
    }
  }

  /// The maximum length kept of a tag or a text, in bytes; a title has at most 100 characters.
  private static let tagLimit = 4096
  private static let textLimit = 1024
}

/// Text of HTML.
enum HTMLText {
  private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}"]

  /// A text with its references decoded: `&amp;`, `&#39;`, `&#x27;`; unknown ones stay as they are.
  static func decoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var (result, rest) = ("", text[...])
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      let name = rest.dropFirst().prefix(10).prefix { $0 != ";" }
      let isEnded = name.endIndex < rest.endIndex && rest[name.endIndex] == ";"
      guard isEnded, let character = character(name) else {
        result.append(rest.removeFirst())
        continue
      }
      result += character
      rest = rest[name.endIndex...].dropFirst()
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    guard name.hasPrefix("#") else { return names[String(name)] }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    let code = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap { UnicodeScalar($0) }.map { String($0) }
  }
}

/// An HTML tag: `<a href="https://…">`, `</div>`.
struct HTMLTag {
  /// The name in lower case; a closing tag's includes the slash: `div`, `/div`.
  private(set) var name = ""
  private var bytes: ArraySlice<UInt8>

  /// Parses the text between `<` and `>`.
  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)[...]
    name = String(decoding: self.bytes.prefix { !HTMLTag.isBlank($0) }, as: UTF8.self).lowercased()
    self.bytes = self.bytes.dropFirst(name.utf8.count)
  }

  /// The value of an attribute, given by its lower-case name, with `&amp;` decoded; nil if absent.
  func value(of attribute: String) -> String? {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.drop(while: HTMLTag.isBlank)
      let name = rest.prefix { $0 != UInt8(ascii: "=") && !HTMLTag.isBlank($0) }
      rest = rest.dropFirst(max(name.count, 1)).drop(while: HTMLTag.isBlank)
      guard rest.first == UInt8(ascii: "=") || name.isEmpty else { continue }
      rest = rest.dropFirst().drop(while: HTMLTag.isBlank)
      let value = HTMLTag.takeValue(&rest)
      if String(decoding: name, as: UTF8.self).lowercased() == attribute {
        let text = String(decoding: value, as: UTF8.self)
        return value.contains(UInt8(ascii: "&")) ? text.replacing("&amp;", with: "&") : text
      }
    }
    return nil
  }

  private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let value = rest.prefix { !isBlank($0) }
      rest = rest[value.endIndex...]
      return value
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest[value.endIndex...].dropFirst()
    return value
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
