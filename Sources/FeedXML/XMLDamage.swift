/// Why a document was refused; nothing of it was used.
package enum XMLDamage: Error, Equatable {
  /// There is nothing in it, or white space alone.
  case empty
  /// It is no well-formed XML: libxml2's code (`xmlParserErrors`) and the place, both from 1, where it was noticed.
  case malformed(code: Int32, line: Int, column: Int)
  /// It has more bytes than `limit`.
  case tooLarge(limit: Int)
  /// A tag has more bytes than `limit`; the line it begins on.
  case tagTooLong(limit: Int, line: Int)
  /// A tag has more attributes and namespaces than `limit`.
  case tooManyAttributes(limit: Int, line: Int)
  /// There are more different names, or more namespaces declared by one tag, than `limit`.
  case tooManyNames(limit: Int, line: Int)
  /// Elements lie in one another deeper than `limit`.
  case tooDeep(limit: Int, line: Int)
  /// There are more entries, or outlines, than `limit`.
  case tooManyEntries(limit: Int)
  /// The text of a field has more bytes than `limit`.
  case fieldTooLong(limit: Int, line: Int)
  /// It has a document type, which may define entities.
  case doctype(line: Int)
  /// It says it is in this encoding, which is not read.
  case encoding(String)
  /// It is in order, but no Atom feed: an HTML page, an answer of another service. The name of its outermost element.
  case notAFeed(root: String)
  /// It is in order, but no OPML. The name of its outermost element.
  case notOPML(root: String)
  /// A video's entry, or word of its removal, lacks a field or has it in no shape that is known; the line its element
  /// ends on.
  case badEntry(line: Int, field: EntryField, flaw: FieldFlaw)
}

/// What an entry, or word of a removal, has to say.
package enum EntryField: Equatable, Sendable { case video, channel, title, link, published, updated, when }

/// What is wrong with a field.
package enum FieldFlaw: Equatable, Sendable { case missing, invalid }
