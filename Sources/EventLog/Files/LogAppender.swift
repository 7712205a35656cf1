/// Appends batches to a file; to be used under the writer lock.
enum LogAppender {
  /// Appends a batch with one write and one sync. What was written of a batch that failed is cut off again.
  static func append(_ batch: [UInt8], to path: String) throws(LogError) {
    let file = try File(path, .append)
    let size = try file.status().size
    // Empty, it may be one whose maker was killed before its name was on the disk.
    if size == 0 { try Directory.synchronize(Directory.parent(of: path)) }
    do throws(LogError) {
      try file.write(batch)
    } catch {
      try file.truncate(to: size)
      throw error
    }
    try file.synchronize()
  }
}

/// The unfinished end that a crash left of our own file.
///
/// One broken line, whether it has its newline or not. More of them only where a NUL is among them, which no line has
/// and a page that never reached the disk leaves behind.
enum TornTail {
  /// Moves the bytes from a position on to `PATH.torn-TIME`, cuts the file there, and returns the copy's path.
  static func move(of path: String, from position: LogPosition, time: String) throws(LogError) -> String {
    let file = try File(path, .append)
    let copy = try File(Directory.unusedPath(path + ".torn-" + time, ""), .create)
    do throws(LogError) {
      try file.copy(from: position.byte, to: try file.status().size, into: copy)
      try copy.synchronize()
    } catch {
      try Directory.remove(copy.path)
      throw error
    }
    try Directory.synchronize(Directory.parent(of: path))
    try file.truncate(to: position.byte)
    try file.synchronize()
    return copy.path
  }

  /// Whether broken lines at the end of a file, in these bytes, are what one unfinished write leaves.
  static func isTorn(lines: Int, in file: File, from start: UInt64, to end: UInt64) throws(LogError) -> Bool {
    if lines <= 1 { return true }
    return try hasNUL(in: file, from: start, to: end)
  }

  private static func hasNUL(in file: File, from start: UInt64, to end: UInt64) throws(LogError) -> Bool {
    var offset = start
    while offset < end {
      let bytes = try file.bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      if bytes.isEmpty { return false }
      if bytes.contains(0) { return true }
      offset += UInt64(bytes.count)
    }
    return false
  }
}
