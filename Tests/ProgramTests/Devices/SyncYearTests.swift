import Core
import EventLog
import Glibc
import JSON
import Library
import Seeded
import TestSupport
import Testing

@testable import App
@testable import Sync

/// What each node of a fleet knows: a decision is known where it was made, and where it was carried to. The latest
/// one that a node knows counts there.
private struct FleetModel {
  struct Decision {
    var register: String
    var value: String
    /// The decision that it takes back.
    var undoes: Int?
  }

  var decisions: [Decision] = []
  /// By node; the hub is the last one.
  var known: [Set<Int>]

  init(nodes: Int) { known = Array(repeating: [], count: nodes) }

  mutating func decide(_ node: Int, _ register: String, _ value: String, undoing undone: Int? = nil) {
    known[node].insert(decisions.count)
    decisions.append(Decision(register: register, value: value, undoes: undone))
  }

  /// The latest value that a node knows.
  func value(_ node: Int, _ register: String) -> String? {
    known[node].filter { decisions[$0].register == register }.max().map { decisions[$0].value }
  }

  /// What taking back the last decision restores: what was taken back before counts as never decided.
  func valueBeforeLast(_ node: Int, _ register: String) -> String? {
    let undone = Set(known[node].compactMap { decisions[$0].undoes })
    return known[node].filter { index in
      let decision = decisions[index]
      return index != decisions.count - 1 && decision.register == register && decision.undoes == nil
        && !undone.contains(index)
    }.max().map { decisions[$0].value }
  }

  mutating func sync(_ node: Int) {
    let hub = known.count - 1
    known[node].formUnion(known[hub])
    known[hub] = known[node]
  }
}

/// A year of three devices, a page and a reader, judged by a model of its own.
@Suite("A year of devices")
final class SyncYearTests {
  private let sandbox: Sandbox
  private var hub: RunningHub
  private var devices: [SyncedDevice] = []
  private var model = FleetModel(nodes: 4)
  private var generator = SeededGenerator(seed: 0)
  private var numbers: [UInt64: Int] = [:]
  private let videos: ClosedRange<UInt64> = 1...12
  private var (requests, traffic, syncs) = (0, 0, 0)

  init() throws {
    sandbox = try Sandbox()
    hub = try RunningHub(sandbox)
    devices = (0..<3).map { _ in SyncedDevice(sandbox) }
  }

  private func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
  private var hubNode: Int { devices.count }

  private func hubSession() throws -> Session {
    try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false)
  }

  private func sync(_ node: Int) throws {
    let report = try devices[node].sync(hub.port)
    (requests, traffic, syncs) = (requests + report.requests, traffic + report.traffic, syncs + 1)
    model.sync(node)
  }

  /// A decision of a device, sometimes undone at once.
  private func decide(_ node: Int) throws {
    let video = UInt64.random(in: videos, using: &generator)
    let statuses: [Status] = [.new, .watched, .skipped]
    let session = try devices[node].session()
    let isSaved = random(2) == 0
    let (register, value, body): (String, String, EventBody) =
      if random(4) == 0 {
        ("saved \(video)", "\(isSaved)", .save(video, isSaved))
      } else if random(8) == 0 {
        isSaved
          ? (
            "followed", "true",
            .channelFollowed(ChannelFollowed(subscription: .channel(Sample.channel(1)), title: nil, tags: nil))
          )
          : ("followed", "false", .channelUnfollowed(.channel(Sample.channel(1))))
      } else {
        statuses[random(3)].change(of: video)
      }
    let events = try session.commit { [body] }
    model.decide(node, register, value)
    guard random(5) == 0, register != "followed" else { return }
    let action = events[0].action
    let undone = try session.commit(undoing: action) { try session.library.undoing(action, events) }
    let before = model.valueBeforeLast(node, register) ?? (register.hasPrefix("saved") ? "false" : "new")
    // A decision that changed nothing leaves nothing to undo.
    if undone.isEmpty { return #expect(before == value) }
    model.decide(node, register, before, undoing: model.decisions.count - 1)
  }

  /// A decision on the page, or in a reader.
  private func decideAtHub() throws {
    let video = UInt64.random(in: videos, using: &generator)
    if random(2) == 0, let number = numbers[video] {
      let response = try hub.send("PUT", "/v1/entries", json: #"{"entry_ids":[\#(number)],"status":"unread"}"#)
      #expect(response.status == 204, "\(response.text)")
      // What is unread already is not a decision.
      if model.value(hubNode, "status \(video)") ?? "new" != "new" { model.decide(hubNode, "status \(video)", "new") }
    } else {
      let isSaved = random(2) == 0
      let response = try hub.send(
        "POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(Sample.video(video))","saved":\#(isSaved)}]}"#)
      #expect(response.status == 200, "\(response.text)")
      if model.value(hubNode, "saved \(video)") ?? "false" != "\(isSaved)" {
        model.decide(hubNode, "saved \(video)", "\(isSaved)")
      }
    }
  }

  /// A connection that breaks at some byte; what arrived is settled by a sync at once.
  private func syncInterrupted(_ node: Int) throws {
    let proxy = try CuttingProxy(to: hub.port)
    defer { proxy.stop() }
    proxy.cut(after: random(2500))
    _ = try? devices[node].sync(proxy.port)
    try sync(node)
  }

  /// A damaged line and its repair. What only this device knew of it is gone.
  private func repair(_ node: Int) throws {
    let device = devices[node]
    let name = try "log/\(device.device).jsonl"
    guard var bytes = device.folder.read(name) else { return }
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: true)
    guard lines.count > 3 else { return }
    // The first line after the start: it was carried to the hub long ago.
    try sync(node)
    bytes = try #require(device.folder.read(name))
    lines = bytes.split(separator: 10, omittingEmptySubsequences: true)
    let index = lines[1].startIndex + 20
    bytes[index] ^= 1
    device.folder.write(bytes, to: name)
    let session = try device.session()
    #expect(try session.files.mendAll().own != nil)
    try sync(node)
  }

  private func compact(_ node: Int) throws {
    for number in 0..<30 { try devices[node].decide(.runFinished(Sample.run(checked: number))) }
    _ = try devices[node].session().files.compact()
  }

  /// The hub as it was yesterday; everybody has synced what was decided since, but the hub does not have it.
  private func restoreHub(_ backup: [(String, [UInt8])], _ known: Set<Int>) throws {
    for node in devices.indices { try sync(node) }
    for node in devices.indices { try sync(node) }
    hub.kill()
    for name in sandbox.folder.names(in: "log") { unlink(sandbox.folder.path + "/log/" + name) }
    for (name, bytes) in backup { sandbox.folder.write(bytes, to: "log/" + name) }
    // From a backup it comes without its state; a snapshot of a machine has all.
    if random(2) == 0 { unlink(sandbox.folder.path + "/state/device") }
    unlink(sandbox.folder.path + "/state/extent")
    hub = try RunningHub(sandbox)
    model.known[hubNode] = known
  }

  private func backUp() -> [(String, [UInt8])] {
    sandbox.folder.names(in: "log").filter { $0.hasSuffix(".jsonl") }
      .map { ($0, sandbox.folder.read("log/" + $0) ?? []) }
  }

  private func expectModel(_ session: Session, _ node: Int) throws {
    for video in videos {
      let found = try session.video(Sample.video(video))
      let status = found?.statusSet.status.rawValue ?? "new"
      #expect(status == model.value(node, "status \(video)") ?? "new", "status of \(video) at \(node)")
      #expect(
        "\(found?.saved?.value ?? false)" == model.value(node, "saved \(video)") ?? "false", "\(video) at \(node)")
    }
    let isFollowed = try session.state.channels[.channel(Sample.channel(1))]?.isFollowed ?? false
    #expect("\(isFollowed)" == model.value(node, "followed") ?? "false")
  }

  @Test(
    "A year of marks, undos, compactions, repairs, cuts and a restored hub ends in the model's state",
    arguments: [1, 2])
  func year(_ seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    _ = try hubSession().commit { videos.map { Sample.found($0) } }
    for row in try hub.get("/api/v1/videos?limit=100&all=true&shorts=show").json["videos"]?.elements ?? [] {
      guard let video = videos.first(where: { "\(Sample.video($0))" == row["video"]?.string }) else { continue }
      numbers[video] = row["number"]?.number.flatMap { Int(exactly: $0) }
    }
    #expect(numbers.count == videos.count)
    for node in devices.indices { try sync(node) }
    var yesterday = (backUp(), model.known[hubNode])
    let days = SyncedDevice.isLarge ? 3000 : 160
    _ = SyncedDevice.isLate
    for day in 0..<days {
      if SyncedDevice.isLate { break }
      let node = random(devices.count)
      switch random(40) {
      case 0..<16: try decide(node)
      case 16..<22: try decideAtHub()
      case 22..<34: try sync(node)
      case 34..<37: try syncInterrupted(node)
      case 37: try compact(node)
      case 38: try repair(node)
      default: try expectModel(devices[node].session(), node)
      }
      if day % 50 == 30 { yesterday = (backUp(), model.known[hubNode]) }
      if day % 50 == 40 { try restoreHub(yesterday.0, yesterday.1) }
    }
    for _ in 0..<3 { for node in devices.indices { try sync(node) } }
    // Runs that a compaction dropped in one copy may be in another.
    func lines(_ folder: TemporaryFolder) -> Set<String> {
      SyncedDevice.events(in: folder).filter { !$0.contains(#""kind":"runFinished""#) }
    }
    let events = lines(sandbox.folder)
    for (node, device) in devices.enumerated() {
      #expect(lines(device.folder) == events)
      try expectModel(device.session(), node)
    }
    try expectModel(hubSession(), hubNode)
    // Each decision is one line with an ID of its own; none is lost or doubled.
    let decided = events.filter { line in
      ["statusSet", "savedSet", "channelFollowed", "channelUnfollowed"].contains { line.contains("\"kind\":\"\($0)\"") }
    }
    #expect(decided.count == model.decisions.count)
    #expect(Set(decided.map { $0.prefix(45) }).count == decided.count)
    Swift.print(
      "year \(seed): \(days) steps, \(model.decisions.count) decisions, \(syncs) syncs, \(requests) requests, \(traffic) bytes, "
        + "\(sandbox.folder.names(in: "log").count) logs on the hub"
    )
  }
}

extension Status {
  fileprivate func change(of video: UInt64) -> (String, String, EventBody) {
    ("status \(video)", rawValue, .mark(video, self))
  }
}
