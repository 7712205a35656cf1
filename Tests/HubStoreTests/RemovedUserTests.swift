import Core
import EventLog
import HubStore
import Library
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// What is deleted of removed users in PostgreSQL, and what comes back.
@Suite(.enabled(if: TestServer.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct RemovedUserTests {
  private let hub: HubDatabase
  private let database: Database
  private let accounts: Accounts
  private let ann: PostgresLibrary
  private let bob: PostgresLibrary

  /// Two users who follow a channel with 40 videos, marked one, and have numbers.
  init() throws {
    hub = try HubDatabase(.postgres)
    database = try hub.connect()
    accounts = try hub.accounts()
    for user in ["ann", "bob"] { _ = try accounts.addUser(user, hash: "", now: 0) }
    (ann, bob) = (try RemovedUserTests.log(of: "ann", in: hub), try RemovedUserTests.log(of: "bob", in: hub))
    let catalogue = try RemovedUserTests.log(of: nil, in: hub)
    _ = try catalogue.commit(action: nil, undoing: nil) { (1...40).map { Sample.found($0) } }
    for library in [ann, bob] {
      let followed = ChannelFollowed(subscription: .channel(Sample.channel(1)), title: nil, tags: nil)
      _ = try library.commit(action: nil, undoing: nil) {
        [.channelFollowed(followed), .savedSet(SavedSet(video: Sample.video(1), saved: true))]
      }
      try library.copyCatalogue()
      try number(library)
      try database.run("INSERT INTO app VALUES (?, 'phone', '')", library.owner)
    }
    #expect(try ann.model.videoCount() == 40)
  }

  private static func log(of user: String?, in hub: HubDatabase) throws -> PostgresLibrary {
    try PostgresLibrary(try hub.connect(), of: user) { 1_800_000_000_000 }
  }

  private func number(_ library: PostgresLibrary) throws {
    let keys = Database.array((1...40).map { "\(Sample.video(UInt64($0)))" })
    try database.forEach("SELECT assigned FROM assign_numbers(?, 1, ?::text[], 1)", library.owner, keys) { _ in }
  }

  /// How many rows each table with owners has of one; without those that have none.
  private func rows(of owner: Int) throws -> [String: Int64] {
    var tables: [String] = []
    try database.forEach(
      """
      SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE attname = 'owner' AND relkind = 'r' AND relnamespace = current_schema()::regnamespace
      """
    ) { tables.append($0.text(0)) }
    #expect(tables.count > 30)
    var rows: [String: Int64] = [:]
    for table in tables {
      let count = try database.integer("SELECT count(*) FROM \(name: table) WHERE owner = ?", owner) ?? 0
      if count > 0 { rows[table] = count }
    }
    return rows
  }

  /// What a person can get back: the lines with their numbers, and the numbers of videos.
  private func kept(of owner: Int) throws -> [String] {
    var kept: [String] = []
    try database.forEach("SELECT number, bytes FROM log_line WHERE owner = ? ORDER BY number", owner) {
      kept.append("\($0.int(0)) \(String(decoding: $0.blob(1), as: UTF8.self))")
    }
    try database.forEach("SELECT n, key FROM number WHERE owner = ? ORDER BY n", owner) {
      kept.append("\($0.int(0)) \($0.text(1))")
    }
    return kept
  }

  /// Deletes a few rows at a time until nothing is left; every second time the server loses the connection before the
  /// commit. Returns how many transactions took place.
  private func clear() throws -> Int {
    var batches = 0
    while true {
      let before = try rows(of: ann.owner)
      let killed = try hub.connect()
      #expect(throws: DatabaseError.self) {
        try killed.transaction {
          _ = try killed.integer("SELECT clear_removed(7)")
          let process = try #require(try killed.integer("SELECT pg_backend_pid()"))
          _ = try database.integer("SELECT 1 WHERE pg_terminate_backend(?::integer, 60000)", process)
        }
      }
      #expect(try rows(of: ann.owner) == before)
      guard let count = try hub.connect().integer("SELECT clear_removed(7)"), count > 0 else { return batches }
      #expect(count <= 7)
      batches += 1
    }
  }

  @Test(
    "What the log can restore is deleted in small transactions, also if a process is killed; the rest comes back as it was"
  )
  func back() throws {
    let (mine, digest, others) = (try kept(of: ann.owner), try ann.model.digest(), try rows(of: bob.owner))
    #expect(try accounts.removeUser("ann"))
    let name = try #require(try accounts.removed(user: "ann"))
    #expect(throws: DatabaseError.busy) { try accounts.restore(name, to: "eve", hash: "", now: 0) }
    #expect(try accounts.users() == ["bob"])
    #expect(try clear() > 20)
    #expect(try Set(rows(of: ann.owner).keys) == ["log", "log_line", "number", "number_counter", "app"])
    #expect(try kept(of: ann.owner) == mine && mine.count == 43)
    #expect(try rows(of: bob.owner) == others && bob.verify())
    #expect(try !accounts.isClearing(name) && accounts.removed() == [name])
    #expect(try !accounts.restore(name, to: "bob", hash: "", now: 0))
    #expect(try !accounts.restore("x", to: "x", hash: "", now: 0))
    #expect(try accounts.restore(name, to: "eve", hash: "", now: 0))
    let eve = try RemovedUserTests.log(of: "eve", in: hub)
    #expect(try eve.owner == ann.owner && eve.model.digest() == digest && kept(of: eve.owner) == mine)
    #expect(try accounts.removed().isEmpty && accounts.users() == ["bob", "eve"])
  }

  @Test("Nothing of an erased user is left, and nothing of others is gone")
  func erased() throws {
    let others = try rows(of: bob.owner)
    #expect(try accounts.removeUser("ann"))
    let name = try #require(try accounts.removed().first)
    #expect(try accounts.erase(name) && !accounts.erase(name) && !accounts.erase("bob"))
    #expect(try accounts.removed().isEmpty && !accounts.restore(name, to: "eve", hash: "", now: 0))
    #expect(try clear() > 20)
    #expect(try rows(of: ann.owner).isEmpty)
    #expect(try database.integer("SELECT count(*) FROM owner WHERE n = ?", ann.owner) == 0)
    #expect(try rows(of: bob.owner) == others && bob.verify())
  }

  @Test("One process at a time deletes the data of removed users")
  func alone() throws {
    #expect(try accounts.removeUser("ann"))
    let counts = try database.transaction {
      let first = try database.integer("SELECT clear_removed(7)")
      return try [first, hub.connect().integer("SELECT clear_removed(7)")]
    }
    #expect(counts[0] ?? 0 > 0 && counts[1] == 0)
    #expect(try hub.connect().integer("SELECT clear_removed(7)") ?? 0 > 0)
  }

  @Test("What a request had begun for a removed user is refused, or deleted once it ends")
  func begun() throws {
    let open = try hub.connect()
    let keys = Database.array(["later"])
    try open.transaction {
      _ = try open.integer("SELECT assigned FROM assign_numbers(?, 2, ?::text[], 1)", ann.owner, keys)
      #expect(try accounts.removeUser("ann"))
      #expect(try accounts.erase(try #require(try accounts.removed().first)))
      #expect(throws: DatabaseError.self) {
        try ann.commit(action: nil, undoing: nil) { [.savedSet(SavedSet(video: Sample.video(2), saved: true))] }
      }
      let device = try #require(DeviceID("aaaaaaaa"))
      #expect(throws: DatabaseError.self) {
        try ann.deviceLogs(temporary: "/nonexistent").extend("\(device)", of: device, at: .start, with: [])
      }
    }
    while try accounts.clearSome() {}
    #expect(try rows(of: ann.owner).isEmpty)
    // No rows are made for an owner who is gone.
    #expect(throws: DatabaseError.self) {
      try open.integer("SELECT assigned FROM assign_numbers(?, 2, ?::text[], 1)", ann.owner, keys)
    }
  }
}
