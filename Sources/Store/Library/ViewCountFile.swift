import Core
import Glibc
import ReadModel
import SQLDrivers

/// The view counts of videos as last enriched, in a file of the cache folder: they change every day, so no log has them,
/// and the read model, which is built from logs, has not either. Without the file nothing is known of them.
package struct ViewCountFile {
  private let path: String

  /// The file `views.db` in a cache folder.
  package init(folder: String) { path = "\(folder)/views.db" }

  /// The counts of some videos, without the unknown ones. A file that is missing or unreadable has none.
  package func counts(of videos: [VideoID]) throws(DatabaseError) -> [VideoID: Int] {
    guard !videos.isEmpty, access(path, R_OK) == 0 else { return [:] }
    let database = try Database(path, .readOnly)
    var counts: [VideoID: Int] = [:]
    for video in videos {
      if let count = try database.integer("SELECT views FROM view_count WHERE video = ?", video) {
        counts[video] = Int(count)
      }
    }
    return counts
  }

  /// Stores counts. A damaged file is replaced.
  package func keep(_ counts: [VideoID: Int]) throws {
    guard !counts.isEmpty else { return }
    do { try write(counts) } catch DatabaseError.damaged(_, _) {
      unlink(path)
      try write(counts)
    }
  }

  private func write(_ counts: [VideoID: Int]) throws {
    close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
    let database = try Database(path, .readWrite)
    try database.transaction {
      try database.execute(
        .sqlite("CREATE TABLE IF NOT EXISTS view_count (video INTEGER PRIMARY KEY, views INTEGER NOT NULL) STRICT"))
      for (video, count) in counts {
        try database.run(
          "INSERT INTO view_count VALUES (?, ?) ON CONFLICT (video) DO UPDATE SET views = excluded.views", video, count)
      }
    }
  }
}
