/// Why a document was rejected as a whole.
package enum ParseError: Error, Equatable {
  /// It is empty, or contains only white space.
  case empty
  /// It is not well-formed XML: libxml2's code (`xmlParserErrors`) and the position where it was detected, from 1.
  case malformed(code: Int32, line: Int, column: Int)
  /// It has more bytes than `limit`.
  case tooLarge(limit: Int)
  /// A tag has more bytes than `limit`; the line it starts on.
  case tagTooLong(limit: Int, line: Int)
  /// A tag has more attributes and namespace declarations than `limit`.
  case tooManyAttributes(limit: Int, line: Int)
  /// There are more distinct names, or more namespaces declared by one tag, than `limit`.
  case tooManyNames(limit: Int, line: Int)
  /// Elements are nested deeper than `limit`.
  case tooDeep(limit: Int, line: Int)
  /// There are more entries, or outlines, than `limit`.
  case tooManyEntries(limit: Int)
  /// The text of a field has more bytes than `limit`.
  case fieldTooLong(limit: Int, line: Int)
  /// It has a document type, which may define entities, or in a feed that may have one: which does.
  case doctype(line: Int)
  /// The end tag of its root element is missing: it is a part of a document.
  case incomplete(root: String)
  /// It is not valid JSON: the position where that was detected, from 1, the column in bytes.
  case malformedJSON(line: Int, column: Int)
  /// It declares this encoding, which is not supported.
  case encoding(String)
  /// It is well-formed, but not an Atom feed: an HTML page, or another service's response. The name of its root
  /// element.
  case notAFeed(root: String)
  /// It is well-formed, but not OPML. The name of its root element.
  case notOPML(root: String)
  /// A video's entry, or a deleted entry, lacks a field or has an invalid one; the line its element ends on.
  case badEntry(line: Int, field: EntryField, flaw: FieldFlaw)
  /// libxml2 cannot be loaded: the dynamic linker's message.
  case noLibrary(String)
}

/// The required fields of an entry or a deleted entry.
package enum EntryField: Equatable, Sendable { case video, channel, title, link, published, updated, when }

/// What is wrong with a field.
package enum FieldFlaw: Equatable, Sendable { case missing, invalid }

/// Receives the parse events of one document, in document order.
///
/// A name or an attribute is valid until the method returns.
package protocol SAXHandler {
  /// The error found, by the builder or by libxml2: set once, and no event follows it.
  var damage: ParseError? { get set }
  /// The limits for this document.
  var limits: ParserLimits { get }

  /// Whether the document is read on after this error of libxml2 (`xmlParserErrors`).
  func accepts(_ code: Int32) -> Bool

  /// An element starts.
  mutating func start(_ name: ElementName, _ attributes: Attributes, at location: SourceLocation)
  /// The innermost open element ends.
  mutating func end(at location: SourceLocation)
  /// A piece of the text in the innermost open element.
  mutating func text(_ piece: Span<UInt8>, at location: SourceLocation)
  /// The document has a document type, which is refused; `root` is the name it gives the root element.
  mutating func doctype(root: String, at location: SourceLocation)
}

extension SAXHandler {
  /// Records the first error; anything after it is unreliable.
  @inlinable
  package mutating func refuse(_ found: ParseError) {
    if damage == nil { damage = found }
  }
}

/// The parser's position at an event: just after it; line and column from 1.
package struct SourceLocation {
  package let line: Int32
  package let column: Int32

  @inlinable package init(line: Int32, column: Int32) { (self.line, self.column) = (line, column) }
}

extension ParseError {
  /// The error for a libxml2 code at this position.
  static func malformed(code: Int32, at location: SourceLocation) -> ParseError {
    .malformed(code: code, line: Int(location.line), column: Int(location.column))
  }
}
