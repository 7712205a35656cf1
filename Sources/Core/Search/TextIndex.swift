/// Which texts have which words: some segments, of which a text is in one or in none.
package struct TextIndex {
  package let segments: [TextSegment]

  /// The index of these segments.
  package init(_ segments: [TextSegment]) { self.segments = segments }

  /// A text's segment and its document there.
  package struct Place {
    package var segment: Int
    package var document: Int
  }

  /// Where a text is; nil where the index does not know it.
  package func place(of key: TextKey) -> Place? {
    for (index, segment) in segments.enumerated() {
      if let document = segment.document(of: key) { return Place(segment: index, document: document) }
    }
    return nil
  }

  /// Where the documents of each segment begin, where those of all are one set.
  var starts: [Int] {
    var starts: [Int] = []
    var start = 0
    for segment in segments {
      starts.append(start)
      start += (segment.count + 63) / 64 * 64
    }
    return starts
  }

  /// Whether the index knows a text.
  package func knows(_ key: TextKey) -> Bool { place(of: key) != nil }
}

/// Which texts have one word, as far as the index can say.
struct WordPlaces {
  private let sets: [DocumentSet]
  /// Whether a text that may have the word has it.
  let isCertain: Bool

  /// What an index of whole segments says of a word.
  init(_ word: SoughtWord, in index: TextIndex) {
    sets = index.segments.map { $0.documents(with: word) }
    isCertain = word.isCertain
  }

  /// The texts that may have the word, as one set.
  var documents: DocumentSet { DocumentSet.joined(sets) }

  /// Whether the text of a place has the word; nil where only the text itself can tell.
  func has(_ place: TextIndex.Place) -> Bool? {
    guard sets[place.segment].contains(place.document) else { return false }
    return isCertain ? true : nil
  }
}
