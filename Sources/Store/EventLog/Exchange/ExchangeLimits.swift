import Core
import Glibc

/// How much a hub keeps of the logs that a user's devices send.
package struct ExchangeLimits: Sendable {
  /// Number of logs.
  package var logs: Int
  /// Bytes of one log.
  package var logBytes: UInt64
  /// Bytes of parts of logs that are still to be merged.
  package var stagedBytes: UInt64
  /// Bytes of all logs, their parts, and the copies kept of replaced ones.
  package var bytes: UInt64

  package init(logs: Int, logBytes: UInt64, stagedBytes: UInt64, bytes: UInt64) {
    (self.logs, self.logBytes, self.stagedBytes, self.bytes) = (logs, logBytes, stagedBytes, bytes)
  }

  /// 100 logs, 4 GiB for one and for what is staged, 16 GiB for all: a million videos with descriptions take 2.6 GB.
  package static let usual = ExchangeLimits(logs: 100, logBytes: 4 << 30, stagedBytes: 4 << 30, bytes: 16 << 30)
}

extension Folders {
  /// Bytes of the parts of logs that are still to be merged.
  package var stagedBytes: UInt64 { get throws(LogError) { try Folders.bytes(in: StagedLog.folder(in: self)) } }

  /// Bytes of the logs, their parts, and the copies kept of replaced ones.
  package var storedBytes: UInt64 {
    get throws(LogError) { try stagedBytes + Folders.bytes(in: log) + Folders.bytes(in: backups) }
  }

  private static func bytes(in folder: String) throws(LogError) -> UInt64 {
    var sum: UInt64 = 0
    for name in try Directory.names(in: folder) {
      if let status = try FileStatus.of("\(folder)/\(name)"), status.isRegular { sum += status.size }
    }
    return sum
  }
}

extension StagedLog {
  /// The folder of the parts.
  static func folder(in folders: Folders) -> String { folders.state + "/incoming" }

  /// For how long an interrupted transfer can be continued, in seconds: a day.
  private static let timeout: Int64 = 86_400

  /// Removes the parts that were not continued for a day; `now` in milliseconds since 1970.
  package static func removeAbandoned(in folders: Folders, at now: UInt64) throws(LogError) {
    let folder = folder(in: folders)
    for name in try Directory.names(in: folder) where name.hasSuffix(StagedLog.ending) {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard stat(path, &status) == 0, Int64(now / 1000) - Int64(status.st_mtim.tv_sec) > timeout else { continue }
      try Directory.remove(path)
    }
  }
}
