import FixtureServer
import Glibc
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// A database that takes no changes any more while a hub works with it.
@Suite(
  "A hub's database that cannot be written",
  .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
final class HubUnwritableTests {
  private let sandbox: Sandbox
  private let schema: TestSchema
  private let ann: String
  /// The role of the hub's processes, whose sessions can be made to only read.
  private let role: String

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    schema = try #require(sandbox.schema)
    try sandbox.addUser("ann")
    ann = try sandbox.bearer("ann")
    role = "role_\(schema.name)"
    try schema.connect().execute(.postgres("CREATE ROLE \(name: role) LOGIN SUPERUSER"))
  }

  deinit { do { try schema.connect().execute(.postgres("DROP ROLE \(name: role)")) } catch { Issue.record(error) } }

  private var options: [String] { ["--database", "\(schema.address) user=\(role)", "--schema", schema.name] }

  /// Ends the connections that the hub's processes have.
  private func cut() throws {
    try schema.connect().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?", role)
  }

  /// Lets the hub's sessions only read, as after a failover to a standby.
  private func makeReadOnly() throws {
    try schema.connect().execute(.postgres("ALTER ROLE \(name: role) SET default_transaction_read_only = on"))
    try cut()
  }

  private func decide(_ hub: RunningHub, _ number: Int) throws -> HubResponse {
    try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"word\#(number)"}"#, ann)
  }

  private func logIn(_ hub: RunningHub) throws -> HubResponse {
    try hub.send("POST", "/api/v1/session", json: #"{"name":"ann","password":"\#(Sandbox.password)"}"#)
  }

  @Test("A read-only database is served, a change gets 503 with the reason, and the processes end on SIGTERM")
  func readOnly() throws {
    let hub = try RunningHub(sandbox, options)
    let poller = try Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      .start(["poll"] + options)
    #expect(try decide(hub, 1).status == 201 && hub.get("/health").status == 200)
    #expect(try hub.get("/metrics", ann).text.contains("\nmetube_hub_writable 1\n"))
    try wait { try schema.connect().integer("SELECT count(*) FROM poller") ?? 0 > 0 }
    try makeReadOnly()
    // The first requests find that their connections are gone.
    wait { (try? hub.get("/health").text.contains("only be read")) == true }
    let health = try hub.get("/health")
    #expect(try health.status == 503 && health.json["message"]?.string?.contains("only be read") == true)
    wait { (try? hub.get("/api/v1/rules", ann).status) == 200 }
    #expect(try hub.get("/metrics", ann).text.contains("\nmetube_hub_writable 0\n"))
    for path in ["/api/v1/rules", "/api/v1/videos", "/", "/status", "/v1/entries"] {
      let response = try hub.get(path, ann)
      #expect(response.status == 200, "\(path): \(response.status) \(response.text.prefix(300))")
    }
    wait { (try? decide(hub, 2).text.contains("only be read")) == true }
    let response = try decide(hub, 2)
    #expect(response.status == 503 && response.headers["retry-after"] == "60", "\(response.status) \(response.text)")
    #expect(try response.json["detail"]?.string?.contains("only be read") == true)
    wait { (try? logIn(hub).text.contains("only be read")) == true }
    let login = try logIn(hub)
    #expect(login.status == 503 && login.headers["retry-after"] != nil, "\(login.status) \(login.text)")
    poller.signal(SIGTERM)
    for outcome in [try hub.end(), try poller.finish()] {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("Failure(") && !outcome.errors.contains("notWritable"), "\(outcome.errors)")
    }
  }

  @Test("A server that polls ends on SIGTERM although it cannot write that it leaves")
  func servesAndPolls() throws {
    let running = try Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      .start(["serve", "--listen", "127.0.0.1:0"] + options)
    try wait { try schema.connect().integer("SELECT count(*) FROM poller") ?? 0 > 0 }
    try makeReadOnly()
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.status == 0 && !outcome.errors.contains("Failure("), "\(outcome.status) \(outcome.errors)")
  }

  @Test("On a full disk changes of each dialect and logins get 507, and the health check shows it")
  func full() throws {
    let hub = try RunningHub(sandbox, options)
    let channel = TwoUsers.science
    #expect(try hub.send("POST", "/api/v1/channels", json: #"{"channels":["\#(channel)"]}"#, ann).status == 200)
    #expect(try sandbox.hub(["poll", "--once", "--rate", "0"] + options).status == 0)
    let entry = try #require(hub.get("/v1/entries", ann).json["entries"]?.elements?.first?["id"]?.number)
    let database = try schema.connect()
    try database.execute(
      .postgres(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100';
        END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON log_line FOR EACH ROW EXECUTE FUNCTION refuse();
        CREATE TRIGGER refuse BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION refuse();
        """))
    let marked = #"{"entry_ids":[\#(Int(entry))],"status":"read"}"#
    for response in [try decide(hub, 1), try hub.send("PUT", "/v1/entries", json: marked, ann), try logIn(hub)] {
      #expect(response.status == 507 && response.headers["retry-after"] == "60", "\(response.status) \(response.text)")
      #expect(response.text.contains("full") && !response.text.contains("base/1/2"), "\(response.text)")
    }
    let health = try hub.get("/health")
    #expect(try health.status == 503 && health.json["message"]?.string?.contains("full") == true, "\(health.text)")
    #expect(try hub.get("/metrics", ann).text.contains("\nmetube_hub_writable 0\n"))
    #expect(try hub.get("/api/v1/videos", ann).status == 200)
    try database.execute(.postgres("DROP TRIGGER refuse ON log_line; DROP TRIGGER refuse ON session"))
    #expect(try decide(hub, 1).status == 201 && logIn(hub).status == 200)
    let outcome = try hub.end()
    #expect(outcome.status == 0 && !outcome.errors.contains("Failure("), "\(outcome.errors)")
  }
}
