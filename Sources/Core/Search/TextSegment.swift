/// An index of some texts: which of them have which words.
///
/// Not safe for two threads at once; the program has one.
package final class TextSegment {
  private let source: VideoSnapshot.Source
  private let layout: TextSegmentLayout
  private let sums: TextSegmentSums
  private let checksum: (UnsafeRawBufferPointer) -> UInt32
  /// The document behind the one found last: texts are mostly asked for in the order in which they were added.
  private var next = 0
  /// Whether the words are as they were written, once that was looked at.
  private var hasGoodWords: Bool?

  /// The segment in these bytes; nil where they are none, or what tells its documents apart is broken.
  package init?(_ source: VideoSnapshot.Source, checksum: @escaping (UnsafeRawBufferPointer) -> UInt32) {
    guard let (layout, sums) = TextSegmentLayout.read(source.bytes, checksum),
      checksum(UnsafeRawBufferPointer(rebasing: source.bytes[layout.catalogue])) == sums.catalogue
    else { return nil }
    self.source = source
    self.layout = layout
    self.sums = sums
    self.checksum = checksum
  }

  /// How many texts it has.
  package var count: Int { layout.documents }

  /// The document of a text; nil where it is not among them.
  package func document(of key: TextKey) -> Int? {
    guard layout.slotCount > 0 else { return nil }
    // Of a video that was left out there are a title and a description.
    for document in next..<min(next + 3, count) where self.key(of: document) == key.bits {
      next = document + 1
      return document
    }
    var slot = TextSegment.slot(of: key.bits, among: layout.slotCount)
    while true {
      let entry = Int(source.bytes.number32(at: layout.slots.lowerBound + slot * 4))
      guard entry > 0, entry <= count else { return nil }
      if self.key(of: entry - 1) == key.bits {
        next = entry
        return entry - 1
      }
      slot = (slot + 1) & (layout.slotCount - 1)
    }
  }

  /// Whether a document is that of a text; the number may be of none.
  func isDocument(_ document: Int, _ key: TextKey) -> Bool {
    document >= 0 && document < count && self.key(of: document) == key.bits
  }

  private func key(of document: Int) -> UInt64 {
    source.bytes.number64(at: layout.keys.lowerBound + document * 8)
  }

  /// Where the search for a key begins; `slots` is a power of two.
  static func slot(of key: UInt64, among slots: Int) -> Int { Int(truncatingIfNeeded: key >> 16) & (slots - 1) }

  /// What tells it from any other.
  var fingerprint: UInt64 {
    Fingerprint.of(UnsafeRawBufferPointer(rebasing: source.bytes[..<TextSegmentLayout.length]))
  }

  /// The documents that have every piece of a word: all that have the word are among them. Only of a segment that is
  /// whole.
  func documents(with word: SoughtWord) -> DocumentSet {
    var all = DocumentSet(count: count, all: true)
    for piece in word.pieces { all.formIntersection(documents(with: piece)) }
    return all
  }

  /// Whether the words are as they were written; they are many, so this is looked at when they are asked for.
  package var isWhole: Bool {
    if let hasGoodWords { return hasGoodWords }
    let isGood = checksum(UnsafeRawBufferPointer(rebasing: source.bytes[layout.words])) == sums.words
    hasGoodWords = isGood
    return isGood
  }

  private func documents(with piece: SoughtWord.Piece) -> DocumentSet {
    var documents = DocumentSet(count: count)
    let newline = UInt8(ascii: "\n")
    let sought = (piece.begins ? [newline] : []) + piece.bytes + (piece.ends ? [newline] : [])
    let vocabulary = UnsafeRawBufferPointer(rebasing: source.bytes[layout.vocabulary])
    var place = 0
    while let found = ByteSearch.first(sought, in: vocabulary, from: place) {
      // The newline before a token is not of it.
      let token = token(at: found + (piece.begins ? 1 : 0))
      insertDocuments(of: token, into: &documents)
      guard token + 1 < layout.tokens else { break }
      place = start(of: token + 1) - 1
    }
    return documents
  }

  private func start(of token: Int) -> Int { Int(source.bytes.number32(at: layout.starts.lowerBound + token * 4)) }

  /// The token that has the byte at a place of the vocabulary.
  private func token(at place: Int) -> Int {
    var (low, high) = (0, layout.tokens)
    while low + 1 < high {
      let middle = (low + high) / 2
      if start(of: middle) <= place { low = middle } else { high = middle }
    }
    return low
  }

  private func insertDocuments(of token: Int, into documents: inout DocumentSet) {
    let places = layout.places.lowerBound + token * 4
    let start = layout.postings.lowerBound + Int(source.bytes.number32(at: places))
    let end = layout.postings.lowerBound + Int(source.bytes.number32(at: places + 4))
    documents.insert(distances: UnsafeRawBufferPointer(rebasing: source.bytes[start..<end]))
  }
}
