import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Folders and settings")
struct FoldersTests {
  private let sandbox: Sandbox
  private let channel = "UCAAAAAAAAAAAAAAAAAAAAAA"
  private var path: String { sandbox.folder.path }

  init() throws { sandbox = try Sandbox() }

  private func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  @Test("--home puts everything into one folder, whatever METUBE_RSS_HOME says")
  func home() throws {
    try sandbox.succeed("follow", "--home", "\(path)/mine/", channel)
    #expect(exists("mine/log") && exists("mine/state"))
    #expect(!exists("log") && !exists("nobody"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
    #expect(try sandbox.succeed("channels", "--format", "ids", "--home", "\(path)/mine") == "\(channel)\n")
  }

  @Test("A folder to merge that is missing is reported as such")
  func missingFolder() throws {
    let outcome = try sandbox.run("log", "merge", "\(path)/nowhere")
    #expect(outcome.status == 65 && outcome.errors.contains("/nowhere: no such folder"))
  }

  @Test("Without --home the XDG folders are used, as set by their variables")
  func xdg() throws {
    sandbox.environment["METUBE_RSS_HOME"] = nil
    for name in ["DATA", "STATE", "CACHE", "CONFIG"] { sandbox.environment["XDG_\(name)_HOME"] = "\(path)/\(name)" }
    try sandbox.succeed("follow", channel)
    #expect(sandbox.folder.names(in: "DATA/metube-rss") == ["log"])
    #expect(exists("STATE/metube-rss/device") && !exists("nobody"))
    sandbox.folder.write("METUBE_RSS_FEEDS_URL=nonsense".utf8, to: "CONFIG/metube-rss/env")
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = nil
    #expect(try sandbox.run("poll").status == 64)
  }

  @Test("Without those the defaults under HOME are used; a relative path in a variable is ignored")
  func underHome() throws {
    sandbox.environment["METUBE_RSS_HOME"] = nil
    sandbox.environment["XDG_DATA_HOME"] = "relative"
    try sandbox.succeed("follow", channel)
    #expect(exists("nobody/.local/share/metube-rss/log") && exists("nobody/.local/state/metube-rss/device"))
  }

  @Test("Without a home folder it says what to do")
  func nowhere() throws {
    sandbox.environment["METUBE_RSS_HOME"] = nil
    sandbox.environment["HOME"] = nil
    let outcome = try sandbox.run("list")
    #expect(outcome.status == 64 && outcome.errors.contains("--home"))
  }

  @Test("Only its owner can read the log")
  func modes() throws {
    try sandbox.succeed("follow", channel)
    var status = stat()
    let name = try #require(sandbox.folder.names(in: "log").first)
    try #require(stat("\(path)/log/\(name)", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    try #require(stat("\(path)/log", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("Settings are read from the env file, with comments, white space and quotes")
  func envFile() throws {
    try sandbox.follow(1)
    sandbox.environment["METUBE_RSS_FEEDS_URL"] = nil
    let text = "# Where the feeds are\n\n METUBE_RSS_FEEDS_URL = \"\(sandbox.server.baseURL)/\" \n"
    sandbox.folder.write(text.utf8, to: "env")
    #expect(try sandbox.poll().new == 15)
  }

  @Test("The environment takes precedence")
  func environment() throws {
    try sandbox.follow(1)
    sandbox.folder.write("METUBE_RSS_FEEDS_URL=http://127.0.0.1:1\n".utf8, to: "env")
    #expect(try sandbox.poll().new == 15)
  }

  @Test("An invalid line of the env file is reported")
  func badLine() throws {
    sandbox.folder.write("# fine\nMETUBE_RSS_FEEDS_URL\n".utf8, to: "env")
    let outcome = try sandbox.run("list")
    #expect(outcome.status == 65 && outcome.errors.contains("/env:2: expected KEY=VALUE"))
  }

  @Test("Reading commands leave no trace in an empty folder")
  func noTrace() throws {
    for command in [["list"], ["channels"], ["status"], ["export", "atom"], ["list", "--all"]] {
      #expect(try sandbox.program.run(command).status == 0)
    }
    #expect(sandbox.folder.names(in: ".").isEmpty)
  }
}
