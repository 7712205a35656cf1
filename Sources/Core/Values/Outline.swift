/// One feed's outline of an OPML document.
package struct Outline: Equatable, Sendable {
  /// `title`, else `text`; nil where both are missing or empty.
  package var title: String?
  /// `xmlUrl`, as it stands; nil where an outline has only an `htmlUrl`.
  package var xmlURL: String?
  package var htmlURL: String?
  /// The names of the outlines around it, outermost first: `text`, which is what is shown of a folder, else `title`.
  package var folders: [String]
  /// `category`, split at its commas, as it stands otherwise.
  package var categories: [String]
  /// The line of the document its tag ends on, from 1.
  package var line: Int

  package init(
    title: String?, xmlURL: String?, htmlURL: String?, folders: [String], categories: [String], line: Int
  ) {
    self.title = title
    self.xmlURL = xmlURL
    self.htmlURL = htmlURL
    self.folders = folders
    self.categories = categories
    self.line = line
  }
}
