import Core
import EventLog
import Glibc
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import HubCore
@testable import Platform
@testable import Sync
@testable import metube_hub

/// How long a hub is waited for, by a clock of the test.
@Suite("The time that a hub may cost")
struct HubBudgetTests {
  /// A hub whose responses take as long as the test says.
  private final class SlowHub {
    var now = 0
    var requests = 0
    var waits: [Int] = []
    /// The milliseconds that a response takes; a request that allows less times out.
    var delay: (Int) -> Int = { _ in .max }
    var status = 200
    var pause: Int64?

    func client(retries: Int, _ budget: HubBudget = .whole) -> HubClient {
      let transport = HubTransport(
        send: { request in
          self.requests += 1
          let limit = Int((request.timeout ?? .seconds(60)) / .milliseconds(1))
          let delay = self.delay(self.requests)
          self.now += min(delay, limit)
          guard delay <= limit else { return (.failure(.timedOut(.waiting)), 0) }
          return (.success(HubClient.Response(status: self.status, body: [], pause: self.pause)), 0)
        }, now: { self.now },
        wait: {
          self.waits.append($0)
          self.now += $0
        })
      return HubClient("https://hub.example", token: nil, retries: retries, budget: budget, transport)
    }
  }

  @Test("A hub that accepts and does not respond costs 15 seconds in all, with repetitions after 1, 2 and 4")
  func silent() throws {
    let hub = SlowHub()
    let client = hub.client(retries: 3)
    let failure = #expect(throws: Failure.self) { try client.send("/api/v1/logs") }
    #expect(failure?.status == .temporaryFailure && failure?.message == "https://hub.example: timed out")
    #expect(hub.waits == [1000, 2000, 4000] && hub.requests == 4)
    #expect(hub.now == 15_000)
    // What a poll sends at its end costs nothing more.
    #expect(throws: Failure.self) { try client.send("/api/v1/logs") }
    #expect(hub.now == 15_000 && hub.requests == 4)
  }

  @Test("Any number of repetitions, and a hub that failed before, stay within their time", arguments: 0...10)
  func bounded(retries: Int) throws {
    for (budget, maximum) in [(HubBudget.whole, 15_000), (.ofFailing, 5_000)] {
      for delay in [0, 300, 4_000, .max] {
        let hub = SlowHub()
        (hub.delay, hub.status) = ({ _ in delay }, 503)
        #expect(throws: Failure.self) { try hub.client(retries: retries, budget).send("/api/v1/logs") }
        #expect(hub.now <= maximum, "\(retries) repetitions of \(delay) ms")
        #expect(hub.requests >= 1 && hub.requests <= retries + 1)
      }
    }
  }

  @Test("A slow network may take as long as lines arrive; a hub that sends nothing ends the exchange after 15 seconds")
  func progress() throws {
    let hub = SlowHub()
    hub.delay = { _ in 4_500 }
    let client = hub.client(retries: 3)
    for _ in 0..<100 {
      _ = try client.send("/api/v1/logs/aaaaaaaa")
      client.noteProgress(bytes: LogSync.part)
    }
    #expect(hub.now == 450_000 && hub.waits.isEmpty)
    let failure = #expect(throws: Failure.self) { while true { _ = try client.send("/api/v1/logs/aaaaaaaa") } }
    #expect(hub.now <= 465_000)
    #expect(failure?.status == .temporaryFailure, "\(failure?.message ?? "")")
  }

  @Test("A certificate that is not trusted is refused at once, with what mends it")
  func untrusted() throws {
    for (code, text) in [(18, "METUBE_RSS_CA_FILE"), (10, "expired"), (9, "clock"), (62, "another host name")] {
      var requests = 0
      let transport = HubTransport(
        send: { _ in
          requests += 1
          return (.failure(.untrusted(verification: code)), 0)
        }, now: { 0 }, wait: { _ in })
      let client = HubClient("https://hub.example", token: nil, retries: 3, budget: .whole, transport)
      let failure = #expect(throws: Failure.self) { try client.send("/api/v1/logs") }
      #expect(failure?.status == .refused && requests == 1, "\(code)")
      #expect(failure?.message.hasPrefix("https://hub.example: the certificate ") == true)
      #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
    }
  }

  @Test("A pause that the hub wishes is kept if there is time for it")
  func wished() throws {
    let hub = SlowHub()
    (hub.delay, hub.status, hub.pause) = ({ _ in 10 }, 429, 6)
    #expect(throws: Failure.self) { try hub.client(retries: 3).send("/api/v1/logs") }
    #expect(hub.waits == [6000, 6000])
    let other = SlowHub()
    (other.delay, other.status, other.pause) = ({ _ in 10 }, 429, 40)
    #expect(throws: Failure.self) { try other.client(retries: 3).send("/api/v1/logs") }
    #expect(other.waits.isEmpty && other.requests == 1)
  }
}

/// What a device remembers of a hub between commands.
@Suite("A hub that hangs")
final class HangingHubTests {
  private let sandbox: Sandbox
  private let device: SyncedDevice
  private let listener: LoopbackListener
  /// The connections so far; they stay open, and nothing is ever sent.
  private let connections = Connections()

  private final class Connections: Sendable {
    let open = Mutex<[Int32]>([])
    var count: Int { open.withLock { $0.count } }
    deinit { for descriptor in open.withLock({ $0 }) { close(descriptor) } }
  }

  init() throws {
    sandbox = try Sandbox()
    device = SyncedDevice(sandbox)
    listener = try LoopbackListener()
    let connections = connections
    listener.start { client in connections.open.withLock { $0.append(client) } }
  }

  deinit { listener.stop() }

  private var environment: [String: String] {
    // So that nothing here waits for long.
    device.environment(listener.port).merging(["METUBE_RSS_TIMEOUT": "0.3"]) { $1 }
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(environment: environment).run(arguments)
  }

  /// Changes what the device remembers.
  private func remember(_ change: (inout HubState) -> Void) throws {
    let home = try device.session().home
    var state = HubState("http://127.0.0.1:\(listener.port)", in: home)
    change(&state)
    try state.write(in: home)
  }

  @Test("The first poll names it, the next one does not wait for it and says so, as status does; later one tries again")
  func remembered() throws {
    let first = try run("poll", "--hub-retries", "0")
    #expect(first.status == 0)
    #expect(first.errors.contains("127.0.0.1:\(listener.port): timed out; polling without the hub"), "\(first.errors)")
    #expect(connections.count == 1)
    let second = try run("poll")
    #expect(second.status == 0 && second.errors.contains("failing since"), "\(second.errors)")
    #expect(second.errors.contains("which polls try again at"), "\(second.errors)")
    #expect(connections.count == 1)
    let status = try run("status").text
    #expect(status.contains("fails since") && status.contains("and try it again at"), "\(status)")
    #expect(try run("poll", "--quiet").errors.isEmpty)
    // After the pause it is requested once, without repetitions, and the pause grows.
    let now = Clock.now()
    try remember { state in
      for _ in 0..<3 { state.notePollFailure(at: now.adding(seconds: -40_000)) }
    }
    let third = try run("poll")
    #expect(third.errors.contains("timed out; polling without the hub"), "\(third.errors)")
    #expect(connections.count == 2)
    #expect(try run("poll", "--force").status == 0)
    #expect(connections.count == 3)
  }

  @Test("Pauses double up to six hours, and end with the first exchange, or when a clock was set back")
  func pauses() throws {
    var state = HubState("http://hub.example", in: try device.session().home)
    let now = Clock.now()
    state.noteFailure("timed out", at: now)
    var pauses: [Int64] = []
    for _ in 0..<7 {
      state.notePollFailure(at: now)
      pauses.append(state.pollRetry?.seconds(since: now) ?? 0)
    }
    #expect(pauses == [900, 1800, 3600, 7200, 14_400, 21_600, 21_600])
    #expect(state.pollsWithoutHub(at: now) != nil)
    #expect(state.pollsWithoutHub(at: now.adding(seconds: 21_600)) == nil)
    #expect(state.pollsWithoutHub(at: now.adding(seconds: -1)) == nil)
    state.noteSuccess(at: now)
    state.noteFailure("timed out", at: now)
    #expect(state.pollsWithoutHub(at: now) == nil)
  }
}
