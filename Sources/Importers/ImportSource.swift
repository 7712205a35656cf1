import JSON

/// The bytes of a file, loaded only as requested.
///
/// Read, never mapped: if somebody truncates the file meanwhile, a read comes up short and is an error, where a mapping
/// would raise SIGBUS and end the program.
package struct ImportSource {
  /// The length in bytes.
  package let count: Int
  private let read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int

  /// A file of `count` bytes; `read` fills a buffer from an offset and returns the number of bytes read, fewer only at
  /// the end of the file.
  package init(
    count: Int, read: @escaping (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int
  ) {
    self.count = count
    self.read = read
  }

  /// A file in memory; the memory must outlive this value.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { (offset, buffer) throws(ImportError) in
      let part = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(offset).prefix(buffer.count))
      buffer.copyMemory(from: part)
      return part.count
    }
  }

  /// Up to `length` bytes from an offset, fewer at the end of the file.
  func bytes(at offset: Int, count length: Int) throws(ImportError) -> [UInt8] {
    let piece = Piece(byteCount: max(0, min(length, count - offset)))
    return try Array(fill(piece, from: offset))
  }

  /// A reader from an offset to the end.
  func reader(from start: Int) -> ByteReader {
    let piece = Piece(byteCount: Piece.usual)
    var offset = start
    return ByteReader(pieces: {
      let bytes = try Array(fill(piece, from: offset))
      offset += bytes.count
      return bytes
    })
  }

  /// Fills a piece from an offset; the result points into the piece.
  func fill(_ piece: Piece, from offset: Int) throws(ImportError) -> UnsafeRawBufferPointer {
    let filled = piece.bytes.isEmpty ? 0 : try read(offset, piece.bytes)
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece.bytes)[..<filled])
  }

  /// A buffer for part of a file.
  final class Piece {
    /// The usual read size for a long file, in bytes.
    static let usual = 1 << 18

    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 1) }

    deinit { bytes.deallocate() }
  }
}
