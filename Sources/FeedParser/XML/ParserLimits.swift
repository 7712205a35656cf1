/// Limits beyond which a document is rejected.
///
/// A feed has 25 to 78 KB, 15 entries, tags of under 300 bytes, titles of 100 and descriptions of 5,000 characters;
/// each limit is far above that, and low enough that no document within them takes long.
struct Limits {
  /// Size of the whole document, in bytes.
  var bytes: Int
  /// Entries, or outlines with a URL.
  var entries: Int
  /// Length of one tag, in bytes: libxml2 compares every attribute of a tag with every other.
  var tag = 64 << 10
  /// Attributes and namespace declarations of one tag.
  var attributes = 256
  /// Namespaces declared by one tag: libxml2 searches all those in scope for every element.
  var namespaces = 16
  /// Distinct names in the document: libxml2 keeps them in a table that hardly grows. 4 million took 228 s.
  var names = 4096
  /// Nesting depth of elements; the root is 1.
  var depth = 32
  /// Length of one field's text, in bytes.
  var field = 64 << 10

  /// For a feed.
  static let feed = Limits(bytes: 1 << 20, entries: 500)
  /// For an OPML subscription list.
  static let opml = Limits(bytes: 64 << 20, entries: 100_000)
}
