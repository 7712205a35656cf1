import Glibc
import HubStore
import TestSupport
import Testing

/// The key that encrypts tokens, and its file.
struct SecretKeyTests {
  private let folder = TemporaryFolder()

  private func key(_ byte: UInt8) throws -> SecretKey {
    try #require(SecretKey([UInt8](repeating: byte, count: SecretKey.length)))
  }

  @Test("What was sealed is read again, and two sealings of one text differ")
  func seal() throws {
    for text in ["", "x", "1//refresh-secret", String(repeating: "ü", count: 5000)] {
      let sealed = try key(1).seal(text, .googleToken)
      #expect(try key(1).open(sealed, .googleToken) == text)
      #expect(try key(1).seal(text, .googleToken) != sealed)
      #expect(text.utf8.count < 8 || sealed.firstRange(of: Array(text.utf8)) == nil)
    }
  }

  @Test("A changed byte, another purpose or a cut is damage; another key is reported as such")
  func damage() throws {
    let sealed = try key(1).seal("secret", .googleToken)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: SecretKey.Failure.self) { try key(1).open(changed, .googleToken) }
    }
    for count in 0..<sealed.count {
      #expect(throws: SecretKey.Failure.damaged) { try key(1).open(Array(sealed.prefix(count)), .googleToken) }
    }
    #expect(throws: SecretKey.Failure.damaged) { try key(1).open(sealed, .googleLogin) }
    #expect(throws: SecretKey.Failure.otherKey) { try key(2).open(sealed, .googleToken) }
  }

  @Test("The file is made at first use, for its owner alone, and read the next time")
  func file() throws {
    let file = SecretKeyFile(path: folder.path + "/google.key")
    #expect(throws: SecretKeyFile.Failure.missing) { try file.read() }
    let sealed = try file.readOrMake().seal("secret", .googleToken)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try file.readOrMake().open(sealed, .googleToken) == "secret")
    #expect(try file.read().open(sealed, .googleToken) == "secret")
    #expect(folder.names(in: "") == ["google.key"], "nothing is left beside it")
  }

  @Test("A file that others may read, or that is no key, is refused")
  func refused() throws {
    let file = SecretKeyFile(path: folder.path + "/google.key")
    _ = try file.readOrMake()
    for mode in [mode_t(0o640), 0o604, 0o644] {
      chmod(file.path, mode)
      #expect(throws: SecretKeyFile.Failure.exposed(mode: mode)) { try file.readOrMake() }
    }
    chmod(file.path, 0o600)
    for text in ["", "abc\n", String(repeating: "g", count: 64), String(repeating: "a", count: 66)] {
      folder.write(text.utf8, to: "google.key")
      chmod(file.path, 0o600)
      #expect(throws: SecretKeyFile.Failure.malformed) { try file.readOrMake() }
    }
    unlink(file.path)
    symlink("/etc/hostname", file.path)
    #expect(throws: SecretKeyFile.Failure.self) { try file.readOrMake() }
    let nowhere = SecretKeyFile(path: folder.path + "/none/google.key")
    #expect(throws: SecretKeyFile.Failure.unwritable(errno: ENOENT)) { try nowhere.readOrMake() }
  }
}

/// The tables of Google accounts.
struct GoogleTablesTests {
  private func hub(_ engine: Engine) throws -> (HubDatabase, Accounts, GoogleTables) {
    let hub = try HubDatabase(engine)
    let accounts = try hub.accounts()
    for name in ["ann", "bob"] { #expect(try accounts.addUser(name, hash: "x", now: 1)) }
    return (hub, accounts, GoogleTables(accounts))
  }

  @Test("An account is claimed by one at a time, until it is finished or the claim ends", arguments: Engine.tested)
  func claims(_ engine: Engine) throws {
    let (hub, _, tables) = try hub(engine)
    defer { withExtendedLifetime(hub) {} }
    #expect(try tables.claim("ann", seconds: 10, now: 100) == nil)
    try tables.connect("ann", id: "first", sealed: [1, 2], now: 100)
    #expect(try tables.due(now: 99, maximum: 9) == [] && tables.due(now: 100, maximum: 9) == ["ann"])
    #expect(try tables.claim("ann", seconds: 10, now: 100)?.sealed == [1, 2])
    #expect(try tables.claim("ann", seconds: 10, now: 109) == nil && tables.due(now: 109, maximum: 9) == [])
    #expect(try tables.claim("ann", seconds: 10, now: 110) != nil, "the process that had it is gone")
    try tables.finish("first", memory: "{}", due: 500, failures: 2)
    #expect(try tables.account(of: "ann")?.failures == 2 && tables.due(now: 499, maximum: 9) == [])
    try tables.hurry("ann", now: 120)
    #expect(try tables.due(now: 120, maximum: 9) == ["ann"])
    try tables.withdraw("first", memory: "{}")
    #expect(try tables.due(now: 9999, maximum: 9) == [] && tables.account(of: "ann")?.sealed == [])
    // A later login keeps what is known, and what ends for an earlier one changes nothing.
    try tables.connect("ann", id: "second", sealed: [3], now: 200)
    try tables.finish("first", memory: "old", due: 1, failures: 9)
    #expect(try tables.account(of: "ann")?.memory == "{}" && tables.account(of: "ann")?.isWithdrawn == false)
    let counts = try tables.counts()
    #expect(counts.all == 1 && counts.withdrawn == 0)
    try tables.disconnect("first")
    #expect(try tables.hasAccounts())
    try tables.disconnect("second")
    #expect(try !tables.hasAccounts())
  }

  @Test("A login belongs to its user and session, is used once, and expires", arguments: Engine.tested)
  func logins(_ engine: Engine) throws {
    let (hub, _, tables) = try hub(engine)
    defer { withExtendedLifetime(hub) {} }
    let login = GoogleTables.Login(session: "s", sealed: [1], shown: "", ends: 700, next: 100)
    try tables.begin(login, of: "ann", digest: [7], now: 100)
    #expect(try tables.take([7], of: "bob", session: "s", now: 101) == nil)
    #expect(try tables.take([7], of: "ann", session: "other", now: 101) == nil)
    #expect(try tables.take([8], of: "ann", session: "s", now: 101) == nil)
    #expect(try tables.take([7], of: "ann", session: "s", now: 701) == nil)
    #expect(try tables.take([7], of: "ann", session: "s", now: 700) == login)
    #expect(try tables.take([7], of: "ann", session: "s", now: 101) == nil, "used up")
    var device = login
    device.shown = "{}"
    try tables.begin(device, of: "ann", digest: [9], now: 100)
    #expect(try tables.device(of: "ann", session: "s", now: 100) == device)
    #expect(try tables.device(of: "ann", session: "other", now: 100) == nil)
    #expect(try tables.claimDevice(of: "ann", next: 105, now: 100))
    #expect(try !tables.claimDevice(of: "ann", next: 105, now: 104))
    try tables.begin(login, of: "ann", digest: [1], now: 100)
    #expect(try tables.device(of: "ann", session: "s", now: 100) == nil, "a later login replaces it")
  }

  @Test("Units are counted for all and for each, by day", arguments: Engine.tested)
  func units(_ engine: Engine) throws {
    let (hub, _, tables) = try hub(engine)
    defer { withExtendedLifetime(hub) {} }
    func take(_ user: String, _ day: String) throws -> Int? {
      try tables.takeUnit(of: user, day: day, budget: 5, share: 3)
    }
    #expect(try (1...4).map { _ in try take("ann", "a") } == [2, 1, 0, nil])
    #expect(try (1...3).map { _ in try take("bob", "a") } == [1, 0, nil])
    try tables.returnUnit(of: "ann", day: "a")
    #expect(try take("bob", "a") == 0 && tables.unitsUsed(day: "a") == 5)
    #expect(try take("ann", "b") == 2)
    try tables.exhaust(day: "b", budget: 5)
    #expect(try take("ann", "b") == nil && tables.unitsLeft(of: "bob", day: "b", budget: 5, share: 3) == 0)
    #expect(try take("ann", "c") == 2)
  }

  @Test("A removed user's account is gone", arguments: Engine.tested)
  func removed(_ engine: Engine) throws {
    let (hub, accounts, tables) = try hub(engine)
    defer { withExtendedLifetime(hub) {} }
    try tables.connect("ann", id: "first", sealed: [1], now: 100)
    #expect(try accounts.removeUser("ann"))
    #expect(try !tables.hasAccounts())
  }
}
