/// Where the parts of a snapshot are.
///
/// A snapshot is the state in a form that can be looked at without reading it: records of fixed width for the videos,
/// the newest first, an index by id, a heap of what has no fixed width. It is written from beginning to end and
/// therefore ends with its layout:
///
/// ```
/// heap | records | index | open | special | tally | small | note | checksums of blocks | layout
/// ```
///
/// Every number is little-endian. A snapshot is disposable: no version reads another's.
struct SnapshotLayout: Equatable {
  /// Raised whenever a form changes, or what the fold makes of a line: older snapshots are then made anew.
  private static let version = 6

  /// How many bytes have a checksum of their own.
  static let blockSize = 1 << 14
  /// How many bytes a video's record has; a divisor of the block's size, so that none lies across two.
  static let recordSize = 128

  /// Titles and rare members.
  var heap = 0..<0
  /// One record for each video: those found by `published`, the newest first, ties by id; then the others.
  var records = 0..<0
  /// Row numbers plus one (UInt32) at the place that the id's hash gives, or the next free one; 0 where there is none.
  var index = 0..<0
  /// A bit for each row of a video that may be new to the person.
  var open = 0..<0
  /// The rows (UInt32) of videos that no class of the tally says enough of.
  var special = 0..<0
  /// How many videos there are of each class.
  var tally = 0..<0
  /// Everything of the state but the videos.
  var small = 0..<0
  /// What the writer of the snapshot wants to know when it reads it.
  var note = 0..<0
  /// The checksums (UInt32) of the blocks before this.
  var checksums = 0..<0
  /// How many videos were found.
  var found = 0

  /// How many videos there are.
  var rows: Int { records.count / SnapshotLayout.recordSize }

  /// The place of a row's record.
  func record(_ row: Int) -> Range<Int> {
    let start = records.lowerBound + row * SnapshotLayout.recordSize
    return start..<start + SnapshotLayout.recordSize
  }
}

extension SnapshotLayout {
  /// What a snapshot of this program ends with: the version, and the words of which it keeps only the positions.
  private static let magic: UInt64 = {
    let words = [FeedForm.allCases.map(\.rawValue), Status.allCases.map(\.rawValue), Live.allCases.map(\.rawValue)]
    let stops = StopReason.allCases.map(\.rawValue)
    return Fingerprint.of("metube-rss snapshot \(version) \(words) \(stops)")
  }()
  private static let parts: [WritableKeyPath<SnapshotLayout, Range<Int>> & Sendable] = [
    \.heap, \.records, \.index, \.open, \.special, \.tally, \.small, \.note, \.checksums,
  ]
  /// How many bytes the layout has: the version, the parts, the count, and two checksums.
  static let length = 8 + parts.count * 16 + 8 + 8

  /// The layout as the end of a snapshot, with the checksum of the blocks' checksums and its own.
  func bytes(checksumOfChecksums: UInt32, _ checksum: (UnsafeRawBufferPointer) -> UInt32) -> [UInt8] {
    var encoder = SnapshotEncoder()
    _ = encoder.number(SnapshotLayout.magic)
    for part in SnapshotLayout.parts {
      _ = encoder.number(UInt64(self[keyPath: part].lowerBound))
      _ = encoder.number(UInt64(self[keyPath: part].upperBound))
    }
    _ = encoder.number(UInt64(found))
    var bytes = encoder.bytes
    withUnsafeBytes(of: checksumOfChecksums.littleEndian) { bytes.append(contentsOf: $0) }
    let own = bytes.withUnsafeBytes(checksum)
    withUnsafeBytes(of: own.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The layout at the end of a snapshot, or nil where it or the blocks' checksums are not as they were written.
  init?(of snapshot: UnsafeRawBufferPointer, _ checksum: (UnsafeRawBufferPointer) -> UInt32) {
    guard snapshot.count >= SnapshotLayout.length else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: snapshot.suffix(SnapshotLayout.length))
    guard checksum(UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))) == bytes.number32(at: bytes.count - 4) else {
      return nil
    }
    var decoder = SnapshotDecoder(bytes)
    guard decoder.number(nil) == SnapshotLayout.magic else { return nil }
    for part in SnapshotLayout.parts {
      guard let start = decoder.number(nil), let end = decoder.number(nil), start <= end, end <= snapshot.count else {
        return nil
      }
      self[keyPath: part] = Int(start)..<Int(end)
    }
    guard let found = decoder.number(nil) else { return nil }
    self.found = Int(found)
    guard checksums.upperBound == snapshot.count - SnapshotLayout.length,
      checksum(UnsafeRawBufferPointer(rebasing: snapshot[checksums])) == bytes.number32(at: bytes.count - 8)
    else { return nil }
  }
}

extension UnsafeRawBufferPointer {
  /// A little-endian number at a place.
  func number32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
  /// A little-endian number at a place.
  func number64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
