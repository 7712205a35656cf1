import Glibc
import TestSupport
import Testing

@testable import App

/// The settings of the hub, `METUBE_HUB_…`.
@Suite("Settings of the hub")
struct HubSettingTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment).run(arguments)
  }

  @Test("config shows the hub's settings and their sources, and reports unknown ones")
  func config() throws {
    sandbox.folder.write("METUBE_HUB_POLL=no\nMETUBE_HUB_PORT=1\nMETUBE_RSS_IP=4\n".utf8, to: "env")
    sandbox.environment["METUBE_HUB_TIMEOUT"] = "20"
    let outcome = try run("config", "--format", "csv")
    let env = sandbox.folder.path + "/env"
    #expect(outcome.lines.contains("METUBE_HUB_POLL,no,\(env):1"), "\(outcome.text)")
    #expect(outcome.lines.contains("METUBE_HUB_TIMEOUT,20,environment"))
    #expect(outcome.lines.contains("METUBE_HUB_LISTEN,127.0.0.1:5057,default"))
    #expect(!outcome.text.contains("METUBE_RSS"))
    #expect(outcome.errors.contains("\(env):2: METUBE_HUB_PORT is not a setting"), "\(outcome.errors)")
    #expect(try sandbox.run("list").errors.isEmpty, "metube-rss leaves the hub's settings alone")
  }

  @Test("The settings file and METUBE_HUB_HOME have effect, an option before them")
  func effect() throws {
    let other = try Sandbox()
    other.folder.write("METUBE_HUB_TIMEOUT=1\nMETUBE_HUB_LISTEN=192.0.2.1:1\n".utf8, to: "env")
    sandbox.environment["METUBE_HUB_HOME"] = other.folder.path
    let hub = try RunningHub(sandbox)
    #expect(try HubConnection(hub.port).readAll().isEmpty)
  }

  @Test("METUBE_HUB_DATA has effect on every command, options before it, and excludes METUBE_HUB_HOME")
  func data() throws {
    sandbox.environment["METUBE_HUB_DATA"] = sandbox.hubData
    #expect(try sandbox.hub(["user", "add", "ann"], input: Sandbox.password + "\n").status == 0)
    #expect(sandbox.folder.names(in: "hub/users") == ["ann"])
    #expect(try run("user", "list").text == "ann\n")
    #expect(try run("user", "list", "--home", sandbox.folder.path).text.isEmpty)
    let hub = try RunningHub(sandbox)
    #expect(try hub.get("/api/v1/videos").status == 401)
    #expect(try run("status").text.contains(hub.host))
    sandbox.environment["METUBE_HUB_HOME"] = sandbox.folder.path
    let both = try run("user", "list")
    #expect(both.status == 64 && both.errors.contains("METUBE_HUB_DATA"), "\(both.errors)")
    #expect(try run("user", "list", "--data", sandbox.hubData).text == "ann\n")
  }

  @Test(
    "An invalid setting stops serve with its name",
    arguments: [
      ("LISTEN", "nowhere"), ("PUBLIC_URL", "hub.example"), ("TRUSTED_PROXY", "proxy"), ("POLL", "maybe"),
      ("TIMEOUT", "0"), ("TIMEOUT", "x"), ("LISTEN", "127.0.0.1:1 127.0.0.1:2"),
    ])
  func invalid(_ name: String, _ value: String) throws {
    sandbox.environment["METUBE_HUB_\(name)"] = value
    let outcome = try run("serve")
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_HUB_\(name)"), "\(outcome.errors)")
  }

  @Test("docs/reference/hub-settings.md has every setting")
  func documented() throws {
    let bytes = try #require(Files.read(Files.packageRoot + "/docs/reference/hub-settings.md"))
    let page = String(decoding: bytes, as: UTF8.self)
    let rows = page.split(separator: "\n").flatMap {
      $0.matches(of: #/^\| `METUBE_HUB_([A-Z_]+)`/#).map { String($0.1) }
    }
    #expect(rows == SettingNames.hub.known.map(\.name))
  }
}
