import Glibc
import HubStore
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// What a household needs of users: administrators, numbers that are never reused, names that change.
struct UserTests {
  private let now: Int64 = 1_800_000_000

  private func add(_ names: String..., to accounts: Accounts) throws {
    for name in names { #expect(try accounts.addUser(name, hash: "hash of \(name)", now: now)) }
  }

  @Test("The first user administers the hub; others do not", arguments: Engine.tested)
  func first(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    let device = accounts.database.isPostgres ? "aaaaaaaa" : nil
    let verdict = try accounts.addFirstUser("ann", hash: "h", by: .operatorOnce, device: device, now: now) {}
    #expect(verdict == .right)
    try add("bob", to: accounts)
    #expect(try accounts.allUsers().map(\.name) == ["ann", "bob"])
    #expect(try accounts.allUsers().map(\.isAdministrator) == [true, false])
    #expect(try accounts.allUsers().map(\.number) == [1, 2])
    for name in ["ann", "bob"] { #expect(try accounts.removeUser(name)) }
    try add("cid", to: accounts)
    #expect(try accounts.user("cid")?.isAdministrator == true, "there was no other one")
  }

  @Test("A number is never another user's: not after removal, not after renaming", arguments: Engine.tested)
  func numbers(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    try add("ann", "bob", "cid", to: accounts)
    #expect(try !accounts.addUser("bob", hash: "other", now: now))
    #expect(try accounts.removeUser("cid"))
    try add("cid", to: accounts)
    #expect(try accounts.user("cid")?.number == 4)
    #expect(try accounts.rename("bob", to: "robert"))
    try add("bob", to: accounts)
    #expect(try accounts.user("robert")?.number == 2)
    #expect(try accounts.user("bob")?.number == 5)
    #expect(try accounts.name(ofUser: 2) == "robert")
    #expect(try accounts.name(ofUser: 3) == nil)
  }

  @Test("A user who gets a removed user's log gets the number with it")
  func restored() throws {
    let hub = try HubDatabase(.sqlite)
    let accounts = try hub.accounts()
    try add("ann", "bob", to: accounts)
    #expect(try accounts.removeUser("bob", kept: "bob-1", keepingAdministrator: true))
    #expect(try accounts.addUser("eve", hash: "h", takingOver: "bob-1", now: now))
    #expect(try accounts.user("eve")?.number == 2)
    #expect(try accounts.addUser("dora", hash: "h", takingOver: "bob-1", now: now), "a copy is another user's")
    #expect(try accounts.user("dora")?.number == 3)
  }

  @Test("The same in a database", .enabled(if: TestServer.address != nil))
  func restoredOwner() throws {
    let hub = try HubDatabase(.postgres)
    let accounts = try hub.accounts()
    #expect(try accounts.addOwner("ann", hash: "h", device: "aaaaaaaa", now: now))
    #expect(try accounts.addOwner("bob", hash: "h", device: "bbbbbbbb", now: now))
    #expect(try accounts.removeUser("bob", kept: nil, keepingAdministrator: true))
    while try accounts.clearSome() {}
    let kept = try #require(try accounts.removed(user: "bob"))
    #expect(try accounts.restore(kept, to: "eve", hash: "h", now: now))
    #expect(try accounts.user("eve")?.number == 2)
    #expect(try accounts.addOwner("bob", hash: "h", device: "cccccccc", now: now))
    #expect(try accounts.user("bob")?.number == 3)
  }

  @Test("Renaming a user keeps sessions, tokens, codes, devices and the log", arguments: Engine.tested)
  func renamed(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    if engine == .postgres {
      #expect(try accounts.addOwner("ann", hash: "h", device: "dddddddd", now: now))
    } else {
      try add("ann", to: accounts)
    }
    try add("bob", to: accounts)
    let session = try accounts.addSession(of: "ann", agent: "a", now: now)
    let (id, secret) = try accounts.addToken(of: "ann", name: "t", scope: .read, now: now)
    let code = try accounts.addPairing(of: "ann", now: now)
    let position = engine == .postgres ? try accounts.position(of: "ann") : nil
    #expect(throws: AccountsError.nameTaken) { _ = try accounts.rename("ann", to: "bob") }
    #expect(try !accounts.rename("eve", to: "eva"))
    #expect(try accounts.rename("ann", to: "anna"))
    #expect(try accounts.users() == ["anna", "bob"])
    let own = String(session.prefix { $0 != "." })
    #expect(try accounts.identify(token: nil, session: session, now: now) == .session(id: own, user: "anna"))
    #expect(try accounts.identify(token: secret, session: nil, now: now) == .token(id: id, user: "anna", scope: .read))
    #expect(try accounts.pair(code: code, device: "aaaaaaaa", name: "d", now: now) { _ in }?.user == "anna")
    #expect(try accounts.hash(of: "anna") != nil && accounts.hash(of: "ann") == nil)
    if engine == .postgres { #expect(try accounts.position(of: "anna") == position) }
    #expect(try accounts.removeUser("anna") && accounts.tokens(of: nil).isEmpty)
  }

  @Test("The last administrator who may use the hub stays one, if that is requested", arguments: Engine.tested)
  func lastAdministrator(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    try add("ann", "bob", to: accounts)
    func check() {
      #expect(throws: AccountsError.lastAdministrator) {
        _ = try accounts.removeUser("ann", kept: nil, keepingAdministrator: true)
      }
      #expect(throws: AccountsError.lastAdministrator) {
        _ = try accounts.setAdministrator(false, "ann", keepingAdministrator: true)
      }
      #expect(throws: AccountsError.lastAdministrator) {
        _ = try accounts.setDisabled(true, "ann", keepingAdministrator: true, now: now)
      }
    }
    check()
    #expect(try accounts.setAdministrator(true, "bob", keepingAdministrator: true))
    #expect(try accounts.setDisabled(true, "bob", keepingAdministrator: true, now: now))
    // Who may use nothing administers nothing.
    check()
    #expect(try accounts.setDisabled(false, "bob", keepingAdministrator: true, now: now))
    #expect(try accounts.setAdministrator(false, "ann", keepingAdministrator: true))
    #expect(try accounts.setAdministrator(false, "bob", keepingAdministrator: false))
    #expect(try accounts.allUsers().allSatisfy { !$0.isAdministrator })
  }

  @Test("A disabled user's session and token are refused, and right again later", arguments: Engine.tested)
  func disabled(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    try add("ann", "bob", to: accounts)
    let session = try accounts.addSession(of: "bob", agent: "a", now: now)
    let token = try accounts.addToken(of: "bob", name: "t", scope: .read, now: now).secret
    #expect(try accounts.setDisabled(true, "bob", keepingAdministrator: true, now: now))
    #expect(try accounts.user("bob")?.disabled == now)
    for (token, session) in [(nil, session), (token, nil)] {
      #expect(throws: AccountsError.disabled) {
        _ = try accounts.identify(token: token, session: session, now: now)
      }
    }
    #expect(try accounts.identify(token: token + "x", session: nil, now: now) == .anonymous)
    #expect(try accounts.setDisabled(false, "bob", keepingAdministrator: true, now: now))
    #expect(try accounts.identify(token: token, session: nil, now: now) != .anonymous)
    #expect(try !accounts.setDisabled(true, "eve", keepingAdministrator: true, now: now))
  }

  @Test("Names, colours, limits and the last login are kept", arguments: Engine.tested)
  func profile(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    try add("ann", to: accounts)
    let fresh = try #require(try accounts.user("ann"))
    #expect(fresh.shownName == "ann" && fresh.avatarColor == nil && fresh.lastLogin == nil)
    #expect(fresh.limits == UserLimits(subscriptions: nil, requests: nil))
    #expect(try accounts.setProfile(of: "ann", displayName: "Änn 🐟", color: .teal))
    #expect(try accounts.setLimits(UserLimits(subscriptions: 30, requests: nil), of: "ann"))
    _ = try accounts.addSession(of: "ann", agent: "a", now: now + 5)
    let changed = try #require(try accounts.user("ann"))
    #expect(changed.shownName == "Änn 🐟" && changed.shownColor == .teal && changed.lastLogin == now + 5)
    #expect(changed.limits == UserLimits(subscriptions: 30, requests: nil))
    _ = try accounts.addReaderToken(of: "ann", now: now + 9)
    #expect(try accounts.user("ann")?.lastLogin == now + 9)
    #expect(try !accounts.setProfile(of: "eve", displayName: "", color: nil))
  }

  @Test("Users added simultaneously get different numbers", arguments: Engine.tested)
  func atOnce(_ engine: Engine) async throws {
    let hub = try HubDatabase(engine)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        let own = Alone(try hub.accounts())
        group.addTask { _ = try own.store.addUser("user\(number)", hash: "h", now: 1) }
      }
      try await group.waitForAll()
    }
    let users = try hub.accounts().allUsers()
    #expect(users.map(\.number).sorted() == Array(1...8))
    #expect(users.count { $0.isAdministrator } == 1)
  }

  @Test("A code gives its user a password once, in time, and ends what was begun before", arguments: Engine.tested)
  func invitations(_ engine: Engine) throws {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    try add("ann", "bob", to: accounts)
    let first = try accounts.addInvitation(of: "bob", now: now)
    let code = try accounts.addInvitation(of: "bob", now: now)
    let session = try accounts.addSession(of: "bob", agent: "", now: now)
    #expect(try accounts.invitedUser(first, now: now) == nil, "the second one replaced it")
    #expect(try accounts.invitedUser(code, now: now) == "bob")
    #expect(try accounts.invitationEnd(of: "bob", now: now) == now + Accounts.invitationLength)
    #expect(try accounts.invitedUser(code, now: now + Accounts.invitationLength + 1) == nil)
    #expect(try accounts.setDisabled(true, "bob", keepingAdministrator: true, now: now))
    #expect(throws: AccountsError.disabled) { _ = try accounts.invitedUser(code, now: now) }
    #expect(try accounts.setDisabled(false, "bob", keepingAdministrator: true, now: now))
    #expect(try accounts.acceptInvitation(code, hash: "new", now: now) == "bob")
    #expect(try accounts.acceptInvitation(code, hash: "other", now: now) == nil)
    #expect(try accounts.hash(of: "bob") == "new")
    #expect(try accounts.identify(token: nil, session: session, now: now) == .anonymous)
    let unused = try accounts.addInvitation(of: "bob", now: now)
    #expect(try accounts.setPassword(of: "bob", hash: "own") && accounts.invitedUser(unused, now: now) == nil)
  }

  @Test(
    "A move keeps numbers, administrators, limits and how far numbers were given",
    .enabled(if: TestServer.address != nil))
  func moved() throws {
    let (files, server) = (try HubDatabase(.sqlite), try HubDatabase(.postgres))
    let (one, other) = (try files.accounts(), try server.accounts())
    try add("ann", "bob", "cid", to: one)
    #expect(try one.removeUser("cid") && one.setLimits(UserLimits(subscriptions: 3, requests: 90), of: "bob"))
    #expect(try one.setProfile(of: "bob", displayName: "Bob", color: .pink))
    #expect(try one.setDisabled(true, "bob", keepingAdministrator: true, now: now))
    let code = try one.addInvitation(of: "ann", now: now)
    #expect(try one.copy(into: other) == 2)
    #expect(try other.allUsers() == one.allUsers() && other.invitedUser(code, now: now) == "ann")
    try add("dora", to: other)
    #expect(try other.user("dora")?.number == 4)
    let third = try HubDatabase(.sqlite)
    let back = try third.accounts()
    #expect(try other.copy(into: back) == 3 && back.allUsers() == other.allUsers())
    try add("eve", to: back)
    #expect(try back.user("eve")?.number == 5)
  }

  @Test("Users of a hub of the previous version are numbered by age, and none is an administrator")
  func olderFile() throws {
    let folder = TemporaryFolder()
    let file = try Accounts(folder: folder.path).database
    try file.execute(
      .sqlite(
        """
        \(HubDatabase.withoutHousehold) ALTER TABLE setup DROP users;
        INSERT INTO user VALUES ('bob', 'h', 1), ('ann', 'h', 2), ('abe', 'h', 2);
        INSERT INTO setup VALUES (1, x'', 0, 1); PRAGMA user_version = 2;
        """))
    let accounts = try Accounts(folder: folder.path)
    #expect(try accounts.allUsers().map(\.number) == [2, 3, 1], "abe, ann, bob")
    #expect(try accounts.allUsers().allSatisfy { !$0.isAdministrator })
    try add("cid", to: accounts)
    #expect(try accounts.user("cid").map { $0.number == 4 && !$0.isAdministrator } == true)
  }

  @Test("A read-only file of the previous version is read", .enabled(if: geteuid() != 0))
  func olderFileReadOnly() throws {
    let folder = TemporaryFolder()
    let file = try Accounts(folder: folder.path).database
    try file.execute(
      .sqlite(
        """
        \(HubDatabase.withoutHousehold) ALTER TABLE setup DROP users;
        INSERT INTO user VALUES ('bob', 'h', 1), ('ann', 'h', 2); PRAGMA user_version = 2;
        """))
    chmod(Accounts.path(in: folder.path), 0o400)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let accounts = try Accounts(folder: folder.path)
    #expect(try accounts.users() == ["ann", "bob"] && accounts.user("ann")?.number == 2)
    #expect(try accounts.identify(token: "mth_x", session: nil, now: now) == .anonymous)
  }
}
