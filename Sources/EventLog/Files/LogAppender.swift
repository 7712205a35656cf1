/// Appends batches to a file; to be used under the writer lock.
enum LogAppender {
  /// Appends a batch with one write and one sync. What was written of a batch that failed is cut off again.
  static func append(_ batch: [UInt8], to path: String) throws(LogError) {
    let isNew = try FileStatus.of(path) == nil
    let file = try File(path, .append)
    if isNew { try Directory.synchronize(Directory.parent(of: path)) }
    let size = try file.status().size
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
enum TornTail {
  /// Moves the bytes from a position on to `PATH.torn-TIME`, cuts the file there, and returns the copy's path.
  ///
  /// Throws `damaged` where the bytes do not look like one unfinished write: a second broken line, and no NUL, which
  /// only a page that never reached the disk leaves behind.
  static func move(of path: String, from position: LogPosition, time: String) throws(LogError) -> String {
    let file = try File(path, .append)
    let count = try file.status().size - position.byte
    let tail = try file.bytes(at: position.byte, count: Int(count))
    let lines = tail.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    guard lines <= 1 || tail.contains(0) else { throw .damaged(position) }
    let copy = try self.copy(tail, to: path + ".torn-" + time)
    try file.truncate(to: position.byte)
    try file.synchronize()
    return copy
  }

  private static func copy(_ tail: [UInt8], to path: String) throws(LogError) -> String {
    var name = path
    var number = 1
    while try FileStatus.of(name) != nil {
      number += 1
      name = "\(path)-\(number)"
    }
    let copy = try File(name, .create)
    try copy.write(tail)
    try copy.synchronize()
    try Directory.synchronize(Directory.parent(of: path))
    return name
  }
}
