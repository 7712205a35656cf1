import Seeded
import Testing

@testable import HubLimits
@testable import metube_hub

@Suite("Turns of users")
struct FairQueueTests {
  /// A queue and the requests in it, by user.
  private struct Scene {
    var queue: FairQueue
    var waiting: [String: [Int]] = [:]
    var held: [String: Int] = [:]
    var last = 0

    init(slots: Int, maxOfOne: Int, maxWaiting: Int = 1000, maxWaitingOfOne: Int = 1000) {
      queue = FairQueue(
        slots: slots, maxOfOne: maxOfOne, maxWaiting: maxWaiting, maxWaitingOfOne: maxWaitingOfOne)
    }

    @discardableResult
    mutating func arrive(_ user: String) -> FairQueue.Arrival {
      last += 1
      let arrival = queue.arrive(last, of: user)
      if arrival == .starts { held[user, default: 0] += 1 }
      if arrival == .waits { waiting[user, default: []].append(last) }
      return arrival
    }

    /// Ends a request of a user; returns whose starts.
    @discardableResult
    mutating func leave(_ user: String) -> String? {
      held[user, default: 0] -= 1
      guard let ticket = queue.leave(user) else { return nil }
      let next = waiting.first { $0.value.first == ticket }?.key
      waiting[next ?? ""]?.removeFirst()
      held[next ?? "", default: 0] += 1
      return next
    }
  }

  @Test("A user who sends without pause delays another by one request")
  func turns() {
    var scene = Scene(slots: 1, maxOfOne: 1)
    for _ in 0..<100 { scene.arrive("ann") }
    for _ in 0..<3 { scene.arrive("bob") }
    scene.arrive("eve")
    var order = ["ann"]
    while let next = scene.leave(order[order.count - 1]), order.count < 12 { order.append(next) }
    #expect(order == ["ann", "bob", "eve", "ann", "bob", "ann", "bob", "ann", "ann", "ann", "ann", "ann"])
  }

  @Test("A newcomer finds a free slot beside a user who sends without pause")
  func slots() {
    var scene = Scene(slots: 3, maxOfOne: 2)
    for _ in 0..<10 { scene.arrive("ann") }
    #expect(scene.held["ann"] == 2)
    let arrivals = [scene.arrive("bob"), scene.arrive("eve")]
    #expect(arrivals == [.starts, .waits])
    // Ann holds two: the next slot is not hers.
    let next = [scene.leave("ann"), scene.leave("bob")]
    #expect(next == ["eve", "ann"])
  }

  @Test("Too many requests that wait are refused: of a user, and of all")
  func limits() {
    var scene = Scene(slots: 1, maxOfOne: 1, maxWaiting: 5, maxWaitingOfOne: 3)
    let arrivals = ["ann", "ann", "ann", "ann", "ann", "bob", "eve", "dan"].map { scene.arrive($0) }
    let (ofUser, ofAll) = (FairQueue.Arrival.refused(ofUser: true), FairQueue.Arrival.refused(ofUser: false))
    #expect(arrivals == [.starts, .waits, .waits, .waits, ofUser, .waits, .waits, ofAll])
    scene.leave("ann")
    let later = scene.arrive("dan")
    #expect(later == .waits)
  }

  @Test(
    "Whatever arrives, leaves and gives up, slots are used, shared and given in turn",
    arguments: 1...30 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let slots = Int.random(in: 1...4, using: &generator)
    var scene = Scene(slots: slots, maxOfOne: Int.random(in: 1...slots, using: &generator), maxWaitingOfOne: 6)
    let users = ["ann", "bob", "eve", "dan"]
    for _ in 0..<400 {
      let user = users.randomElement(using: &generator) ?? ""
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1, 2: scene.arrive(user)
      case 3 where scene.held[user, default: 0] > 0:
        let before = scene
        guard let next = scene.leave(user) else { break }
        var held = before.held
        held[user, default: 0] -= 1
        let others = users.filter {
          before.waiting[$0]?.isEmpty == false && held[$0, default: 0] < scene.queue.maxOfOne
        }
        #expect(others.allSatisfy { held[next, default: 0] <= held[$0, default: 0] }, "who holds the fewest is next")
      default:
        guard let ticket = scene.waiting[user]?.randomElement(using: &generator) else { break }
        let (isDropped, isDroppedAgain) = (scene.queue.giveUp(ticket, of: user), scene.queue.giveUp(ticket, of: user))
        #expect(isDropped && !isDroppedAgain)
        scene.waiting[user]?.removeAll { $0 == ticket }
      }
      #expect(scene.queue.heldCount == scene.held.values.reduce(0, +) && scene.queue.heldCount <= slots)
      #expect(scene.queue.waitingCount == scene.waiting.values.reduce(0) { $0 + $1.count })
      #expect(scene.held.values.allSatisfy { $0 <= scene.queue.maxOfOne })
      if scene.queue.heldCount < slots {
        let eligible = users.filter {
          scene.waiting[$0]?.isEmpty == false && scene.held[$0, default: 0] < scene.queue.maxOfOne
        }
        #expect(eligible.isEmpty, "no request waits that may start")
      }
    }
    // Everything that waits is served in the end.
    while let user = users.first(where: { scene.held[$0, default: 0] > 0 }) { scene.leave(user) }
    #expect(scene.queue.heldCount == 0 && scene.queue.waitingCount == 0)
  }
}
