import Commands
import NIOPosix
import Synchronization

/// The logs of users for requests: each used by one thread at a time, the most recently used kept open.
final class UserServices: Sendable {
  let files: HubFiles
  private let recents = RecentAnswers()
  private let idle = Mutex<[Idle]>([])

  /// `@unchecked`: a service is taken out of the list while a thread uses it, so that no two use it at once.
  private struct Idle: @unchecked Sendable {
    let service: HubService
    let user: String?
    /// A folder that was replaced by another of this name is another user's.
    let folder: UInt64?
    let since: ContinuousClock.Instant
  }

  init(_ files: HubFiles) { self.files = files }

  /// The maximum number kept open, and for how long.
  private static let most = 16
  private static let patience = Duration.seconds(300)

  /// Runs `body` on one of some threads with the log of a user, or with the only log of a home, whoever the user is.
  func run<Result: Sendable>(
    _ user: String?, on threads: NIOThreadPool, _ body: @escaping @Sendable (HubService) throws -> Result
  ) async throws -> Result {
    let user = try owner(user)
    return try await threads.runIfActive {
      let folder = try self.files.identity(of: user)
      // Removed since the request was admitted: its folder must not be made anew.
      if user != nil, folder == nil { throw HubProblem(401, "log in, or send a token") }
      let idle = try self.take(user, folder) ?? HubService(self.files, user: user)
      defer { self.keep(idle, user, folder) }
      return try body(idle)
    }
  }

  /// Answers a request of a route for a user, if possible with a recent answer, which needs no other thread: only the
  /// names and sizes of the logs are read.
  func answer(
    _ route: HubRoute, _ call: HubCall, for user: String?, on threads: NIOThreadPool
  ) async throws -> HubAnswer {
    guard route.method == .get else { return try await run(user, on: threads) { $0.answer(route, call) } }
    return try await recents.answer(to: call, at: files.position(of: owner(user))) {
      try await self.run(user, on: threads) { $0.answer(route, call) }
    }
  }

  /// Whose log a user reads; nil for the one log of a home.
  private func owner(_ user: String?) throws -> String? {
    guard user != nil || !files.isShared else { throw HubProblem(401, "log in, or send a token") }
    return files.isShared ? user : nil
  }

  private func take(_ user: String?, _ folder: UInt64?) -> HubService? {
    let taken = idle.withLock { idle in
      idle.lastIndex { $0.user == user && $0.folder == folder }.map { idle.remove(at: $0) }
    }
    return taken?.service
  }

  private func keep(_ service: HubService, _ user: String?, _ folder: UInt64?) {
    let now = ContinuousClock.now
    // Closed outside the lock.
    let closed = idle.withLock { idle in
      idle.append(Idle(service: service, user: user, folder: folder, since: now))
      let count = max(idle.count - UserServices.most, idle.count { now - $0.since > UserServices.patience })
      defer { idle.removeFirst(count) }
      return Array(idle.prefix(count))
    }
    withExtendedLifetime(closed) {}
  }
}
