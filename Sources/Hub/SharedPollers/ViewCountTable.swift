import Core
import ReadModel
import SQLDrivers

/// The view counts of videos as last enriched, for all users of a database; see `0014-lookups.sql`.
struct ViewCountTable {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// The counts of some videos, without the unknown ones.
  func counts(of videos: [VideoID]) throws(DatabaseError) -> [VideoID: Int] {
    guard !videos.isEmpty else { return [:] }
    var counts: [VideoID: Int] = [:]
    try database.forEach(
      "SELECT video, views FROM view_count WHERE video = ANY(?::bigint[])",
      Database.array(videos.map(\.column))
    ) { counts[VideoID(column: $0.int(0))] = Int($0.int(1)) }
    return counts
  }

  /// Stores counts.
  func keep(_ counts: [VideoID: Int]) throws {
    guard !counts.isEmpty else { return }
    // In one order, so that no two processes wait for each other.
    let rows = counts.sorted { $0.key < $1.key }
    try database.run(
      """
      INSERT INTO view_count SELECT * FROM unnest(?::bigint[], ?::bigint[])
      ON CONFLICT (video) DO UPDATE SET views = excluded.views
      """, Database.array(rows.map(\.key.column)), Database.array(rows.map { Int64($0.value) }))
  }
}
