import FixtureServer
import TestSupport
import Testing

@Suite("The status of videos on a device before its first exchange")
struct UnknownStatusTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", UnknownStatusTests.channel)
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox)
  }

  @Test("The status is unknown and the video listed, neither hidden nor watched, until the hub has reported it")
  func unknown() throws {
    let all = try sandbox.list().map(\.video)
    try sandbox.succeed("watched", all[0])
    let device = SyncedDevice(sandbox)
    // A hub that does not respond: what the device finds by itself.
    let dead: UInt16 = 1
    _ = try device.run(dead, "follow", UnknownStatusTests.channel)
    let polled = try device.run(dead, "poll", "--rate", "0", "--direct")
    #expect(polled.status == 0, "\(polled.errors)")
    func statuses(_ port: UInt16) throws -> [String] {
      try device.run(port, "list", "--format", "jsonl", "--limit", "0").lines.map { line in
        String(line.firstMatch(of: /"status":"([a-z]+)"/)?.output.1 ?? "")
      }
    }
    let before = try statuses(dead)
    #expect(before.count == all.count && before.allSatisfy { $0 == "unknown" }, "\(before)")
    #expect(try device.run(dead, "list").text.contains("status unknown"))
    #expect(try device.run(dead, "show", all[1]).text.contains("unknown: nothing has been exchanged with the hub yet"))
    #expect(try device.run(dead, "why", all[1], "--format", "json").text.contains(#""status":"unknown""#))
    // What was decided here is known.
    _ = try device.run(dead, "unwatched", all[2])
    _ = try device.run(dead, "skip", all[1])
    #expect(try device.run(dead, "list", "--skipped", "--format", "ids").lines == [all[1]])
    try device.sync(hub.port)
    let after = try statuses(hub.port)
    #expect(after.count == all.count - 2 && after.allSatisfy { $0 == "new" }, "\(after)")
    #expect(try device.run(hub.port, "list", "--watched", "--format", "ids").lines == [all[0]])
  }
}
