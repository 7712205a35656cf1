import HubCore
import ReadModel
import SQLDrivers
import Synchronization

/// Slots that requests of users wait for, by turns: not too many requests, and none for too long.
package final class Turns: Sendable {
  /// How long a request waits; nil for any time.
  private let timeout: Duration?
  private let state: Mutex<State>

  private struct State {
    var queue: FairQueue
    var waiting: [FairQueue.Ticket: Waiting] = [:]
    var last = 0
  }

  private struct Waiting {
    let start: CheckedContinuation<Bool, Never>
    /// Ends the waiting in time.
    var alarm: Task<Void, Never>?
  }

  package init(_ queue: FairQueue, timeout: Duration?) {
    self.timeout = timeout
    state = Mutex(State(queue: queue))
  }

  /// A slot that a user holds until it is released or deallocated.
  package final class Slot: Sendable {
    private let turns: Turns
    private let user: String
    private let isHeld = Atomic(true)

    fileprivate init(_ turns: Turns, _ user: String) { (self.turns, self.user) = (turns, user) }

    /// Gives it back, once.
    package func leave() {
      if isHeld.exchange(false, ordering: .acquiringAndReleasing) { turns.finish(user) }
    }

    deinit { leave() }
  }

  /// A slot for a user at once; nil if none is free.
  package func freeSlot(of user: String) -> Slot? {
    state.withLock { $0.queue.startAtOnce(user) } ? Slot(self, user) : nil
  }

  /// A slot for a user, in its turn. Throws as `take` does.
  package func slot(of user: String, until interruption: Interruption?) async throws -> Slot {
    guard try await start(user, interruption) else { throw Turns.busy }
    return Slot(self, user)
  }

  /// Runs `body` when it is the user's turn. Throws a `HubProblem` if too many wait, if it is not in time, or if
  /// `interruption` ends the waiting.
  package func take<Result>(
    of user: String, until interruption: Interruption? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    guard try await start(user, interruption) else { throw Turns.busy }
    defer { finish(user) }
    return try await body()
  }

  /// How many requests wait.
  package var waiting: Int { state.withLock { $0.queue.waitingCount } }

  private static var busy: HubProblem {
    HubProblem(503, "the hub is busy; try again", retryAfter: HubProblem.shortly)
  }
  /// Why a request of a user with too many that wait does not.
  package static var tooMany: HubProblem {
    HubProblem(429, "too many of your requests wait for a response; try again", retryAfter: HubProblem.shortly)
  }

  /// Waits for the user's turn; false if it did not come in time.
  private func start(_ user: String, _ interruption: Interruption?) async throws -> Bool {
    var refusal: HubProblem?
    let isStarted = await withCheckedContinuation { continuation in
      let (ticket, arrival) = state.withLock { state in
        state.last += 1
        let arrival = state.queue.arrive(state.last, of: user)
        if arrival == .waits { state.waiting[state.last] = Waiting(start: continuation) }
        return (state.last, arrival)
      }
      switch arrival {
      case .starts: continuation.resume(returning: true)
      case .waits:
        setAlarm(ticket, user)
        interruption?.whenSet { [weak self] in self?.giveUp(ticket, user) }
      case .refused(let isOfUser):
        refusal = isOfUser ? Turns.tooMany : Turns.busy
        continuation.resume(returning: false)
      }
    }
    if let refusal { throw refusal }
    return isStarted
  }

  private func setAlarm(_ ticket: FairQueue.Ticket, _ user: String) {
    guard let timeout else { return }
    let alarm = Task {
      // Cancelled, it has started.
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      giveUp(ticket, user)
    }
    let isWaiting = state.withLock { state in
      state.waiting[ticket]?.alarm = alarm
      return state.waiting[ticket] != nil
    }
    if !isWaiting { alarm.cancel() }
  }

  private func giveUp(_ ticket: FairQueue.Ticket, _ user: String) {
    let waiting = state.withLock { state in
      state.queue.giveUp(ticket, of: user) ? state.waiting.removeValue(forKey: ticket) : nil
    }
    waiting?.alarm?.cancel()
    waiting?.start.resume(returning: false)
  }

  private func finish(_ user: String) {
    let next = state.withLock { state in
      state.queue.leave(user).flatMap { state.waiting.removeValue(forKey: $0) }
    }
    next?.alarm?.cancel()
    next?.start.resume(returning: true)
  }
}
