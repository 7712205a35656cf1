import Core

/// A query on another program's database, and the tables that it reads.
package struct TableQuery: Sendable {
  package let sql: StaticString
  package let tables: [String]
  /// The maximum number of rows to read.
  package var limit = 0
}

/// Reads a database: the rows of each query as text, nil if a table or column is missing. Throws `damagedDatabase`.
package typealias DatabaseRows = (_ bytes: [UInt8], _ queries: [TableQuery]) throws(ImportError) -> [[[String?]]?]

/// The database of NewPipe, PipePipe and Tubular, in their backups `newpipe.db`: subscriptions with their groups, the
/// history with the positions of playback, and the playlists.
enum NewPipeDatabase {
  /// The services of the program are numbered; YouTube is 0.
  private static let queries = [
    TableQuery(sql: "SELECT service_id, url, name FROM subscriptions", tables: ["subscriptions"]),
    TableQuery(
      sql: """
        SELECT s.url, g.name FROM feed_group g JOIN feed_group_subscription_join j ON j.group_id = g.uid
        JOIN subscriptions s ON s.uid = j.subscription_id WHERE s.service_id = 0
        """, tables: ["feed_group", "feed_group_subscription_join", "subscriptions"]),
    TableQuery(
      sql: """
        SELECT v.service_id, v.url, h.access_date, v.uploader_url,
          CASE WHEN v.duration <= 0 OR s.progress_time < 1000 * (v.duration - 60) THEN s.progress_time / 1000 END
        FROM stream_history h JOIN streams v ON v.uid = h.stream_id LEFT JOIN stream_state s ON s.stream_id = v.uid
        """, tables: ["stream_history", "streams", "stream_state"]),
    // Until 2020 without the address of the channel.
    TableQuery(
      sql: "SELECT v.service_id, v.url, h.access_date FROM stream_history h JOIN streams v ON v.uid = h.stream_id",
      tables: ["stream_history", "streams"]),
    TableQuery(
      sql: """
        SELECT p.uid, p.name, v.url FROM playlists p JOIN playlist_stream_join j ON j.playlist_id = p.uid
        JOIN streams v ON v.uid = j.stream_id WHERE v.service_id = 0 ORDER BY p.uid, j.join_index
        """, tables: ["playlists", "playlist_stream_join", "streams"]),
    TableQuery(
      sql: "SELECT url, title, duration, uploader, uploader_url FROM streams WHERE service_id = 0", tables: ["streams"]),
    TableQuery(sql: "SELECT url, title, duration, uploader FROM streams WHERE service_id = 0", tables: ["streams"]),
    TableQuery(
      sql: """
        SELECT v.url, v.uploader_url, s.progress_time / 1000 FROM stream_state s JOIN streams v ON v.uid = s.stream_id
        WHERE v.service_id = 0 AND (v.duration <= 0 OR s.progress_time < 1000 * (v.duration - 60))
          AND NOT EXISTS (SELECT 1 FROM stream_history h WHERE h.stream_id = s.stream_id)
        """, tables: ["stream_state", "streams", "stream_history"]),
    TableQuery(
      sql: """
        SELECT name FROM playlists p
        WHERE NOT EXISTS (SELECT 1 FROM playlist_stream_join j WHERE j.playlist_id = p.uid) ORDER BY uid
        """, tables: ["playlists", "playlist_stream_join"]),
    // A date that was derived from “3 years ago” is none.
    TableQuery(
      sql: """
        SELECT url, title, duration, uploader, uploader_url,
          CASE WHEN coalesce(is_upload_date_approximation, 0) = 0 THEN upload_date END
        FROM streams WHERE service_id = 0
        """, tables: ["streams"]),
  ]

  /// Reads a whole database; throws `notUnderstood` if it is another program's.
  static func read(
    _ bytes: [UInt8], limits: ImportLimits, entry: String?, _ database: DatabaseRows
  ) throws(ImportError) -> ImportBuilder {
    let limited = queries.map { TableQuery(sql: $0.sql, tables: $0.tables, limit: limits.watches + 1) }
    let results = try database(bytes, limited)
    guard let subscriptions = results[0], let history = results[2] ?? results[3] else {
      throw .notUnderstood(looksLike: .database)
    }
    var builder = ImportBuilder(format: .newPipeDatabase, limits: limits, entry: entry)
    try addSubscriptions(subscriptions, to: &builder)
    for row in results[1] ?? [] {
      guard let channel = row[0].flatMap({ ChannelReference.subscription(in: $0)?.channel }) else { continue }
      builder.tag(channel, with: row[1] ?? "")
    }
    for (index, row) in history.enumerated() {
      let when = row[2].flatMap { Double($0) }.flatMap { Timestamp(milliseconds: $0) }
      guard row[0] == "0" else {
        try builder.pass(row[1] ?? "", line: index + 1)
        continue
      }
      let (channel, position) = row.count > 3 ? (row[3], row[4]) : (nil, nil)
      try builder.watch(
        row[1] ?? "", when: when, channel: channel, progress: position.flatMap { Int($0) }, line: index + 1)
    }
    for (index, row) in (results[7] ?? []).enumerated() {
      try builder.begin(row[0] ?? "", channel: row[1], progress: row[2].flatMap { Int($0) } ?? 0, line: index + 1)
    }
    try addPlaylists(results[4] ?? [], to: &builder)
    for row in results[8] ?? [] { try builder.collect([], title: row[0], isKept: true, line: 1) }
    for row in results[9] ?? results[5] ?? results[6] ?? [] {
      builder.describe(
        row[0] ?? "", title: row[1], channel: row.count > 4 ? row[4] : nil, channelTitle: row[3],
        published: row.count > 5 ? row[5].flatMap { Double($0) }.flatMap { Timestamp(milliseconds: $0) } : nil,
        duration: row[2].flatMap { Int($0) })
    }
    return builder
  }

  private static func addSubscriptions(_ rows: [[String?]], to builder: inout ImportBuilder) throws(ImportError) {
    for (index, row) in rows.enumerated() {
      let address = row[1] ?? ""
      if row[0] == "0" {
        try builder.subscribe(to: address, title: row[2], tags: [], line: index + 1)
      } else {
        try builder.pass(address, line: index + 1)
      }
    }
  }

  private static func addPlaylists(_ rows: [[String?]], to builder: inout ImportBuilder) throws(ImportError) {
    var rest = rows[...]
    while let first = rest.first {
      let videos = rest.prefix { $0[0] == first[0] }
      rest = rest[videos.endIndex...]
      try builder.collect(videos.map { ($0[2] ?? "", 1) }, title: first[1], line: 1)
    }
  }
}
