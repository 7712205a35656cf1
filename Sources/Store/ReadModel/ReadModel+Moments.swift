import Core
import SQLDrivers

/// When videos were found and changed, for programs that fetch what is new since a time.
extension ReadModel {
  /// When each of these videos was found, and when something of it changed last: what a feed shows, its status, or whether
  /// it is saved. Nil for those that were never found.
  package func moments(of videos: [VideoID]) throws -> [(found: Timestamp, changed: Timestamp)?] {
    try read { (database) throws(DatabaseError) in
      guard database.isPostgres else {
        return try videos.map { (video) throws(DatabaseError) in
          try database.first(ReadModel.momentsQuery, user, video) { ReadModel.moments($0) } ?? nil
        }
      }
      // In one round trip.
      var known: [VideoID: (found: Timestamp, changed: Timestamp)] = [:]
      try database.forEach(ReadModel.momentsOfManyQuery, user, Database.array(videos.lazy.map(\.column))) { row in
        known[row.video(2, entry: 3)] = ReadModel.moments(row)
      }
      return videos.map { known[$0] }
    }
  }

  /// The numbers of the videos that were published or found at or after a time, and of those given.
  package func numbers(since time: Timestamp, and videos: [VideoID]) throws -> NumberSet {
    var numbers = try numbers(of: videos)
    try read { (database) throws(DatabaseError) in
      for table: SQL in ["listing", "special"] {
        try database.scan(
          "SELECT n FROM \(table) WHERE owner = ?1 AND (published >= ?2 OR found >= ?2)", user, time
        ) { numbers.insert($0.int(0)) }
      }
    }
    return numbers
  }

  /// The numbers of videos; of unknown ones none.
  package func numbers(of videos: [VideoID]) throws -> NumberSet {
    try read { (database) throws(DatabaseError) in
      var numbers = NumberSet()
      guard database.isPostgres else {
        for video in videos {
          if let number = try database.integer(ReadModel.numberQuery, video) { numbers.insert(number) }
        }
        return numbers
      }
      try database.forEach(ReadModel.numbersQuery, Database.array(videos.lazy.map(\.column))) {
        numbers.insert($0.int(0))
      }
      return numbers
    }
  }

  private static let numberQuery: SQL = "SELECT n FROM video WHERE id = ?"
  private static let numbersQuery: SQL = "SELECT v.n FROM \(Database.rows(of: "video", where: "id = one.value"))"

  private static func moments(_ row: Statement) -> (found: Timestamp, changed: Timestamp)? {
    guard let found = row.eventID(0), let changed = row.eventID(1) else { return nil }
    return (found.timestamp, changed.timestamp)
  }

  /// When each collection began, with its creation or the first of its present videos, and when it changed last.
  package func collectionMoments() throws -> [String: (created: Timestamp, changed: Timestamp)] {
    try read { (database) throws(DatabaseError) in
      var moments: [String: (created: Timestamp?, changed: Timestamp)] = [:]
      func note(_ name: String, _ id: EventID?, begins: Bool) {
        guard let time = id?.timestamp else { return }
        let known = moments[name]
        let created = begins ? min(known?.created ?? time, time) : known?.created
        moments[name] = (created, max(known?.changed ?? time, time))
      }
      try database.forEach(
        "SELECT name, kept, kept_at, text_at FROM collection_register WHERE owner = ?", user
      ) { row in
        note(row.text(0), row.eventID(2), begins: row.optionalInt(1) == 1)
        note(row.text(0), row.eventID(3), begins: false)
      }
      try database.forEach("SELECT name, member, member_at FROM collection WHERE owner = ?", user) { row in
        note(row.text(0), row.eventID(2), begins: row.int(1) == 1)
      }
      return moments.mapValues { (created: $0.created ?? $0.changed, changed: $0.changed) }
    }
  }

  /// When each video of a collection came into it.
  package func membershipMoments(in collection: String) throws -> [VideoID: Timestamp] {
    try read { (database) throws(DatabaseError) in
      var moments: [VideoID: Timestamp] = [:]
      try database.forEach(
        """
        SELECT c.video, c.member_at, e.id FROM collection c LEFT JOIN entry e ON e.video = c.video
        WHERE c.owner = ? AND c.name = ? AND c.member = 1
        """, user, collection
      ) { row in
        moments[row.video(0, entry: 2)] = row.eventID(1)?.timestamp
      }
      return moments
    }
  }

  private static let momentsQuery: SQL = """
    \(momentsColumns) FROM video v LEFT JOIN decision d ON d.owner = ?1 AND d.video = v.id WHERE v.id = ?2
    """
  /// As `VideoColumns.queryByIDs`.
  private static let momentsOfManyQuery: SQL = """
    \(momentsColumns) FROM unnest(CAST(?2 AS bigint[])) one(id)
      JOIN LATERAL (SELECT * FROM video WHERE id = one.id LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = ?1 AND video = one.id LIMIT 1) d ON true
    """
  private static let momentsColumns: SQL = """
    SELECT v.found, max(max(v.found, coalesce(v.changed, v.found)),
      max(coalesce(d.status_at, v.found), coalesce(d.saved_at, v.found))), v.id, (SELECT id FROM entry WHERE video = v.id)
    """
}
