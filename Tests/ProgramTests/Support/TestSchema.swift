import Glibc
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// A schema with the tables of a hub in a test's own, in the database of METUBE_RSS_TEST_POSTGRES; dropped at the end.
final class TestSchema {
  /// The address of the server that tests use; nil if they use none.
  static let server = getenv("METUBE_RSS_TEST_POSTGRES").map { String(cString: $0) }

  /// The file to which that server writes its log, as scripts/with-postgres.sh starts it; nil if unknown.
  static let log = getenv("POSTGRES_LOG").map { String(cString: $0) }

  /// Also what the hub's connections call themselves.
  let name: String
  private unowned let sandbox: Sandbox

  /// The options that lead to it.
  var options: [String] { ["--database", address, "--schema", name] }
  /// `key=value` pairs, which libpq reads like a URL.
  var address: String { "\(TestSchema.server ?? "") application_name=\(name)" }

  /// Makes it, without tables.
  init(_ sandbox: Sandbox) {
    name = "test_\(UInt64.random(in: 0...UInt64.max))"
    self.sandbox = sandbox
    for variable in ["PGHOST", "PGPORT", "PGUSER"] {
      sandbox.environment[variable] = getenv(variable).map { String(cString: $0) }
    }
  }

  deinit {
    // A hub that has not ended yet may look at the tables in another order: then one of both has to give way.
    for attempt in 1...20 {
      do { return try connect().execute(.postgres("DROP SCHEMA IF EXISTS \(name: name) CASCADE")) } catch {
        guard attempt < 20, error as? DatabaseError == .busy else {
          Issue.record(error)
          return
        }
      }
    }
  }

  /// A connection of the test's own.
  func connect() throws -> Database {
    try Database(PostgresSettings(address: TestSchema.server ?? "", schema: name, statementTimeout: 300))
  }

  /// Runs the hub's program on it.
  func hub(_ arguments: String..., input: String = "") throws -> Program.Outcome {
    try sandbox.hub(arguments + options, input: input)
  }

  /// Makes the tables.
  func migrate() throws {
    let outcome = try hub("migrate")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Expects that neither these texts nor any row that a table has now contains one of some secrets.
  func expectNone(of secrets: [String], also texts: [String]) throws {
    let database = try connect()
    var tables: [String] = []
    try database.forEach("SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind = 'r'", name) {
      tables.append($0.text(0))
    }
    #expect(tables.count > 20, "\(tables)")
    for secret in secrets {
      for text in texts { #expect(!text.contains(secret)) }
      for table in tables {
        let sql: SQL = "SELECT count(*) FROM \(name: table) AS t WHERE strpos(t::text, ?) > 0"
        #expect(try database.integer(sql, secret) == 0, "\(table)")
      }
    }
  }

  /// The lines of an owner's logs, in the order in which they were appended; of the catalogue if nil.
  func lines(_ user: String?) throws -> [String] {
    var lines: [String] = []
    try connect().forEach(
      """
      SELECT bytes FROM log_line WHERE owner = (SELECT n FROM owner WHERE name = ?1 OR (?1 IS NULL AND n = 0))
      ORDER BY number
      """, user
    ) { lines.append(String(decoding: $0.blob(0).dropLast(), as: UTF8.self)) }
    return lines
  }
}

extension Trait where Self == ConditionTrait {
  /// A test of what a hub has in files only; left out where users' logs are in PostgreSQL.
  static var ofFiles: Self { .enabled(if: TestSchema.server == nil, "about files") }
}
