import CZlib

/// Compresses a stream of bytes: raw (RFC 1951), as the entries of a zip file are packed, or with a gzip header.
package final class Deflater {
  // On the heap, because zlib keeps the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let form: Form
  /// The CRC-32 of the bytes so far, which a raw stream does not have in itself; 0 for gzip.
  package private(set) var checksum: UInt32 = 0
  /// How many bytes went in, and how many came out.
  package private(set) var count: UInt64 = 0
  package private(set) var packedCount: UInt64 = 0

  /// The window of `deflateInit2`: 2^15 bytes; negative without a header, 16 more for that of gzip.
  package enum Form: Int32 {
    case raw = -15
    case gzip = 31
  }

  /// Begins a stream, `deflateInit2`.
  package init(_ form: Form, level: Int32 = Z_DEFAULT_COMPRESSION) {
    self.form = form
    stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = deflateInit2_(
      stream, level, Z_DEFLATED, form.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    precondition(status == Z_OK, "zlib is out of memory")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Takes bytes; appends what is ready of their packed form.
  package func add(_ bytes: [UInt8], to packed: inout [UInt8]) {
    count += UInt64(bytes.count)
    guard form == .raw else { return feed(bytes, Z_NO_FLUSH, &packed) }
    bytes.withUnsafeBufferPointer { piece in
      checksum = UInt32(truncatingIfNeeded: crc32(UInt(checksum), piece.baseAddress, UInt32(piece.count)))
    }
    feed(bytes, Z_NO_FLUSH, &packed)
  }

  /// Appends the rest of the packed form. Nothing may be added after this.
  package func end(to packed: inout [UInt8]) { feed([], Z_FINISH, &packed) }

  private func feed(_ piece: [UInt8], _ flush: Int32, _ packed: inout [UInt8]) {
    let before = packed.count
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
    packedCount += UInt64(packed.count - before)
  }
}
