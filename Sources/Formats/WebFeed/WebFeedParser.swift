import CLibXML2
import Core
import FeedParser

/// Parses feeds of any kind: RSS 0.90 to 2.0, Atom 0.3 and 1.0, JSON Feed 1 and 1.1.
package enum WebFeedParser {
  /// Limits for a feed: 32 MiB, 20,000 entries, and tags, names and depths far beyond real ones.
  package static let limits: ParserLimits = {
    var limits = ParserLimits(bytes: 32 << 20, entries: 20_000)
    limits.namespaces = 64
    limits.depth = 200
    return limits
  }()

  /// The feed in a document.
  ///
  /// A document that is not well-formed is repaired (`DocumentRepair`); one that does not end is rejected with
  /// `incomplete`. Entries beyond the limit are counted, not kept.
  ///
  /// - Parameters:
  ///   - bytes: the document, decompressed.
  ///   - contentType: the `Content-Type` it was sent with, for its `charset`; nil if unknown.
  ///   - base: the URL it was fetched from, after redirects, which relative URLs are relative to; nil if unknown.
  /// - Throws: why the document as a whole is rejected; `notAFeed` if it is something else.
  package static func parse(_ bytes: [UInt8], contentType: String?, base: WebURL?) throws(ParseError) -> WebFeed {
    try parse(bytes, contentType: contentType, base: base, limits: limits)
  }

  /// Reads the fields of a document within these limits.
  static func parse(
    _ bytes: [UInt8], contentType: String?, base: WebURL?, limits: ParserLimits
  ) throws(ParseError) -> WebFeed {
    let document = try WebDocument(bytes, contentType: contentType, limit: limits.bytes)
    if document.syntax == .json { return try JSONFeedReader.read(document, base: base, limits: limits) }
    do {
      let whole = Document(decoded: document.bytes, start: document.start, line: document.line)
      return try read(whole, root: document.root, base: base, limits: limits, isRepairing: false)
    } catch {
      guard error.isRepairable else { throw error }
    }
    let repaired = try DocumentRepair.repaired(document, limits: limits)
    let whole = Document(decoded: repaired, start: 0, line: document.line)
    return try read(whole, root: document.root, base: base, limits: limits, isRepairing: true)
  }

  private static func read(
    _ document: Document, root: String, base: WebURL?, limits: ParserLimits, isRepairing: Bool
  ) throws(ParseError) -> WebFeed {
    var collector = WebFeedCollector(limits: limits, base: base, isRepairing: isRepairing)
    try FeedParser.parse(document, into: &collector, handler: WebFeedCollector.handler, repairing: isRepairing)
    guard collector.isEnded else { throw .incomplete(root: root) }
    return collector.finished()
  }
}

extension ParseError {
  /// Whether a repaired document may be without it.
  fileprivate var isRepairable: Bool {
    switch self {
    case .malformed, .tagTooLong: true
    default: false
    }
  }
}

extension WebFeedCollector {
  /// The callbacks that collect a feed; unset callbacks are not called.
  fileprivate static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startDocument = { WebFeedCollector.startDocument($0) }
    handler.startElementNs = { context, local, prefix, namespace, declared, _, count, _, attributes in
      WebFeedCollector.start(context, local, prefix, namespace, declared, count, attributes)
    }
    // Most events are these two; they need no position and find no errors.
    handler.endElementNs = { context, _, _, _ in
      guard let collector: UnsafeMutablePointer<WebFeedCollector> = SAXContext.builder(of: context) else { return }
      collector.pointee.end()
    }
    handler.characters = { context, text, count in
      guard let collector: UnsafeMutablePointer<WebFeedCollector> = SAXContext.builder(of: context) else { return }
      collector.pointee.text(UnsafeBufferPointer(start: text, count: Int(count)).span)
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { WebFeedCollector.error($0, $1) }
    return handler
  }
}
