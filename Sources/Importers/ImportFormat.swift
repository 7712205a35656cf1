/// The supported file formats; detected by content, never by name, extension or language.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Google Takeout's `subscriptions.csv`: ID, address, title, under a header in any language or none.
  case takeoutCSV
  /// Google Takeout's complete archive.
  case takeoutZip
  /// Google Takeout's `subscriptions.json` (until 2021), which FreeTube also writes.
  case takeoutJSON
  case opml
  /// newsboat's `urls`: one address per line, with tags.
  case newsboatURLs
  /// FreeTube's `.db`: one JSON object per line.
  case freeTube
  /// The JSON that NewPipe, PipePipe, Tubular and Piped export.
  case newPipe
  /// The backup of LibreTube and Piped.
  case piped
  case invidious
  /// One channel per line: an ID, an address or a handle.
  case plainList
  /// One playlist of Google Takeout as CSV.
  case takeoutPlaylist
  case watchHistoryJSON
  /// Google Takeout's `watch-history.html`, its default.
  case watchHistoryHTML
}

/// What an unsupported file looks like.
package enum Likeness: String, Sendable {
  case nothing
  case text
  case csv
  case json
  case xml
  case html
  case zip
  /// Google Takeout also offers its archive as `.tgz`.
  case gzip
  /// A SQLite database: NewPipe's own backup contains one, and NewPipe also exports its subscriptions as JSON.
  case database
  case binary
}
