/// A set of the documents of one segment, or of other things that have numbers: a bit for each.
package struct DocumentSet: Equatable, Sendable {
  private(set) var words: [UInt64]

  /// No document out of so many, or every one.
  init(count: Int, all: Bool = false) {
    words = Array(repeating: all ? .max : 0, count: (count + 63) / 64)
  }

  /// The set with these words.
  init(words: [UInt64]) { self.words = words }

  /// Whether a document is in the set.
  package func contains(_ document: Int) -> Bool { words[document >> 6] >> UInt64(document & 63) & 1 != 0 }

  mutating func insert(_ document: Int) { words[document >> 6] |= 1 << UInt64(document & 63) }

  /// Inserts documents by the distances from one to the next: seven bits a byte, the low ones first.
  mutating func insert(distances: UnsafeRawBufferPointer) {
    var words = words.mutableSpan
    var (document, distance, shift) = (0, 0, 0)
    for byte in distances {
      distance |= Int(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      document += distance
      words[document >> 6] |= 1 << UInt64(document & 63)
      (document, distance, shift) = (document + 1, 0, 0)
    }
  }

  mutating func formIntersection(_ other: DocumentSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func formUnion(_ other: DocumentSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// The documents that are not in the set, and the bits behind the last one.
  var inverted: DocumentSet { DocumentSet(words: words.map { ~$0 }) }

  /// The documents of some segments as one set: those of each segment begin at a multiple of 64.
  static func joined(_ sets: [DocumentSet]) -> DocumentSet { DocumentSet(words: Array(sets.map(\.words).joined())) }

  /// Whether there is no document in it.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
}
