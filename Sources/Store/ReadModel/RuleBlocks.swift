import Core
import SQLDrivers

/// Keeps `block`: from when until when rules hide each video. A video is hidden while a blocking rule applies and no
/// allowing one does; a rule on ages begins to apply as time goes by and never ends, so one span is enough.
struct RuleBlocks {
  private let database: Database
  private let user: Int64
  private let rules: RuleSet
  private let conditions: TextConditions

  init(_ database: Database, user: Int64, _ rules: RuleSet, _ conditions: TextConditions) throws(DatabaseError) {
    (self.database, self.user, self.rules, self.conditions) = (database, user, rules, conditions)
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS temp.new_block(
        n INTEGER NOT NULL PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS temp.scope(n INTEGER NOT NULL PRIMARY KEY);
      DELETE FROM temp.new_block;
      DELETE FROM temp.scope;
      """)
  }

  /// Makes all blocks anew; touches the videos whose blocks change, or, if they are many, changes their rows of lists.
  func update(_ projector: inout Projector) throws(DatabaseError) {
    try compute { $0.all(conditions) }
    var (changed, plain): ([VideoKey], [Change]) = ([], [])
    try database.forEach(
      """
      SELECT v.id, v.published, o.since IS NOT NULL, \(RuleBlocks.isPlain("o")) AND \(RuleBlocks.isPlain("b"))
      FROM temp.new_block b CROSS JOIN video v ON v.n = b.n LEFT JOIN block o ON o.owner = ?1 AND o.n = b.n
      WHERE b.since < b.until AND (o.n IS NULL OR o.since != b.since OR o.until != b.until)
      UNION ALL
      SELECT v.id, v.published, true, \(RuleBlocks.isPlain("o"))
      FROM block o CROSS JOIN video v ON v.n = o.n LEFT JOIN temp.new_block b ON b.n = o.n
      WHERE o.owner = ?1 AND (b.n IS NULL OR b.since >= b.until)
      """, user
    ) { row in
      let video = VideoKey(column: row.int(0))
      if row.bool(3), projector.touched[video] == nil {
        plain.append(Change(video: video, published: row.int(1), wasBlocked: row.bool(2)))
      } else {
        changed.append(video)
      }
    }
    if plain.count <= RuleBlocks.maxTouched || projector.isFirstBuild { changed += plain.map(\.video) }
    for video in changed {
      if projector.isFirstBuild { projector.unusual.insert(video.column) } else { try projector.touch(video) }
    }
    if plain.count > RuleBlocks.maxTouched, !projector.isFirstBuild { try change(plain, &projector) }
    try database.send("DELETE FROM block WHERE owner = ?", user)
    try insert()
  }

  /// A video that rules begin or cease to hide, whatever its age.
  private struct Change {
    var video: VideoKey
    var published: Int64
    var wasBlocked: Bool
  }

  /// With more videos than these it is quicker to change the classes of rows where they stand.
  static let maxTouched = 500

  /// Whether a block is one without ages, or absent.
  private static func isPlain(_ table: SQL) -> SQL {
    "(\(table).n IS NULL OR \(table).since = \(RuleSet.least) AND \(table).until = \(number: Int64.max))"
  }

  /// Changes the classes of plain rows; touches the videos whose rows are not plain.
  private func change(_ plain: [Change], _ projector: inout Projector) throws(DatabaseError) {
    for change in plain.sorted(by: { ($0.published, $1.video) > ($1.published, $0.video) }) {
      try database.run(
        """
        UPDATE listing SET class = class \(change.wasBlocked ? "- 64" : "+ 64")
        WHERE owner = ? AND open IN (0, 1) AND published = ? AND video = ?
        """, user, change.published, change.video)
      if database.changes == 0 { try projector.touch(change.video) }
    }
    try database.send("DELETE FROM tally WHERE owner = ?", user)
    try database.send(
      """
      INSERT INTO tally SELECT owner, channel, class, count(*) FROM listing WHERE owner = ? GROUP BY owner, channel, class
      """, user)
  }

  /// Makes the blocks of some videos anew, which were touched.
  func update(_ videos: some Sequence<VideoKey>) throws(DatabaseError) {
    for video in videos {
      try database.send("INSERT OR IGNORE INTO temp.scope SELECT n FROM video WHERE id = ?", video)
    }
    try compute { $0.all(conditions, in: "temp.scope") }
    try database.send("DELETE FROM block WHERE owner = ? AND n IN (SELECT n FROM temp.scope)", user)
    try insert()
  }

  private func insert() throws(DatabaseError) {
    try database.send(
      "INSERT INTO block SELECT ?, n, since, until FROM temp.new_block WHERE since < until ORDER BY n", user)
  }

  private func compute(_ videos: (RuleSet.Entry) -> SQL) throws(DatabaseError) {
    for entry in rules.entries where entry.rule.verdict == .block {
      try database.execute(
        """
        INSERT INTO temp.new_block SELECT v.n, \(entry.start), \(number: Int64.max) \(videos(entry))
        ON CONFLICT(n) DO UPDATE SET since = min(new_block.since, excluded.since)
        """)
    }
    for entry in rules.entries where entry.rule.verdict == .allow {
      try database.execute(
        """
        INSERT INTO temp.new_block SELECT v.n, 0, \(entry.start) \(entry.all(conditions, in: "temp.new_block"))
        ON CONFLICT(n) DO UPDATE SET until = min(new_block.until, excluded.until)
        """)
    }
  }
}
