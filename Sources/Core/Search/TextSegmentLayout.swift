/// Where the parts of a segment are. A segment is an index of some texts, written once and never changed:
///
/// ```
/// layout | keys | slots | vocabulary | starts | places | postings
/// ```
///
/// The first three are enough to know which text is which document; they and the rest have a checksum each. Every
/// number is little-endian. No version reads another's.
struct TextSegmentLayout: Equatable {
  /// Raised whenever a form changes, or what is a token, or what `NormalizedText` makes of a text.
  private static let version: UInt64 = 2
  private static let magic = Fingerprint.of("metube-rss texts \(version)")
  /// How many bytes the layout has: the version, the counts, the checksums of the parts, and twice its own.
  static let length = 9 * 8

  var documents: Int
  var slotCount: Int
  var tokens: Int
  var vocabularyLength: Int
  var postingsLength: Int

  /// The texts' keys (UInt64), by document.
  var keys: Range<Int> { TextSegmentLayout.length..<TextSegmentLayout.length + documents * 8 }
  /// Document numbers plus one (UInt32) at the place that the key gives, or the next free one.
  var slots: Range<Int> { keys.upperBound..<keys.upperBound + slotCount * 4 }
  /// Every token, with a newline before each and behind the last.
  var vocabulary: Range<Int> { slots.upperBound..<slots.upperBound + vocabularyLength }
  /// Where each token begins in the vocabulary (UInt32).
  var starts: Range<Int> { vocabulary.upperBound..<vocabulary.upperBound + tokens * 4 }
  /// Where each token's documents begin in the postings (UInt32), and where the last one's end.
  var places: Range<Int> { starts.upperBound..<starts.upperBound + (tokens + 1) * 4 }
  /// The documents of each token: the distances from one to the next, seven bits a byte, the low ones first.
  var postings: Range<Int> { places.upperBound..<places.upperBound + postingsLength }

  /// What tells the documents apart.
  var catalogue: Range<Int> { keys.lowerBound..<slots.upperBound }
  /// What tells which words they have.
  var words: Range<Int> { vocabulary.lowerBound..<postings.upperBound }
}

/// The checksums of a segment's parts.
struct TextSegmentSums: Equatable {
  var catalogue: UInt32
  var words: UInt32
}

extension TextSegmentLayout {
  /// The layout as the beginning of a segment.
  func bytes(_ sums: TextSegmentSums, _ checksum: (UnsafeRawBufferPointer) -> UInt32) -> [UInt8] {
    var encoder = SnapshotEncoder()
    _ = encoder.number(TextSegmentLayout.magic)
    for count in [documents, slotCount, tokens, vocabularyLength, postingsLength] {
      _ = encoder.number(UInt64(count))
    }
    _ = encoder.number(UInt64(sums.catalogue))
    _ = encoder.number(UInt64(sums.words))
    _ = encoder.number(UInt64(encoder.bytes.withUnsafeBytes(checksum)))
    return encoder.bytes
  }

  /// The layout at the beginning of a segment, with the checksums of its parts; nil where it is none.
  static func read(
    _ segment: UnsafeRawBufferPointer, _ checksum: (UnsafeRawBufferPointer) -> UInt32
  ) -> (layout: TextSegmentLayout, sums: TextSegmentSums)? {
    guard segment.count >= length else { return nil }
    let covered = UnsafeRawBufferPointer(rebasing: segment[..<(length - 8)])
    var numbers = SnapshotDecoder(UnsafeRawBufferPointer(rebasing: segment[..<length]))
    func next() -> Int { numbers.number(nil).flatMap { Int(exactly: $0) } ?? 0 }
    guard numbers.number(nil) == magic, UInt64(checksum(covered)) == segment.number64(at: length - 8) else {
      return nil
    }
    let layout = TextSegmentLayout(
      documents: next(), slotCount: next(), tokens: next(), vocabularyLength: next(), postingsLength: next())
    guard layout.postings.upperBound == segment.count else { return nil }
    return (
      layout, TextSegmentSums(catalogue: UInt32(truncatingIfNeeded: next()), words: UInt32(truncatingIfNeeded: next()))
    )
  }
}
