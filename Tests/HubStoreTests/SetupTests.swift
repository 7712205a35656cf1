import HubCore
import HubStore
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

/// The first user of a hub, and the code that makes it.
struct SetupTests {
  private func add(_ name: String, _ accounts: Accounts, by maker: Accounts.Maker) throws -> Accounts.CodeVerdict {
    let device = accounts.database.isPostgres ? String((name + "aaaaaaaa").prefix(8)) : nil
    return try accounts.addFirstUser(name, hash: "hash", by: maker, device: device, now: 1) {}
  }

  @Test(
    "The right code creates one user; no code is valid after that, even if the user is removed",
    arguments: Engine.tested)
  func once(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    #expect(try accounts.setup() == Accounts.Setup(isOver: false, digest: [], isVoid: true))
    let (code, digest) = try #require(try accounts.makeSetupCode(insteadOf: nil))
    #expect(code.count == 16)
    #expect(try accounts.setup() == Accounts.Setup(isOver: false, digest: digest, isVoid: false))
    #expect(try accounts.tryCode(code) == .right)
    #expect(try add("ann", accounts, by: .code(code)) == .right)
    #expect(try add("bob", accounts, by: .code(code)) == .over)
    #expect(try accounts.users() == ["ann"])
    #expect(try accounts.removeUser("ann"))
    #expect(try accounts.setup().isOver && accounts.tryCode(code) == .over)
    #expect(try accounts.makeSetupCode(insteadOf: nil) == nil)
    #expect(try add("bob", accounts, by: .code(code)) == .over)
    #expect(try add("bob", accounts, by: .operatorOnce) == .over)
    #expect(try accounts.users() == [])
    #expect(try add("bob", accounts, by: .operatorNow) == .right)
    #expect(try add("eve", accounts, by: .operatorNow) == .over)
  }

  @Test("After ten wrong codes the right one is void too, until another one is made", arguments: Engine.tested)
  func wrongCodes(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let (one, other) = (try hub.accounts(), try hub.accounts())
    let (code, digest) = try #require(try one.makeSetupCode(insteadOf: nil))
    #expect(try one.tryCode(code) == .right, "a right one does not count")
    for number in 0..<10 {
      #expect(try add("eve", number.isMultiple(of: 2) ? one : other, by: .code("WRONG")) == .wrong)
    }
    #expect(try one.tryCode(code) == .void && add("ann", other, by: .code(code)) == .void)
    #expect(try other.setup() == Accounts.Setup(isOver: false, digest: digest, isVoid: true))
    let next = try #require(try other.makeSetupCode(insteadOf: digest))
    #expect(try one.makeSetupCode(insteadOf: digest) == nil, "one process makes it")
    #expect(try one.tryCode(code) == .wrong && add("ann", one, by: .code(next.code)) == .right)
  }

  @Test("All processes that start share one setup code", arguments: Engine.tested)
  func replaced(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let (one, other) = (try hub.accounts(), try hub.accounts())
    let first = try #require(try one.makeSetupCode(insteadOf: nil))
    let second = try #require(try other.makeSetupCode(insteadOf: nil))
    #expect(try one.tryCode(first.code) == .wrong && one.tryCode(second.code) == .right)
  }

  @Test("A user who was added otherwise ends it", arguments: Engine.tested)
  func otherwise(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    let (code, _) = try #require(try accounts.makeSetupCode(insteadOf: nil))
    #expect(try accounts.addUser("ann", hash: "hash", now: 1))
    #expect(try accounts.tryCode(code) == .over && accounts.setup().digest == [])
  }

  @Test("If what the user needs cannot be made, nothing is changed, and the code stays", arguments: Engine.tested)
  func prepared(_ engine: Engine) throws {
    struct Full: Error {}
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    let (code, _) = try #require(try accounts.makeSetupCode(insteadOf: nil))
    #expect(throws: Full.self) {
      _ = try accounts.addFirstUser("ann", hash: "hash", by: .code(code), device: nil, now: 1) { throw Full() }
    }
    #expect(try accounts.users() == [] && accounts.tryCode(code) == .right)
  }

  @Test(
    "One of many simultaneous attempts with the right code, or without one, makes the first user",
    arguments: Engine.tested)
  func race(_ engine: Engine) async throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    let (code, _) = try #require(try accounts.makeSetupCode(insteadOf: nil))
    let right = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        let other = Alone(accounts: try hub.accounts())
        group.addTask {
          try add("user\(number)", other.accounts, by: number < 4 ? .code(code) : .operatorOnce) == .right
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 1)
    #expect(try accounts.countOfUsers() == 1)
  }

  /// `@unchecked`: one task has it.
  private struct Alone: @unchecked Sendable { let accounts: Accounts }

  @Test("Accounts of the version before have had their first user, if they have one or had one with a token")
  func olderFile() throws {
    for (statements, isOver) in [
      ("", false), ("INSERT INTO user VALUES ('ann', 'hash', 1);", true),
      (
        """
        INSERT INTO user VALUES ('ann', 'hash', 1);
        INSERT INTO token (user, name, digest, scope, created) VALUES ('ann', 't', x'00', 'read', 1);
        DELETE FROM token; DELETE FROM user;
        """, true
      ),
    ] as [(SQL, Bool)] {
      let folder = TemporaryFolder()
      let file = try Accounts(folder: folder.path).database
      try file.execute(
        .sqlite("DROP TABLE setup; \(HubDatabase.withoutHousehold) \(statements) PRAGMA user_version = 1"))
      #expect(try Accounts(folder: folder.path).setup().isOver == isOver)
    }
  }

  @Test("The migration knows users that there are or were", .enabled(if: TestServer.address != nil))
  func migration() throws {
    for (statements, isOver) in [
      ("", false), ("INSERT INTO \"user\" VALUES ('ann', 'hash', 1)", true),
      ("INSERT INTO owner(name, device, removed, former) VALUES (NULL, 'aaaaaaaa', 1, 'ann')", true),
    ] as [(SQL, Bool)] {
      let hub = try HubDatabase(.postgres)
      let database = try hub.connect()
      try database.execute(
        .postgres(
          """
          DROP TABLE setup; ALTER TABLE owner DROP number; DROP TABLE invitation;
          ALTER TABLE "user" DROP number, DROP admin, DROP display_name, DROP avatar_color, DROP last_login,
            DROP disabled, DROP max_subscriptions, DROP max_requests;
          DROP FUNCTION next_user_number;
          DELETE FROM migration WHERE number >= 8; \(statements)
          """))
      let schema = try #require(try database.first("SELECT current_schema()") { $0.text(0) })
      #expect(try database.migrate(Migration.hub.filter { $0.number <= 9 }, in: schema) == [8, 9])
      #expect(try Accounts(database).setup().isOver == isOver)
    }
  }
}
