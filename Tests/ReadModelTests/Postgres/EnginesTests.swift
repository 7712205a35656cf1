import Core
import SQLDrivers
import SlowFold
import Testing

@testable import ReadModel

/// The kinds of PostgreSQL that a column's type in SQLite stands for.
private let types = ["INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"]

@Suite("SQLite and PostgreSQL side by side", .enabled(if: TestEngine.isPostgres, "needs METUBE_RSS_TEST_POSTGRES"))
struct EnginesTests {
  @Test("The migrations make the tables of the schema, column by column")
  func columns() throws {
    let postgres = try ReadModel.empty()
    let (wanted, made) = (try ReadModel(user: 0).database.columns(), try postgres.database.columns())
    for (table, columns) in wanted where !table.hasPrefix("doc") {
      // In the keys of some tables the owner comes first in PostgreSQL alone.
      let found = (made[table] ?? []).drop { $0.name == "owner" && columns.first?.name != "owner" }
      #expect(found.map(\.name) == columns.map(\.name), "\(table)")
      #expect(found.map(\.type) == columns.map { types[$0.type] }, "\(table)")
    }
    // Search has tables of its own.
    let extra = Set(made.keys).subtracting(wanted.keys)
    let views = extra.filter { !$0.hasPrefix("all_") }
    #expect(views == ["migration", "owner", "title", "words"])
    #expect(extra.subtracting(views).count == wanted.count { !$0.key.hasPrefix("doc") } + 2)
    var texts: Int64?
    try postgres.database.forEach(
      """
      SELECT count(*) FROM information_schema.columns
      WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
        AND table_name NOT IN ('migration', 'owner')
      """
    ) { texts = $0.int(0) }
    #expect(texts == 0)
  }

  @Test("The keys and indexes are those of the schema")
  func indexes() throws {
    let postgres = try ReadModel.empty()
    var (wanted, made): (Set<String>, Set<String>) = ([], [])
    try ReadModel(user: 0).database.forEach(
      .sqlite("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    ) { wanted.insert($0.text(0)) }
    try postgres.database.forEach("SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()") {
      made.insert($0.text(0))
    }
    #expect(made.isSuperset(of: wanted))
  }

  @Test("The same events make the same tables", arguments: 1...20 as ClosedRange<UInt64>)
  func contents(seed: UInt64) throws {
    var maker = EventMaker(seed: seed)
    let events = StoredEvent.all(maker.events(200))
    let (sqlite, postgres) = (try ReadModel(user: 0), try ReadModel.empty())
    for model in [sqlite, postgres] {
      try model.add(events.prefix(120))
      try model.add(events.dropFirst(100))
    }
    #expect(try sqlite.digest() == postgres.digest(), "seed \(seed)")
  }

  @Test("Events that are known beforehand make the same tables as one by one", arguments: 1...20 as ClosedRange<UInt64>)
  func together(seed: UInt64) throws {
    var maker = EventMaker(seed: seed)
    let events = StoredEvent.all(maker.events(200))
    let (sqlite, postgres) = (try ReadModel(user: 0), try ReadModel.empty())
    for part in [Array(events.prefix(120)), Array(events.dropFirst(100))] {
      try sqlite.add(part)
      let pending = part.map { ReadModel.PendingEvent(event: $0.event, file: $0.file, line: $0.line) }
      let known = try postgres.coverage()
      #expect(try postgres.update(from: known, to: (known ?? []) + [1], pending))
    }
    #expect(try sqlite.digest() == postgres.digest(), "seed \(seed)")
  }

  @Test("Entries that share 64 bits with videos make the same tables", arguments: 1...20 as ClosedRange<UInt64>)
  func clashes(seed: UInt64) throws {
    var maker = EventMaker(seed: seed, videos: 40, isForged: true)
    let events = StoredEvent.all(maker.events(300))
    let (sqlite, postgres) = (try ReadModel(user: 0), try ReadModel.empty())
    for start in stride(from: 0, to: events.count, by: 60) {
      let part = events[start...].prefix(80)
      try sqlite.add(part)
      let pending = part.map { ReadModel.PendingEvent(event: $0.event, file: $0.file, line: $0.line) }
      let known = try postgres.coverage()
      #expect(try postgres.update(from: known, to: (known ?? []) + [1], pending))
    }
    #expect(try sqlite.digest() == postgres.digest(), "seed \(seed)")
  }

  @Test("Videos are looked up one by one, also after many were found at once in empty tables")
  func growth() throws {
    let postgres = try ReadModel.empty()
    func save(_ numbers: Range<UInt64>, from second: Int64) throws {
      try postgres.apply(
        numbers.enumerated().map { index, number in
          Sample.event(second + Int64(index), .savedSet(SavedSet(video: Sample.video(number), saved: true)))
        })
    }
    for round in 0..<10 as Range<Int64> { try save(5000..<5002, from: round * 2) }
    try postgres.apply((0..<2000).map { Sample.event(1000 + $0, Sample.found(UInt64($0), title: "video \($0)")) })
    let before = try rowsRead(postgres)
    try save(0..<20, from: 4000)
    // Each is read a few times; all of them even once would be 2,000.
    #expect(try rowsRead(postgres) - before < 1000)
    #expect(try postgres.video(Sample.video(19))?.isSaved == true)
  }

  /// How many rows the transactions of a connection have read so far.
  private func rowsRead(_ model: ReadModel) throws -> Int64 {
    _ = try model.database.integer("SELECT 1 FROM (SELECT pg_stat_force_next_flush()) flushed")
    return try #require(
      try model.database.integer(
        """
        SELECT CAST(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) AS bigint) FROM pg_stat_user_tables
        WHERE schemaname = current_schema()
        """))
  }

  @Test("Titles and descriptions longer than PostgreSQL's limits are found as any others")
  func longTexts() throws {
    var words: [String] = []
    for number in 0..<90_000 { words.append("word\(number)") }
    let endless = String(repeating: "z", count: 5000)
    let texts = [words.joined(separator: " "), "plain \(endless) text", "nothing"]
    let titles = ["short", String(repeating: "long title ", count: 300) + "quokka", "an it's \\ title"]
    var events: [Event] = []
    for (number, (text, title)) in zip(texts, titles).enumerated() {
      guard case .videoFound(var found) = Sample.found(UInt64(number + 1), title: title) else { continue }
      found.description = Description(text)
      events.append(Sample.event(Int64(number), .videoFound(found)))
    }
    let (sqlite, postgres) = (try ReadModel(user: 0), try ReadModel.empty())
    for model in [sqlite, postgres] { try model.apply(events) }
    let searches = [
      "word89999", "word8999", "ord8999", "plain", endless, String(endless.dropLast(10)), endless + "z", "quokka",
      "uokk", "it's", "\\", "'", "s \\", "n", "no", "\"word1 word2\"", "\"word1 word3\"", "title", "ng ti", "%", "_",
    ]
    for search in searches {
      let (one, other) = (try ids(search, sqlite), try ids(search, postgres))
      #expect(one == other, "\(search.prefix(20))")
    }
  }

  private func ids(_ search: String, _ model: ReadModel) throws -> Set<Int64> {
    var ids: Set<Int64> = []
    let numbers = try model.search(search)
    try model.read { (database) throws(DatabaseError) in
      for n in numbers {
        if let id = try database.integer("SELECT id FROM video WHERE n = ?", n) { ids.insert(id) }
      }
    }
    return ids
  }
}
