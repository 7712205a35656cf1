import Core
import EventLog
import Glibc
import TestSupport
import Testing

/// Devices of a user exchange logs with a hub of several users, and one of the logs is damaged.
@Suite("An exchange with a damaged log")
final class DamagedExchangeTests {
  private let sandbox: Sandbox
  private var hub: RunningHub
  private let ann: String

  init() throws {
    sandbox = try Sandbox()
    try sandbox.addUser("ann")
    ann = try sandbox.bearer("ann")
    hub = try sandbox.runHub()
  }

  private func device() throws -> SyncedDevice {
    let header = try sandbox.bearer("ann")
    return SyncedDevice(sandbox, token: header.split(separator: " ").last.map(String.init))
  }

  /// Adds a rule on the hub for each number, which is one event.
  private func decide(_ numbers: ClosedRange<UInt64>) throws {
    for number in numbers {
      let rule = #"{"verdict":"block","contains":"word\#(number)"}"#
      #expect(try hub.send("POST", "/api/v1/rules", json: rule, ann).status == 201)
    }
  }

  private static let folder = "hub/users/ann/log/"

  /// The log that the hub writes for Ann.
  private func hubLog(besides devices: [SyncedDevice]) throws -> String {
    let others = try devices.map { "\(try $0.device).jsonl" }
    return try #require(
      sandbox.folder.names(in: "hub/users/ann/log").first { !others.contains($0) && !$0.contains("fork") })
  }

  /// Flips a bit of a line, counted from 1.
  private func damage(_ path: String, line: Int, in folder: TemporaryFolder) throws {
    var lines = try #require(folder.read(path)).split(separator: 10).map(Array.init)
    lines[line - 1][40] ^= 1
    folder.write(lines.flatMap { $0 + [10] }, to: path)
  }

  private func restart(_ body: () throws -> Void) throws {
    _ = try hub.end()
    try body()
    hub = try sandbox.runHub()
  }

  private var hubEvents: Set<String> {
    Set(
      sandbox.lines("hub/users/ann").filter { !$0.contains(#""kind":"logStarted""#) })
  }

  @Test("mends the hub's own log from a device that has the line, and what follows it arrives")
  func mended() throws {
    let device = try device()
    try decide(1...3)
    try device.sync(hub.port)
    try decide(4...15)
    let name = try hubLog(besides: [device])
    let whole = try #require(sandbox.folder.read(DamagedExchangeTests.folder + name))
    try restart { try damage(DamagedExchangeTests.folder + name, line: 3, in: sandbox.folder) }
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 0 && outcome.errors.contains("mended"), "\(outcome.status) \(outcome.errors)")
    #expect(sandbox.folder.read(DamagedExchangeTests.folder + name) == whole)
    #expect(device.events == hubEvents && device.events.count == 15)
    try decide(16...16)
  }

  @Test("ends with 74, names the line, the side and the remedy if no device has the line, and brings the others")
  func lostLine() throws {
    let device = try device()
    try decide(1...3)
    try device.sync(hub.port)
    try decide(4...15)
    let name = try hubLog(besides: [device])
    try restart { try damage(DamagedExchangeTests.folder + name, line: 8, in: sandbox.folder) }
    for _ in 0..<2 {
      let outcome = try device.run(hub.port, "sync")
      #expect(outcome.status == 74, "\(outcome.text) \(outcome.errors)")
      #expect(outcome.errors.contains("\(name), line 8: damaged on the hub"), "\(outcome.errors)")
      #expect(outcome.errors.contains("metube-hub log repair"))
      #expect(device.events.count == 14)
    }
    #expect(try device.run(hub.port, "status").text.contains("damaged on the hub"))
    let data = ["--data", sandbox.hubData]
    let found = try sandbox.hub(["log", "verify", "ann"] + data)
    #expect(found.status == 65 && found.errors.contains(":8 "), "\(found.errors)")
    let repaired = try sandbox.hub(["log", "repair", "ann", "--yes"] + data)
    #expect(repaired.status == 0, "\(repaired.errors)")
    #expect(try sandbox.hub(["log", "verify", "--all"] + data).status == 0)
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(device.events == hubEvents && device.events.count == 14)
    try decide(16...16)
  }

  @Test("mends the hub's copy of a device's log from another device, which writes nothing else there")
  func copyOfAnother() throws {
    let (owner, other) = (try device(), try device())
    for number in 1...20 as ClosedRange<UInt64> { try owner.decide(.mark(number, .watched)) }
    let name = try "\(owner.device).jsonl"
    let old = try #require(owner.folder.read("log/\(name)")).split(separator: 10).prefix(6).flatMap { $0 + [10] }
    for device in [owner, other] { try device.sync(hub.port) }
    try restart { try damage(DamagedExchangeTests.folder + name, line: 12, in: sandbox.folder) }
    // Its home comes from an older backup.
    owner.folder.write(Array(old), to: "log/\(name)")
    unlink(owner.folder.path + "/state/extent")
    for device in [other, owner, try self.device()] {
      let outcome = try device.run(hub.port, "sync")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(device.events.count == 20)
    }
    #expect(hubEvents.count == 20)
  }

  @Test("brings what is intact of a damaged fork, which no device has")
  func fork() throws {
    let (device, lost) = (try device(), try device())
    for number in 1...9 as ClosedRange<UInt64> { try lost.decide(.mark(number, .watched)) }
    let fork = "\(try lost.device).fork-20261101T000000Z.jsonl"
    let lines = try #require(lost.folder.read("log/\(try lost.device).jsonl"))
    try restart {
      sandbox.folder.write(lines, to: DamagedExchangeTests.folder + fork)
      try damage(DamagedExchangeTests.folder + fork, line: 5, in: sandbox.folder)
    }
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 74 && outcome.errors.contains("\(fork), line 5"), "\(outcome.errors)")
    #expect(device.events.count == 8)
    #expect(try sandbox.hub(["log", "repair", "--all", "--yes", "--data", sandbox.hubData]).status == 0)
    #expect(try device.run(hub.port, "sync").status == 0)
    #expect(device.events.count == 8)
  }

  @Test("mends this device's own log from the hub's copy, and says the line if the hub has none")
  func own() throws {
    let device = try device()
    for number in 1...8 as ClosedRange<UInt64> { try device.decide(.mark(number, .watched)) }
    try device.sync(hub.port)
    let name = "log/\(try device.device).jsonl"
    let whole = device.folder.read(name)
    try damage(name, line: 4, in: device.folder)
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(device.folder.read(name) == whole)
    for number in 9...12 as ClosedRange<UInt64> { try device.decide(.mark(number, .watched)) }
    try damage(name, line: 10, in: device.folder)
    let said = try device.run(hub.port, "sync")
    #expect(said.status == 74 && said.errors.contains("line 10: damaged on this device"), "\(said.errors)")
    #expect(hubEvents.count == 11)
    #expect(try device.run(hub.port, "log", "repair", "--yes").status == 0)
    #expect(try device.run(hub.port, "sync").status == 0)
    #expect(device.events == hubEvents && hubEvents.count == 11)
  }
}
