import Core
import Testing

@testable import FeedParser

/// The chunks of a text, and the position of an overlong tag.
private func pieces(_ text: String, from start: Int = 0, limit: Int) -> (pieces: [String], longTag: Int?) {
  let bytes = Array(text.utf8)
  var chunks = Chunks(of: bytes, from: start, limit: limit)
  var pieces: [String] = []
  while let piece = chunks.next() { pieces.append(String(decoding: bytes[piece], as: UTF8.self)) }
  return (pieces, chunks.longTag)
}

@Test("A document within the limit is one chunk")
func onePiece() { #expect(pieces("<a><b/></a>", limit: 11).pieces == ["<a><b/></a>"]) }

@Test("A longer document is split before the last tag within the limit")
func cutBeforeTag() {
  #expect(pieces("<a><b/></a>", limit: 8).pieces == ["<a><b/>", "</a>"])
  #expect(pieces("<a><b/></a>", limit: 5).pieces == ["<a>", "<b/>", "</a>"])
}

@Test("A text, comment or section longer than the limit stays whole")
func longPieces() {
  #expect(pieces("<a>long text</a>", limit: 5).pieces == ["<a>long text", "</a>"])
  #expect(pieces("<a><!--long text--></a>", limit: 5).pieces == ["<a>", "<!--long text-->", "</a>"])
  #expect(pieces("<a><?long text?></a>", limit: 5).pieces == ["<a>", "<?long text?>", "</a>"])
}

@Test("An overlong tag is reported by its position, and what precedes it is split off")
func longTags() {
  for tag in ["<b c=''/>", "<b c='>'/>", "<b c=\">'>\"/>", "<b c='\">'/>"] {
    let found = pieces("<a>\(tag)</a>", limit: 8)
    #expect(found.pieces == ["<a>"] && found.longTag == 3, "\(tag)")
    #expect(pieces("<a>\(tag)</a>", limit: tag.utf8.count).longTag == nil, "\(tag)")
  }
}

@Test("Joined chunks are the document, whatever their length")
func wholeInPieces() throws {
  for name in ["xml-channel-2026", "xml-strangers"] {
    let text = String(decoding: try Files.fixture("feeds/\(name).xml"), as: UTF8.self)
    for limit in 1...700 {
      let found = pieces(text, limit: limit)
      if found.longTag == nil { #expect(found.pieces.joined() == text) }
    }
  }
}

@Test("The split positions do not change what is read")
func cutsDoNotMatter() throws {
  let names = ["xml-channel-2026", "xml-playlist", "xml-push-deleted", "xml-strangers", "xml-other-prefixes"]
  for name in names {
    let bytes = try Files.fixture("feeds/\(name).xml")
    let whole = try Feed(xml: bytes)
    // The longest tag of these has some 250 bytes.
    for limit in stride(from: 300, to: bytes.count, by: 7) {
      var limits = ParserLimits.feed
      limits.tag = limit
      #expect(try Feed(xml: bytes, limits: limits) == whole, "cut every \(limit) bytes")
    }
  }
}
