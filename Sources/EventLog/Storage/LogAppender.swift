/// Appends batches to a file; use it under the writer lock.
enum LogAppender {
  /// Appends a batch with one write and one sync. If it fails, truncates what was written.
  static func append(_ batch: [UInt8], to path: String) throws(LogError) {
    let file = try File(path, .append)
    let size = try file.status().size
    // An empty file may be left from a process that was killed before its name was synced.
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

/// The incomplete end that a crash left in our own file.
///
/// One broken line, with or without its newline. Several broken lines count only if they contain a NUL, which no line
/// does, but which a page that never reached the disk leaves behind.
enum TornTail {
  /// Moves the bytes from a position to the end to `PATH.torn-TIME`, truncates the file there, and returns the copy's
  /// path.
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

  /// Whether broken lines in this range, at the end of a file, are consistent with one incomplete write.
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
