import Glibc
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import HubCore
@testable import HubLimits
@testable import metube_hub

/// What is said about a database without one.
@Suite("The address of a hub's database")
struct HubDatabaseAddressTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("No message has the password in it", arguments: ["user", "serve", "migrate", "status", "config"])
  func secret(_ command: String) throws {
    for address in [
      "postgresql://ann:hidden@127.0.0.1:1/x", "host=127.0.0.1 port=1 password=hidden", "hidden", "ann:hidden",
    ] {
      let moved = try sandbox.hub(["move", "--from", "./x", "--to", address])
      #expect(moved.status == 64 && !moved.errors.contains("hidden"), "\(moved.errors)")
      let arguments = command == "user" ? ["user", "list"] : command == "serve" ? [command, "--wait", "0"] : [command]
      let given = try sandbox.hub(arguments + (command == "config" ? [] : ["--database", address]))
      sandbox.environment["METUBE_HUB_DATABASE"] = address
      let set = try sandbox.hub(arguments)
      sandbox.environment["METUBE_HUB_DATABASE"] = nil
      for outcome in [given, set] {
        #expect(command == "config" || [64, 75].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
        #expect(!(outcome.text + outcome.errors).contains("hidden"), "\(outcome.text) \(outcome.errors)")
      }
    }
  }

  @Test("A password need not be an option: the settings may have it, or what libpq reads, which is for move too")
  func password() throws {
    let server = try PasswordServer()
    defer { server.stop() }
    let file = sandbox.folder.write("127.0.0.1:*:*:ann:of the file\n".utf8, to: "passwords")
    chmod(file, 0o600)
    let ways = [
      ("METUBE_HUB_DATABASE", "\(server.address) password=settings", "settings"), ("PGPASSWORD", "word", "word"),
      ("PGPASSFILE", file, "of the file"),
    ]
    let move = ["move", "--from", server.address, "--to", sandbox.folder.path + "/new"]
    for (name, value, password) in ways {
      sandbox.environment[name] = value
      defer { sandbox.environment[name] = nil }
      let isAddress = name == "METUBE_HUB_DATABASE"
      for arguments in [["user", "list"] + (isAddress ? [] : ["--database", server.address])]
        + (isAddress ? [] : [move])
      {
        #expect(try sandbox.hub(arguments).status == 75)
        #expect(server.takePassword() == password, "\(arguments)")
      }
    }
  }

  @Test("Options and settings of which only one can be meant are refused")
  func exclusive() throws {
    for arguments in [["--home", "/x"], ["--data", "/x"]] {
      let outcome = try sandbox.hub(["user", "list", "--database", "x"] + arguments)
      #expect(outcome.status == 64 && outcome.errors.contains("exclude each other"), "\(outcome.errors)")
    }
    sandbox.environment["METUBE_HUB_DATABASE"] = "x"
    sandbox.environment["METUBE_HUB_DATA"] = "/x"
    let outcome = try sandbox.hub(["user", "list"])
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_HUB_DATA and METUBE_HUB_DATABASE"))
    let invalid = try sandbox.hub(["user", "list", "--database", "x", "--schema", "a b"])
    #expect(invalid.status == 64 && invalid.errors.contains("a b"), "\(invalid.errors)")
    let few = try sandbox.hub(["serve", "--database", "x", "--connections", "2"])
    #expect(few.status == 64 && few.errors.contains("3 to 100"), "\(few.errors)")
  }

  @Test("The settings file names the database if no folder is chosen")
  func settingsFile() throws {
    sandbox.folder.write("METUBE_HUB_DATABASE=host=127.0.0.1 port=1\n".utf8, to: "env")
    #expect(try sandbox.hub(["user", "list"]).status == 75)
    #expect(try sandbox.hub(["user", "list", "--home", sandbox.folder.path]).status == 0)
  }
}

/// A hub on PostgreSQL: everything but logs.
@Suite("A hub's database", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
struct HubDatabaseTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Tables with two users.
  private func prepare() throws -> TestSchema {
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    return try #require(sandbox.schema)
  }

  private func logIn(
    _ hub: RunningHub, _ name: String = "ann", _ password: String = Sandbox.password
  ) throws -> HubResponse {
    try hub.send("POST", "/api/v1/session", json: #"{"name":"\#(name)","password":"\#(password)"}"#)
  }

  @Test("Commands refuse tables that are missing, older or newer, and migrate makes them once")
  func migrations() throws {
    let schema = TestSchema(sandbox)
    func refusal() throws -> String {
      let (serve, list) = (try schema.hub("serve"), try schema.hub("user", "list"))
      #expect(serve.status == 64 && list.status == 64 && serve.errors == list.errors, "\(serve.errors)")
      return serve.errors
    }
    #expect(try refusal().contains("metube-hub migrate --database … --schema \(schema.name)"))
    let first = try schema.hub("migrate")
    #expect(first.status == 0 && first.lines.count >= 4 && first.text.contains("applied migration 4, hub"))
    let second = try schema.hub("migrate")
    #expect(second.status == 0 && second.lines.count == 1 && second.text.contains("up to date"), "\(second.text)")
    let hub = try RunningHub(sandbox, schema.options)
    #expect(try hub.get("/health").json["setup"] == true && hub.end().status == 0)
    let database = try schema.connect()
    try database.run("INSERT INTO migration(number, name) VALUES (1000, 'later')")
    #expect(try refusal().contains("newer version"))
    #expect(try schema.hub("migrate").errors.contains("newer version"))
    try database.run("DELETE FROM migration WHERE number > 3")
    #expect(try refusal().contains("older version"))
  }

  @Test("Sessions, tokens, passwords and codes are those of all processes")
  func accounts() throws {
    let schema = try prepare()
    let (one, other) = (try sandbox.runHub(), try sandbox.runHub())
    let response = try logIn(one)
    let cookie = "Cookie: " + (try #require(response.headers["set-cookie"]).prefix { $0 != ";" })
    #expect(try other.get("/api/v1/session", cookie).json["user"]?.string == "ann")
    let made = try other.send("POST", "/api/v1/tokens", json: #"{"name":"x","scope":"read"}"#, cookie).json
    let token = "Authorization: Bearer " + (try #require(made["secret"]?.string))
    #expect(try one.get("/api/v1/session", token).json["scope"]?.string == "read")
    #expect(try one.send("DELETE", "/api/v1/tokens/\(Int(made["id"]?.number ?? 0))", [cookie]).status == 200)
    #expect(try other.get("/api/v1/tokens", token).status == 401)

    let code = try schema.hub("pair", "bob").text.split(separator: "\n").first ?? ""
    let body = #"{"code":"\#(code)","device":"aaaaaaaa","name":"laptop"}"#
    #expect(try one.send("POST", "/api/v1/pair", json: body).status == 201)
    #expect(try other.send("POST", "/api/v1/pair", json: body).status == 403, "a code counts once")

    let status = try schema.hub("status", "--json")
    #expect(status.status == 0 && JSONValue(status.output)?["users"] == 2, "\(status.text)")
    #expect(try schema.hub("user", "password", "ann", input: "another horse\n").status == 0)
    #expect(try other.get("/api/v1/tokens", cookie).status == 401)
    #expect(try logIn(one).status == 403 && logIn(other, "ann", "another horse").status == 200)
  }

  @Test("Attempts to log in are counted in all processes together")
  func attempts() throws {
    let schema = try prepare()
    let hubs = [try sandbox.runHub(), try sandbox.runHub()]
    // A minute of the database may end meanwhile; then they begin anew.
    var statuses: [Int] = []
    var guesses = 0
    wait {
      guesses += 6
      statuses = (0..<6).compactMap { try? logIn(hubs[$0 % 2], "bob", "wrong horse \(guesses + $0)").status }
      return statuses.contains(429)
    }
    #expect(statuses.contains(429), "\(statuses)")
    for hub in hubs { #expect(try logIn(hub, "bob").status == 429, "the right one too, everywhere") }
    #expect(try schema.connect().integer("SELECT max(count) FROM attempt WHERE key = 'name bob'") == 5)
    #expect(try logIn(hubs[0]).status == 200, "another name")
  }

  @Test("Requests of a user are limited across all processes, which share their counts every 60")
  func requests() throws {
    let schema = try prepare()
    let (one, other) = (try sandbox.runHub(), try sandbox.runHub())
    let token = try sandbox.bearer("ann")
    for _ in 0..<59 { #expect(try one.get("/api/v1/tokens", token).status == 200) }
    let database = try schema.connect()
    #expect(try database.integer("SELECT count(*) FROM attempt WHERE key LIKE 'requests %'") == 0)
    // As if other processes had counted: more than 600 in this minute.
    let refused = { () -> Bool in
      try database.run(
        """
        INSERT INTO attempt VALUES ('requests ann', unix_time(), 700)
        ON CONFLICT (key) DO UPDATE SET began = unix_time(), count = 700
        """)
      for _ in 0..<60 where try other.get("/api/v1/tokens", token).status == 429 { return true }
      return false
    }
    try wait { try refused() }
    let response = try other.get("/api/v1/tokens", token)
    #expect(response.status == 429 || response.status == 200, "the minute may be over")
    #expect(try database.integer("SELECT count(*) FROM attempt WHERE key = 'requests ann'") == 1)
  }

  @Test("A hub whose connections are ended makes new ones by itself")
  func reconnects() throws {
    let schema = try prepare()
    let hub = try sandbox.runHub()
    let token = try sandbox.bearer("ann")
    #expect(try hub.get("/api/v1/session", token).status == 200)
    let database = try schema.connect()
    for _ in 0..<3 {
      try database.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%' || ?", schema.name)
      // It may be noticed with a request, which then fails; the one after it does not.
      let statuses = try (0..<3).map { _ in try hub.get("/api/v1/session", token).status }
      #expect(statuses.last == 200 && statuses.allSatisfy { [200, 503].contains($0) }, "\(statuses)")
      #expect(try hub.get("/health").status == 200)
    }
    wait { (try? schema.hub("status").status) == 0 }
    #expect(try schema.hub("status").text.contains("processes    1"))
  }

  // MARK: Logs

  private func follow(_ hub: RunningHub, _ channel: String, _ user: String) throws {
    let response = try hub.send("POST", "/api/v1/channels", json: #"{"channels":["\#(channel)"]}"#, user)
    #expect(response.status == 200, "\(response.text)")
  }

  @Test("What one process appends is at once in the responses of others, and reaches the listeners there")
  func processes() throws {
    _ = try prepare()
    let (one, other) = (try sandbox.runHub(), try sandbox.runHub())
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    let (hers, his) = (try other.listen(ann), try other.listen(bob))
    for channel in [TwoUsers.science, TwoUsers.other] {
      try follow(one, channel, ann)
      #expect(try other.get("/api/v1/channels/\(channel)", ann).status == 200)
      #expect(hers.read(until: "event: change").contains("event: change"))
    }
    #expect(!his.hasResponse, "nothing of his changed")
    let number = try one.get("/api/v1/channels/\(TwoUsers.science)", ann).json["number"]
    #expect(try other.get("/api/v1/channels/\(TwoUsers.science)", ann).json["number"] == number && number != nil)
    #expect(try other.send("POST", "/api/v1/undo?yes=true", [ann]).status == 200)
    #expect(try one.get("/api/v1/channels", ann).json.texts("channels", of: "channel") == [TwoUsers.science])
  }

  @Test("Listeners hear of what was appended while the connection that listens was lost")
  func listenersAfterLoss() throws {
    let schema = try prepare()
    let (one, other) = (try sandbox.runHub(), try sandbox.runHub())
    let ann = try sandbox.bearer("ann")
    let hers = try other.listen(ann)
    wait { (try? schema.hub("status").text.contains("processes    2")) == true }
    try schema.connect().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'metube-hub ' || ?", schema.name)
    try follow(one, TwoUsers.science, ann)
    #expect(hers.read(until: "event: change").contains("event: change"))
  }

  @Test("A decision that hangs holds up its user alone: others, accounts and health get their responses")
  func slow() throws {
    let schema = try prepare()
    let hub = try sandbox.runHub("--connections", "3")
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    try follow(hub, TwoUsers.other, bob)
    let database = try schema.connect()
    try database.transaction {
      try database.run("SELECT lock_owner(n) FROM owner WHERE name = 'ann'")
      let body = #"{"channels":["\#(TwoUsers.science)"]}"#
      let waiting = try hub.begin(
        "POST", "/api/v1/channels", [ann, "Content-Type: application/json", "Connection: close"], body: body)
      #expect(try hub.get("/api/v1/channels", bob).status == 200)
      #expect(try hub.get("/health").status == 200)
      #expect(
        try hub.send(
          "POST", "/api/v1/session", json: #"{"name":"bob","password":"\#(Sandbox.password)"}"#
        ).status == 200)
      let response = try HubResponse(waiting.readAll())
      #expect(response.status == 503 && response.headers["retry-after"] != nil, "\(response.text)")
    }
    try follow(hub, TwoUsers.science, ann)
  }

  @Test("Only the settings of the operator's metube-rss have effect, and none of its files is named or shown")
  func operatorsFiles() throws {
    sandbox.folder.write("METUBE_RSS_HUB=http://127.0.0.1:1\nMETUBE_RSS_API_KEY=k\n".utf8, to: "env")
    for file in ["hub", "api", "poll", "poll.asked", "push"] {
      sandbox.folder.write("broken\n".utf8, to: "state/\(file)")
    }
    let schema = try prepare()
    let hub = try sandbox.runHub()
    let ann = try sandbox.bearer("ann")
    try follow(hub, TwoUsers.science, ann)
    for path in ["/status", "/channels", "/channels/\(TwoUsers.science)", "/", "/api/v1/status", "/api/v1/channels"] {
      let response = try hub.get(path, ann)
      #expect(response.status == 200, "\(path): \(response.text)")
      #expect(!response.text.contains("127.0.0.1:1<") && !response.text.contains(sandbox.folder.path), "\(path)")
    }
    #expect(try hub.get("/status", ann).text.contains("Data API: 0 of 5000 units"))
    let config = try schema.hub("config")
    #expect(config.text.contains("settings file: \(sandbox.folder.path)/env") && !config.text.contains("log: "))
  }

  @Test("backup and --from say what is for files only")
  func files() throws {
    let schema = try prepare()
    #expect(try schema.hub("backup", "/nowhere/x").errors.contains("pg_dump"))
    let added = try schema.hub("user", "add", "cyd", "--from", "/x", input: Sandbox.password + "\n")
    #expect(added.errors.contains("no removed user"))
  }
}
