import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("The timer")
struct TimerTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// A packaged unit, with the path of the program under test.
  private func unit(_ name: String) throws -> String {
    let path = "\(Files.packageRoot)/Sources/CLI/CLI/Timer/Units/\(name)"
    let text = String(decoding: try #require(Files.read(path)), as: UTF8.self)
    return text.split(separator: "/usr/bin/", omittingEmptySubsequences: false)
      .joined(separator: Files.folderOfTests + "/")
  }

  @Test("The service succeeds despite partial failures and outages, and can write only where it must")
  func service() throws {
    let service = try unit("user.service")
    for line in [
      "Type=oneshot", "SuccessExitStatus=1 75", "NoNewPrivileges=yes", "PrivateTmp=yes", "ProtectSystem=strict",
      "ReadWritePaths=-%h/.local/share/metube-rss", "EnvironmentFile=-%h/.config/metube-rss/env",
    ] { #expect(service.contains("\n\(line)\n"), "\(line)") }
    #expect(try unit("system.service").contains("\nUser=metube-rss\n"))
  }

  @Test("The timer is hourly, not on the hour, and catches up after a night switched off")
  func timer() throws {
    let timer = try unit("hourly.timer")
    for line in ["OnCalendar=hourly", "RandomizedDelaySec=10min", "Persistent=true", "WantedBy=timers.target"] {
      #expect(timer.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test(
    "systemd accepts the units without a warning, and rates the system unit well confined",
    .enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0))
  func verified() throws {
    let analyze = Program(path: "/usr/bin/systemd-analyze", environment: ["XDG_RUNTIME_DIR": sandbox.folder.path])
    for manager in ["user", "system"] {
      let paths = [
        sandbox.folder.write(try unit("\(manager).service").utf8, to: "\(manager)/metube-rss.service"),
        sandbox.folder.write(try unit("hourly.timer").utf8, to: "\(manager)/metube-rss.timer"),
      ]
      let verdict = try analyze.run(["--\(manager)", "verify"] + paths)
      // Its status is 0 even for unknown keys.
      #expect(verdict.status == 0 && verdict.errors.isEmpty, "\(manager): \(verdict.errors)")
    }
    let path = sandbox.folder.path + "/system/metube-rss.service"
    let security = try analyze.run(["security", "--offline=true", "--threshold=20", path])
    #expect(security.status == 0, "\(security.text.suffix(200))")
  }

  @Test(
    "Without systemd a line for cron is shown, with cron's percent sign escaped",
    .enabled(if: access("/run/systemd/system", F_OK) != 0))
  func cron() throws {
    let folder = sandbox.folder.path + "/100% mine"
    let outcome = try sandbox.run("timer", "install", "--home", folder)
    #expect(outcome.status == 1 && outcome.errors.contains("crontab"), "\(outcome.errors)")
    let line = try #require(outcome.lines.first)
    #expect(
      line.contains(" * * * * ")
        && line.hasSuffix("poll --quiet --deadline 900 --home '\(sandbox.folder.path)/100\\% mine'"))
    #expect(outcome.lines.count == 1)
  }

  @Test("The hourly command runs in an environment with only a home folder")
  func emptyEnvironment() throws {
    try sandbox.follow(2)
    let environment = [
      "HOME": sandbox.folder.path, "METUBE_RSS_FEEDS_URL": sandbox.server.baseURL, "no_proxy": "127.0.0.1",
    ]
    let bare = Program(environment: environment)
    let outcome = try bare.run(["poll", "--quiet", "--deadline", "900", "--home", sandbox.folder.path])
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try sandbox.everything().count > 0)
  }

  @Test("One of two simultaneous polls runs: the second says which is running and ends with 75")
  func overlapping() throws {
    try sandbox.follow(2)
    sandbox.server.responseLimit = 0
    let first = try sandbox.program.start(["poll"])
    wait { !sandbox.server.requests.isEmpty }
    let second = try sandbox.run("poll")
    #expect(second.status == 75 && second.errors.contains("still running"), "\(second.errors)")
    sandbox.server.responseLimit = .max
    #expect(try first.finish().status == 0)
  }
}
