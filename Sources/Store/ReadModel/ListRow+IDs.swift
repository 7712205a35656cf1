import Core
import SQLDrivers

/// The IDs behind the keys of rows.
extension ListRow {
  /// The IDs of rows, in their order; only those of entries are looked up.
  static func ids(of rows: some Collection<ListRow>, in database: Database) throws(DatabaseError) -> [VideoID] {
    let entries = rows.filter(\.aClass.isEntry).map(\.video)
    guard !entries.isEmpty else { return rows.map { VideoID(column: $0.video.column) } }
    let known = try ids(of: entries, database)
    return rows.map { known[$0.video] ?? VideoID(column: $0.video.column) }
  }

  private static func ids(of entries: [VideoKey], _ database: Database) throws(DatabaseError) -> [VideoKey: VideoID] {
    var ids: [VideoKey: VideoID] = [:]
    func note(_ row: Statement) { ids[VideoKey(column: row.int(0))] = row.video(0, entry: 1) }
    if database.isPostgres {
      try database.forEach(
        "SELECT v.video, v.id FROM \(Database.rows(of: "entry", where: "video = one.value"))",
        Database.array(entries.lazy.map(\.column)), body: note)
    } else {
      for entry in entries { try database.forEach("SELECT video, id FROM entry WHERE video = ?", entry, body: note) }
    }
    return ids
  }
}
