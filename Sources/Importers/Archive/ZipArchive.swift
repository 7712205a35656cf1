import JSON

/// A zip archive whose entries are unpacked one at a time, piece by piece, within limits for the whole archive.
final class ZipArchive {
  /// The entries, from the central directory.
  let entries: [ZipEntry]
  private let source: ImportSource
  private let limits: ImportLimits
  /// How many more bytes may be unpacked.
  private var budget: Int

  /// Opens an archive.
  init(_ source: ImportSource, limits: ImportLimits) throws(ImportError) {
    entries = try ZipDirectory(source, limits: limits).entries
    self.source = source
    self.limits = limits
    budget = limits.streamedBytes
  }

  /// Up to `length` bytes from the start of an entry; empty if its packing method is unsupported.
  func start(of entry: ZipEntry, length: Int) throws(ImportError) -> [UInt8] {
    guard entry.method != .other else { return [] }
    let inflater = try inflater(for: entry, pieceLength: length)
    let start = try Array(piece(of: inflater, entry))
    withExtendedLifetime(inflater) {}  // The piece is its memory.
    return start
  }

  /// A reader of an entry's unpacked bytes.
  func reader(of entry: ZipEntry) throws(ImportError) -> ByteReader {
    let inflater = try inflater(for: entry, pieceLength: 1 << 16)
    return ByteReader(pieces: { try Array(self.piece(of: inflater, entry)) })
  }

  /// All bytes of an entry; throws `tooLarge` if more than `limit`.
  func contents(of entry: ZipEntry, limit: Int) throws(ImportError) -> [UInt8] {
    let inflater = try inflater(for: entry, pieceLength: 1 << 16)
    var contents: [UInt8] = []
    while case let piece = try piece(of: inflater, entry), !piece.isEmpty {
      contents.append(contentsOf: piece)
      guard contents.count <= limit else { throw .tooLarge(limit: limit) }
    }
    return contents
  }

  private func inflater(for entry: ZipEntry, pieceLength: Int) throws(ImportError) -> Inflater {
    // The name and extra field may have other lengths here than in the directory.
    let header = try source.bytes(at: entry.headerOffset, count: 30)
    let lengths = header.withUnsafeBytes { header in
      header.uint32(at: 0) == 0x0403_4B50 ? [header.uint16(at: 26), header.uint16(at: 28)].compactMap(\.self) : []
    }
    let start = entry.headerOffset + 30 + lengths.reduce(0, +)
    guard lengths.count == 2, start <= source.count, entry.packedSize <= source.count - start else {
      throw .archive(.damagedEntry(entry.name))
    }
    return try Inflater(entry, in: source, from: start, pieceLength: pieceLength)
  }

  private func piece(of inflater: Inflater, _ entry: ZipEntry) throws(ImportError) -> UnsafeRawBufferPointer {
    let piece = try inflater.next()
    budget -= piece.count
    guard budget >= 0 else { throw .tooLarge(limit: limits.streamedBytes) }
    // A small entry of one repeated byte has any ratio and does no harm.
    let (allowed, isBeyondAll) = entry.packedSize.multipliedReportingOverflow(by: limits.archiveRatio)
    guard isBeyondAll || inflater.unpackedCount <= max(allowed, 1 << 20) else {
      throw .archive(.ratio(entry.name, limit: limits.archiveRatio))
    }
    return piece
  }
}
