/// The sorts of file that are understood; recognised by content, never by name, extension or language.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Google Takeout's `subscriptions.csv`: id, address, title, under a header in any language or none.
  case takeoutCSV
  /// Google Takeout's whole archive.
  case takeoutZip
  /// Google Takeout's `subscriptions.json` of up to 2021, which FreeTube writes too.
  case takeoutJSON
  case opml
  /// newsboat's `urls`: an address a line, with tags.
  case newsboatURLs
  /// FreeTube's `.db`: a JSON object a line.
  case freeTube
  /// The JSON of NewPipe, PipePipe, Tubular and Piped's export button.
  case newPipe
  /// The backup of LibreTube and Piped.
  case piped
  case invidious
  /// A channel a line: an id, an address or a handle.
  case plainList
  /// One playlist of Google Takeout as CSV.
  case takeoutPlaylist
  case watchHistoryJSON
  /// Google Takeout's `watch-history.html`, the default there.
  case watchHistoryHTML
}

/// What a file that is not understood looks like.
package enum Likeness: String, Sendable {
  case nothing
  case text
  case csv
  case json
  case xml
  case html
  case zip
  /// Google Takeout gives its archive as `.tgz` too, where it is asked to.
  case gzip
  /// A SQLite database: NewPipe's own backup holds one, whose subscriptions it exports as JSON as well.
  case database
  case binary
}
