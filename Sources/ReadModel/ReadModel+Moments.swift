import Core

/// When videos were found and changed, for programs that fetch what is new since a time.
extension ReadModel {
  /// When each of these videos was found, and when something of it changed last: what a feed shows, its status, or whether
  /// it is saved. Nil for those that were never found.
  package func moments(of videos: [VideoID]) throws -> [(found: Timestamp, changed: Timestamp)?] {
    try read { (database) throws(DatabaseError) in
      var moments: [(found: Timestamp, changed: Timestamp)?] = []
      moments.reserveCapacity(videos.count)
      for video in videos {
        let row = try database.first(ReadModel.momentsQuery, user, video) { ($0.eventID(0), $0.eventID(1)) }
        guard let found = row?.0, let changed = row?.1 else {
          moments.append(nil)
          continue
        }
        moments.append((found.timestamp, changed.timestamp))
      }
      return moments
    }
  }

  /// How long these videos are, in seconds; nil for an unknown length.
  package func lengths(of videos: [VideoID]) throws -> [Int?] {
    try read { (database) throws(DatabaseError) in
      var lengths: [Int?] = []
      lengths.reserveCapacity(videos.count)
      for video in videos {
        let row = try database.first(ReadModel.lengthQuery, video) { $0.optionalInt(0) }
        lengths.append((row ?? nil).map { Int($0) })
      }
      return lengths
    }
  }

  private static let lengthQuery: SQL = "SELECT duration FROM video WHERE id = ?"

  private static let momentsQuery: SQL = """
    SELECT v.found, max(max(v.found, coalesce(v.changed, v.found)),
      max(coalesce(d.status_at, v.found), coalesce(d.saved_at, v.found)))
    FROM video v LEFT JOIN decision d ON d.owner = ?1 AND d.video = v.id WHERE v.id = ?2
    """
}
