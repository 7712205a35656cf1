import Testing

@testable import ReadModel
@testable import SQLDrivers

@Suite("Why PostgreSQL refuses a connection")
struct PostgresRefusalTests {
  @Test(
    "A role, a password or a database has to be mended; a server that starts or is full will do later",
    arguments: [
      (#"server at "db", port 5432 failed: FATAL:  28P01: password authentication failed"#, ["28P01"], true),
      (#"failed: FATAL:  3D000: database "x" does not exist LOCATION:  InitPostgres, postinit.c:867"#, ["3D000"], true),
      ("failed: FATAL:  42501: permission denied for database", ["42501"], true),
      ("failed: FATAL:  57P03: the database system is starting up", ["57P03"], false),
      ("failed: FATAL:  53300: sorry, too many clients already", ["53300"], false),
      ("a failed: FATAL:  28000: role b failed: FATAL:  57P03: starting", ["28000", "57P03"], false),
      ("failed: Connection refused Is the server running?", [], false),
      ("failed: FATAL:  no code: here", [], false),
    ])
  func codes(message: String, codes: [String], isLasting: Bool) {
    #expect(PostgresRefusal.codes(in: message) == codes)
    #expect(PostgresRefusal.isLasting(codes) == isLasting)
  }
}

@Suite("What an SQLSTATE means")
struct PostgresStateTests {
  @Test("On a standby what it does not have, or not yet, is a refusal to write; elsewhere it is a failure")
  func standby() {
    func error(_ state: String, isStandby: Bool) -> DatabaseError {
      DatabaseError(state: state, "words", isStandby: isStandby)
    }
    for state in ["0A000", "55000"] {
      #expect(error(state, isStandby: true) == .notWritable(code: 8, "words (SQLSTATE \(state))"))
      #expect(error(state, isStandby: false) == .failed(code: 0, "words (SQLSTATE \(state))"))
    }
    for isStandby in [true, false] {
      #expect(error("25006", isStandby: isStandby) == .notWritable(code: 8, "words (SQLSTATE 25006)"))
      #expect(error("53100", isStandby: isStandby).isFull && error("40001", isStandby: isStandby) == .busy)
    }
  }
}

@Suite("The owner of a connection", .enabled(if: TestEngine.isPostgres, "needs METUBE_RSS_TEST_POSTGRES"))
struct PostgresOwnerTests {
  @Test(
    "The owner is known within a transaction alone: a statement outside of one fails, and never returns an empty result"
  )
  func outside() throws {
    let schema = try TestSchema(try #require(TestEngine.postgres))
    let database = try Database(schema.settings)
    for owner: Int64 in [1, 2] {
      try database.use(owner: owner)
      #expect(throws: DatabaseError.self) { try database.integer("SELECT count(*) FROM video") }
      let current = try database.snapshot { () throws(DatabaseError) in try database.integer("SELECT current_owner()") }
      #expect(current == owner)
      #expect(throws: DatabaseError.self) { try database.integer("SELECT count(*) FROM video") }
      try database.transaction {
        try database.use(owner: 3)
        #expect(try database.integer("SELECT current_owner()") == 3)
      }
    }
  }
}
