import Glibc

@testable import EventLog

/// A file in memory whose contents are replaced for each input.
enum ScratchFile {
  private static let path = "/dev/shm/metube-rss-fuzz-\(getpid())"

  /// An open file with these contents.
  static func holding(_ bytes: [UInt8]) -> File {
    do throws(LogError) {
      let file = try File(path, .replace)
      // Unlinked at once, so that nothing is left behind however the run ends.
      unlink(path)
      try file.write(bytes)
      return file
    } catch { fatalError("\(path): \(error)") }
  }
}
