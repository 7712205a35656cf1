/// One feed outline of an OPML document.
package struct Outline: Equatable, Sendable {
  /// `title`, else `text`; nil if both are absent or empty.
  package var title: String?
  /// `xmlUrl`, unmodified; nil if the outline has only an `htmlUrl`.
  package var xmlURL: String?
  package var htmlURL: String?
  /// The names of the enclosing outlines, outermost first: `text`, which readers display for a folder, else `title`.
  package var folders: [String]
  /// `category`, split at commas, otherwise unmodified.
  package var categories: [String]
  /// The line on which its tag ends, from 1.
  package var line: Int

  package init(
    title: String?, xmlURL: String?, htmlURL: String?, folders: [String], categories: [String], line: Int
  ) {
    (self.title, self.xmlURL, self.htmlURL) = (title, xmlURL, htmlURL)
    (self.folders, self.categories, self.line) = (folders, categories, line)
  }
}
