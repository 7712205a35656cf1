import Synchronization

/// Connections to one store, one for each thread that uses it; opened when they are needed.
package final class ConnectionPool<Connection>: Sendable {
  private let open: @Sendable () throws -> Connection
  private let idle = Mutex<[Idle]>([])

  /// `@unchecked`: a connection is taken out of the pool while a thread uses it, so that no two use it at once.
  private struct Idle: @unchecked Sendable { let connection: Connection }

  package init(open: @escaping @Sendable () throws -> Connection) { self.open = open }

  /// Runs `body` on one of some threads with a connection of its own, when it is the user's turn.
  package func run<Result: Sendable>(
    on threads: WorkerThreads, of user: String = "", _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await threads.run(of: user) { try self.use(where: { _ in true }, body) }
  }

  /// Runs `body` on this thread with a connection of its own, if possible with one of those that `isBest`.
  package func use<Result>(where isBest: (Connection) -> Bool, _ body: (Connection) throws -> Result) throws -> Result {
    let taken: Idle? = idle.withLock { idle in
      guard !idle.isEmpty else { return nil }
      return idle.remove(at: idle.lastIndex { isBest($0.connection) } ?? idle.count - 1)
    }
    let idle = try taken ?? Idle(connection: open())
    defer { self.idle.withLock { $0.append(idle) } }
    return try body(idle.connection)
  }
}
