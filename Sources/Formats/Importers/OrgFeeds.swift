import Core

/// `elfeed.org` of Emacs: headings that are links, `** https://… :tag:` or `** [[https://…][Title]] :tag:`, below
/// headings whose tags they inherit.
enum OrgFeeds {
  /// A heading: `** Text :tag:other:`.
  private struct Heading {
    var level: Int
    /// Without the tags.
    var text: Substring
    var tags: [String]

    /// Parses a line; nil if it is not a heading.
    init?(_ line: Substring) {
      let stars = line.prefix { $0 == "*" }
      guard !stars.isEmpty, line[stars.endIndex...].first == " " else { return nil }
      level = stars.count
      text = line[stars.endIndex...].withoutBlanks
      tags = []
      guard text.last == ":", let blank = text.lastIndex(where: { $0 == " " || $0 == "\t" }) else { return }
      let end = text[text.index(after: blank)...]
      guard end.first == ":" else { return }
      tags = end.split(separator: ":").map(String.init)
      text = text[..<blank].withoutBlanks
    }

    /// The address and title of a link; nil if the heading is a folder or a rule of elfeed's.
    var link: (address: String, title: String?)? {
      if text.hasPrefix("[[") {
        let parts = text.dropFirst(2).split(separator: "]", omittingEmptySubsequences: false)
        let title = parts.count > 1 && parts[1].hasPrefix("[") ? String(parts[1].dropFirst()) : nil
        return (String(parts[0]), title)
      }
      let word = text.prefix { !$0.isWhitespace }
      return word.contains("://") || ChannelReference.isYouTube(word) ? (String(word), nil) : nil
    }
  }

  /// Whether a text is such a file: one of its headings is a link.
  static func recognises(_ bytes: [UInt8]) -> Bool {
    lines(of: Array(bytes.prefix(FormatDetector.length))).contains { Heading($0)?.link != nil }
  }

  /// Reads a whole file into `builder`.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var open: [Heading] = []
    var number = 0
    for line in lines(of: bytes) {
      number += 1
      guard let heading = Heading(line) else { continue }
      open.removeAll { $0.level >= heading.level }
      if let link = heading.link {
        let tags = (open + [heading]).flatMap(\.tags)
        // `elfeed` marks the tree of feeds, `ignore` what is not to be read.
        if !tags.contains("ignore") {
          try builder.subscribe(
            to: link.address, title: link.title, tags: tags.filter { $0 != "elfeed" }, line: number)
        }
      }
      // Deeper than any real file, where the tags of a hostile one would add up.
      if open.count < 20 { open.append(heading) }
    }
  }

  private static func lines(of bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}
