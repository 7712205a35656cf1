import CZlib

/// Unpacks one entry of a zip archive piece by piece, by zlib's `inflate`, and checks it against its directory entry.
///
/// The one place that touches zlib. The packed bytes must stay valid as long as this lives, a piece until the next.
final class Inflater {
  /// Why an entry cannot be unpacked.
  enum Fault: Error { case damaged, outOfMemory }

  /// `z_stream` points to itself, so it has an address of its own.
  private let stream: UnsafeMutablePointer<z_stream>
  private let piece: UnsafeMutableRawBufferPointer
  private let entry: ZipEntry
  private var packed: UnsafeRawBufferPointer
  private var hasEnded = false
  private var checksum: UInt = 0
  /// How many bytes were unpacked so far.
  private(set) var unpackedCount = 0

  /// Begins to unpack an entry from its packed bytes; a piece has up to `pieceLength` bytes (`inflateInit2_`).
  init(_ entry: ZipEntry, packed: UnsafeRawBufferPointer, pieceLength: Int) throws(Fault) {
    self.entry = entry
    self.packed = packed
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    piece = .allocate(byteCount: pieceLength, alignment: 1)
    // A negative window says that the data has no header of its own.
    let status = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// The next unpacked bytes, none at the end; throws where the data is damaged or cut short, or not what the directory
  /// says (`inflate`, `crc32_z`).
  func next() throws(Fault) -> UnsafeRawBufferPointer {
    let unpacked = entry.method == .stored ? copyStored() : try inflatePiece()
    if unpacked.isEmpty {
      guard unpackedCount == entry.unpackedSize, checksum == entry.checksum else { throw .damaged }
    } else {
      unpackedCount += unpacked.count
      checksum = crc32_z(checksum, unpacked.assumingMemoryBound(to: UInt8.self).baseAddress, unpacked.count)
    }
    return unpacked
  }

  private func copyStored() -> UnsafeRawBufferPointer {
    let next = UnsafeRawBufferPointer(rebasing: packed.prefix(piece.count))
    packed = UnsafeRawBufferPointer(rebasing: packed.dropFirst(next.count))
    return next
  }

  private func inflatePiece() throws(Fault) -> UnsafeRawBufferPointer {
    guard let start = piece.bindMemory(to: UInt8.self).baseAddress else { return UnsafeRawBufferPointer(piece) }
    stream.pointee.next_out = start
    stream.pointee.avail_out = UInt32(piece.count)
    while !hasEnded, stream.pointee.avail_out > 0 {
      feed()
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK: continue
      case Z_STREAM_END: hasEnded = true
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .damaged  // Z_BUF_ERROR too: no input is left before the end.
      }
    }
    return UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - Int(stream.pointee.avail_out))])
  }

  /// Gives zlib more of the packed bytes where it has used up what it had; it counts them in 32 bits.
  private func feed() {
    guard stream.pointee.avail_in == 0 else { return }
    let next = UnsafeRawBufferPointer(rebasing: packed.prefix(1 << 30))
    packed = UnsafeRawBufferPointer(rebasing: packed.dropFirst(next.count))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: next.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(next.count)
  }
}
