import Gzip
import HubCore
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

@testable import HubLimits
@testable import metube_hub

/// Something that becomes true once.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

@Suite("Slots for long responses")
struct ResponseSlotsTests {
  private func turns(timeout: Duration?) -> Turns {
    Turns(FairQueue(slots: 3, maxOfOne: 2, maxWaiting: 2, maxWaitingOfOne: 1), timeout: timeout)
  }

  @Test("A user holds two slots, another gets the third, and each is given back once")
  func limits() async throws {
    let turns = turns(timeout: .milliseconds(1))
    let first = try #require(turns.freeSlot(of: "ann"))
    let second = try #require(turns.freeSlot(of: "ann"))
    #expect(turns.freeSlot(of: "ann") == nil)
    let third = turns.freeSlot(of: "bob")
    #expect(third != nil && turns.freeSlot(of: "eve") == nil)
    let refusal = await #expect(throws: HubProblem.self) { try await turns.slot(of: "eve", until: nil) }
    #expect(refusal?.status == 503)
    first.leave()
    first.leave()
    let fourth = turns.freeSlot(of: "ann")
    #expect(fourth != nil && turns.freeSlot(of: "eve") == nil)
    withExtendedLifetime((first, second, third, fourth)) {}
  }

  @Test("A slot that nothing refers to is free for the next request that waits")
  func forgotten() async throws {
    let turns = turns(timeout: nil)
    var held = [turns.freeSlot(of: "ann"), turns.freeSlot(of: "ann")]
    async let next = turns.slot(of: "ann", until: nil)
    while turns.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let refusal = await #expect(throws: HubProblem.self) { try await turns.slot(of: "ann", until: nil) }
    #expect(refusal?.status == 429)
    held[0] = nil
    let slot = try await next
    #expect(turns.freeSlot(of: "ann") == nil)
    withExtendedLifetime((held, slot)) {}
  }

  @Test("Waiting for a slot ends with the client")
  func interrupted() async throws {
    let turns = turns(timeout: nil)
    let held = [turns.freeSlot(of: "ann"), turns.freeSlot(of: "ann")]
    let interruption = Interruption()
    let waiting = Task { try await turns.slot(of: "ann", until: interruption) }
    while turns.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
    interruption.set()
    await #expect(throws: HubProblem.self) { try await waiting.value }
    withExtendedLifetime(held) {}
  }

  @Test("Long responses to a user are compressed one at a time on threads of their own, beside those to another")
  func packing() async throws {
    let body = [UInt8](repeating: 65, count: 100_000)
    let (held, released, done) = (Flag(), Flag(), Flag())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await HubThreads.packing.run(of: "ann") {
          held.set()
          wait { released.isSet }
        }
      }
      while !held.isSet { try await Task.sleep(for: .milliseconds(5)) }
      group.addTask {
        _ = try await ResponseForm.packed(body, of: "ann")
        #expect(released.isSet)
        done.set()
      }
      let packed = try await ResponseForm.packed(body, of: "bob")
      #expect(Gzip.unpack(packed, limit: body.count) == body)
      #expect(!done.isSet)
      released.set()
      try await group.waitForAll()
    }
  }
}
