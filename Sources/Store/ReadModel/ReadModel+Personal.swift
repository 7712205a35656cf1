import Core
import SQLDrivers

/// How many videos of each kind a person decided on, found or not; entries of other sites' feeds are counted apart.
package struct PersonalCounts: Equatable, Sendable {
  package var watched = 0
  /// Those skipped by the person.
  package var skipped = 0
  package var snoozed = 0
  /// Videos with a position, of them those that are not watched.
  package var positions = 0
  package var unwatchedPositions = 0
  package var saved = 0
  package var notes = 0
  /// Entries of any of these kinds, or in a collection.
  package var entries = 0
}

extension ReadModel {
  /// The counts of the user's decisions.
  package func personalCounts() throws -> PersonalCounts {
    try read { (database) throws(DatabaseError) in
      try database.first(ReadModel.personalCountsQuery, user) { row in
        PersonalCounts(
          watched: Int(row.int(0)), skipped: Int(row.int(1)), snoozed: Int(row.int(2)), positions: Int(row.int(3)),
          unwatchedPositions: Int(row.int(4)), saved: Int(row.int(5)), notes: Int(row.int(6)),
          entries: Int(row.int(7)))
      } ?? PersonalCounts()
    }
  }

  private static let personalCountsQuery: SQL = """
    SELECT coalesce(sum(CASE WHEN history IS NOT NULL THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN status = 'skipped' AND coalesce(reason, '') != 'backfill' THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN status = 'snoozed' THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN progress > 0 THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN progress > 0 AND history IS NULL THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN saved = 1 THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN note != '' THEN 1 ELSE 0 END), 0),
      (SELECT count(*) FROM entry e
        WHERE EXISTS (SELECT 1 FROM collection c WHERE c.owner = ?1 AND c.video = e.video AND c.member = 1)
          OR EXISTS (
            SELECT 1 FROM decision d WHERE d.owner = ?1 AND d.video = e.video
              AND (d.history IS NOT NULL OR d.status IN ('skipped', 'snoozed') OR d.saved = 1 OR d.progress > 0
                OR d.note != '')))
    FROM decision p WHERE p.owner = ?1 AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.video = p.video)
    """

  /// The videos that have a position and are not watched.
  package func videosBegun() throws -> [VideoID] {
    try read { (database) throws(DatabaseError) in
      var videos: [VideoID] = []
      try database.forEach(
        """
        SELECT d.video, e.id FROM decision d LEFT JOIN entry e ON e.video = d.video
        WHERE d.owner = ? AND d.progress > 0 AND d.history IS NULL ORDER BY e.id IS NOT NULL, d.video
        """, user
      ) { videos.append($0.video(0, entry: 1)) }
      return videos
    }
  }
}
