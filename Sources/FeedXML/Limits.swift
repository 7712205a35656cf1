/// How much of a document is read before it is refused.
///
/// A feed has 25 to 78 KB, 15 entries, tags of under 300 bytes, titles of 100 and descriptions of 5,000 characters;
/// each limit is far above, and low enough that no document within them takes long.
struct Limits {
  /// Bytes of the whole document.
  var bytes: Int
  /// Entries, or outlines with an address.
  var entries: Int
  /// Bytes of one tag: libxml2 compares every attribute of a tag with every other.
  var tag = 64 << 10
  /// Attributes and namespaces of one tag.
  var attributes = 256
  /// Namespaces declared by one tag: libxml2 looks through all that hold for every element.
  var namespaces = 16
  /// Different names in the document: libxml2 keeps them in a table that hardly grows. 4 million took 228 s.
  var names = 4096
  /// How deep elements lie in one another, the outermost being 1.
  var depth = 32
  /// Bytes of one field's text.
  var field = 64 << 10

  /// Of a feed.
  static let feed = Limits(bytes: 1 << 20, entries: 500)
  /// Of a list of subscriptions.
  static let opml = Limits(bytes: 64 << 20, entries: 100_000)
}
