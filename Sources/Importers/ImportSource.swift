import JSON

/// The bytes of a file, loaded only as requested.
///
/// Read, never mapped: if somebody truncates the file meanwhile, a read comes up short and is an error, where a mapping
/// would raise SIGBUS and end the program.
package struct ImportSource {
  /// The length in bytes.
  package let count: Int
  private let read: (_ offset: Int, _ count: Int) throws(ImportError) -> [UInt8]

  /// A file of `count` bytes; `read` returns the bytes from an offset, fewer than requested only at the file's end.
  package init(count: Int, read: @escaping (_ offset: Int, _ count: Int) throws(ImportError) -> [UInt8]) {
    (self.count, self.read) = (count, read)
  }

  /// A file in memory.
  package init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { (offset, length) throws(ImportError) in
      Array(bytes.dropFirst(offset).prefix(length))
    }
  }

  /// Up to `length` bytes from an offset, fewer at the end of the file.
  func bytes(at offset: Int, count length: Int) throws(ImportError) -> [UInt8] {
    let length = min(length, count - offset)
    return length > 0 ? try read(offset, length) : []
  }

  /// A reader from an offset to the end.
  func reader(from start: Int) -> ByteReader {
    var offset = start
    return ByteReader(pieces: {
      let piece = try bytes(at: offset, count: 1 << 18)
      offset += piece.count
      return piece
    })
  }
}
