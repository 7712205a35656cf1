import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import HubCore
@testable import HubStore

/// Users of a hub on PostgreSQL who are removed, added again or erased, and numbers after a read model is filled again.
@Suite("The owners in a hub's database", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
final class HubDatabaseOwnerTests: TwoUsers {
  @Test("A user owns a log from the beginning, and a removed one leaves it without a name")
  func users() throws {
    let schema = try #require(sandbox.schema)
    #expect(try schema.hub("user", "add", "ann", input: Sandbox.password + "\n").errors.contains("already a user"))
    #expect(try schema.hub("user", "list").lines == ["ann", "bob"])
    let database = try schema.connect()
    let owner = try database.integer("SELECT n FROM owner WHERE name = 'ann'")
    #expect(try hub.get("/api/v1/session", ann).json["user"]?.string == "ann")
    #expect(try schema.hub("user", "remove", "ann").text.hasPrefix("ann: removed; the log is kept as ann-20"))
    #expect(try hub.get("/api/v1/session", ann).json["user"]?.string == nil)
    #expect(
      try database.integer("SELECT n FROM owner WHERE name IS NULL AND removed > 0 AND n <> 0") == owner)
    try sandbox.addUser("ann")
    #expect(try database.integer("SELECT n FROM owner WHERE name = 'ann'") != owner)
  }

  @Test("A user who was removed or took another's name sees nothing of the other's log")
  func renamed() throws {
    let schema = try #require(sandbox.schema)
    try follow(TwoUsers.science, by: ann)
    #expect(try schema.hub("user", "remove", "ann").status == 0)
    try sandbox.addUser("ann")
    let again = try sandbox.bearer("ann")
    #expect(try hub.get("/api/v1/channels", again).json["channels"]?.elements?.isEmpty == true)
    #expect(try schema.lines("ann").isEmpty)
  }

  @Test("A removed user's log and numbers come back to who is added from it, and are gone once they are erased")
  func removed() throws {
    let schema = try #require(sandbox.schema)
    try follow(TwoUsers.science, by: ann)
    let number = try hub.get("/api/v1/channels/\(TwoUsers.science)", ann).json["number"]
    let lines = try schema.lines("ann")
    #expect(try schema.hub("user", "remove", "ann").status == 0)
    let database = try schema.connect()
    #expect(try database.integer("SELECT count(*) FROM all_channel WHERE owner <> 0") == 0)
    let name = try #require(try schema.hub("user", "list", "--removed").lines.first)
    #expect(try schema.hub("user", "list").lines == ["bob"])

    #expect(try add("eve", from: "ann-1").errors.contains("user list --removed"))
    #expect(try add("bob", from: name).errors.contains("already a user"))
    #expect(try add("eve", from: name).status == 0)
    #expect(try database.integer("SELECT count(*) FROM wanted WHERE followed") == 1, "polled before she looks")
    #expect(try schema.lines("eve") == lines)
    let channel = try hub.get("/api/v1/channels/\(TwoUsers.science)", sandbox.bearer("eve"))
    #expect(try channel.json["number"] == number && number != nil, "\(channel.text)")
    #expect(try schema.hub("user", "list", "--removed").lines.isEmpty)

    #expect(try schema.hub("user", "erase", "eve").errors.contains("no removed user"), "still a user")
    #expect(try schema.hub("user", "remove", "eve").status == 0)
    let gone = try #require(try schema.hub("user", "list", "--removed").lines.first)
    #expect(try schema.hub("user", "erase", gone).text == "\(gone): erased\n")
    #expect(try schema.hub("user", "erase", gone).status == 1)
    #expect(try database.integer("SELECT count(*) FROM log_line WHERE owner <> 0") == 0)
    #expect(try database.integer("SELECT count(*) FROM owner WHERE name IS NULL AND n <> 0") == 0)
  }

  private func add(_ name: String, from removed: String) throws -> Program.Outcome {
    try #require(sandbox.schema).hub("user", "add", name, "--from", removed, input: Sandbox.password + "\n")
  }

  @Test("Whoever polls deletes what is left of removed users")
  func cleared() throws {
    let schema = try #require(sandbox.schema)
    try follow(TwoUsers.science, by: ann)
    let database = try schema.connect()
    // As by a command that was killed after the removal.
    try database.execute(
      """
      UPDATE owner SET removed = unix_time(), former = name, clearing = 'model' WHERE name = 'ann';
      DELETE FROM user WHERE name = 'ann'
      """)
    #expect(try schema.hub("poll", "--once").status == 0)
    wait { (try? schema.hub("poll", "--once").status) == 0 && (try? isCleared(database)) == true }
    #expect(try isCleared(database))
    #expect(try database.integer("SELECT count(*) FROM log_line WHERE owner <> 0") ?? 0 > 0)
  }

  private func isCleared(_ database: Database) throws -> Bool {
    try database.integer(
      """
      SELECT (SELECT count(*) FROM owner WHERE clearing IS NOT NULL)
        + (SELECT count(*) FROM all_channel WHERE owner <> 0)
      """) == 0
  }

  @Test("Numbers stay when the read model is filled anew, and rise for what comes later")
  func numbers() throws {
    let schema = try #require(sandbox.schema)
    func numbers() throws -> [String: Int] {
      let channels = try hub.get("/api/v1/channels", ann).json["channels"]?.elements ?? []
      return Dictionary(
        uniqueKeysWithValues: channels.compactMap { channel in
          channel["channel"]?.string.flatMap { id in channel["number"]?.number.map { (id, Int($0)) } }
        })
    }
    try follow(TwoUsers.science, by: ann)
    let before = try numbers()
    try schema.connect().run("SELECT clear_model(n) FROM owner WHERE name = 'ann'")
    #expect(try numbers() == before && before.count == 1)
    try follow(TwoUsers.other, by: ann)
    let after = try numbers()
    #expect(after[TwoUsers.science] == before[TwoUsers.science])
    #expect(after[TwoUsers.other] ?? 0 > before[TwoUsers.science] ?? 0)
  }

  @Test("How far videos are numbered is remembered for one filling of the tables; the next has another order")
  func fillings() throws {
    let database = try #require(sandbox.schema).connect()
    let owner = try #require(try database.integer("SELECT n FROM owner WHERE name = 'ann'"))
    let store = NumberStore(database, owner: owner) { 1_790_000_000 }
    _ = try store.numbers(.video, ["a"])
    let first = try #require(try store.name(of: "read.db"))
    try store.set(row: 7, in: first)
    try store.set(row: 3, in: first)
    #expect(try store.row(in: first) == 7)
    try database.run("SELECT clear_model(?)", owner)
    let second = try #require(try store.name(of: "read.db"))
    #expect(try store.row(in: second) == 0)
    // By a process that read the rows before.
    try store.set(row: 9, in: first)
    #expect(try store.row(in: second) == 0)
    try store.set(row: 2, in: second)
    #expect(try store.row(in: second) == 2 && store.row(in: first) == 0)
  }
}
