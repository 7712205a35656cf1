import Core
import Glibc
import HubCore
import HubStore
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// Where a hub keeps its accounts.
enum Engine: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// PostgreSQL too if METUBE_RSS_TEST_POSTGRES has the address of a server.
  static var tested: [Engine] { TestServer.address == nil ? [.sqlite] : allCases }
}

/// The server that tests use: each in a schema of its own.
enum TestServer {
  static var address: String? { getenv("METUBE_RSS_TEST_POSTGRES").map { String(cString: $0) } }
}

/// A hub's database for one test, and any number of connections to it.
final class HubDatabase {
  private let folder: TemporaryFolder
  private let engine: Engine
  private let settings: PostgresSettings

  init(_ engine: Engine) throws {
    self.engine = engine
    folder = TemporaryFolder()
    settings = PostgresSettings(
      address: TestServer.address ?? "", schema: "test_\(UInt64.random(in: 0...UInt64.max))")
    if engine == .postgres { _ = try connect().migrate(Migration.hub, in: settings.schema) }
  }

  deinit {
    guard engine == .postgres else { return }
    do {
      try connect().execute(.postgres("DROP SCHEMA \(name: settings.schema) CASCADE"))
    } catch { Issue.record(error) }
  }

  /// A new connection to PostgreSQL, which waits this many seconds for locks.
  func connect(lockTimeout: Int = 10) throws -> Database {
    var settings = settings
    settings.lockTimeout = lockTimeout
    return try Database(settings)
  }

  func accounts() throws -> Accounts {
    engine == .sqlite ? try Accounts(folder: folder.path) : Accounts(try connect())
  }

  func pushes() throws -> PushStore {
    engine == .sqlite ? try PushStore(folder: folder.path) : PushStore(try connect())
  }

  /// Takes the tables of `hub.db` back to the version before administrators; the users must be gone.
  static let withoutHousehold: SQL = """
    DROP INDEX user_number; DROP TABLE invitation; DROP TABLE former_user; DROP TABLE renaming;
    ALTER TABLE user DROP number; ALTER TABLE user DROP admin; ALTER TABLE user DROP display_name;
    ALTER TABLE user DROP avatar_color; ALTER TABLE user DROP last_login; ALTER TABLE user DROP disabled;
    ALTER TABLE user DROP max_subscriptions; ALTER TABLE user DROP max_requests;
    """
}
