import Glibc
import TestSupport
import Testing

@testable import CLI
@testable import HubWeb
@testable import Platform

/// The units that `timer install` writes for this user and this machine.
@Suite("The timer's units")
struct TimerUnitTests {
  private let sandbox: Sandbox
  private var path: String { sandbox.folder.path }

  init() throws { sandbox = try Sandbox() }

  private func show(home: String? = nil, _ owner: TimerUnits.Owner = .person) throws -> [Substring] {
    let units = try TimerUnits(owner, home: home, writable: [], environment: sandbox.environment)
    return (units.service + units.timer).split(separator: "\n")
  }

  /// The service as parsed by systemd.
  private func understood(_ service: [Substring]) throws -> String {
    let file = sandbox.folder.write(
      service.prefix { $0 != "[Timer]" }.dropLast(2).joined(separator: "\n").utf8, to: "units/read.service")
    let environment = ["XDG_RUNTIME_DIR": path, "HOME": path, "SYSTEMD_LOG_LEVEL": "debug"]
    return try Program(path: "/usr/bin/systemd-analyze", environment: environment).run(["--user", "verify", file]).text
  }

  @Test("A user unit has no restrictions that only the system manager may apply")
  func capabilities() throws {
    let names = [
      "CapabilityBoundingSet", "PrivateDevices", "ProtectClock", "ProtectKernelLogs", "ProtectKernelModules",
    ]
    let own = try show()
    #expect(own.contains("NoNewPrivileges=yes"))
    for name in names { #expect(!own.contains { $0.hasPrefix("\(name)=") }, "\(name)") }
    let systems = try show(.system)
    for name in names { #expect(systems.contains { $0.hasPrefix("\(name)=") }, "\(name)") }
  }

  @Test("XDG folders that are set also apply to the poll, by systemd and by cron")
  func folders() throws {
    sandbox.environment["METUBE_RSS_HOME"] = ""
    sandbox.environment["XDG_DATA_HOME"] = path + "/my data"
    sandbox.environment["XDG_STATE_HOME"] = path + "/state"
    sandbox.environment["XDG_CACHE_HOME"] = "relative"
    let lines = try show()
    #expect(lines.contains("Environment=\"XDG_DATA_HOME=\(path)/my data\""))
    #expect(lines.contains("Environment=XDG_STATE_HOME=\(path)/state"))
    #expect(lines.contains("ReadWritePaths=-\"\(path)/my data/metube-rss\""))
    #expect(!lines.contains { $0.contains("relative") || $0.contains("--home") })
    guard access("/run/systemd/system", F_OK) != 0 else { return }
    let cron = try #require(sandbox.run("timer", "install").lines.first)
    #expect(cron.contains(" * * * * env 'XDG_DATA_HOME=\(path)/my data' XDG_STATE_HOME=\(path)/state /"), "\(cron)")
  }

  @Test("A single folder for everything needs no XDG folders")
  func oneFolder() throws {
    sandbox.environment["XDG_DATA_HOME"] = "/mnt/data"
    let lines = try show()
    #expect(lines.contains { $0.hasPrefix("ExecStart=") && $0.hasSuffix(" --home \(path)") })
    #expect(!lines.contains { $0.hasPrefix("Environment=") })
  }

  @Test(
    "systemd parses odd names as written",
    .enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0))
  func oddNames() throws {
    let home = path + "/5% $HOME \"q\" \\ [x]"
    try #require(mkdir(home, 0o700) == 0)
    let text = try understood(try show(home: home))
    #expect(text.contains("EnvironmentFile: -\(path)/5% $HOME \"q\" \\\\ \\[x]/env\n"), "\(text)")
    #expect(text.contains("ReadWritePaths: -\(home) "))
    // Two dollar signs become one when the command is run.
    #expect(text.contains("--home \"\(path)/5% \\$\\$HOME \\\"q\\\" \\\\ [x]\""))
  }

  @Test("A name with a line break is refused")
  func lineBreak() throws {
    let failure = try #require(throws: Failure.self) { try show(home: path + "/a\nExecStartPre=b") }
    #expect(failure.status == .usage && failure.message.contains("line break"))
  }

  @Test(
    "The path of an export is resolved as the poll resolves it",
    arguments: [
      ("atom --output=OUT/a.atom", "OUT"), ("atom --all-tags=OUT/tags", "OUT/tags"),
      ("opml -o OUT/a.opml", "OUT"), ("json-feed --output /x.json", "/"), ("csv --output OUT/link.csv", "OUT/real"),
    ])
  func exports(line: String, folder: String) throws {
    func located(_ text: String) -> String {
      text.split(separator: "OUT", omittingEmptySubsequences: false).joined(separator: path + "/out")
    }
    sandbox.folder.write([], to: "out/real/kept.csv")
    try #require(symlink("real/kept.csv", path + "/out/link.csv") == 0)
    sandbox.environment["METUBE_RSS_EXPORT_A"] = located(line)
    #expect(try show().contains("ReadWritePaths=-\(located(folder))"[...]))
  }

  @Test("The unit's timeout covers the program run for new videos")
  func hookLimit() throws {
    #expect(try show().contains("TimeoutStartSec=1200"))
    sandbox.folder.write("METUBE_RSS_ON_NEW_SECONDS=3600\n".utf8, to: "env")
    #expect(try show().contains("TimeoutStartSec=4740"))
  }
}
