import Glibc
import TestSupport
import Testing

@testable import CLI
@testable import Platform

/// The files of `timer install --system`, below a folder of the test.
@Suite("The system's timer")
struct SystemTimerTests {
  private let folder = TemporaryFolder()
  private var files: SystemTimer { SystemTimer(root: folder.path) }
  private static let dropIn = "etc/systemd/system/metube-rss.service.d/timer-install.conf"

  init() { folder.write([], to: "etc/systemd/system/other.service") }

  private func units(writable: [String] = []) throws -> TimerUnits {
    try TimerUnits(.system, home: nil, writable: writable, environment: [:])
  }

  /// Puts the units where a package has them, below a path that begins so.
  private func installPackage(_ prefix: String = "usr/lib") {
    for name in ["service", "timer"] {
      folder.write("# of the package\n".utf8, to: "\(prefix)/systemd/system/metube-rss.\(name)")
    }
  }

  private var names: [String] {
    ["", "/metube-rss.service.d", "/../../sysusers.d"].flatMap { folder.names(in: "etc/systemd/system\($0)") }
  }

  @Test("Without a package, units and the user's file are written and removed")
  func own() throws {
    let lines = try files.install(units())
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("wrote \(folder.path)/etc/sys") })
    #expect(names == ["metube-rss.service", "metube-rss.timer", "other.service", "metube-rss.conf"])
    #expect(files.isInstalled)
    #expect(try files.remove().count == 3)
    #expect(names == ["other.service"] && !files.isInstalled)
  }

  @Test("The units of a package are not hidden", arguments: ["usr/lib", "usr/local/lib", "lib"])
  func packaged(prefix: String) throws {
    installPackage(prefix)
    #expect(files.packaged == "\(folder.path)/\(prefix)/systemd/system")
    #expect(try files.install(units()).isEmpty)
    #expect(names == ["other.service"] && !files.isInstalled)
    #expect(try files.remove().isEmpty)
  }

  @Test("What was chosen is a drop-in, which goes when nothing is chosen, and when the timer is removed")
  func chosen() throws {
    installPackage()
    #expect(try files.install(units(writable: ["/srv/my videos"])) == ["wrote \(folder.path)/\(Self.dropIn)"])
    let text = String(decoding: try #require(folder.read(Self.dropIn)), as: UTF8.self)
    #expect(text.hasSuffix("\n[Service]\nReadWritePaths=-\"/srv/my videos\"\n"))
    #expect(files.isInstalled)
    #expect(try files.install(units()) == ["removed \(folder.path)/\(Self.dropIn)"])
    #expect(names == ["other.service"])
    _ = try files.install(units(writable: ["/srv"]))
    folder.write("[Service]\nNice=5\n".utf8, to: "etc/systemd/system/metube-rss.service.d/mine.conf")
    #expect(try files.remove() == ["removed \(folder.path)/\(Self.dropIn)"])
    #expect(names.contains("mine.conf") && !files.isInstalled)
    #expect(folder.read("usr/lib/systemd/system/metube-rss.timer") != nil)
  }

  @Test("Copies that an earlier version wrote beside the package go")
  func shadows() throws {
    _ = try files.install(units())
    installPackage()
    let lines = try files.install(units())
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("removed ") })
    #expect(names == ["other.service"])
  }

  @Test("A unit that somebody wrote is neither replaced beside a package nor removed")
  func foreign() throws {
    installPackage()
    folder.write("[Service]\n".utf8, to: "etc/systemd/system/metube-rss.service")
    let failure = #expect(throws: Failure.self) { try files.install(units()) }
    #expect(failure?.status == .usage && failure?.message.contains("hides the unit") == true)
    #expect(try files.remove().isEmpty && names.contains("metube-rss.service"))
  }

  @Test("A run that somebody started is the last run; without one, the timer's")
  func lastRun() {
    let trigger = ["LastTriggerUSec": "Fri 2026-11-27 19:00:04 UTC"]
    let start = ["ExecMainStartTimestamp": "Fri 2026-11-27 19:40:00 UTC"]
    #expect(TimerStatusCommand.lastRun(["LastTriggerUSec": ""], start) == "Fri 2026-11-27 19:40:00 UTC")
    #expect(TimerStatusCommand.lastRun(["LastTriggerUSec": "n/a"], start) == "Fri 2026-11-27 19:40:00 UTC")
    #expect(TimerStatusCommand.lastRun(trigger, ["ExecMainStartTimestamp": ""]) == "Fri 2026-11-27 19:00:04 UTC")
    #expect(TimerStatusCommand.lastRun(["LastTriggerUSec": ""], ["ExecMainStartTimestamp": "n/a"]) == nil)
  }
}
