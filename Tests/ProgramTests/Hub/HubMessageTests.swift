import Glibc
import JSON
import TestSupport
import Testing

/// What the commands of the hub, and the hub itself, say.
@Suite("Messages of the hub")
struct HubMessageTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private var program: Program {
    Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
  }

  @Test(
    "Each message begins with the name of the program",
    arguments: [
      (["serve", "--push"], 64, "--push needs --public-url"), (["setup"], 64, "give the name of the first user"),
      (["--bogus"], 64, "Unknown option"), (["token", "revoke", "99"], 1, "no such token"),
      (["user", "add", "Ann"], 64, "“Ann”: use small letters"), (["status"], 1, "no hub runs on these files"),
    ] as [([String], Int32, String)])
  func signature(arguments: [String], status: Int32, message: String) throws {
    let outcome = try sandbox.hub(arguments)
    #expect(outcome.status == status && outcome.errors.hasPrefix("metube-hub: \(message)"), "\(outcome.errors)")
  }

  @Test("A port that is taken is named with the reason")
  func takenPort() throws {
    let (hub, other) = (try RunningHub(sandbox), try Sandbox())
    let outcome = try other.hub(["serve", "--no-poll", "--listen", hub.host])
    #expect(outcome.status == 75)
    #expect(outcome.errors == "metube-hub: cannot listen on \(hub.host): Address already in use\n")
  }

  @Test("On a terminal a password is typed twice, without being shown")
  func password() throws {
    func add(_ name: String, _ second: String) throws -> Program.Outcome {
      let running = try program.start(["user", "add", name], output: .terminal(columns: 80), isInteractive: true)
      for (prompt, line) in [("Password: ", Sandbox.password), ("The same again: ", second)] {
        try wait { try running.reported.contains(prompt) || running.hasEnded }
        try running.sink.type(line + "\n")
      }
      return try running.finish()
    }
    let different = try add("ann", "correct horsf")
    #expect(different.status == 64 && different.errors.contains("the two passwords differ; nothing was changed"))
    #expect(try sandbox.hub(["user", "list"]).text.isEmpty)
    let added = try add("ann", Sandbox.password)
    #expect(added.status == 0 && added.text.hasSuffix("ann: added\n"), "\(added.errors)")
    #expect(!(different.text + different.errors + added.text + added.errors).contains("horse"))
  }

  @Test("On a terminal tokens have headings, and a new one says that it is shown only now; programs get rows alone")
  func tokens() throws {
    try sandbox.addUser("ann")
    let arguments = ["token", "add", "ann", "reader"] + sandbox.hubOptions
    let added = try program.run(arguments, output: .terminal(columns: 80))
    #expect(added.lines.count == 1 && added.errors == "It is shown only now, and may read and mark.\n")
    #expect(try program.run(arguments + ["--scope", "read"]).errors.isEmpty)
    let list = ["token", "list"] + sandbox.hubOptions
    let shown = try program.run(list, output: .terminal(columns: 80))
    #expect(shown.lines.count == 3 && shown.lines[0].hasPrefix("number"), "\(shown.text)")
    #expect(try program.run(list).lines.first?.hasPrefix("1\tann\twrite\tnever\treader") == true)
  }

  @Test("Times are local on a terminal, and in UTC for programs")
  func times() throws {
    sandbox.environment["TZ"] = "JST-9"
    try sandbox.addUser("ann")
    let hub = try sandbox.runHub()
    #expect(try hub.get("/api/v1/status", sandbox.bearer("ann")).status == 200)
    for (arguments, row) in [(["status"], "started "), (["token", "list"], "1\t")] {
      func line(_ output: Program.Output) throws -> String {
        let outcome = try program.run(arguments + sandbox.hubOptions, output: output)
        return try #require(outcome.lines.first { $0.hasPrefix(row) }, "\(outcome.text)\(outcome.errors)")
      }
      let (shown, sent) = (try line(.terminal(columns: 80)), try line(.captured))
      #expect(shown.contains(/\d{4}-\d\d-\d\d \d\d:\d\d/) && !shown.contains(/\d\dZ/), "\(shown)")
      #expect(sent.contains(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/), "\(sent)")
    }
  }

  @Test("The page and the installed page are called metube-rss")
  func name() throws {
    let hub = try RunningHub(sandbox)
    #expect(try hub.get("/").text.contains(" · metube-rss</title>"))
    let manifest = try hub.get("/manifest.webmanifest").json
    #expect(manifest["name"]?.string == "metube-rss" && manifest["short_name"]?.string == "metube-rss")
  }

  @Test("The report of an import names what the client sent, and no path of the server")
  func importedFile() throws {
    let response = try RunningHub(sandbox).send(
      "POST", "/api/v1/import", body: "https://www.youtube.com/channel/\(TwoUsers.science)\n".utf8)
    #expect(response.status == 200 && response.text.contains(#""file":"Imported""#), "\(response.text)")
    #expect(!response.text.contains(sandbox.folder.path) && !response.text.contains("/tmp"))
  }
}
