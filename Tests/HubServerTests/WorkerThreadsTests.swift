import HubCore
import HubStore
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

@testable import HubLimits
@testable import metube_hub

/// What runs on threads until it is released, by name.
final class HeldWork: Sendable {
  private let state = Mutex((started: [String](), noted: [String](), released: Set<String>()))

  var started: [String] { state.withLock { $0.started } }
  /// What was noted, in order.
  var noted: [String] { state.withLock { $0.noted } }

  func note(_ name: String) { state.withLock { $0.noted.append(name) } }

  func release(_ name: String) { state.withLock { _ = $0.released.insert(name) } }

  /// Runs until it is released.
  func run(_ name: String) {
    state.withLock { $0.started.append(name) }
    wait { state.withLock { $0.released.contains(name) } }
  }

  func waitUntil(_ condition: ([String]) -> Bool) async throws {
    while !condition(started) { try await Task.sleep(for: .milliseconds(5)) }
  }
}

@Suite("Threads of users")
struct WorkerThreadsTests {
  @Test("A user holds one thread, and others work beside it")
  func oneOfEach() async throws {
    let (threads, work) = (WorkerThreads(3, ofUsers: true), HeldWork())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["a1", "a2", "a3"] {
        group.addTask { try await threads.run(of: "ann") { work.run(name) } }
      }
      try await work.waitUntil { $0.count == 1 }
      for name in ["b1", "b2"] {
        group.addTask { try await threads.run(of: "bob") { work.run(name) } }
      }
      try await work.waitUntil { $0.contains { $0.hasPrefix("b") } }
      // The third thread is free, and neither has more to hold.
      #expect(work.started.count == 2)
      group.addTask { try await threads.run(of: "eve") { work.run("e1") } }
      try await work.waitUntil { $0.contains("e1") }
      for name in ["a1", "a2", "a3", "b1", "b2", "e1"] { work.release(name) }
      try await group.waitForAll()
    }
    #expect(work.started.count == 6)
  }

  @Test("What waits for a thread ends with its client, and what reads learns of it")
  func interrupted() async throws {
    let (threads, work) = (WorkerThreads(1, ofUsers: true), HeldWork())
    let (first, second) = (Interruption(), Interruption())
    let running = Task {
      try await threads.run(of: "ann", until: first) {
        work.run("first")
        return Interruption.current?.isOver
      }
    }
    try await work.waitUntil { $0 == ["first"] }
    let waiting = Task { try await threads.run(of: "ann", until: second) { work.run("second") } }
    second.set()
    await #expect(throws: HubProblem.self) { try await waiting.value }
    first.set()
    work.release("first")
    #expect(try await running.value == true)
    #expect(work.started == ["first"])
    // The slot is free again, and without an interruption nothing ends.
    #expect(try await threads.run(of: "ann") { Interruption.current == nil })
  }

  @Test("Two users import at once, and each one file at a time")
  func imports() async throws {
    let (threads, work) = (LogThreads.files.importing, HeldWork())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["a1", "a2"] { group.addTask { try await threads.run(of: "ann") { work.run(name) } } }
      try await work.waitUntil { $0.count == 1 }
      group.addTask { try await threads.run(of: "bob") { work.run("b1") } }
      try await work.waitUntil { $0.contains("b1") }
      #expect(work.started.count == 2)
      for name in ["a1", "a2", "b1"] { work.release(name) }
      try await group.waitForAll()
    }
  }

  @Test("What waits for the accounts is among what waits")
  func waiting() async throws {
    let folder = TemporaryFolder()
    let (path, files, work) = (folder.path, HubFiles.home(folder.path), HeldWork())
    let services = UserServices(
      .files(files), ConnectionPool { try Accounts(folder: path) }, LogInspection(files), connections: 3,
      maxSubscriptions: 10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["1", "2", "3"] { group.addTask { try await HubThreads.accounts.run { work.run(name) } } }
      while services.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
      for name in ["1", "2", "3"] { work.release(name) }
      try await group.waitForAll()
    }
  }

  @Test("Clients that are told to try again shortly are told different seconds")
  func shortly() async throws {
    let (threads, work) = (WorkerThreads(1, timeout: .zero), HeldWork())
    let held = Task { try await threads.run { work.run("held") } }
    try await work.waitUntil { $0 == ["held"] }
    var seconds: Set<Int> = []
    for _ in 0..<40 {
      do { try await threads.run {} } catch let problem as HubProblem where problem.status == 503 {
        seconds.insert(try #require(problem.retryAfter))
      }
    }
    work.release("held")
    try await held.value
    #expect(seconds.count > 1 && seconds.allSatisfy { (3...10).contains($0) }, "\(seconds)")
  }
}

/// Requests for one response, which ends when the work that makes it is to end.
private final class SharedResponse: Sendable {
  let recents = RecentResponses(maxWaitingOfOne: 2)
  private let made = Mutex<[Interruption?]>([])

  /// What ends the work of each time that it was made.
  var work: [Interruption?] { made.withLock { $0 } }

  /// The status of the response to a request.
  func status(of user: String = "", until interruption: Interruption) async throws -> Int {
    var call = HubCall(parts: [:], query: [], body: [], file: nil, url: "/api/v1/videos")
    call.user = user
    return try await Interruption.$current.withValue(interruption) {
      try await recents.response(to: call, at: [1]) { try await self.make() }.status
    }
  }

  private func make() async throws -> RouteResponse {
    let interruption = Interruption.current
    made.withLock { $0.append(interruption) }
    while interruption?.isOver == false { try await Task.sleep(for: .milliseconds(5)) }
    return RouteResponse(interruption?.isOver == true ? 504 : 200, "", [])
  }
}

@Suite("Recent responses")
struct RecentResponsesTests {
  @Test("A response that many wait for is made until the last of them has gone")
  func lastGoes() async throws {
    let response = SharedResponse()
    let (first, second) = (Interruption(), Interruption())
    async let one = response.status(until: first)
    async let other = response.status(until: second)
    while response.work.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    first.set()
    second.set()
    let statuses = try await [one, other]
    #expect(statuses == [504, 504])
  }
  @Test("A request that waits for another one's response counts as waiting until it is there")
  func following() async throws {
    let response = SharedResponse()
    let clients = [Interruption(), Interruption()]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for client in clients { group.addTask { try await response.status(of: "ann", until: client) } }
      while response.recents.waiting(of: "ann") < 2 { try await Task.sleep(for: .milliseconds(5)) }
      let refusal = await #expect(throws: HubProblem.self) { try await response.status(of: "ann", until: .over) }
      #expect(refusal?.status == 429)
      #expect(try await response.status(of: "bob", until: .over) == 504)
      for client in clients { client.set() }
      for try await status in group { #expect(status == 504) }
    }
    #expect(response.recents.waiting(of: "ann") == 0)
    #expect(try await response.status(of: "ann", until: .over) == 504)
  }
}

extension Interruption {
  /// That of a client that has gone.
  fileprivate static var over: Interruption {
    let interruption = Interruption()
    interruption.set()
    return interruption
  }
}
