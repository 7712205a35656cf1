import Glibc
import SQLDrivers
import Synchronization
import Testing

@testable import ReadModel

/// The engine under test: SQLite, or with `METUBE_RSS_TEST_POSTGRES`, the address of a server, PostgreSQL, as
/// `make test-postgres` has it.
enum TestEngine {
  static let postgres = getenv("METUBE_RSS_TEST_POSTGRES").map { String(cString: $0) }
  static var isPostgres: Bool { postgres != nil }
}

extension ReadModel {
  /// A model without anything in it, in memory or in a schema of its own.
  static func empty() throws -> ReadModel {
    guard let address = TestEngine.postgres else { return try ReadModel(user: 0) }
    let schema = try TestSchema(address)
    let model = ReadModel(server: schema.database, user: 0)
    // The schema goes with the model, which keeps this.
    model.rebuild = { schema.name.isEmpty }
    return model
  }
}

/// A schema with the tables of the read model, empty, of the owners 0 to 9. One that is not used any more is emptied for the next test, because
/// making one takes longer than most tests; all are dropped when the process ends.
final class TestSchema {
  private let made: Made
  let settings: PostgresSettings
  var name: String { made.name }
  var database: Database { made.database }

  /// A schema and the connection that works in it. Sendable because one test at a time has it.
  struct Made: @unchecked Sendable {
    var name: String
    var database: Database
  }

  init(_ address: String) throws {
    if let unused = TestSchema.unused.withLock({ $0.popLast() }) {
      (made, settings) = (unused, PostgresSettings(address: address, schema: unused.name))
      return
    }
    _ = TestSchema.dropsAtExit
    let name = "test_\(UInt64.random(in: 0 ... .max))"
    settings = PostgresSettings(address: address, schema: name)
    made = Made(name: name, database: try Database(settings))
    _ = try database.migrate([.readModel, .descriptions, .preferences, .entries], in: name)
    try database.execute("INSERT INTO owner(n, device) SELECT n, 'device ' || n FROM generate_series(0, 9) AS n")
  }

  deinit {
    let tables = (try? database.columns())?.keys.filter { $0.hasPrefix("all_") } ?? []
    let emptied: Void? = try? database.execute(.postgres("TRUNCATE \(.names(tables))"))
    if emptied != nil { TestSchema.unused.withLock { [made] in $0.append(made) } }
  }

  private static let unused = Mutex<[Made]>([])
  private static let dropsAtExit: Void = {
    atexit {
      for schema in TestSchema.unused.withLock(\.self) {
        // What is left goes with the server.
        try? schema.database.execute(.postgres("DROP SCHEMA \(name: schema.name) CASCADE"))
      }
    }
  }()
}

extension Trait where Self == ConditionTrait {
  /// For a test of what SQLite alone has, and why.
  static func onSQLiteAlone(_ reason: Comment) -> Self { .enabled(if: !TestEngine.isPostgres, reason) }
}
