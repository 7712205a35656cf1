import CZlib

/// Gzip compression (RFC 1952).
package enum Gzip {
  /// Compresses `body`.
  package static func pack(_ body: [UInt8]) -> [UInt8] { pack([body], level: Z_DEFAULT_COMPRESSION) }

  /// The content of a compressed body; nil if that is malformed, incomplete, or has more than `limit` bytes.
  /// `inflateInit2`, `inflate`.
  package static func unpack(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer {
      inflateEnd(stream)
      stream.deallocate()
    }
    let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib is out of memory")
    var (packed, body) = (packed, [UInt8]())
    return packed.withUnsafeMutableBufferPointer { packed in
      (stream.pointee.next_in, stream.pointee.avail_in) = (packed.baseAddress, UInt32(packed.count))
      while true {
        var code = Z_OK
        body += [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, count in
          (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, UInt32(room.count))
          code = inflate(stream, Z_NO_FLUSH)
          count = room.count - Int(stream.pointee.avail_out)
        }
        guard body.count <= limit else { return nil }
        if code == Z_STREAM_END { return stream.pointee.avail_in == 0 ? body : nil }
        guard code == Z_OK else { return nil }
      }
    }
  }

  /// A body that expands to `count` bytes of spaces, a few KB for each MB.
  package static func bomb(bytes count: Int) -> [UInt8] {
    let pieces = stride(from: 0, to: count, by: 1 << 20).lazy.map { start in
      [UInt8](repeating: UInt8(ascii: " "), count: min(1 << 20, count - start))
    }
    return pack(pieces, level: Z_BEST_SPEED)
  }

  /// Compresses what some pieces make together.
  private static func pack(_ pieces: some Sequence<[UInt8]>, level: Int32) -> [UInt8] {
    let stream = Deflater(.gzip, level: level)
    var packed: [UInt8] = []
    for piece in pieces { stream.add(piece, to: &packed) }
    stream.end(to: &packed)
    return packed
  }
}
