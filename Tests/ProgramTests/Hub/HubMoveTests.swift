import Glibc
import HubStore
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// A hub moves into a database and back.
@Suite("Moving a hub", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
struct HubMoveTests {
  private let sandbox: Sandbox
  private let schema: TestSchema
  private var folder: String { sandbox.folder.path + "/data" }

  init() throws {
    sandbox = try Sandbox()
    schema = TestSchema(sandbox)
    try schema.migrate()
    for user in ["ann", "bob"] {
      let outcome = try sandbox.hub(["user", "add", user, "--data", folder], input: "correct horse battery\n")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let follow = try sandbox.run(
      "follow", "--home", "\(folder)/users/ann", "UCAAAAAAAAAAAAAAAAAAAAAA")
    #expect(follow.status == 0, "\(follow.errors)")
  }

  private func move(_ from: String, _ to: String) throws -> Program.Outcome {
    try sandbox.hub(["move", "--from", from, "--to", to, "--schema", schema.name])
  }

  @Test("Logs and accounts arrive byte by byte, and come back; the source stays and is not served by mistake")
  func thereAndBack() throws {
    let catalogue = folder + "/catalogue"
    #expect(try sandbox.run("follow", "--home", catalogue, "UCAAAAAAAAAAAAAAAAAAAAAA").status == 0)
    _ = try sandbox.run("poll", "--home", catalogue, "--rate", "0")
    let there = try move(folder, schema.address)
    #expect(there.status == 0 && there.text.contains("2 users"), "\(there.text) \(there.errors)")
    #expect(try schema.lines("ann").contains { $0.contains("UCAAAAAAAAAAAAAAAAAAAAAA") })
    #expect(try schema.hub("user", "list").text.contains("bob"))
    // What was requested is not requested again at once.
    let rested = try schema.connect().integer("SELECT count(*) FROM poll_channel WHERE due >= requested + 900")
    #expect(rested == 1)
    // PostgreSQL plans with what is in the tables.
    let counted: SQL = "SELECT count(*) FROM pg_class WHERE oid = 'log_line'::regclass AND reltuples > 0"
    #expect(try schema.connect().integer(counted) == 1)
    let served = try sandbox.hub(["serve", "--data", folder, "--listen", "127.0.0.1:0"])
    #expect(served.status == 64 && served.errors.contains("\(folder)/moved"), "\(served.errors)")
    let back = sandbox.folder.path + "/back"
    let returned = try move(schema.address, back)
    #expect(returned.status == 0, "\(returned.errors)")
    let logs = try #require(names("\(folder)/users/ann/log"))
    #expect(try logs == #require(names("\(back)/users/ann/log")) && !logs.isEmpty)
    for log in logs {
      #expect(sandbox.folder.read("data/users/ann/log/\(log)") == sandbox.folder.read("back/users/ann/log/\(log)"))
    }
    #expect(try sandbox.hub(["user", "list", "--data", back]).text.contains("ann"))
    let polls = try #require(sandbox.folder.read("back/catalogue/state/poll"))
    #expect(String(decoding: polls, as: UTF8.self).contains("asked"))
  }

  @Test("Subscriptions to news arrive with their leases, and news that was not fetched yet is fetched there")
  func pushes() throws {
    let (channel, catalogue) = ("UCAAAAAAAAAAAAAAAAAAAAAA", folder + "/catalogue")
    #expect(try sandbox.run("follow", "--home", catalogue, channel).status == 0)
    _ = try sandbox.run("poll", "--home", catalogue, "--rate", "0")
    let store = try PushStore(folder: folder)
    try store.add(channel, hub: "https://hub.example", topic: channel)
    let now = try store.now()
    let callback = try #require(try store.all().first).callback
    let subscription = try #require(
      try store.change(callback) { subscription in
        subscription.noteSubscribed(for: 432_000, at: now)
        subscription.pushed = now
      })
    #expect(try move(folder, schema.address).status == 0)
    let database = try schema.connect()
    var fetched = subscription
    fetched.pushed = nil
    #expect(try PushStore(database).all() == [fetched])
    #expect(try database.integer("SELECT count(*) FROM poll_channel WHERE due = requested + 900") == 1)
    try database.run("UPDATE poll_channel SET requested = requested - 2000, due = unix_time()")
    let back = sandbox.folder.path + "/back"
    #expect(try move(schema.address, back).status == 0)
    var returned = try #require(try PushStore(folder: back).all().first)
    #expect(returned.pushed.map { $0 >= now } == true)
    returned.pushed = subscription.pushed
    #expect(returned == subscription)
  }

  @Test("Nothing is moved into a database with users, over a folder, or from something else")
  func refused() throws {
    #expect(try schema.hub("user", "add", "eve", input: "correct horse battery\n").status == 0)
    let taken = try move(folder, schema.address)
    #expect(taken.status == 64 && taken.errors.contains("users"), "\(taken.errors)")
    #expect(try schema.lines("ann").isEmpty)
    #expect(try move(schema.address, folder).status == 64)
    #expect(try move(sandbox.folder.path + "/none", schema.address).status == 64)
    #expect(try move(folder, folder + "2").status == 64)
    let hub = try RunningHub(sandbox, ["--data", folder])
    defer { withExtendedLifetime(hub) {} }
    wait { access("\(folder)/hub.sock", F_OK) == 0 }
    let served = try move(folder, schema.address)
    #expect(served.status == 75 && served.errors.contains("stop"), "\(served.errors)")
  }

  private func names(_ path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasSuffix(".jsonl") { names.append(name) }
    }
    return names.sorted()
  }
}
