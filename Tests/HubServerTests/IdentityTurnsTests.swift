import HTTPTypes
import HubCore
import HubStore
import Hummingbird
import TestSupport
import Testing

@testable import HubLimits
@testable import metube_hub

@Suite("Turns to be identified")
struct IdentityTurnsTests {
  private let folder = TemporaryFolder()

  @Test("The credentials of a user take one turn once they were right, unknown ones that of their address")
  func turns() {
    let turns = IdentityTurns()
    #expect(turns.turn(of: "a", from: "192.0.2.1") == turns.turn(of: "b", from: "192.0.2.1"))
    #expect(turns.turn(of: "a", from: "192.0.2.1") != turns.turn(of: "a", from: "192.0.2.2"))
    turns.note("a", of: "ann")
    turns.note("b", of: "ann")
    #expect(turns.turn(of: "a", from: "192.0.2.1") == "ann" && turns.turn(of: "b", from: "192.0.2.9") == "ann")
    #expect(!HubFiles.isValid(user: turns.turn(of: "c", from: "192.0.2.1")), "no user's turn")
  }

  @Test("What one user requests is identified by turns with what others do, and a revoked token is refused at once")
  func gatekeeper() async throws {
    let (threads, held) = (WorkerThreads(1), HeldWork())
    let accounts = try Accounts(folder: folder.path)
    for user in ["ann", "bob"] { _ = try accounts.addUser(user, hash: "h", now: 1) }
    let tokens = try (0..<2).map { try accounts.addToken(of: "ann", name: "\($0)", scope: .read, now: 1) }
    let other = try accounts.addToken(of: "bob", name: "", scope: .read, now: 1)
    let gate = Gatekeeper(
      .files(.data(folder.path)), isAlone: false, awaitsUser: false, isSecure: false, base: "", threads: threads)
    func identify(_ secret: String) async throws -> String? {
      try await Gatekeeper.Visitor.known(gate.identify(token: secret, session: nil, from: "192.0.2.1")).user
    }
    for (secret, user) in [(tokens[0].secret, "ann"), (tokens[1].secret, "ann"), (other.secret, "bob")] {
      #expect(try await identify(secret) == user)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      func waitUntil(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(5)) }
      }
      group.addTask { try await threads.run(of: "first") { held.run("first") } }
      try await waitUntil { held.started == ["first"] }
      for number in 0..<40 {
        group.addTask {
          _ = try await identify(tokens[number % 2].secret)
          held.note("ann")
        }
      }
      try await waitUntil { threads.waiting == 40 }
      group.addTask {
        held.note(try await identify(other.secret) ?? "")
      }
      try await waitUntil { threads.waiting == 41 }
      group.addTask { try await threads.run(of: "last") { held.run("last") } }
      try await waitUntil { threads.waiting == 42 }
      held.release("first")
      // It holds the only thread when ann and bob each had a turn.
      try await waitUntil { held.started.contains("last") && held.noted.contains("bob") }
      #expect(held.noted.count { $0 == "ann" } <= 1)
      held.release("last")
      try await group.waitForAll()
    }
    #expect(try accounts.revokeToken(tokens[0].id, of: "ann"))
    #expect(try await identify(tokens[0].secret) == nil)
    #expect(try await identify(tokens[1].secret) == "ann")
  }
}
