import NIOPosix
import ReadModel
import SQLDrivers

/// Some threads on which work blocks. What waits for one waits by turns of users; of too much, or for too long, none is
/// done.
package final class WorkerThreads: Sendable {
  private let pool: NIOThreadPool
  private let turns: Turns

  /// Starts them. `timeout` is how long work waits for one, nil for any time; `ofUsers` is whether it is work of users,
  /// who hold one thread each at a time. `maxWaitingOfOne` is how much work waits of one user, if not the usual.
  package init(_ count: Int, timeout: Duration? = nil, ofUsers: Bool = false, maxWaitingOfOne: Int? = nil) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    turns = Turns(
      FairQueue(
        slots: count, maxOfOne: ofUsers ? 1 : count, maxWaiting: WorkerThreads.maxWaiting,
        maxWaitingOfOne: maxWaitingOfOne ?? (ofUsers ? WorkerThreads.maxWaitingOfOne : WorkerThreads.maxWaiting)),
      timeout: timeout)
  }

  /// How much work may wait, of all users and of one.
  package static let (maxWaiting, maxWaitingOfOne) = (1000, 100)

  /// How much work waits for a thread.
  package var waiting: Int { turns.waiting }

  /// Runs `body` on one of the threads when it is the user's turn. Throws a `HubProblem` if none is free in time.
  /// `interruption` ends the waiting, and what `body` reads.
  package func run<Result: Sendable>(
    of user: String = "", until interruption: Interruption? = nil, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await turns.take(of: user, until: interruption) {
      try await pool.runIfActive { try Interruption.$current.withValue(interruption, operation: body) }
    }
  }
}
