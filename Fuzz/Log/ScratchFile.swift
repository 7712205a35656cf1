import Glibc

@testable import EventLog

/// A file in memory whose bytes are replaced again and again.
enum ScratchFile {
  private static let path = "/dev/shm/metube-rss-fuzz-\(getpid())"

  /// The file with these bytes, open.
  static func holding(_ bytes: [UInt8]) -> File {
    do throws(LogError) {
      let file = try File(path, .replace)
      // So that nothing is left wherever the run ends.
      unlink(path)
      try file.write(bytes)
      return file
    } catch { fatalError("\(path): \(error)") }
  }
}
