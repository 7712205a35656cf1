import Core

/// The links `hub` and `self` of a response (WebSub §4).
package enum PushLinks {
  /// Reads them from its `Link` headers, else from the HTML, Atom or RSS itself. Nil if it names no hub. Without `self` the
  /// topic is the URL that responded.
  package static func source(headers: [String], body: [UInt8], url: String) -> PushSource? {
    let fromHeaders = links(inHeaders: headers)
    let links = fromHeaders["hub"] != nil ? fromHeaders : links(inDocument: body.prefix(maximum))
    return links["hub"].map { PushSource(hub: $0, topic: links["self"] ?? url) }
  }

  /// The number of bytes of a document that are searched for links.
  private static let maximum = 65_536
  /// The longest URL accepted, bytes.
  private static let longest = 2048

  /// `<https://hub.example/>; rel="hub", <https://feed.example/>; rel=self`: the first URL of each relation (RFC 8288).
  private static func links(inHeaders headers: [String]) -> [String: String] {
    var links: [String: String] = [:]
    for header in headers {
      var rest = header[...]
      while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
        let url = rest[rest.index(after: start)..<end]
        rest = rest[rest.index(after: end)...]
        // Parameters end at the next link.
        let parameters = rest.prefix { $0 != "<" }
        for parameter in parameters.split(whereSeparator: { ";,".contains($0) }) {
          let sides = parameter.split(separator: "=", maxSplits: 1)
          guard sides.count == 2, sides[0].withoutBlanks.lowercased() == "rel" else { continue }
          note(sides[1].filter { $0 != "\"" }.split(separator: " "), String(url), in: &links)
        }
      }
    }
    return links
  }

  /// The first URL of each relation of the elements `link`, whatever their prefix, before the first entry or the body;
  /// empty if none of them has the letters `hub`, as in every feed of YouTube.
  private static func links(inDocument bytes: ArraySlice<UInt8>) -> [String: String] {
    var tags: [ArraySlice<UInt8>] = []
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      // Comments and CDATA sections contain no links.
      if rest.dropFirst().first == UInt8(ascii: "!"),
        let end = skipped(rest, "<!--", "-->") ?? skipped(rest, "<![CDATA[", "]]>")
      {
        rest = rest[end...]
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      let name = localName(of: tag)
      if ["entry", "item", "body"].contains(where: { isSame(name, $0) }) { break }
      if isSame(name, "link") { tags.append(tag) }
    }
    var links: [String: String] = [:]
    guard tags.contains(where: hasHub) else { return links }
    for tag in tags {
      let attributes = attributes(of: String(decoding: tag, as: UTF8.self)[...])
      guard let relations = attributes["rel"], let url = attributes["href"] else { continue }
      note(relations.split(separator: " "), url, in: &links)
    }
    return links
  }

  /// The name that a tag begins with, without its prefix.
  private static func localName(of tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    return name.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] } ?? name
  }

  /// Whether bytes are these lower-case letters, in whatever case.
  private static func isSame(_ bytes: some Sequence<UInt8>, _ letters: StaticString) -> Bool {
    letters.withUTF8Buffer { bytes.lazy.map { $0 | 0x20 }.elementsEqual($0) }
  }

  private static func hasHub(_ tag: ArraySlice<UInt8>) -> Bool {
    tag.indices.dropLast(2).contains { isSame(tag[$0..<$0 + 3], "hub") }
  }

  /// The index after a section that the text begins with; nil if it begins otherwise.
  private static func skipped(_ rest: ArraySlice<UInt8>, _ start: String, _ end: String) -> Int? {
    guard rest.starts(with: start.utf8) else { return nil }
    return rest.firstRange(of: Array(end.utf8))?.upperBound ?? rest.endIndex
  }

  /// ` rel="hub" href='https://hub.example/?a=1&amp;b=2' /`, also without quotes as in HTML.
  private static func attributes(of text: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = text
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split(whereSeparator: { $0.isWhitespace || $0 == "/" }).last?.lowercased() ?? ""
      rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      let quote = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
      let value: Substring
      if let quote {
        value = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(value.count + 2)
      } else {
        value = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(value.count)
      }
      if attributes[name] == nil {
        attributes[name] = value.split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
      }
    }
    return attributes
  }

  private static func note(_ relations: [some StringProtocol], _ url: String, in links: inout [String: String]) {
    let url = url.withoutBlanks
    guard url.utf8.count <= longest, url.hasPrefix("https://") || url.hasPrefix("http://"),
      url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return }
    for relation in relations where links[relation.lowercased()] == nil { links[relation.lowercased()] = String(url) }
  }
}
