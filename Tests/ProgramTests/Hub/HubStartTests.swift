import FixtureServer
import Glibc
import HubStore
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import HubCore
@testable import HubWeb
@testable import Platform
@testable import metube_hub

/// How long a start waits for the database, by a clock of the test.
@Suite("Waiting for a database")
struct DatabaseWaitTests {
  /// Calls `attempt` with the number of each attempt; returns how many there were, what was reported, and the failure.
  private func run(
    _ seconds: Int, _ attempt: (Int) throws -> Void
  ) -> (attempts: Int, reports: [String], failure: Failure?) {
    var (time, count, reports) = (0, 0, [String]())
    let wait = DatabaseWait(seconds: seconds, now: { time }, sleep: { time += $0 }, report: { reports.append($0) })
    do {
      try wait.run {
        count += 1
        try attempt(count)
      }
    } catch { return (count, reports, error as? Failure) }
    return (count, reports, nil)
  }

  private let later = Failure(.temporaryFailure, "the server does not answer")

  @Test("A server that responds later is waited for, with one report")
  func later3() {
    let result = run(60) { if $0 < 3 { throw later } }
    #expect(result.attempts == 3 && result.failure == nil)
    #expect(result.reports == ["the server does not answer; waiting up to 60 s for it"])
  }

  @Test("After the time the last failure ends it, without time the first one")
  func bounded() {
    let result = run(60) { _ in throw later }
    #expect(result.attempts == 61 && result.failure?.status == .temporaryFailure && result.reports.count == 1)
    let none = run(0) { _ in throw later }
    #expect(none.attempts == 1 && none.reports.isEmpty)
  }

  @Test("What somebody has to mend is not waited for")
  func lasting() {
    let result = run(60) { _ in throw Failure(.usage, "no such role") }
    #expect(result.attempts == 1 && result.failure?.status == .usage && result.reports.isEmpty)
  }
}

/// Starting and ending a hub whose database is missing, closed to it, gone or hanging.
@Suite("A hub's database at start and end", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
struct HubStartTests {
  private let sandbox: Sandbox
  private let schema: TestSchema

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    schema = try #require(sandbox.schema)
  }

  private func start(_ arguments: [String], _ address: String) throws -> Running {
    try Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      .start(arguments + ["--database", address, "--schema", schema.name])
  }

  /// Ends the connections that the hub's processes have.
  private func cut() throws {
    try schema.connect().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?", schema.name)
  }

  @Test(
    "A wrong role or database has to be mended: status 64, at once", arguments: ["user=nobody_here", "dbname=none"])
  func mend(word: String) throws {
    for command in [["poll"], ["serve"], ["user", "list"]] {
      let outcome = try start(command, "\(schema.address) \(word)").finish()
      #expect(outcome.status == 64 && outcome.errors.contains("does not exist"), "\(outcome.errors)")
    }
  }

  @Test("A role without a right is told which, and works once it has all that the documentation names")
  func rights() throws {
    let (database, role) = (try schema.connect(), "role_\(schema.name)")
    try database.execute(.postgres("CREATE ROLE \(name: role) LOGIN"))
    defer { _ = try? database.execute(.postgres("DROP OWNED BY \(name: role); DROP ROLE \(name: role)")) }
    let address = "\(schema.address) user=\(role)"
    func list() throws -> Program.Outcome { try start(["user", "list"], address).finish() }
    let closed = try list()
    #expect(closed.status == 64 && closed.errors.contains("GRANT USAGE ON SCHEMA \(schema.name)"), "\(closed.errors)")
    try database.execute(.postgres("GRANT USAGE ON SCHEMA \(name: schema.name) TO \(name: role)"))
    let unreadable = try list()
    #expect(unreadable.status == 64 && unreadable.errors.contains("GRANT SELECT, INSERT"), "\(unreadable.errors)")
    try database.execute(
      .postgres(
        """
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name: schema.name) TO \(name: role)
        """))
    #expect(try list().status == 0)
  }

  @Test("migrate names the right that its role lacks, or the role that owns the tables")
  func owners() throws {
    let (database, role) = (try schema.connect(), "role_\(schema.name)")
    try database.execute(.postgres("CREATE ROLE \(name: role) LOGIN"))
    defer { _ = try? database.execute(.postgres("DROP OWNED BY \(name: role); DROP ROLE \(name: role)")) }
    func migrate(_ name: String) throws -> Program.Outcome {
      try sandbox.hub(["migrate", "--database", "\(schema.address) user=\(role)", "--schema", name])
    }
    let new = try migrate("of_\(role)")
    #expect(new.status == 64 && new.errors.contains("GRANT CREATE ON DATABASE"), "\(new.status) \(new.errors)")
    let owner = try #require(database.first(.postgres("SELECT quote_ident(current_user)")) { $0.text(0) })
    for right in ["USAGE", "CREATE"] as [SQL] {
      try database.execute(.postgres("GRANT \(right) ON SCHEMA \(name: schema.name) TO \(name: role)"))
      let refused = try migrate(schema.name)
      #expect(refused.status == 64 && refused.errors.contains("migrate as its owner, \(owner)"), "\(refused.errors)")
    }
    try database.execute(.postgres("CREATE SCHEMA \(name: "of_\(role)") AUTHORIZATION \(name: role)"))
    #expect(try migrate("of_\(role)").status == 0 && migrate("of_\(role)").status == 0)
  }

  @Test("A poller says at its start what it polls, from which address and how fast")
  func report() throws {
    let running = try start(["poll", "--address", "home"], schema.address)
    try wait { try schema.connect().integer("SELECT count(*) FROM poller") ?? 0 > 0 }
    running.signal(SIGTERM)
    let outcome = try running.finish()
    let text = "polling what the users of the database follow, as home, at most 2.0 requests per second"
    #expect(outcome.status == 0 && outcome.text == "metube-hub: \(text); Ctrl-C ends it\n", "\(outcome.text)")
  }

  @Test("With exactly the rights that the documentation names everything works, and without temporary tables nothing")
  func exactRights() throws {
    let (server, name) = (try schema.connect(), schema.name)
    let role = "role_\(name)"
    try server.execute(.postgres("CREATE ROLE \(name: role) LOGIN"))
    try server.execute(.postgres("CREATE DATABASE \(name: name)"))
    defer {
      for statement in ["DROP DATABASE \(name: name) WITH (FORCE)", "DROP ROLE \(name: role)"] as [SQL] {
        do { try server.execute(.postgres(statement)) } catch { Issue.record(error) }
      }
    }
    let owner = ["--database", "\(schema.address) dbname=\(name)", "--schema", name]
    let options = ["--database", "\(schema.address) dbname=\(name) user=role_\(name)", "--schema", name]
    #expect(try sandbox.hub(["migrate"] + owner).status == 0)
    let database = try Database(
      PostgresSettings(address: "\(TestSchema.server ?? "") dbname=\(name)", schema: name, statementTimeout: 300))
    try database.execute(
      .postgres(
        """
        REVOKE TEMPORARY ON DATABASE \(name: name) FROM PUBLIC;
        GRANT USAGE ON SCHEMA \(name: name) TO \(name: role);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name: name) TO \(name: role);
        """))
    for command in [["user", "list"], ["serve"], ["poll", "--once"]] {
      let refused = try sandbox.hub(command + options)
      #expect(refused.status == 64, "\(command): \(refused.errors)")
      #expect(refused.errors.contains("GRANT TEMPORARY ON DATABASE \(name) TO role_\(name)"), "\(refused.errors)")
    }
    try database.execute(.postgres("GRANT TEMPORARY ON DATABASE \(name: name) TO \(name: role)"))
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    let added = try sandbox.hub(["user", "add", "ann"] + options, input: Sandbox.password + "\n")
    #expect(added.status == 0, "\(added.errors)")
    let token = try sandbox.hub(["token", "add", "ann", "test", "--scope", "write"] + options)
    let ann = "Authorization: Bearer " + (try #require(token.lines.first, "\(token.errors)"))
    let hub = try RunningHub(sandbox, options)
    let followed = try hub.send("POST", "/api/v1/channels", json: #"{"channels":["\#(TwoUsers.science)"]}"#, ann)
    #expect(followed.status == 200, "\(followed.text)")
    let polled = try sandbox.hub(["poll", "--once", "--rate", "0"] + options)
    #expect(polled.status == 0 && polled.errors.isEmpty, "\(polled.errors)")
    let video = try #require(hub.get("/api/v1/videos", ann).json.texts("videos", of: "video").first)
    let mark = #"{"marks":[{"video":"\#(video)","status":"watched"}]}"#
    let marked = try hub.send("POST", "/api/v1/marks", json: mark, ann)
    #expect(marked.status == 200, "\(marked.text)")
    #expect(try hub.get("/metrics", ann).status == 200 && hub.get("/health").status == 200)
    #expect(try sandbox.hub(["log", "verify", "--all"] + options).status == 0)
    #expect(try sandbox.hub(["status"] + options).status == 0)
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test("A table that is missing is named, with a status that does not say later")
  func missingTables() throws {
    let database = try schema.connect()
    try database.execute(.postgres("DROP TABLE video_lookup CASCADE"))
    for command in [["serve"], ["poll", "--once"], ["user", "list"]] {
      let outcome = try start(command, schema.address).finish()
      #expect(outcome.status == 64, "\(command): \(outcome.status) \(outcome.errors)")
      #expect(outcome.errors.contains("the table video_lookup is missing from the schema \(schema.name)"))
    }
    let all = Set(Migration.hub.flatMap(\.tables)).union(["migration"])
    var present: Set<String> = ["video_lookup"]
    try database.forEach(
      "SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind = 'r'", schema.name
    ) { present.insert($0.text(0)) }
    #expect(all == present)
  }

  @Test("SIGTERM ends a poller and a server that polls while the database is gone", arguments: ["poll", "serve"])
  func gone(command: String) throws {
    let sockets = sandbox.folder.path + "/sockets"
    mkdir(sockets, 0o755)
    let name = ".s.PGSQL." + (sandbox.environment["PGPORT"] ?? "5432")
    symlink("\(sandbox.environment["PGHOST"] ?? "")/\(name)", "\(sockets)/\(name)")
    try sandbox.addUser("ann")
    let arguments = command == "serve" ? [command, "--listen", "127.0.0.1:0"] : [command]
    let running = try start(arguments, "\(schema.address) host=\(sockets)")
    try wait { try schema.connect().integer("SELECT count(*) FROM poller") ?? 0 > 0 }
    unlink("\(sockets)/\(name)")
    try cut()
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("Failure("), "\(outcome.errors)")
  }

  @Test("A process that waits for a statement of the database ends all the same, and says so")
  func hangs() throws {
    let database = try schema.connect()
    try database.execute(
      .postgres(
        """
        CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1000); RETURN new; END $$;
        CREATE TRIGGER hang BEFORE UPDATE ON poller FOR EACH ROW EXECUTE FUNCTION hang();
        """))
    let running = try start(["poll", "--end", "1"], schema.address)
    try wait {
      try database.integer(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event = 'PgSleep'", schema.name) ?? 0
        > 0
    }
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.status == 75 && outcome.errors.contains("ended 1 s after the signal"), "\(outcome.errors)")
    try cut()
  }
}
