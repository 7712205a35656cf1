import CZlib

/// Unpacks one zip entry piece by piece with zlib's `inflate`, and checks it against its directory entry.
///
/// The only code that touches zlib. A piece is valid until the next.
final class Inflater {
  /// On the heap, because `z_stream` points to itself and must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let piece: ImportSource.Piece
  private let packed = ImportSource.Piece(byteCount: 1 << 16)
  private let entry: ZipEntry
  private let source: ImportSource
  /// The range of the packed bytes not read yet.
  private var rest: Range<Int>
  private var hasEnded = false
  private var checksum: UInt = 0
  /// The number of bytes unpacked so far.
  private(set) var unpackedCount = 0

  /// Starts unpacking an entry whose packed bytes begin at an offset of the archive; a piece has up to `pieceLength`
  /// bytes (`inflateInit2_`).
  init(_ entry: ZipEntry, in source: ImportSource, from start: Int, pieceLength: Int) throws(ImportError) {
    self.entry = entry
    self.source = source
    rest = start..<start + entry.packedSize
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    piece = ImportSource.Piece(byteCount: pieceLength)
    // A negative window size means raw deflate data, without a zlib header.
    let status = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw damaged }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  private var damaged: ImportError { .archive(.damagedEntry(entry.name)) }

  /// The next unpacked bytes, empty at the end. Throws if the data is damaged, truncated or does not match the
  /// directory (`inflate`, `crc32_z`).
  func next() throws(ImportError) -> UnsafeRawBufferPointer {
    let unpacked = entry.method == .stored ? try read(into: piece) : try inflatePiece()
    if unpacked.isEmpty {
      guard unpackedCount == entry.unpackedSize, checksum == entry.checksum else { throw damaged }
    } else {
      unpackedCount += unpacked.count
      checksum = crc32_z(checksum, unpacked.assumingMemoryBound(to: UInt8.self).baseAddress, unpacked.count)
    }
    return unpacked
  }

  /// Reads the next packed bytes, empty at their end. Throws if the file has shrunk.
  private func read(into piece: ImportSource.Piece) throws(ImportError) -> UnsafeRawBufferPointer {
    let bytes = try source.fill(piece, from: rest.lowerBound).prefix(rest.count)
    guard rest.isEmpty || !bytes.isEmpty else { throw damaged }
    rest = rest.dropFirst(bytes.count)
    return UnsafeRawBufferPointer(rebasing: bytes)
  }

  private func inflatePiece() throws(ImportError) -> UnsafeRawBufferPointer {
    let bytes = piece.bytes
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return UnsafeRawBufferPointer(bytes) }
    stream.pointee.next_out = start
    stream.pointee.avail_out = UInt32(bytes.count)
    while !hasEnded, stream.pointee.avail_out > 0 {
      if stream.pointee.avail_in == 0 { feed(try read(into: packed)) }
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK: continue
      case Z_STREAM_END: hasEnded = true
      default: throw damaged  // Also Z_BUF_ERROR: no input is left before the end.
      }
    }
    return UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(bytes)[..<(bytes.count - Int(stream.pointee.avail_out))])
  }

  /// Gives zlib more packed bytes.
  private func feed(_ bytes: UnsafeRawBufferPointer) {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
  }
}
