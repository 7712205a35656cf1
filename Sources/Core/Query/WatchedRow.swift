/// A watched video, as shown by `history`.
package struct WatchedRow: Equatable, Sendable {
  /// When it was watched: from a history file, else when it was marked.
  package var watched: Timestamp
  package var row: VideoRow

  package init(watched: Timestamp, row: VideoRow) {
    (self.watched, self.row) = (watched, row)
  }
}
