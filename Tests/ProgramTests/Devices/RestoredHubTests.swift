import Core
import EventLog
import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import Platform
@testable import Sync

/// A hub of several users was restored from a backup, and devices have what it lacks.
@Suite("A restored hub")
final class RestoredHubTests: TwoUsers {
  override class var isOfFiles: Bool { true }

  private func device(_ header: String) -> SyncedDevice {
    SyncedDevice(sandbox, token: header.split(separator: " ").last.map(String.init))
  }

  private static let folder = "hub/catalogue/log/"

  /// The name of the catalogue's log.
  private var catalogue: String {
    get throws { try #require(sandbox.folder.names(in: "hub/catalogue/log").first { $0.hasSuffix(".jsonl") }) }
  }

  /// Ends the hub, changes its logs, and starts it with nothing else than what a backup has.
  private func restore(_ change: () throws -> Void) throws -> RunningHub {
    hub.kill()
    try change()
    for home in ["catalogue", "users/ann", "users/bob"] {
      for folder in ["state", "cache"] { Directory.removeAll("\(sandbox.hubData)/\(home)/\(folder)") }
    }
    return try sandbox.runHub()
  }

  private func titles(_ hub: RunningHub, _ user: String) throws -> [String] {
    try hub.get("/api/v1/videos?all=true&shorts=show&limit=500", user).json.texts("videos", of: "title")
  }

  private func quiet(_ device: SyncedDevice, _ hub: RunningHub) throws {
    let report = try device.sync(hub.port)
    #expect(report.sent == 0 && report.received == 0 && report.problem == nil && report.mended.isEmpty)
    #expect(report.requests == 1, "\(report.requests) requests")
  }

  @Test("gets the lines of the catalogue back from a device, for its user, and then nothing more is exchanged")
  func catalogueLines() throws {
    for user in [ann, bob] { try follow(TwoUsers.science, by: user) }
    try poll()
    let (first, second) = (device(ann), device(ann))
    for device in [first, second] { try device.sync(hub.port) }
    let whole = try titles(hub, ann)
    let path = try RestoredHubTests.folder + catalogue
    let lines = try #require(sandbox.folder.read(path)).split(separator: 10).map { Array($0) + [10] }
    let kept = Array(lines.dropLast(6).joined())
    let restored = try restore { sandbox.folder.write(kept, to: path) }
    let fewer = try titles(restored, ann)
    #expect(fewer.count < whole.count && !fewer.isEmpty)
    let report = try first.sync(restored.port)
    #expect(report.mended.contains { $0.contains("has them again for you") }, "\(report)")
    #expect(report.problem == nil)
    #expect(try titles(restored, ann) == whole)
    #expect(try titles(restored, bob) == fewer)
    #expect(sandbox.folder.read(path) == kept, "a device wrote the catalogue")
    try second.sync(restored.port)
    let third = device(try sandbox.bearer("ann"))
    try third.sync(restored.port)
    for device in [first, second, third] {
      try quiet(device, restored)
      #expect(device.events == first.events)
    }
    #expect(sandbox.folder.names(in: "hub/users/ann/log").count { $0.contains(".fork-") } == 1)
    // The catalogue goes on, under another ID or this one.
    let body = #"{"channels":["\#(TwoUsers.other)"]}"#
    #expect(try restored.send("POST", "/api/v1/channels", json: body, ann).status == 200)
    #expect(try restored.send("POST", "/api/v1/poll", [ann]).status == 202)
    wait { (try? titles(restored, ann).count > whole.count) == true }
    for device in [first, second, third] { try device.sync(restored.port) }
    #expect(try titles(restored, ann).count > whole.count)
    for device in [first, second, third] {
      try quiet(device, restored)
      #expect(device.events == first.events)
    }
  }

  @Test("keeps what a device forges of the catalogue from every other user")
  func forged() throws {
    for user in [ann, bob] { try follow(TwoUsers.science, by: user) }
    try poll()
    let (hers, his) = (device(ann), device(bob))
    for device in [hers, his] { try device.sync(hub.port) }
    let name = try catalogue
    let before = try #require(sandbox.folder.read(RestoredHubTests.folder + name))
    let (known, bobs) = (try titles(hub, bob), his.events)
    // Lines with right checksums, under the catalogue's ID.
    let id = try #require(DeviceID(String(name.prefix(8))))
    let journal = try Journal(folders: hers.folder.folders, device: id, coverage: nil, clock: Clock.milliseconds)
    try journal.refresh()
    let channel = try #require(ChannelID(TwoUsers.science))
    let video = try #require(VideoID(try videos(bob)[0]))
    _ = try journal.commit(action: nil, undoing: nil) {
      guard case .videoFound(var found) = Sample.found(1, title: "Forged video") else { return [] }
      found.channel = channel
      return [
        .videoFound(found),
        .videoChanged(VideoChanged(video: video, title: "Forged title")),
        .videoRemoved(VideoRemoved(video: video, removed: true)),
      ]
    }
    let log = try #require(hers.folder.read("log/\(name)"))
    func send(_ log: [UInt8], _ target: String, _ user: String) throws -> HubResponse {
      try hub.send("POST", "/api/v1/logs/\(target)", [user, "Content-Type: application/jsonl"], body: log)
    }
    // Not as what follows the catalogue's log either.
    let mark = try #require(LogTable(hub.get("/api/v1/logs", ann).json)?.logs.first { $0.device == id })
    let query = "?offset=\(mark.end.length)&checksum=\(mark.end.checksum)"
    #expect(try send(Array(log[Int(mark.end.length)...]), "\(id)\(query)", ann).status == 409)
    #expect(try send(log, "\(id)?offset=0", ann).status == 409)
    let report = try hers.sync(hub.port)
    #expect(report.problem == nil)
    #expect(try titles(hub, ann).contains("Forged video"))
    try his.sync(hub.port)
    #expect(try titles(hub, bob) == known && his.events == bobs)
    #expect(sandbox.folder.read(RestoredHubTests.folder + name) == before)
    let logs = try hub.get("/api/v1/logs", bob).json.texts("logs", of: "log")
    #expect(!logs.contains { $0.contains("fork") })
    let fork = try #require(sandbox.folder.names(in: "hub/users/ann/log").first { $0.contains(".fork-") }).dropLast(6)
    #expect(try hub.get("/api/v1/logs/\(fork)?offset=0", bob).status == 404)
    #expect(try hub.get("/api/v1/logs/\(fork)?offset=0", ann).status == 200)
    // Who comes later sees the catalogue as it is.
    try sandbox.addUser("eve")
    let eve = try sandbox.bearer("eve")
    try follow(TwoUsers.science, by: eve)
    #expect(try titles(hub, eve).count == known.count)
    #expect(try !titles(hub, eve).contains { $0.contains("Forged") })
    try quiet(hers, hub)
  }

  @Test("gets a fork back from any device of its user, also of a log that another token writes")
  func fork() throws {
    let (owner, other) = (device(ann), device(try sandbox.bearer("ann")))
    for number in 1...9 as ClosedRange<UInt64> { try owner.decide(.mark(number, .watched)) }
    let path = try "log/\(owner.device).jsonl"
    let whole = try #require(owner.folder.read(path))
    let old: [UInt8] = whole.split(separator: 10).prefix(4).flatMap { $0 + [10] }
    try owner.sync(hub.port)
    // Two machines with one ID.
    owner.folder.write(old, to: path)
    unlink(owner.folder.path + "/state/extent")
    for number in 20...24 as ClosedRange<UInt64> { try owner.decide(.mark(number, .watched)) }
    try owner.sync(hub.port)
    try other.sync(hub.port)
    #expect(other.events.count == 14)
    let forks = sandbox.folder.names(in: "hub/users/ann/log").filter { $0.contains(".fork-") }
    #expect(forks.count == 1)
    let restored = try restore { for fork in forks { unlink("\(sandbox.hubData)/users/ann/log/\(fork)") } }
    // The owner is gone for good, its token is not.
    try other.sync(restored.port)
    let third = device(try sandbox.bearer("ann"))
    try third.sync(restored.port)
    #expect(third.events == other.events && third.events.count == 14)
    for device in [other, third] { try quiet(device, restored) }
  }

  @Test("names the damaged line of its catalogue in every exchange")
  func damagedCatalogue() throws {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let device = device(ann)
    try device.sync(hub.port)
    let path = try RestoredHubTests.folder + catalogue
    var lines = try #require(sandbox.folder.read(path)).split(separator: 10).map(Array.init)
    let restored = try restore {
      lines[3][40] ^= 1
      sandbox.folder.write(lines.flatMap { $0 + [10] }, to: path)
    }
    let outcome = try device.run(restored.port, "sync")
    #expect(outcome.status == 74, "\(outcome.text) \(outcome.errors)")
    #expect(try outcome.errors.contains("\(catalogue): line 4 ") && outcome.errors.contains("on the hub"))
    #expect(outcome.errors.contains("metube-hub log repair --all"), "\(outcome.errors)")
    #expect(try sandbox.hub(["log", "repair", "--all", "--yes", "--data", sandbox.hubData]).status == 0)
    #expect(try device.run(restored.port, "sync").status == 0)
    try quiet(device, restored)
  }
}
