import FixtureServer
import Glibc
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

  /// What the first change says of the log it begins.
  private func newLog(beside logs: [String]) throws -> String {
    let new = try #require(sandbox.folder.names(in: "log").first { !logs.contains($0) })
    return "metube-rss: this machine is new to the logs, or its state folder was lost: from now on it writes a log of "
      + "its own, \(sandbox.folder.path)/log/\(new)\n"
  }

  private var lost: String {
    "metube-rss: \(sandbox.folder.path)/state/poll: nothing is known here of earlier polls; this one begins as after an "
      + "outage\n"
  }

  @Test("the next poll says so, begins a log of its own, asks all and finds nothing twice")
  func folderLost() throws {
    let logs = sandbox.folder.names(in: "log")
    lose()
    #expect(try sandbox.everything().count == 450)
    let polled = try sandbox.poll()
    #expect(try polled.told == lost + newLog(beside: logs))
    #expect(polled.checked == 30 && polled.new == 0 && polled.exit == 0)
    let next = try sandbox.poll()
    #expect(next.notDue == 30 && next.told?.isEmpty == true)
  }

  @Test("the next poll is as careful as after an outage, also after another change")
  func careful() throws {
    let logs = sandbox.folder.names(in: "log")
    lose()
    #expect(try sandbox.run("unfollow", channels[0].id).errors == newLog(beside: logs))
    sandbox.server.fail(.status(500), on: .all, times: .always)
    let polled = try sandbox.poll()
    #expect(polled.stopped == "outage" && polled.exit == 75 && polled.told?.hasPrefix(lost) == true)
    #expect(sandbox.server.requests.count <= 6)
  }

  @Test(
    "a damaged device id is told, stops nothing, and the next change takes a new one", arguments: ["", "{}\n", "x"])
  func deviceDamaged(text: String) throws {
    sandbox.folder.write(Array(text.utf8), to: "state/device")
    let told =
      "metube-rss: \(sandbox.folder.path)/state/device: damaged; with the next change this machine takes a device id of "
      + "its own, and all that was logged before still counts\n"
    for command in [["channels", "--format", "ids"], ["list"]] {
      let outcome = try sandbox.program.run(command)
      #expect(outcome.status == 0 && outcome.errors == told)
    }
    try sandbox.succeed("log", "verify")
    let outcome = try sandbox.run("unfollow", channels[0].id)
    #expect(outcome.status == 0 && outcome.errors == told)
    #expect(sandbox.folder.names(in: "log").count == 2)
    #expect(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count == 29)
    #expect(try sandbox.everything().count == 450)
  }
}
