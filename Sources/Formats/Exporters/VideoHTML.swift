import Core

/// A video as safe HTML for feed readers: all text is escaped and nothing can execute.
package enum VideoHTML {
  /// Appends the linked thumbnail, the duration if known, and the description with its line breaks and links:
  /// `<p><a href="…"><img src="…" alt=""></a></p><p>4:13</p><p>First line<br>…</p>`.
  package static func append(_ row: VideoRow, description: String, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + description.utf8.count + 512)
    if WebLink.isSafe(row.thumbnail) {
      bytes.append(contentsOf: "<p><a href=\"".utf8)
      MarkupText.escape(row.url, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"><img src=\"".utf8)
      MarkupText.escape(row.thumbnail, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\" alt=\"\"></a></p>".utf8)
    }
    if let seconds = row.durationSeconds {
      bytes.append(contentsOf: "<p>\(PlayingTime.text(seconds: seconds))</p>".utf8)
    }
    guard !description.isEmpty else { return }
    bytes.append(contentsOf: "<p>".utf8)
    appendLinked(Array(description.utf8), to: &bytes)
    bytes.append(contentsOf: "</p>".utf8)
  }

  /// Appends a text with its line breaks, and its web addresses as links.
  package static func appendLinked(_ text: [UInt8], to bytes: inout [UInt8]) {
    var begin = 0
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\n") {
        MarkupText.escape(text[begin..<index], in: .content, into: &bytes)
        bytes.append(contentsOf: "<br>\n".utf8)
        index += 1
        begin = index
      } else if text[index] == UInt8(ascii: "h"), let end = WebLink.end(in: text, from: index) {
        MarkupText.escape(text[begin..<index], in: .content, into: &bytes)
        appendLink(text[index..<end], to: &bytes)
        index = end
        begin = end
      } else {
        index += 1
      }
    }
    MarkupText.escape(text[begin...], in: .content, into: &bytes)
  }

  private static func appendLink(_ address: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<a href=\"".utf8)
    MarkupText.escape(address, in: .attribute, into: &bytes)
    bytes.append(contentsOf: "\">".utf8)
    MarkupText.escape(address, in: .content, into: &bytes)
    bytes.append(contentsOf: "</a>".utf8)
  }
}

extension WebLink {
  /// The end of the web URL that begins at `start`; nil if none does.
  ///
  /// A full stop, comma or bracket after a URL belongs to the sentence, unless the bracket was opened in the URL.
  static func end(in text: [UInt8], from start: Int) -> Int? {
    guard let host = hostStart(in: text, from: start) else { return nil }
    var end = host
    var (opened, closed) = (0, 0)
    while end < text.count, isAddressByte(text[end]) {
      if text[end] == UInt8(ascii: "(") { opened += 1 }
      if text[end] == UInt8(ascii: ")") { closed += 1 }
      end += 1
    }
    while end > host {
      if text[end - 1] == UInt8(ascii: ")"), closed > opened {
        closed -= 1
      } else if !isPunctuation(text[end - 1]) {
        break
      }
      end -= 1
    }
    return end > host ? end : nil
  }

  private static func hostStart(in text: [UInt8], from start: Int) -> Int? {
    let schemes: [StaticString] = ["https://", "http://"]
    return schemes.first { text.span.has($0, at: start) }.map { start + $0.utf8CodeUnitCount }
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
      UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
