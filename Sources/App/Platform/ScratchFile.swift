import Glibc

/// An unlinked temporary file: the system frees it with its last descriptor, however the process ends.
package final class ScratchFile: Sendable {
  /// Where temporary files go.
  package static var folder: String { Environment.variables()["TMPDIR"] ?? "/tmp" }

  /// Open for reading and writing.
  package let descriptor: Int32

  /// A file with these bytes, positioned at the start; nil on failure. `mkstemp`, `unlink`.
  package init?(holding bytes: [UInt8]) {
    var template = Array("\(ScratchFile.folder)/metube-rss-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var output = Output(to: descriptor)
    output.write(bytes)
    guard output.end() == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes; returns the `errno` of a failed write, or 0.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Int32 { File.write(bytes, to: descriptor) }

  /// Its first `limit` bytes.
  package func bytes(limit: Int) -> [UInt8] { bytes(at: 0, count: limit) }

  /// Up to `limit` bytes from a position on, fewer at the end.
  package func bytes(at start: Int, count limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = 0
      while count < limit {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, limit - count, start + count)
        guard got > 0 else { return }
        count += got
      }
    }
  }
}
