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

  /// Compresses what some pieces make together. `deflateInit2`, `deflate`.
  private static func pack(_ pieces: some Sequence<[UInt8]>, level: Int32) -> [UInt8] {
    // On the heap, because zlib keeps the address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer {
      deflateEnd(stream)
      stream.deallocate()
    }
    // A window of 2^15 bytes; 16 more means a gzip header.
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = deflateInit2_(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    precondition(status == Z_OK, "zlib is out of memory")
    var packed: [UInt8] = []
    func feed(_ piece: [UInt8], _ flush: Int32) {
      piece.withUnsafeBufferPointer { piece in
        // zlib only reads what is there, so that it need not be copied.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
        stream.pointee.avail_in = UInt32(piece.count)
        repeat {
          packed += [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, count in
            (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, UInt32(room.count))
            deflate(stream, flush)
            count = room.count - Int(stream.pointee.avail_out)
          }
        } while stream.pointee.avail_out == 0
      }
    }
    for piece in pieces { feed(piece, Z_NO_FLUSH) }
    feed([], Z_FINISH)
    return packed
  }
}
