import Core
import EventLog
import Glibc
import Library
import TestSupport
import Testing

@testable import App
@testable import Platform
@testable import Sync
@testable import metube_hub

/// Devices that exchange log lines with the hub of one home, without users.
@Suite("Devices and a hub")
final class SyncTests {
  let sandbox: Sandbox
  private var hub: RunningHub

  init() throws {
    sandbox = try Sandbox()
    hub = try RunningHub(sandbox)
  }

  private func device() -> SyncedDevice { SyncedDevice(sandbox) }

  /// All devices sync until nothing changes, and then have the same events as the hub.
  private func expectOneState(_ devices: SyncedDevice...) throws {
    for _ in 0..<3 { for device in devices { try device.sync(hub.port) } }
    let events = SyncedDevice.events(in: sandbox.folder)
    for device in devices { #expect(device.events == events) }
  }

  @Test("A mark of one device is on the others, in any order, and syncing again changes nothing")
  func marks() throws {
    let (first, second) = (device(), device())
    try first.decide(.mark(1, .watched), .save(1, true))
    try second.decide(.mark(2, .skipped))
    for device in [first, second, first] { try device.sync(hub.port) }
    #expect(first.events == second.events && first.events.count == 3)
    #expect(SyncedDevice.events(in: sandbox.folder) == first.events)
    let files = first.folder.names(in: "log").map { first.folder.read("log/\($0)") }
    #expect(files == second.folder.names(in: "log").map { second.folder.read("log/\($0)") })
    for device in [first, second] {
      let report = try device.sync(hub.port)
      #expect((report.sent, report.received, report.requests) == (0, 0, 1))
    }
    #expect(first.folder.names(in: "log").count == 2)
  }

  @Test("What the hub's page decides and found is on the devices")
  func page() throws {
    _ = try hubSession().commit { [Sample.found(1), .mark(1, .watched)] }
    let device = device()
    try device.sync(hub.port)
    #expect(try device.session().video(Sample.video(1))?.statusSet.status == .watched)
    let response = try hub.send(
      "POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(Sample.video(1))","saved":true}]}"#)
    #expect(response.status == 200)
    try device.sync(hub.port)
    #expect(try device.session().video(Sample.video(1))?.saved?.value == true)
  }

  @Test("What a device imported has its title on the hub and on the other devices")
  func described() throws {
    let (first, second) = (device(), device())
    let file = first.folder.write(
      "video,channel,title,watched\nAAAAAAAAAAA,UCAAAAAAAAAAAAAAAAAAAAAA,A lamp,2024-02-01T00:00:00Z\n".utf8,
      to: "history.csv")
    #expect(try first.run(hub.port, "import", "--all-history", file).status == 0)
    for device in [first, second] { try device.sync(hub.port) }
    let video = try #require(VideoID("AAAAAAAAAAA"))
    #expect(try second.session().title(of: video) == "A lamp")
    #expect(try second.session().video(video)?.statusSet.status == .watched)
    #expect(try hub.get("/api/v1/history").text.contains(#""title":"A lamp""#))
    #expect(try hub.get("/history").text.contains("A lamp"))
  }

  private func hubSession() throws -> Session {
    try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false)
  }

  @Test("A mark costs one request and a few hundred bytes")
  func cost() throws {
    let (first, second) = (device(), device())
    for device in [first, second] {
      try device.decide(.mark(1, .watched))
      try device.sync(hub.port)
    }
    try first.sync(hub.port)
    try first.decide(.mark(2, .watched))
    let report = try first.sync(hub.port)
    #expect(report.requests == 1)
    #expect(report.traffic < 1500, "\(report.traffic) bytes")
  }

  @Test("A compacted, a repaired and a restored log end in one state")
  func rewritten() throws {
    let (first, second) = (device(), device())
    for number in 0..<60 { try first.decide(.runFinished(Sample.run(checked: number))) }
    try first.decide(.mark(1, .watched))
    for device in [first, second] { try device.sync(hub.port) }
    let before = first.events.count
    #expect(try first.session().files.compact() != nil)
    for device in [first, second, first] { try device.sync(hub.port) }
    #expect(first.events.count < before)
    #expect(second.events == first.events && SyncedDevice.events(in: sandbox.folder) == first.events)
    #expect(try second.sync(hub.port).requests == 1)
    // An older copy of the whole home, to which more was added.
    let name = try "log/\(first.device).jsonl"
    let old = try #require(first.folder.read(name))
    try first.decide(.mark(2, .watched))
    try expectOneState(first, second)
    first.folder.write(old, to: name)
    unlink(first.folder.path + "/state/extent")
    try first.decide(.mark(3, .watched))
    try expectOneState(first, second)
    for device in [first, second] {
      for number in 1...3 as ClosedRange<UInt64> {
        #expect(try device.session().video(Sample.video(number))?.statusSet.status == .watched)
      }
    }
    // The next marks go where they belong.
    try first.decide(.mark(4, .watched))
    try expectOneState(first, second)
    #expect(try first.sync(hub.port).requests <= 2)
  }

  @Test("A device that lost the end of its log gets it back")
  func lost() throws {
    let first = device()
    try first.decide(.mark(1, .watched))
    let name = try "log/\(first.device).jsonl"
    let old = try #require(first.folder.read(name))
    try first.decide(.mark(2, .watched))
    try first.sync(hub.port)
    let whole = try #require(first.folder.read(name))
    first.folder.write(old, to: name)
    #expect(throws: Failure.self) { try first.decide(.mark(3, .watched)) }
    try first.sync(hub.port)
    #expect(first.folder.read(name) == whole)
    try first.decide(.mark(3, .watched))
    try expectOneState(first)
  }

  @Test("What a hub restored from an older copy lacks comes back from the devices")
  func restoredHub() throws {
    let (first, second) = (device(), device())
    try first.decide(.mark(1, .watched))
    _ = try hubSession().commit { [.mark(2, .watched)] }
    try expectOneState(first, second)
    let copy = sandbox.folder.names(in: "log").map { ($0, sandbox.folder.read("log/\($0)") ?? []) }
    try first.decide(.mark(3, .watched))
    _ = try hubSession().commit { [.mark(4, .skipped)] }
    try expectOneState(first, second)
    for (name, bytes) in copy { sandbox.folder.write(bytes, to: "log/\(name)") }
    unlink(sandbox.folder.path + "/state/extent")
    _ = try hubSession().commit { [.mark(5, .watched)] }
    try expectOneState(first, second)
    #expect(first.events.count == 5)
    #expect(try hubSession().video(Sample.video(4))?.statusSet.status == .skipped)
  }

  @Test("A copy that was damaged on the hub, or here, is whole again")
  func damagedCopy() throws {
    let (first, second) = (device(), device())
    for number in 1...6 as ClosedRange<UInt64> { try first.decide(.mark(number, .watched)) }
    try expectOneState(first, second)
    let (name, whole) = (try "log/\(first.device).jsonl", first.events)
    for folder in [sandbox.folder, second.folder] {
      var bytes = try #require(folder.read(name))
      bytes[bytes.count / 2] ^= 1
      // The hub runs on.
      folder.write(bytes, to: name)
      try expectOneState(first, second)
      #expect(first.events == whole)
    }
  }

  @Test("A folder that is synchronised too changes nothing")
  func folderToo() throws {
    let (first, second) = (device(), device())
    for round in 0..<6 as Range<UInt64> {
      try first.decide(.mark(2 * round, .watched))
      try second.decide(.mark(2 * round + 1, .skipped))
      if round % 2 == 0 { try first.sync(hub.port) }
      // As Syncthing and rsync do: the newer file replaces the older one.
      for (from, to) in [(first, second), (second, first)] {
        let name = try "\(from.device).jsonl"
        to.folder.write(try #require(from.folder.read("log/\(name)")), to: "log/\(name)")
      }
      if round % 3 == 0 { try second.sync(hub.port) }
    }
    try expectOneState(first, second)
    #expect(first.events.count == 12)
    #expect(try first.session().files.journal.verify().isGood)
    for device in [first, second] { #expect(try device.sync(hub.port).requests == 1) }
  }

  @Test("Marks made with the clock a year ahead stay on their device, which says what to do; the others are exchanged")
  func clocks() throws {
    let (ahead, away, usual) = (device(), device(), device())
    try away.decide(.mark(9, .watched))
    try away.sync(hub.port)
    try ahead.decide(.mark(5, .watched))
    let now = UInt64(time(nil)) * 1000
    try ahead.decide(at: now + 365 * 86_400_000, .mark(1, .watched))
    try usual.decide(.mark(1, .skipped))
    let problem = try ahead.sync(hub.port).problem
    #expect(problem?.message.contains("state/device") == true, "\(String(describing: problem))")
    for device in [usual, ahead] { try device.sync(hub.port) }
    #expect(try usual.session().video(Sample.video(1))?.statusSet.status == .skipped)
    for number in 100..<400 as Range<UInt64> { try usual.decide(.mark(number, .watched)) }
    for _ in 0..<2 { for device in [ahead, usual, away] { try device.sync(hub.port) } }
    #expect(away.events.count == 303 && away.events == SyncedDevice.events(in: sandbox.folder))
    #expect(away.events == usual.events && ahead.events.count == 304 && ahead.events.isSuperset(of: away.events))
    // Said each time, at the cost of one request.
    let repeated = try ahead.sync(hub.port)
    #expect(repeated.problem?.message == problem?.message && repeated.requests == 1)
    let outcome = try ahead.run(hub.port, "sync")
    #expect(
      outcome.status == 65 && outcome.errors.contains("1 line of this device's log is dated"), "\(outcome.errors)")
    #expect(try ahead.run(hub.port, "status").text.contains("1 line of this device's log is dated"))
    // What it says helps.
    unlink(ahead.folder.path + "/state/device")
    try ahead.decide(.mark(2, .watched))
    let after = try ahead.sync(hub.port).problem
    #expect(after == nil, "\(after?.message ?? "")")
    try usual.sync(hub.port)
    #expect(try usual.session().video(Sample.video(2))?.statusSet.status == .watched)
  }

  @Test("Lines from the future that a synchronised folder brought to the hub stay there")
  func futureByFolder() throws {
    let (first, second) = (device(), device())
    try first.decide(.mark(1, .watched))
    try first.sync(hub.port)
    try first.decide(.mark(2, .watched))
    let now = UInt64(time(nil)) * 1000
    try first.decide(at: now + 2 * 86_400_000, .mark(3, .watched))
    let name = try "log/\(first.device).jsonl"
    let whole = try #require(first.folder.read(name))
    for folder in [sandbox.folder, second.folder] { folder.write(whole, to: name) }
    for device in [first, second, first] { try device.sync(hub.port) }
    #expect(sandbox.folder.read(name) == whole && second.folder.read(name) == whole)
    let third = device()
    #expect(try third.sync(hub.port).problem == nil)
    #expect(third.events.count == 2)
    for device in [first, second, third] { #expect(try device.sync(hub.port).requests == 1) }
  }

  private func logs(_ folder: TemporaryFolder) -> [String: [UInt8]] {
    Dictionary(folder.names(in: "log").map { ($0, folder.read("log/\($0)") ?? []) }) { first, _ in first }
  }

  @Test("Connections that are cut at any byte lose and double nothing")
  func cuts() throws {
    let proxy = try CuttingProxy(to: hub.port)
    defer { proxy.stop() }
    let (first, second) = (device(), device())
    try first.decide(.mark(1, .watched))
    try first.sync(hub.port)
    func change(_ number: UInt64) throws {
      try first.decide(.mark(number, .watched))
      try second.decide(.mark(number, .skipped))
      try second.sync(hub.port)
    }
    try change(2)
    proxy.cut(after: .max)
    try first.sync(proxy.port)
    let length = proxy.count
    #expect(length > 500)
    let step = SyncedDevice.isLarge ? 1 : 29
    var cuts = 0
    _ = SyncedDevice.isLate
    for bytes in stride(from: 0, to: length, by: step) {
      if SyncedDevice.isLate { break }
      cuts += 1
      try change(UInt64(3 + bytes))
      proxy.cut(after: bytes)
      // Whatever it says, what is there afterwards counts.
      _ = try? first.sync(proxy.port)
      try first.sync(hub.port)
      // Parsing ever longer logs would take most of the time.
      #expect(logs(first.folder) == logs(sandbox.folder), "cut after \(bytes) bytes")
    }
    try expectOneState(first, second)
    #expect(first.events.count == 1 + 2 * (1 + cuts) && cuts > 0)
    #expect(first.folder.names(in: "log").count == 2, "\(first.folder.names(in: "log"))")
  }

  @Test("A large log is sent and fetched in parts, and goes on where it was interrupted")
  func large() throws {
    let (first, second) = (device(), device())
    for batch in 0..<4 as Range<UInt64> {
      let text = String(repeating: "words ", count: 100)
      let found = (batch * 1000..<(batch + 1) * 1000).map { Sample.found($0, description: text) }
      _ = try first.session().commit { found }
    }
    let proxy = try CuttingProxy(to: hub.port)
    defer { proxy.stop() }
    for device in [first, second] {
      for cut in [100_000, 200_000, 50_000, 90_000] {
        proxy.cut(after: cut)
        _ = try? device.sync(proxy.port)
      }
      let report = try device.sync(hub.port)
      #expect(report.requests < 6)
    }
    #expect(second.events.count == 4000 && second.events == first.events)
  }

  @Test("The program syncs, says what it did, and fails politely without its hub")
  func program() throws {
    let first = device()
    try first.decide(.mark(1, .watched))
    #expect(try first.run(hub.port, "sync").text.hasPrefix("sent "))
    #expect(try first.run(hub.port, "sync").text == "nothing new on either side\n")
    hub.kill()
    let outcome = try first.run(hub.port, "sync", "--retries", "0")
    #expect(outcome.status == 75 && outcome.errors.contains("no connection"), "\(outcome.errors)")
    let none = try Program(environment: sandbox.environment).run(["sync"])
    #expect(none.status == 64 && none.errors.contains("METUBE_RSS_HUB"))
  }
}
