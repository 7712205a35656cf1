/// Why a document was rejected as a whole.
package enum XMLDamage: Error, Equatable {
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
  /// It has a document type, which may define entities.
  case doctype(line: Int)
  /// It declares this encoding, which is not supported.
  case encoding(String)
  /// It is well-formed, but not an Atom feed: an HTML page, or another service's response. The name of its root
  /// element.
  case notAFeed(root: String)
  /// It is well-formed, but not OPML. The name of its root element.
  case notOPML(root: String)
  /// A video's entry, or a deleted entry, lacks a field or has an invalid one; the line its element ends on.
  case badEntry(line: Int, field: EntryField, flaw: FieldFlaw)
}

/// The required fields of an entry or a deleted entry.
package enum EntryField: Equatable, Sendable { case video, channel, title, link, published, updated, when }

/// What is wrong with a field.
package enum FieldFlaw: Equatable, Sendable { case missing, invalid }
