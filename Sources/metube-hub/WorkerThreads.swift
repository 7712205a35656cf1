import Commands
import NIOPosix
import Synchronization

/// Some threads on which work blocks, and the work that waits for them: of too much, or for too long, none is done.
final class WorkerThreads: Sendable {
  private let pool: NIOThreadPool
  /// How long work waits for a thread; nil for any time.
  private let patience: Duration?
  private let state: Mutex<State>
  private static let mostWaiting = 1000

  private struct State {
    var free: Int
    var waiting: [Waiting] = []
    var last = 0
  }

  private struct Waiting {
    let number: Int
    let start: CheckedContinuation<Bool, Never>
    /// Ends the waiting in time.
    var alarm: Task<Void, Never>?
  }

  /// Starts them.
  init(_ count: Int, patience: Duration? = nil) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    self.patience = patience
    state = Mutex(State(free: count))
  }

  /// Runs `body` on one of the threads. Throws a `HubProblem` if none is free in time.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    guard let patience else { return try await pool.runIfActive(body) }
    guard await start(patience) else { throw HubProblem(503, "the hub is busy; try again", retryAfter: 5) }
    defer { finish() }
    return try await pool.runIfActive(body)
  }

  /// Waits for a free thread; false if none was in time.
  private func start(_ patience: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let number: Int? = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return nil
        }
        state.last += 1
        state.waiting.append(Waiting(number: state.last, start: continuation))
        return state.last
      }
      guard let number else { return continuation.resume(returning: true) }
      setAlarm(number, patience)
    }
  }

  private func setAlarm(_ number: Int, _ patience: Duration) {
    let alarm = Task {
      // Cancelled, it has started.
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      giveUp(number)
    }
    let (isWaiting, isTooMany) = state.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else { return (false, false) }
      state.waiting[place].alarm = alarm
      return (true, state.waiting.count > WorkerThreads.mostWaiting)
    }
    if !isWaiting { alarm.cancel() }
    if isTooMany { giveUp(number) }
  }

  private func giveUp(_ number: Int) {
    let waiting = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    waiting?.alarm?.cancel()
    waiting?.start.resume(returning: false)
  }

  /// Gives the thread to who waits longest.
  private func finish() {
    let next: Waiting? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.alarm?.cancel()
    next?.start.resume(returning: true)
  }
}
