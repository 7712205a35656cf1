/// Which texts of one segment satisfy a condition, as far as they were looked at.
package struct TextVerdict: Equatable, Sendable {
  var known: DocumentSet
  var holding: DocumentSet

  /// Whether a document satisfies the condition; nil where nobody looked yet.
  func holds(_ document: Int) -> Bool? { known.contains(document) ? holding.contains(document) : nil }
}

/// What was found out before about conditions and the texts of an index.
package struct TextVerdicts {
  let index: TextIndex
  /// One for each segment.
  let ofSegments: [[TextCondition: TextVerdict]]

  /// What was found out about each segment of an index.
  package init(_ index: TextIndex, _ ofSegments: [[TextCondition: TextVerdict]]) {
    self.index = index
    self.ofSegments = ofSegments
  }

  /// Nothing was found out.
  package static var none: TextVerdicts { TextVerdicts(TextIndex([]), []) }

  /// What is known of a condition, for each segment; nil where something is not.
  func verdicts(on condition: TextCondition) -> [TextVerdict]? {
    let verdicts = ofSegments.compactMap { $0[condition] }
    return verdicts.count == ofSegments.count ? verdicts : nil
  }
}

// MARK: As bytes

extension TextVerdicts {
  /// What is known of a segment, as bytes; with the segment's fingerprint, for it says nothing of another.
  package static func bytes(
    _ verdicts: [TextCondition: TextVerdict], of segment: TextSegment, _ checksum: (UnsafeRawBufferPointer) -> UInt32
  ) -> [UInt8] {
    var encoder = SnapshotEncoder()
    _ = encoder.number(segment.fingerprint)
    _ = encoder.number(UInt64(verdicts.count))
    for (condition, verdict) in verdicts {
      _ = String?.coded(condition.contains, by: &encoder)
      _ = String?.coded(condition.matches, by: &encoder)
      for word in verdict.known.words + verdict.holding.words { _ = encoder.number(word) }
    }
    _ = encoder.number(UInt64(encoder.bytes.withUnsafeBytes(checksum)))
    return encoder.bytes
  }

  /// What bytes say of a segment; nothing where they are broken or about another.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, of segment: TextSegment, _ checksum: (UnsafeRawBufferPointer) -> UInt32
  ) -> [TextCondition: TextVerdict] {
    guard bytes.count >= 24,
      UInt64(checksum(UnsafeRawBufferPointer(rebasing: bytes.dropLast(8)))) == bytes.number64(at: bytes.count - 8)
    else { return [:] }
    var decoder = SnapshotDecoder(bytes)
    guard decoder.number(nil) == segment.fingerprint, let count = decoder.number(nil) else { return [:] }
    var verdicts: [TextCondition: TextVerdict] = [:]
    func set() -> DocumentSet? {
      let words = (0..<(segment.count + 63) / 64).compactMap { _ in decoder.number(nil) }
      return words.count == (segment.count + 63) / 64 ? DocumentSet(words: words) : nil
    }
    for _ in 0..<count {
      guard let contains = String?.coded(nil, by: &decoder), let matches = String?.coded(nil, by: &decoder),
        let known = set(), let holding = set()
      else { return [:] }
      verdicts[TextCondition(contains: contains, matches: matches)] = TextVerdict(known: known, holding: holding)
    }
    return verdicts
  }
}
