import Core

/// What a query selects: a page of videos, and how many more there are that something hides.
package struct VideoSelection: Equatable, Sendable {
  package var ids: [VideoID] = []
  /// How many match, whatever the limit and the page.
  package var matching = 0
  package var hidden = Hidden()
  /// Where the next page begins; nil on the last one.
  package var next: PageCursor?

  /// How many match otherwise but are hidden, by what hides them first.
  package struct Hidden: Equatable, Sendable {
    package var upcoming = 0
    package var shorts = 0
    /// Streams, by what the user chose for their channel.
    package var streams = 0
    /// By the user's rules.
    package var rules = 0
    /// Because the query limits the length and theirs is unknown.
    package var unknownLength = 0

    package init() {}
  }

  mutating func count(_ fate: VideoQuery.Fate, _ size: Int = 1) {
    switch fate {
    case .shown: matching += size
    case .unrequested: break
    case .upcoming: hidden.upcoming += size
    case .short: hidden.shorts += size
    case .stream: hidden.streams += size
    case .blocked: hidden.rules += size
    }
  }
}

/// Why a query has no answer.
package enum QueryError: Error {
  /// The cursor names a video that was never found.
  case unknownCursor(VideoID)
  /// The cursor of a catch-up list or a mix lacks its number.
  case incompleteCursor(VideoID)
}
