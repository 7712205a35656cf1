import Core
import FeedParser

/// Collects a feed from the parse events of its document.
struct WebFeedCollector: SAXHandler {
  /// The recognised elements that contain others.
  enum Scope { case document, root, feed, entry, feedAuthor, entryAuthor, feedImage, group, media, alternative }

  /// An open one, with what URLs in it are relative to.
  struct Frame {
    var scope: Scope
    var links: LinkResolver
  }

  let limits: ParserLimits
  /// Whether libxml2's errors are ignored, as far as the document ends.
  let isRepairing: Bool
  var damage: ParseError?
  var feed = WebFeed(format: .rss)
  /// Whether the root's end tag was met.
  private(set) var isEnded = false

  private var tags = WebTagTable()
  var frames: [Frame] = []
  private var depth = 0
  /// The number of open elements, from the innermost, that are passed over.
  private var skipped = 0
  /// The open element whose text is collected.
  private(set) var field = WebField.none
  /// What the element says about its text.
  var form = PlainText.Form.plain
  var isPermalink = false
  private var textStart = 0
  /// What the open elements within that one are.
  private var nested: [Nested] = []
  private var hasMarkup = false

  var entry = EntryDraft()
  var feedDraft = FeedDraft()
  /// Of the open `media:content`, or `podcast:alternateEnclosure`.
  var media: WebMedia?
  var person = WebPerson(name: "", role: nil, group: nil, link: nil, image: nil)

  init(limits: ParserLimits, base: WebURL?, isRepairing: Bool) {
    (self.limits, self.isRepairing) = (limits, isRepairing)
    frames.append(Frame(scope: .document, links: LinkResolver(base: base)))
    entry.bytes.reserveCapacity(64 << 10)
  }

  /// Takes the namespace of a root element `rss` as that of RSS, whatever its name is.
  mutating func adopt(_ name: ElementName) { tags.adopt(name) }

  func accepts(_ code: Int32) -> Bool {
    // Of namespaces, which feeds forget to declare (`XML_NS_ERR_…`); the warning of a relative one.
    isRepairing || (200..<300).contains(code) || code == 99 || code == 100
  }

  mutating func doctype(root: String, at location: SourceLocation) {}

  mutating func start(_ name: ElementName, _ attributes: Attributes, at location: SourceLocation) {
    depth += 1
    if skipped > 0 {
      skipped += 1
      return limitDepth(location)
    }
    if field != .none { return nest(name, at: location) }
    switch open(tags.tag(of: name), name, attributes) {
    case .skip: skipped = 1
    case .text(let field):
      self.field = field
      textStart = entry.bytes.count
      hasMarkup = false
    case .enter(let scope):
      var links = frames[frames.count - 1].links
      if let base = attributes.text(of: "base", prefix: "xml") { links = links.within(base: base) }
      frames.append(Frame(scope: scope, links: links))
    }
  }

  mutating func text(_ piece: Span<UInt8>, at location: SourceLocation) {
    text(piece)
  }

  /// A piece of the text in the innermost open element.
  mutating func text(_ piece: Span<UInt8>) {
    guard field != .none, skipped == 0 else { return }
    let room = WebFeedLimits.text - (entry.bytes.count - textStart)
    guard room > 0 else { return }
    let piece = piece.count > room ? piece.extracting(0..<room) : piece
    if hasMarkup && isEscaping { return Nested.escape(piece, to: &entry.bytes) }
    entry.bytes.append(piece)
  }

  mutating func end(at location: SourceLocation) { end() }

  /// The innermost open element ends.
  mutating func end() {
    depth -= 1
    if skipped > 0 {
      skipped -= 1
    } else if let inner = nested.popLast() {
      inner.end(in: &entry.bytes)
    } else if field != .none {
      let ended = field
      field = .none
      finish(ended, textStart..<entry.bytes.count)
      if frames[frames.count - 1].scope.isOfFeed { entry.bytes.removeAll(keepingCapacity: true) }
    } else {
      close(frames.removeLast().scope)
    }
    if depth == 0 { isEnded = true }
  }

  private func limit(_ location: SourceLocation) -> ParseError {
    .tooDeep(limit: limits.depth, line: Int(location.line))
  }

  private mutating func limitDepth(_ location: SourceLocation) {
    if depth > limits.depth { refuse(limit(location)) }
  }

  /// Whether text is escaped where elements are nested in it: `type="xhtml"`.
  private var isEscaping: Bool { form == .html && wasPlain }
  private var wasPlain = false

  /// An element in a text, which is markup then: XHTML, or HTML that somebody forgot to escape.
  private mutating func nest(_ name: ElementName, at location: SourceLocation) {
    if !hasMarkup {
      hasMarkup = true
      wasPlain = form == .plain
      if wasPlain {
        let written = Array(entry.bytes[textStart...])
        entry.bytes.removeLast(written.count)
        Nested.escape(written.span, to: &entry.bytes)
        form = .html
      }
    }
    let inner = Nested(name)
    nested.append(inner)
    if entry.bytes.count - textStart < WebFeedLimits.text { inner.begin(in: &entry.bytes) }
    limitDepth(location)
  }

  private mutating func close(_ scope: Scope) {
    switch scope {
    case .entry:
      feed.entries.append(entry.finish())
      entry.clear()
    case .media:
      if let media { entry.takeContent(media) }
      media = nil
    case .alternative: media = nil
    default: break
    }
  }
}

extension WebFeedCollector.Scope {
  /// Whether texts in it are of the feed, and not of an entry.
  fileprivate var isOfFeed: Bool {
    switch self {
    case .document, .root, .feed, .feedAuthor, .feedImage: true
    case .entry, .entryAuthor, .group, .media, .alternative: false
    }
  }
}

/// An element within a text.
private enum Nested: UInt8 {
  case inline, line, block, hidden

  /// What matters of an element of XHTML for its text.
  init(_ name: ElementName) {
    switch name.localText.lowercased() {
    case "br", "li", "tr", "dt", "dd", "div", "td", "th", "hr", "option", "section": self = .line
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "figure":
      self = .block
    case "script", "style", "svg", "math", "iframe", "head", "template": self = .hidden
    default: self = .inline
    }
  }

  /// Appends a start tag that means the same.
  func begin(in bytes: inout [UInt8]) {
    switch self {
    case .inline: break
    case .line: bytes += "<br>".utf8
    case .block: bytes += "<p>".utf8
    case .hidden: bytes += "<style>".utf8
    }
  }

  /// Appends the end tag.
  func end(in bytes: inout [UInt8]) {
    switch self {
    case .inline: break
    case .line: bytes += "<br>".utf8
    case .block: bytes += "</p>".utf8
    case .hidden: bytes += "</style>".utf8
    }
  }

  /// Appends text as HTML.
  static func escape(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case let byte: bytes.append(byte)
      }
    }
  }
}
