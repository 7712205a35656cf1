import Core
import EventLog
import FixtureServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import App
@testable import Platform
@testable import Sync

/// Polls of a device that has a hub, with and without its response.
@Suite("Polls with a hub")
final class HubFallbackTests {
  let sandbox: Sandbox
  private var hub: RunningHub
  private let device: SyncedDevice
  private let channels: [SyntheticChannel]
  private static let count = 4

  init() throws {
    sandbox = try Sandbox()
    channels = try sandbox.follow(HubFallbackTests.count)
    hub = try RunningHub(sandbox)
    device = SyncedDevice(sandbox)
  }

  /// A poll of the device, of its hub at a port.
  private func poll(_ port: UInt16, _ arguments: String...) throws -> Polled {
    let outcome = try Program(environment: device.environment(port)).run(
      ["poll", "--rate", "0", "--format", "json", "--hub-retries", "0"] + arguments)
    var polled = try JSONDecoder().decode(Polled.self, from: Data(outcome.output))
    (polled.exit, polled.reported) = (outcome.status, outcome.errors)
    return polled
  }

  /// The videos that are known in a home.
  private func videos(_ folder: TemporaryFolder) throws -> Set<String> {
    var environment = sandbox.environment
    environment["METUBE_RSS_HOME"] = folder.path
    let arguments = ["list", "--all", "--shorts", "show", "--upcoming", "show", "--limit", "0", "--format", "ids"]
    return Set(try Program(environment: environment).run(arguments).lines)
  }

  @Test("What the hub found costs YouTube no request, and what the device finds is on the hub")
  func relay() throws {
    _ = try sandbox.poll()
    sandbox.server.forgetRequests()
    let first = try poll(hub.port)
    #expect((first.exit, first.checked, first.reported) == (0, 0, ""))
    #expect(sandbox.server.requests.isEmpty)
    #expect(device.events == SyncedDevice.events(in: sandbox.folder) && !device.events.isEmpty)
    // With --direct it is requested, but not twice within 15 minutes.
    #expect(try poll(hub.port, "--direct", "--force").checked == HubFallbackTests.count)
    let status = try device.run(hub.port, "status").text
    #expect(status.contains("hub: http://127.0.0.1:\(hub.port), last exchange"), "\(status)")
  }

  @Test("What the hub read is remembered: without it nothing is asked at once, and with it each feed after a day")
  func remembered() throws {
    _ = try sandbox.poll()
    sandbox.server.forgetRequests()
    #expect(try poll(hub.port).checked == 0)
    let dead = try poll(1)
    #expect(dead.checked == 0 && sandbox.server.requests.isEmpty, "the hub read them minutes ago")
    let session = try device.session()
    let file = try PollStateFile(session)
    var memory = file.read(at: session.now)
    #expect(memory.feeds.count == HubFallbackTests.count)
    for id in memory.feeds.keys {
      #expect(memory.feeds[id]?.requested == nil && memory.feeds[id]?.relayed != nil)
      memory.feeds[id]?.relayedSince = session.now.adding(seconds: -86_400)
    }
    try file.write(memory)
    #expect(try poll(hub.port).checked == HubFallbackTests.count)
    #expect(try poll(hub.port).checked == 0)
  }

  @Test("Feeds that the hub does not poll are polled here, and sent to it")
  func idleHub() throws {
    #expect(try poll(hub.port).checked == HubFallbackTests.count)
    #expect(device.events == SyncedDevice.events(in: sandbox.folder))
    #expect(sandbox.server.requests.count == HubFallbackTests.count)
  }

  /// Requests of feeds; not those of titles of videos that no feed has shown.
  private var feedsRequested: Int { sandbox.server.requests.count { $0.path == "/feeds/videos.xml" } }

  @Test("Without its hub a device finds all, asks no feed twice, says so, and goes back to the hub")
  func gone() throws {
    try device.sync(hub.port)
    try device.decide(.mark(1, .watched))
    hub.kill()
    let first = try poll(hub.port)
    #expect((first.exit, first.checked) == (0, HubFallbackTests.count))
    #expect(first.reported?.contains("polling without the hub until it answers") == true, "\(first.reported ?? "")")
    let second = try poll(hub.port)
    #expect((second.exit, second.checked) == (0, 0))
    #expect(second.reported?.contains("failing since") == true, "\(second.reported ?? "")")
    #expect(feedsRequested == HubFallbackTests.count)
    let status = try device.run(hub.port, "status").text
    #expect(status.contains("fails since") && status.contains("not sent yet"), "\(status)")
    let back = try RunningHub(sandbox, "--listen", "127.0.0.1:\(hub.port)")
    #expect(try device.run(back.port, "sync").status == 0)
    #expect(try poll(back.port).reported == "")
    #expect(feedsRequested == HubFallbackTests.count)
    #expect(device.events == SyncedDevice.events(in: sandbox.folder))
    let after = try device.run(back.port, "status").text
    #expect(after.contains("last exchange") && !after.contains("not sent yet"), "\(after)")
    hub = back
  }

  @Test("A hub that ends between any two requests of a poll loses nothing; after any exchange polls use it again")
  func between() throws {
    _ = try sandbox.poll()
    let proxy = try CuttingProxy(to: hub.port)
    defer { proxy.stop() }
    proxy.cut(after: .max)
    #expect(try poll(proxy.port).checked == 0)
    let length = proxy.count
    let steps = SyncedDevice.isLarge ? 100 : 7
    for step in 0..<steps {
      let fresh = SyncedDevice(sandbox)
      sandbox.server.forgetRequests()
      proxy.cut(after: length * step / steps)
      func poll() throws -> Program.Outcome {
        try Program(environment: fresh.environment(proxy.port)).run(
          ["poll", "--rate", "0", "--hub-retries", "0"])
      }
      // What it follows is in the hub's log; without that the user names it.
      _ = try Program(environment: fresh.environment(1).filter { !$0.key.hasPrefix("METUBE_RSS_HUB") })
        .run(["follow"] + channels.map(\.id))
      let outcome = try poll()
      #expect(outcome.status == 0, "cut after \(length * step / steps): \(outcome.errors)")
      #expect(try videos(fresh.folder) == videos(sandbox.folder), "cut after \(length * step / steps)")
      let requested = Dictionary(grouping: sandbox.server.requests, by: \.key).mapValues(\.count)
      #expect(requested.values.allSatisfy { $0 == 1 }, "\(requested)")
      proxy.cut(after: .max)
      // A poll that just waited in vain does not try again at once.
      #expect(try fresh.run(proxy.port, "sync").status == 0)
      #expect(try poll().errors.isEmpty)
      #expect(requested == Dictionary(grouping: sandbox.server.requests, by: \.key).mapValues(\.count), "asked twice")
      #expect(fresh.events == SyncedDevice.events(in: sandbox.folder))
    }
  }

  @Test("Marks are made without the hub, at once, and sent after a later command")
  func background() throws {
    _ = try sandbox.poll()
    try device.sync(hub.port)
    let video = try #require(videos(device.folder).sorted().first)
    #expect(try device.run(hub.port, "watched", video).status == 0)
    wait { SyncedDevice.events(in: sandbox.folder) == device.events }
    #expect(SyncedDevice.events(in: sandbox.folder) == device.events)
    let port = hub.port
    // The process that sent it writes its state last.
    wait { (try? device.run(port, "config"))?.status == 0 && !isSyncing }
    hub.kill()
    let marked = try device.run(port, "save", video)
    #expect(marked.status == 0 && marked.errors.isEmpty, "\(marked.errors)")
    wait { !isSyncing && status(of: device, port).contains("fails since") }
    #expect(
      status(of: device, port).contains("1 line of this device's log not sent yet"), "\(status(of: device, port))")
    hub = try RunningHub(sandbox, "--listen", "127.0.0.1:\(port)")
    #expect(try device.run(port, "sync").status == 0)
    #expect(SyncedDevice.events(in: sandbox.folder) == device.events)
  }

  @Test("SIGTERM ends a poll whose hub hangs by then: what it found is kept, and sent by a later command")
  func terminated() throws {
    let proxy = try CuttingProxy(to: hub.port)
    defer { proxy.stop() }
    // The feeds are known to both sides, and read by neither.
    try device.sync(proxy.port)
    sandbox.server.responseLimit = 1
    let program = Program(environment: device.environment(proxy.port))
    let running = try program.start(["poll", "--rate", "0", "--jobs", "1"])
    wait { sandbox.server.requests.count >= 2 }
    try #require(sandbox.server.requests.count >= 2)
    proxy.hang()
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.status == 1 && outcome.text.contains("stopped: interrupted"), "\(outcome.errors)")
    #expect(proxy.swallowedCount == 0, "the hub is not waited for")
    #expect(try videos(device.folder).count == 15)
    #expect(try device.run(hub.port, "sync").status == 0)
    #expect(device.events == SyncedDevice.events(in: sandbox.folder))
  }

  @Test("A device that only lists has others' marks within a minute of its last exchange, and says how old a list is")
  func listing() throws {
    _ = try sandbox.poll()
    let other = SyncedDevice(sandbox)
    for each in [device, other] { try each.sync(hub.port) }
    device.folder.write("METUBE_RSS_HUB=http://127.0.0.1:\(hub.port)\n".utf8, to: "env")
    try other.decide(.mark(1, .watched))
    try other.sync(hub.port)
    func list(secondsAfterSync seconds: Int64) throws -> (isDue: Bool, text: String) {
      let home = try device.session().home
      var state = HubState("http://127.0.0.1:\(hub.port)", in: home)
      state.noteSuccess(at: Clock.now().adding(seconds: -seconds))
      try state.write(in: home)
      return (try #require(try BackgroundSync(device.session())).isDue, try device.run(hub.port, "list").text)
    }
    let early = try list(secondsAfterSync: 10)
    #expect(!early.isDue && early.text.contains("last sync just now"), "\(early.text)")
    let late = try list(secondsAfterSync: 31)
    #expect(late.isDue && late.text.contains("last sync just now"), "\(late.text)")
    wait { device.events == SyncedDevice.events(in: sandbox.folder) }
    #expect(device.events == SyncedDevice.events(in: sandbox.folder))
    wait { !isSyncing }
    hub.kill()
    #expect(try device.run(hub.port, "sync", "--retries", "0").status == 75)
    #expect(try device.run(hub.port, "list").text.contains("hub fails since"))
  }

  private func status(of device: SyncedDevice, _ port: UInt16) -> String {
    (try? device.run(port, "status").text) ?? ""
  }

  /// Whether a process exchanges lines for the device.
  private var isSyncing: Bool { (try? FileLock(device.folder.path + "/state/hub.lock", waiting: 0)) == nil }
}
