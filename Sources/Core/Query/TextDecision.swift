/// What decides on a video by its texts, which may have to be read from the log.
package struct TextDecision {
  /// Which of the videos stored it can be about at all; nil where nobody knows.
  var rows: SievedRows?
  private let decide: (Video) -> Bool

  /// A decision that `decide` makes; of the videos stored `rows` may say enough.
  package init(among rows: SievedRows?, _ decide: @escaping (Video) -> Bool) {
    self.rows = rows
    self.decide = decide
  }

  /// What is decided of a video, with its row in the snapshot where that is what `rows` are about.
  func holds(of video: Video, at row: Int?) -> Bool {
    if let row, let rows {
      guard rows.possible.contains(row) else { return false }
      if rows.certain?.contains(row) == true { return true }
    }
    return decide(video)
  }
}

/// What decides on a video by its texts; nil where it decides nothing.
package struct TextDecisions {
  /// Whether the texts are what is searched for.
  package var matches: TextDecision?
  /// Whether the person's rules hide it.
  package var isBlocked: TextDecision?

  package init(matches: TextDecision?, isBlocked: TextDecision?) {
    self.matches = matches
    self.isBlocked = isBlocked
  }

  /// Every text will do.
  package static var none: TextDecisions { TextDecisions(matches: nil, isBlocked: nil) }

  /// The decisions without the rows of another snapshot than that of some videos.
  func usable(with videos: VideoTable) -> TextDecisions {
    var usable = self
    if let rows = matches?.rows, !videos.isStored(in: rows.snapshot) { usable.matches?.rows = nil }
    if let rows = isBlocked?.rows, !videos.isStored(in: rows.snapshot) { usable.isBlocked?.rows = nil }
    return usable
  }

  /// Whether what is decided by texts concerns few of the videos, so that the others can be counted.
  var canBeCounted: Bool { matches == nil && (isBlocked == nil || isBlocked?.rows != nil) }
}
