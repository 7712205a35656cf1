import Glibc

/// A file in memory, read page by page as it is looked at. Only for files that are replaced by renaming and never cut.
final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  /// Maps a whole file; nil where it is empty or cannot be mapped.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  /// Gives the memory of all pages back, for one who goes through the file from one end to the other; what is looked at
  /// again is read again (madvise).
  func forgetPages() {
    madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }
}

/// Bytes of our own in memory that do not move.
final class KeptBytes {
  let bytes: UnsafeRawBufferPointer

  init(_ array: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: array.count, alignment: 16)
    copy.copyBytes(from: array)
    bytes = UnsafeRawBufferPointer(copy)
  }

  deinit { bytes.deallocate() }
}
