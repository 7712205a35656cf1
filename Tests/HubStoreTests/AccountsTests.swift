import HubStore
import SQLDrivers
import TestSupport
import Testing

/// The same promises wherever accounts are kept.
struct AccountsTests {
  private let now: Int64 = 1_800_000_000

  @Test("users are added once, sorted, and removed with all they have", arguments: Engine.tested)
  func users(_ engine: Engine) throws {
    let database = try HubDatabase(engine)
    let accounts = try database.accounts()
    #expect(try accounts.addUser("bob", hash: "one", now: now))
    #expect(try accounts.addUser("ann", hash: "two", now: now))
    #expect(try !accounts.addUser("bob", hash: "three", now: now))
    #expect(try accounts.users() == ["ann", "bob"])
    #expect(try accounts.hash(of: "bob") == "one")
    #expect(try accounts.hash(of: "eve") == nil)
    let session = try accounts.addSession(of: "bob", agent: "a", now: now)
    let token = try accounts.addToken(of: "bob", name: "t", scope: .read, now: now).secret
    let code = try accounts.addPairing(of: "bob", now: now)
    #expect(try accounts.removeUser("bob"))
    #expect(try !accounts.removeUser("bob"))
    #expect(try accounts.identify(token: token, session: nil, now: now) == .anonymous)
    #expect(try accounts.identify(token: nil, session: session, now: now) == .anonymous)
    #expect(try accounts.pair(code: code, device: "aaaaaaaa", name: "d", now: now) { _ in } == nil)
  }

  @Test("a session is its user's until it ends, and of many the oldest end", arguments: Engine.tested)
  func sessions(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    let sessions = try (0..<21).map { try accounts.store.addSession(of: "ann", agent: "agent \($0)", now: now + $0) }
    func identity(_ session: String, _ now: Int64) throws -> Accounts.Identity {
      try accounts.store.identify(token: nil, session: session, now: now)
    }
    #expect(try identity(sessions[0], now + 30) == .anonymous)
    let id = String(sessions[20].prefix { $0 != "." })
    #expect(try identity(sessions[20], now + 30) == .session(id: id, user: "ann"))
    #expect(try identity(sessions[20], now + 20 + Accounts.sessionLength) == .session(id: id, user: "ann"))
    #expect(try identity(sessions[20], now + 21 + Accounts.sessionLength) == .anonymous)
    #expect(try identity(id + ".wrong", now + 30) == .anonymous)
    let listed = try accounts.store.sessions(of: "ann", now: now + 30)
    #expect(listed.map(\.agent) == (1...20).reversed().map { "agent \($0)" })
    #expect(try !accounts.store.endSession(id, of: "bob"))
    #expect(try accounts.store.endSessions(of: "ann", but: id) == 19)
    #expect(try accounts.store.endSession(id, of: "ann"))
    #expect(try accounts.store.sessions(of: "ann", now: now + 30).isEmpty)
  }

  @Test("A file whose tables got columns one after the other, as those of November 2026, is used as it is")
  func grownFile() throws {
    let folder = TemporaryFolder()
    let file = try Database(Accounts.path(in: folder.path), .readWrite)
    try file.execute(
      .sqlite(
        """
        CREATE TABLE user (name TEXT PRIMARY KEY, hash TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
        CREATE TABLE token (
          id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, name TEXT NOT NULL,
          digest BLOB NOT NULL UNIQUE, scope TEXT NOT NULL, created INTEGER NOT NULL, used INTEGER) STRICT;
        CREATE TABLE session (
          id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, digest BLOB NOT NULL,
          ends INTEGER NOT NULL) STRICT;
        PRAGMA user_version = 1;
        ALTER TABLE session ADD agent TEXT NOT NULL DEFAULT '';
        ALTER TABLE session ADD used INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE token ADD device TEXT;
        CREATE UNIQUE INDEX token_device ON token (device);
        CREATE TABLE pairing (
          digest BLOB PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, ends INTEGER NOT NULL) STRICT;
        """))
    let accounts = try Accounts(folder: folder.path)
    #expect(try accounts.addUser("ann", hash: "one", now: now))
    let session = try accounts.addSession(of: "ann", agent: "a", now: now)
    let token = try accounts.addToken(of: "ann", name: "t", scope: .read, now: now)
    let code = try accounts.addPairing(of: "ann", now: now)
    #expect(try accounts.pair(code: code, device: "aaaaaaaa", name: "d", now: now) { _ in } != nil)
    let again = try Accounts(folder: folder.path)
    #expect(try again.identify(token: nil, session: session, now: now) != .anonymous)
    let identity = try again.identify(token: token.secret, session: nil, now: now)
    #expect(identity == .token(id: token.id, user: "ann", scope: .read))
    #expect(try again.tokens(of: "ann").map(\.device) == [nil, "aaaaaaaa"])
  }

  @Test("the time of use is kept to the minute", arguments: Engine.tested)
  func use(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    let (id, secret) = try accounts.store.addToken(of: "ann", name: "reader", scope: .write, now: now)
    #expect(try accounts.store.tokens(of: nil).map(\.used) == [nil])
    #expect(
      try accounts.store.identify(token: secret, session: nil, now: now + 7000)
        == .token(id: id, user: "ann", scope: .write))
    let used = now + 7000
    let token = try #require(try accounts.store.tokens(of: "ann").first)
    #expect((token.id, token.name, token.scope, token.used) == (id, "reader", .write, used))
    #expect((token.user, token.created, token.device) == ("ann", now, nil))
    #expect(try accounts.store.tokens(of: "bob").isEmpty)
    #expect(try !accounts.store.revokeToken(id, of: "bob"))
    #expect(try accounts.store.revokeToken(id, of: "ann"))
    #expect(try accounts.store.identify(token: secret, session: nil, now: now) == .anonymous)
  }

  @Test("a new password ends sessions and the tokens of readers, not others", arguments: Engine.tested)
  func password(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    let session = try accounts.store.addSession(of: "ann", agent: "", now: now)
    let reader = try accounts.store.addReaderToken(of: "ann", now: now)
    let token = try accounts.store.addToken(of: "ann", name: "mine", scope: .read, now: now)
    #expect(try accounts.store.setPassword(of: "ann", hash: "new"))
    #expect(try !accounts.store.setPassword(of: "eve", hash: "new"))
    #expect(try accounts.store.identify(token: nil, session: session, now: now) == .anonymous)
    #expect(try accounts.store.identify(token: reader, session: nil, now: now) == .anonymous)
    #expect(
      try accounts.store.identify(token: token.secret, session: nil, now: now)
        == .token(id: token.id, user: "ann", scope: .read))
  }

  @Test("of many readers' tokens the oldest are revoked", arguments: Engine.tested)
  func readers(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    let secrets = try (0..<22).map { _ in try accounts.store.addReaderToken(of: "ann", now: now) }
    let known = try secrets.map { try accounts.store.identify(token: $0, session: nil, now: now) != .anonymous }
    #expect(known == [false, false] + Array(repeating: true, count: 20))
  }

  @Test("a code pairs one device once", arguments: Engine.tested)
  func pairing(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    _ = try accounts.store.addUser("bob", hash: "", now: now)
    let code = try accounts.store.addPairing(of: "ann", now: now)
    let late = try accounts.store.addPairing(of: "ann", now: now)
    let paired = try #require(try accounts.store.pair(code: code, device: "aaaaaaaa", name: "d", now: now) { _ in })
    #expect(paired.user == "ann")
    #expect(try accounts.store.pair(code: code, device: "bbbbbbbb", name: "d", now: now) { _ in } == nil)
    #expect(try accounts.store.pair(code: late, device: "bbbbbbbb", name: "d", now: now + 601) { _ in } == nil)
    #expect(try accounts.store.tokens(of: "ann").map(\.device) == ["aaaaaaaa"])
    // Again: the device's older token goes.
    let again = try accounts.store.addPairing(of: "ann", now: now)
    let second = try #require(try accounts.store.pair(code: again, device: "aaaaaaaa", name: "d", now: now) { _ in })
    #expect(try accounts.store.tokens(of: "ann").map(\.id) == [second.id])
    let foreign = try accounts.store.addPairing(of: "bob", now: now)
    #expect(try accounts.store.pair(code: foreign, device: "aaaaaaaa", name: "d", now: now) { _ in } == nil)
  }

  @Test("a device's log is written by one token", arguments: Engine.tested)
  func writers(_ engine: Engine) throws {
    let accounts = try HubDatabase(engine).accountsAlone()
    let one = try accounts.store.addToken(of: "ann", name: "one", scope: .write, now: now).id
    let other = try accounts.store.addToken(of: "ann", name: "other", scope: .write, now: now).id
    #expect(try accounts.store.writer(of: "aaaaaaaa", asking: one, mayTake: false) == .unassigned)
    #expect(try accounts.store.writer(of: "aaaaaaaa", asking: one, mayTake: true) == .oneself)
    #expect(try accounts.store.writer(of: "aaaaaaaa", asking: one, mayTake: false) == .oneself)
    #expect(try accounts.store.writer(of: "aaaaaaaa", asking: other, mayTake: true) == .another)
    #expect(try accounts.store.writer(of: "bbbbbbbb", asking: one, mayTake: true) == .unassigned)
  }

  @Test("a code that several devices use at once pairs one of them", arguments: Engine.tested)
  func pairingAtOnce(_ engine: Engine) async throws {
    let database = try HubDatabase(engine)
    let accounts = try database.accounts()
    _ = try accounts.addUser("ann", hash: "", now: now)
    for _ in 0..<10 {
      let code = try accounts.addPairing(of: "ann", now: now)
      let paired = try await withThrowingTaskGroup { group in
        for device in ["aaaaaaaa", "bbbbbbbb", "cccccccc"] {
          let own = Alone(try database.accounts())
          group.addTask { [now] in
            try own.store.pair(code: code, device: device, name: "d", now: now) { _ in } == nil ? 0 : 1
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(paired == 1)
    }
  }
}

/// `@unchecked`: only one task uses the store.
struct Alone<Store>: @unchecked Sendable {
  let store: Store
  init(_ store: Store) { self.store = store }
}

extension HubDatabase {
  /// Accounts with the user ann, which keep this database.
  fileprivate func accountsAlone() throws -> (store: Accounts, database: HubDatabase) {
    let accounts = try accounts()
    _ = try accounts.addUser("ann", hash: "hash", now: 1)
    return (accounts, self)
  }
}
