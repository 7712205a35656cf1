import EventLog
import Importers
import Messages
import Platform

/// Why an archive of everything cannot be written or imported.
package enum ArchiveError: ReportableError {
  /// A zip file, or a log in it, would be larger than 4 GB.
  case tooLarge
  /// There is no room for the database of a backup in the folder for temporary files, or it cannot be written.
  case unwritable(folder: String, isFull: Bool)
  /// The archive is refused, and nothing of it imported.
  case refused(path: String, ArchiveRefusal)
  /// The file changed while it was read.
  case changed(path: String)

  package var failure: Failure { UserMessages.failure(self) }
}

/// Why an archive is refused.
package enum ArchiveRefusal: Sendable {
  case noLog
  /// Its events are taken as they are: nothing can be added to them.
  case options
  case malformed(HomeArchive.Flaw)
  /// A line of a log in it is not accepted.
  case line(LineRefusal, log: String)
  /// A log has more bytes, all have more, or there are more logs than may be kept; with what was read until then.
  case longLog(String, limit: UInt64)
  case manyLogs(Int, limit: Int)
  case bytes(UInt64, limit: UInt64)
}
