import Glibc
import TestSupport
import Testing

/// `metube-hub setup`, and the settings that name the first user.
@Suite("The first user by a command or by settings")
final class HubSetupCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
  }

  private func setUp(_ arguments: String..., input: String = "correct horse\n") throws -> Program.Outcome {
    try sandbox.hub(["setup"] + arguments + sandbox.hubOptions, input: input)
  }

  private func users() throws -> String { try sandbox.hub(["user", "list"] + sandbox.hubOptions).text }

  @Test("setup makes one user, for whom a hub that waits serves at once")
  func command() throws {
    let hub = try sandbox.runHub()
    _ = try hub.setupCode()
    #expect(try setUp("Ann").status == 64 && setUp("ann", input: "short\n").status == 64 && setUp().status == 64)
    let made = try setUp("ann")
    #expect(made.status == 0 && made.text == "ann: added; log in with this name\n", "\(made.errors)")
    try wait { try hub.get("/api/v1/videos").status == 401 }
    let response = try hub.send("POST", "/api/v1/session", json: #"{"name":"ann","password":"correct horse"}"#)
    #expect(response.status == 200, "\(response.text)")
    let again = try setUp("bob")
    #expect(again.status == 64 && again.errors.contains("there is a user already"), "\(again.errors)")
    #expect(again.errors.contains("metube-hub user add"))
    #expect(try users() == "ann\n")
  }

  @Test("setup asks for name and password on a terminal")
  func terminal() throws {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let running = try program.start(
      ["setup"] + sandbox.hubOptions, output: .terminal(columns: 80), isInteractive: true)
    for (prompt, line) in [("Name: ", "ann"), ("Password: ", "correct horse"), ("The same again: ", "correct horse")] {
      try wait { try running.reported.contains(prompt) || running.hasEnded }
      try running.sink.type(line + "\n")
    }
    let outcome = try running.finish()
    #expect(outcome.status == 0 && !outcome.text.contains("horse"), "\(outcome.errors)")
    #expect(try users() == "ann\n")
  }

  @Test("Root becomes the owner of the folder", .enabled(if: geteuid() == 0, "needs root"))
  func owner() throws {
    let sandbox = try Sandbox()
    for path in ["", "/home"] {
      let folder = "\(sandbox.folder.path)/hub\(path)"
      mkdir(folder, 0o700)
      chown(folder, 65_534, 65_534)
    }
    chmod(sandbox.folder.path, 0o755)
    for (options, files) in [
      (["--data", sandbox.hubData], ["hub/hub.db", "hub/users", "hub/users/ann", "hub/catalogue"]),
      (["--home", sandbox.hubData + "/home"], ["hub/home/state", "hub/home/state/hub.db"]),
      (["--data", sandbox.hubData + "/new"], ["hub/new", "hub/new/hub.db"]),
    ] {
      let outcome = try sandbox.hub(["setup", "ann"] + options, input: "correct horse\n")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(options): \(outcome.errors)")
      for file in files {
        var status = stat()
        #expect(stat("\(sandbox.folder.path)/\(file)", &status) == 0 && status.st_uid == 65_534, "\(file)")
      }
    }
  }

  // MARK: Settings

  private func name(_ user: String, _ password: String) {
    sandbox.environment["METUBE_HUB_FIRST_USER"] = user
    sandbox.environment["METUBE_HUB_FIRST_PASSWORD_FILE"] = sandbox.folder.write(password.utf8, to: "the password")
  }

  @Test("The settings make the first user at the start, once", arguments: ["correct horse", "correct horse\r\n"])
  func settings(_ password: String) throws {
    name("ann", password)
    let hub = try sandbox.runHub()
    let body = #"{"name":"ann","password":"correct horse"}"#
    #expect(try hub.send("POST", "/api/v1/session", json: body).status == 200)
    #expect(try hub.get("/setup").headers["location"] == "/login")
    let outcome = try hub.end()
    #expect(outcome.errors == "metube-hub: ann: added, as METUBE_HUB_FIRST_USER says\n")
    // From now on they mean nothing, also if they are wrong.
    name("Bob!", "short")
    sandbox.environment["METUBE_HUB_FIRST_PASSWORD_FILE"] = "/nowhere"
    let next = try sandbox.runHub()
    #expect(try next.get("/api/v1/videos").status == 401 && next.end().errors.isEmpty)
    #expect(try users() == "ann\n")
    // Nor do they bring a user back with the first password.
    name("ann", password)
    #expect(try sandbox.hub(["user", "remove", "ann"] + sandbox.hubOptions).status == 0)
    #expect(try sandbox.hub(["serve", "--listen", "127.0.0.1:0"] + sandbox.hubOptions).status == 64)
    #expect(try users().isEmpty)
  }

  @Test("Settings that name no user stop the start with one message and make nothing")
  func invalid() throws {
    func refused(_ texts: String...) throws {
      let outcome = try sandbox.hub(["serve", "--listen", "127.0.0.1:0"] + sandbox.hubOptions)
      let lines = outcome.errors.split(separator: "\n")
      #expect(outcome.status == 64 && lines.count == 1, "\(outcome.errors)")
      for text in texts { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
      #expect(!outcome.errors.contains("shrt"))
      #expect(try users().isEmpty)
    }
    let (user, file) = ("METUBE_HUB_FIRST_USER", "METUBE_HUB_FIRST_PASSWORD_FILE")
    name("Bob!", "correct horse")
    try refused("\(user): “Bob!”")
    for password in ["", "\n", "shrt", "correct horse\nshrt and more", "\u{0}correct horse"] {
      name("ann", password)
      try refused("\(file): \(sandbox.folder.path)/the password")
    }
    sandbox.environment[file] = sandbox.folder.path + "/missing"
    try refused("\(file): \(sandbox.folder.path)/missing: cannot be opened: No such file")
    sandbox.environment[file] = sandbox.folder.path
    try refused("\(file): \(sandbox.folder.path): ")
    sandbox.environment[file] = nil
    try refused("\(user): set \(file) too")
    sandbox.environment[file] = sandbox.folder.path
    sandbox.environment[user] = nil
    try refused("\(file): set \(user) too")
  }

  @Test("setup and settings make a user also of a hub that only this machine reaches")
  func alone() throws {
    name("ann", "correct horse")
    let hub = try RunningHub(sandbox)
    #expect(try hub.get("/api/v1/videos").status == 401)
  }
}
