import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("With the state folder lost or a file in it damaged")
struct LostStateTests {
  private let sandbox: Sandbox
  private let channels: [SyntheticChannel]

  init() throws {
    sandbox = try Sandbox()
    channels = try sandbox.follow(30)
    #expect(try sandbox.poll().new == 450)
    sandbox.server.forgetRequests()
  }

  private func lose() {
    for name in sandbox.folder.names(in: "state") { unlink("\(sandbox.folder.path)/state/\(name)") }
    rmdir(sandbox.folder.path + "/state")
  }

  /// The header that the first change writes to its new log.
  private func newLog(beside logs: [String]) throws -> String {
    let new = try #require(sandbox.folder.names(in: "log").first { !logs.contains($0) })
    return "metube-rss: this machine is new here, or its state folder was lost: from now on it writes its "
      + "own log, \(sandbox.folder.path)/log/\(new)\n"
  }

  private var lost: String {
    "metube-rss: \(sandbox.folder.path)/state/poll: no record of earlier polls here; starting carefully, as after "
      + "an outage\n"
  }

  @Test("the next poll says so, begins a new log, requests everything and finds nothing twice")
  func folderLost() throws {
    let logs = sandbox.folder.names(in: "log")
    lose()
    #expect(try sandbox.everything().count == 450)
    let polled = try sandbox.poll()
    #expect(try polled.reported == lost + newLog(beside: logs))
    #expect(polled.checked == 30 && polled.new == 0 && polled.exit == 0)
    let next = try sandbox.poll()
    #expect(next.notDue == 30 && next.reported?.isEmpty == true)
  }

  @Test("the next poll is as careful as after an outage, also after another change")
  func careful() throws {
    let logs = sandbox.folder.names(in: "log")
    lose()
    #expect(try sandbox.run("unfollow", channels[0].id).errors == newLog(beside: logs))
    sandbox.server.fail(.status(500), on: .all, times: .always)
    let polled = try sandbox.poll()
    #expect(polled.stopped == "outage" && polled.exit == 75 && polled.reported?.hasPrefix(lost) == true)
    #expect(sandbox.server.requests.count <= 6)
  }

  @Test(
    "a damaged device ID is reported, stops nothing, and is replaced by the next change", arguments: ["", "{}\n", "x"])
  func deviceDamaged(text: String) throws {
    sandbox.folder.write(Array(text.utf8), to: "state/device")
    let reported =
      "metube-rss: \(sandbox.folder.path)/state/device: damaged; this machine takes a new device ID with the next "
      + "change, and all earlier events still count\n"
    for command in [["channels", "--format", "ids"], ["list"]] {
      let outcome = try sandbox.program.run(command)
      #expect(outcome.status == 0 && outcome.errors == reported)
    }
    try sandbox.succeed("log", "verify")
    let outcome = try sandbox.run("unfollow", channels[0].id)
    #expect(outcome.status == 0 && outcome.errors == reported)
    #expect(sandbox.folder.names(in: "log").count == 2)
    #expect(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count == 29)
    #expect(try sandbox.everything().count == 450)
  }
}
