/// The bytes of a file, of which no more are in memory than were asked for.
///
/// Read, never mapped: a file that somebody cuts short while it is read is then a short read and an error, where a
/// mapped one would be a signal (SIGBUS) and the end of the program.
package struct ImportSource {
  /// How many bytes there are.
  package let count: Int
  private let read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int

  /// A file of `count` bytes; `read` fills a buffer from an offset and returns how many bytes it had, fewer only at the
  /// file's end.
  package init(
    count: Int, read: @escaping (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int
  ) {
    self.count = count
    self.read = read
  }

  /// A file that is in memory, and has to stay there as long as this lives.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { (offset, buffer) throws(ImportError) in
      let part = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(offset).prefix(buffer.count))
      buffer.copyMemory(from: part)
      return part.count
    }
  }

  /// The bytes from an offset, fewer than `length` where the file ends.
  func bytes(at offset: Int, count length: Int) throws(ImportError) -> [UInt8] {
    let piece = Piece(byteCount: max(0, min(length, count - offset)))
    return try Array(fill(piece, from: offset))
  }

  /// A reader of all from an offset on.
  func reader(from start: Int) -> ByteReader {
    let piece = Piece(byteCount: Piece.usual)
    var offset = start
    return ByteReader(pieces: { () throws(ImportError) in
      let bytes = try fill(piece, from: offset)
      offset += bytes.count
      return bytes
    })
  }

  /// Fills a piece from an offset; what is returned is the piece's own memory.
  func fill(_ piece: Piece, from offset: Int) throws(ImportError) -> UnsafeRawBufferPointer {
    let filled = piece.bytes.isEmpty ? 0 : try read(offset, piece.bytes)
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece.bytes)[..<filled])
  }

  /// Memory for a part of a file.
  final class Piece {
    /// As much of a long file as is read at a time.
    static let usual = 1 << 18

    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 1) }

    deinit { bytes.deallocate() }
  }
}
