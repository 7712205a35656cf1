import Core
import Dispatch
import Glibc
import SQLDrivers
import Testing

@testable import ReadModel

/// A table of all kinds of columns, in a schema of its own.
private func withTable(_ body: (Database, TestSchema) throws -> Void) throws {
  let schema = try TestSchema(try #require(TestEngine.postgres))
  defer { try? schema.database.execute(.postgres("DROP TABLE IF EXISTS sample")) }
  try schema.database.execute(
    "CREATE TABLE sample(id INTEGER PRIMARY KEY, number INTEGER, words TEXT, bytes BLOB)")
  try body(schema.database, schema)
}

private func count(_ database: Database) throws -> Int64? { try database.integer("SELECT count(*) FROM sample") }

private func insert(_ database: Database, thenStop stops: Bool = false) throws {
  try database.run("INSERT INTO sample(number) VALUES (1)")
  if stops { throw Stop() }
}

/// The server's process for a connection.
private func process(_ database: Database) throws -> Int64 {
  try #require(try database.integer("SELECT pg_backend_pid()"))
}

/// Ends a connection as a server that is shut down does, and waits until it is gone.
private func end(_ process: Int64, from other: Database) throws {
  _ = try other.integer("SELECT 1 WHERE pg_terminate_backend(CAST(? AS integer), 60000)", process)
}

/// What ends a transaction.
private struct Stop: Error {}

/// What `body` throws; nil if nothing.
private func failure(_ body: () throws -> Void) -> (any Error)? {
  do { try body() } catch { return error }
  return nil
}

/// Whether an error is that of a lost connection.
private func isLost(_ error: (any Error)?) -> Bool {
  if case .connectionLost? = error as? DatabaseError { true } else { false }
}

@Suite("PostgreSQL's driver", .enabled(if: TestEngine.isPostgres, "needs METUBE_RSS_TEST_POSTGRES"))
struct PostgresTests {
  // MARK: Values

  @Test("Values of every kind come back as they were")
  func values() throws {
    try withTable { database, _ in
      let numbers: [Int64?] = [0, 1, -1, .min, .max, nil]
      let texts: [String?] = ["", "a", "a\0b", "'\\\"", "東京 🚂", String(repeating: "long ", count: 100_000), nil]
      let blobs: [[UInt8]?] = [[], [0], Array(0...255), nil]
      for index in 0..<7 {
        try database.run(
          "INSERT INTO sample(number, words, bytes) VALUES (?, ?, ?)", numbers[index % 6], texts[index],
          blobs[index % 4])
      }
      var rows = 0
      try database.forEach("SELECT number, words, bytes FROM sample ORDER BY id") { row in
        #expect(row.optionalInt(0) == numbers[rows % 6])
        #expect(row.optionalText(1) == texts[rows])
        #expect(row.isNull(2) == (blobs[rows % 4] == nil))
        #expect(row.blob(2) == blobs[rows % 4] ?? [])
        rows += 1
      }
      #expect(rows == 7)
      #expect(try database.integer("SELECT id FROM sample WHERE words = ?", "a\0b") == 3)
      #expect(
        try database.first("SELECT true, 7, CAST(8 AS smallint), 'x'") { row in
          [row.text(0), row.text(1), row.text(2), row.text(3)] + (row.bool(0) ? ["true"] : [])
        } == ["1", "7", "8", "x", "true"])
      #expect(throws: DatabaseError.self) { try database.integer(.postgres("SELECT 1.5")) }
    }
  }

  @Test("An insertion tells its number, and a change how many rows it changed")
  func changes() throws {
    try withTable { database, _ in
      try database.execute(.postgres("CREATE UNIQUE INDEX ON sample(number)"))
      let first = try database.inserted("INSERT INTO sample(number) VALUES (?) RETURNING id", 1)
      #expect(try database.inserted("INSERT INTO sample(number) VALUES (?) RETURNING id", 2) == first + 1)
      try database.run("UPDATE sample SET words = ?", "x")
      #expect(database.changes == 2)
      try database.run("INSERT OR IGNORE INTO sample(number) VALUES (?)", 1)
      #expect(database.changes == 0)
      #expect(throws: DatabaseError.self) { try database.run("INSERT INTO sample(number) VALUES (?)", 1) }
    }
  }

  @Test("A scan of many rows is ended early, and other statements run within it, in a transaction or not")
  func scans() throws {
    try withTable { database, _ in
      try database.execute("INSERT INTO sample(number) SELECT n FROM generate_series(1, 5000) n")
      struct Enough: Error {}
      func scan(_ maximum: Int) throws {
        var sum: Int64 = 0
        var count = 0
        try database.scan("SELECT id, number FROM sample WHERE number > ? ORDER BY number", 10) {
          (row) throws(DatabaseError) in
          sum += row.int(1)
          count += 1
          if count % 700 == 0 {
            #expect(try database.integer("SELECT number FROM sample WHERE id = ?", row.int(0)) == row.int(1))
          }
          if count == maximum { throw .failed(code: 1, "enough") }
        }
        #expect(count == 4990 && sum == (11...5000).reduce(0, +))
      }
      try scan(.max)
      #expect(throws: DatabaseError.failed(code: 1, "enough")) { try scan(5) }
      #expect(throws: DatabaseError.failed(code: 1, "enough")) { try scan(2345) }
      #expect(!database.isInTransaction)
      try database.transaction {
        try scan(.max)
        #expect(throws: DatabaseError.failed(code: 1, "enough")) { try scan(101) }
        try database.run("DELETE FROM sample WHERE number > 10")
      }
      #expect(try database.integer("SELECT count(*) FROM sample") == 10)
    }
  }

  // MARK: Transactions

  @Test("What a transaction did is undone if it throws, a nested one alone, and a failed one is never said to be done")
  func transactions() throws {
    try withTable { database, _ in
      let stopped = failure {
        try database.transaction { try insert(database, thenStop: true) }
      }
      #expect(stopped is Stop)
      #expect(try count(database) == 0)
      try database.transaction {
        try insert(database)
        let inner = failure {
          try database.nestedTransaction { try insert(database, thenStop: true) }
        }
        #expect(inner is Stop)
        try database.nestedTransaction { try insert(database) }
      }
      #expect(try count(database) == 2)
      let hidden = failure {
        try database.transaction {
          try insert(database)
          let inner = failure { try database.run("INSERT INTO sample(id) VALUES (NULL)") }
          #expect(inner is DatabaseError)
        }
      }
      #expect(hidden is DatabaseError)
      #expect(try count(database) == 2 && !database.isInTransaction)
    }
  }

  @Test("What is sent ahead is done in order, and the first failure is thrown by the transaction, which is undone")
  func sending() throws {
    try withTable { database, schema in
      try database.execute(.postgres("CREATE UNIQUE INDEX ON sample(number)"))
      try database.transaction {
        for number in 0..<1000 as Range<Int64> {
          try database.send("INSERT INTO sample(number, words) VALUES (?, ?)", number, String?.none)
          if number % 300 == 0 { #expect(try count(database) == number + 1) }
        }
        try database.send("UPDATE sample SET number = number + 1000")
      }
      #expect(try database.integer("SELECT min(number) FROM sample") == 1000)
      // Noticed by the next query, by a statement that is prepared first or by the end.
      for way in 0..<3 {
        let error = failure {
          try database.transaction {
            try database.send("DELETE FROM sample")
            try database.send("INSERT INTO sample(id) VALUES (NULL)")
            try database.send("INSERT INTO sample(number) VALUES (1)")
            if way == 0 { _ = try count(database) }
            if way == 1 { throw Stop() }
          }
        }
        #expect(error is DatabaseError || way == 1 && error is Stop, "\(way)")
        #expect(try count(database) == 1000 && !database.isInTransaction)
      }
      // Outside a transaction it is run at once.
      try database.send("DELETE FROM sample")
      #expect(try Database(schema.settings).integer("SELECT count(*) FROM sample") == 0)
      // A connection that is lost meanwhile.
      let other = try Database(schema.settings)
      let error = failure {
        try database.transaction {
          try insert(database)
          try end(try process(database), from: other)
          for _ in 0..<500 { try database.send("INSERT INTO sample(words) VALUES (?)", "a") }
        }
      }
      #expect(isLost(error))
      #expect(try count(database) == 0)
    }
  }

  @Test("A snapshot sees one state, whatever others commit, and cannot write")
  func snapshot() throws {
    try withTable { database, schema in
      let other = try Database(schema.settings)
      try database.snapshot { () throws(DatabaseError) in
        #expect(try database.integer("SELECT count(*) FROM sample") == 0)
        try other.run("INSERT INTO sample(number) VALUES (1)")
        #expect(try database.integer("SELECT count(*) FROM sample") == 0)
      }
      #expect(try database.integer("SELECT count(*) FROM sample") == 1)
      #expect {
        try database.snapshot { () throws(DatabaseError) in try database.run("DELETE FROM sample") }
      } throws: { error in
        if case .notWritable? = error as? DatabaseError { true } else { false }
      }
    }
  }

  @Test("A lock that another transaction keeps for too long is reported as busy")
  func locks() throws {
    try withTable { database, schema in
      var settings = schema.settings
      settings.lockTimeout = 1
      let other = try Database(settings)
      try database.transaction {
        try database.lockWriting(1)
        #expect(throws: DatabaseError.busy) { try other.transaction { try other.lockWriting(1) } }
      }
      try other.transaction { try other.lockWriting(1) }
    }
  }

  @Test("A statement that takes too long is ended")
  func slowStatement() throws {
    let schema = try TestSchema(try #require(TestEngine.postgres))
    var settings = schema.settings
    settings.statementTimeout = 1
    let database = try Database(settings)
    #expect(throws: DatabaseError.busy) { try database.run("SELECT pg_sleep(600)") }
    #expect(try database.integer("SELECT 1") == 1)
  }

  // MARK: Connections

  @Test("A connection that was lost is made again, with its schema and its statements")
  func lostConnection() throws {
    try withTable { database, schema in
      let other = try Database(schema.settings)
      let query: SQL = "SELECT count(*) FROM sample WHERE number = ?"
      for round in 0..<3 as Range<Int64> {
        try database.run("INSERT INTO sample(number) VALUES (?)", round)
        #expect(try database.integer(query, round) == 1)
        try end(try process(database), from: other)
      }
      #expect(try database.integer("SELECT count(*) FROM sample") == 3)
    }
  }

  @Test("A transaction whose connection is lost fails as a whole: nothing of it is written, or run outside of it")
  func lostTransaction() throws {
    try withTable { database, schema in
      let other = try Database(schema.settings)
      let error = failure {
        try database.transaction {
          try database.run("INSERT INTO sample(number) VALUES (1)")
          try end(try process(database), from: other)
          for _ in 0..<3 {
            #expect(isLost(failure { try database.run("INSERT INTO sample(number) VALUES (2)") }))
            #expect(isLost(failure { _ = try database.integer("SELECT 1") }))
          }
        }
      }
      #expect(isLost(error) && !database.isInTransaction)
      #expect(try database.integer("SELECT count(*) FROM sample") == 0)
      try database.transaction { try database.run("INSERT INTO sample(number) VALUES (3)") }
      #expect(try database.integer("SELECT count(*) FROM sample") == 1)
    }
  }

  @Test("A statement that writes outside a transaction is not sent twice if the connection is lost meanwhile")
  func lostWrite() throws {
    try withTable { database, schema in
      nonisolated(unsafe) let other = try Database(schema.settings)
      let server = try process(database)
      let ended = DispatchGroup()
      DispatchQueue.global().async(group: ended) {
        // Once it sleeps.
        while (try? other.integer("SELECT 1 FROM pg_stat_activity WHERE pid = ? AND wait_event = 'PgSleep'", server))
          == .some(nil)
        { usleep(10_000) }
        try? end(server, from: other)
      }
      let error = failure {
        try database.run("INSERT INTO sample(number) SELECT 1 FROM pg_sleep(600)")
      }
      #expect(isLost(error))
      ended.wait()
      #expect(try database.integer("SELECT count(*) FROM sample") == 0)
    }
  }

  @Test("A server that cannot be reached is reported in one line, which never has the password")
  func unreachable() throws {
    let addresses = [
      "postgresql://ann:s3cret@127.0.0.1:1/metube", "host=/nowhere user=ann password=s3cret",
      "postgresql:/ann:s3cret@host/metube", "postgresql://ann:s3cret@host:port/metube", "ann:s3cret@host", "s3cret",
    ]
    for address in addresses {
      #expect {
        _ = try Database(PostgresSettings(address: address))
      } throws: { error in
        let text = "\(error)"
        return !text.contains("s3cret") && !text.contains("\n")
      }
    }
  }

  // MARK: Migrations

  @Test("Migrations are applied once, however many processes begin at once, and a newer schema is refused")
  func migrations() throws {
    let address = try #require(TestEngine.postgres)
    let name = "test_migrations_\(UInt64.random(in: 0 ... .max))"
    let settings = PostgresSettings(address: address, schema: name)
    let second = Migration(number: 2, name: "second", sql: Array("CREATE TABLE second(n bigint)".utf8))
    let failing = Migration(number: 3, name: "failing", sql: Array("CREATE TABLE third(n bigint); SELECT 1/0".utf8))
    let database = try Database(settings)
    defer { try? database.execute(.postgres("DROP SCHEMA \(name: name) CASCADE")) }
    nonisolated(unsafe) var applied: [[Int]] = Array(repeating: [], count: 4)
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let numbers = (try? Database(settings).migrate([second, .readModel], in: name)) ?? [-1]
      applied.withUnsafeMutableBufferPointer { $0[index] = numbers }
    }
    #expect(applied.sorted { $0.count < $1.count } == [[], [], [], [1, 2]])
    #expect(throws: DatabaseError.self) { try database.migrate([.readModel, second, failing], in: name) }
    #expect(try database.integer("SELECT count(*) FROM migration") == 2)
    #expect(try database.integer("SELECT count(*) FROM pg_class WHERE oid = to_regclass('third')") == 0)
    #expect(throws: DatabaseError.self) { try database.migrate([.readModel], in: name) }
    #expect(try database.migrate([.readModel, second], in: name) == [])
  }
}
