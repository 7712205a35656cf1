import Core
import Exporters
import HubCore
import HubReaders

/// A stream of Google Reader as an Atom feed, where categories say which items are read.
enum ReaderAtom {
  private static let scheme = "http://www.google.com/reader/"

  static func document(id: String, title: String, _ entries: [ReaderEntry], updated: Timestamp) -> [UInt8] {
    var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n".utf8)
    append("id", "tag:google.com,2005:reader/\(id)", to: &bytes)
    append("title", title, to: &bytes)
    append("updated", updated.rfc3339, to: &bytes)
    for entry in entries { append(entry, to: &bytes) }
    bytes += "</feed>\n".utf8
    return bytes
  }

  private static func append(_ entry: ReaderEntry, to bytes: inout [UInt8]) {
    let row = entry.row
    bytes += "<entry>\n".utf8
    append("id", ReaderItemID.text(entry.number), to: &bytes)
    append("title", row.shownTitle, to: &bytes)
    append("published", row.published.rfc3339, to: &bytes)
    append("updated", (row.visiblyChanged ?? row.published).rfc3339, to: &bytes)
    bytes += "<link rel=\"alternate\" type=\"text/html\" href=\"".utf8
    MarkupText.escape(row.url, in: .attribute, into: &bytes)
    bytes += "\"/>\n<author>".utf8
    append("name", row.channelTitle, to: &bytes)
    bytes += "</author>\n".utf8
    // A label named “read” would count as the state.
    for state in HubService.readerStates(of: entry) where !state.contains("/label/") {
      bytes += "<category scheme=\"\(scheme)\" term=\"".utf8
      MarkupText.escape(state, in: .attribute, into: &bytes)
      bytes += "\" label=\"".utf8
      MarkupText.escape(String(state.split(separator: "/").last ?? ""), in: .attribute, into: &bytes)
      bytes += "\"/>\n".utf8
    }
    bytes += "<content type=\"html\">".utf8
    MarkupText.escape(entry.html, in: .content, into: &bytes)
    bytes += "</content>\n</entry>\n".utf8
  }

  private static func append(_ element: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += "<\(element)>".utf8
    MarkupText.escape(text, in: .content, into: &bytes)
    bytes += "</\(element)>\n".utf8
  }
}
