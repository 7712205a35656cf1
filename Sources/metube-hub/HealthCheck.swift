import Commands
import HubStore
import Synchronization

/// Whether the log can be read, and how much is in it. While another process writes, that is what the check before found.
final class HealthCheck: Sendable {
  typealias Counts = (videos: Int, channels: Int)

  /// Of its own, because those that answer requests may all be busy.
  private let check: @Sendable () async throws -> Counts
  /// What the check before found; nil with a database, which always answers at once if it does at all.
  private let last = Mutex<Counts?>(nil)
  private let keepsLast: Bool
  private static let patience = Duration.seconds(1)

  init(_ files: HubFiles) {
    keepsLast = files.database == nil
    if let database = files.database {
      let views = ConnectionPool { Accounts(try database.connect(for: .accounts)) }
      check = { try await views.run(on: HubThreads.checking) { try $0.counts() } }
    } else {
      let views = ConnectionPool { try HubService(files, user: nil) }
      check = { try await views.run(on: HubThreads.checking) { try $0.counts() } }
    }
  }

  /// What the log has. Throws if it cannot be read.
  @discardableResult
  func counts() async throws -> Counts {
    let (results, result) = AsyncStream<Result<Counts, any Error>>.makeStream()
    Task {
      do {
        let counts = try await check()
        if keepsLast { last.withLock { $0 = counts } }
        result.yield(.success(counts))
      } catch { result.yield(.failure(error)) }
    }
    let alarm = Task {
      try await Task.sleep(for: HealthCheck.patience)
      if let last = last.withLock({ $0 }) { result.yield(.success(last)) }
    }
    defer { alarm.cancel() }
    for await first in results { return try first.get() }
    throw CancellationError()
  }
}
