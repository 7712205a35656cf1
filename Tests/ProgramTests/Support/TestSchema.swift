import Glibc
import ReadModel
import TestSupport
import Testing

/// A schema with the tables of a hub in a test's own, in the database of METUBE_RSS_TEST_POSTGRES; dropped at the end.
final class TestSchema {
  /// The address of the server that tests use; nil if they use none.
  static let server = getenv("METUBE_RSS_TEST_POSTGRES").map { String(cString: $0) }

  /// Also what the hub's connections call themselves.
  let name: String
  private let sandbox: Sandbox

  /// The options that lead to it.
  var options: [String] { ["--database", address, "--schema", name] }
  /// `key=value` words, which libpq reads like a URL.
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
    do { try connect().execute("DROP SCHEMA IF EXISTS \(name) CASCADE") } catch { Issue.record(error) }
  }

  /// A connection of the test's own.
  func connect() throws -> Database {
    try Database(PostgresSettings(address: TestSchema.server ?? "", schema: name, statementTimeout: 300))
  }

  /// Runs the hub's program on it.
  func hub(_ words: String..., input: String = "") throws -> Program.Outcome {
    try sandbox.hub(words + options, input: input)
  }

  /// Makes the tables.
  func migrate() throws {
    let outcome = try hub("migrate")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  func addUser(_ name: String) throws {
    let outcome = try hub("user", "add", name, input: Sandbox.password + "\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The header with a new token of a user.
  func bearer(_ user: String, _ scope: String = "write") throws -> String {
    let outcome = try hub("token", "add", user, "test", "--scope", scope)
    return "Authorization: Bearer " + (try #require(outcome.lines.first, "\(outcome.errors)"))
  }

  /// Starts a process of the hub.
  func serve(_ words: String...) throws -> RunningHub { try RunningHub(sandbox, options + words) }
}
