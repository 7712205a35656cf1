/// Says which of the videos stored can be what is sought by their texts, by what an index knows of them.
///
/// One look at the texts' keys of each, in the order of the rows, which is that of the documents: of a hundred thousand
/// videos a few milliseconds, where to look at each as a video took twenty.
package struct TextSieve {
  let index: TextIndex
  /// For each of the conditions, all of which have to hold, the documents one of which the video has to have; those of
  /// each segment begin at a multiple of 64.
  let conditions: [Condition]
  /// Of each channel, a bit for each of the conditions that its title satisfies; none of one of which only a look at the
  /// video tells the title. Nil where titles of channels satisfy nothing.
  let channels: ChannelMarks?
  /// For so many conditions a channel has bits.
  static let mostConditions = 64

  /// One condition on the texts of a video.
  struct Condition {
    /// The documents that satisfy it, or may.
    var documents: DocumentSet
    /// Whether those documents satisfy it for certain.
    var isCertain: Bool
    /// Whether a video without a description satisfies it.
    var holdsWithout: Bool
  }

  /// The rows of some videos that can pass; nil where none are stored or nothing is indexed.
  package func rows(of videos: VideoTable) -> SievedRows? {
    guard !index.segments.isEmpty, let snapshot = videos.snapshot else { return nil }
    let starts = index.starts
    var possible = DocumentSet(count: snapshot.found)
    var certain = DocumentSet(count: snapshot.found)
    var cursor = TextCursor(index)
    snapshot.forEachText { row, channel, title, body in
      let titlePlace = cursor.place(of: title)
      let bodyPlace = body.map { cursor.place(of: $0) }
      guard let titlePlace, bodyPlace.map({ $0 != nil }) ?? true else { return possible.insert(row) }
      let first = starts[titlePlace.segment] + titlePlace.document
      let second = (bodyPlace ?? nil).map { starts[$0.segment] + $0.document }
      let byChannel = channels.map { $0[channel] } ?? 0
      var isCertain = true
      for (number, condition) in conditions.enumerated() where (byChannel ?? 0) >> UInt64(number) & 1 == 0 {
        if condition.documents.contains(first)
          || (second.map { condition.documents.contains($0) } ?? condition.holdsWithout)
        {
          if !condition.isCertain { isCertain = false }
        } else if byChannel == nil {
          isCertain = false
        } else {
          return
        }
      }
      possible.insert(row)
      if isCertain { certain.insert(row) }
    }
    return SievedRows(snapshot: snapshot, possible: possible, certain: certain)
  }
}

/// Which of the videos of a snapshot passed a sieve, by row.
package struct SievedRows {
  let snapshot: VideoSnapshot
  /// Those that may be what is sought; no other is.
  let possible: DocumentSet
  /// Those that are for certain; nil where only a look at each can tell.
  let certain: DocumentSet?
}

/// Finds texts in an index that are asked for in the order in which they were added, or the other way round.
struct TextCursor {
  private let index: TextIndex
  /// Where the last text was found.
  private var segment: TextSegment?
  private var last = TextIndex.Place(segment: 0, document: 0)

  init(_ index: TextIndex) { self.index = index }

  /// Where a text is; nil where the index does not know it.
  mutating func place(of key: TextKey) -> TextIndex.Place? {
    if let segment {
      // A description is behind its title. The title of the next video is behind that or, where the index was made before
      // there was a snapshot, three before; where a video was left out, some more.
      if segment.isDocument(last.document + 1, key) { return found(1) }
      if segment.isDocument(last.document - 3, key) { return found(-3) }
      for distance in -6...4 where segment.isDocument(last.document + distance, key) { return found(distance) }
    }
    guard let place = index.place(of: key) else { return nil }
    segment = index.segments[place.segment]
    last = place
    return place
  }

  private mutating func found(_ distance: Int) -> TextIndex.Place {
    last.document += distance
    return last
  }
}
