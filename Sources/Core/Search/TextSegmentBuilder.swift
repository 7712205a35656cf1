/// Makes a segment: takes text after text, then gives the bytes.
package struct TextSegmentBuilder {
  private var keys: [UInt64] = []
  private var known: Set<TextKey> = []
  private var vocabulary = TextVocabulary()

  package init() {}

  /// How many texts there are.
  package var count: Int { keys.count }

  /// Whether a text was added.
  package func knows(_ key: TextKey) -> Bool { known.contains(key) }

  /// Adds a text that is folded already; to be called once for each key.
  package mutating func add(folded: [UInt8], as key: TextKey) {
    let document = UInt32(keys.count)
    keys.append(key.bits)
    known.insert(key)
    folded.withUnsafeBytes { text in
      TextToken.forEach(in: text) { token in
        vocabulary.add(UnsafeRawBufferPointer(rebasing: text[token.bytes]), in: document)
      }
    }
  }

  /// The segment of all texts added.
  package func bytes(_ checksum: (UnsafeRawBufferPointer) -> UInt32) -> [UInt8] {
    let slots = TextSegmentBuilder.slots(keys)
    let (places, postings) = vocabulary.postings()
    let layout = TextSegmentLayout(
      documents: keys.count, slotCount: slots.count, tokens: vocabulary.count,
      vocabularyLength: vocabulary.bytes.count, postingsLength: postings.count)
    var bytes = [UInt8](repeating: 0, count: TextSegmentLayout.length)
    bytes.reserveCapacity(layout.postings.upperBound)
    TextSegmentBuilder.append(keys, to: &bytes)
    TextSegmentBuilder.append(slots, to: &bytes)
    bytes += vocabulary.bytes
    TextSegmentBuilder.append(vocabulary.starts, to: &bytes)
    TextSegmentBuilder.append(places, to: &bytes)
    bytes += postings
    let sums = bytes.withUnsafeBytes { bytes in
      TextSegmentSums(
        catalogue: checksum(UnsafeRawBufferPointer(rebasing: bytes[layout.catalogue])),
        words: checksum(UnsafeRawBufferPointer(rebasing: bytes[layout.words])))
    }
    bytes.replaceSubrange(0..<TextSegmentLayout.length, with: layout.bytes(sums, checksum))
    return bytes
  }

  private static func slots(_ keys: [UInt64]) -> [UInt32] {
    var count = 1
    while count < keys.count * 2 { count *= 2 }
    var slots = [UInt32](repeating: 0, count: count)
    for (document, key) in keys.enumerated() {
      var slot = TextSegment.slot(of: key, among: count)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = UInt32(document) + 1
    }
    return slots
  }

  private static func append<Number: FixedWidthInteger>(_ numbers: [Number], to bytes: inout [UInt8]) {
    numbers.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}
