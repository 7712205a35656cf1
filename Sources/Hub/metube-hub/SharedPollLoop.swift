import Arguments
import HubCore
import HubLimits
import NIOPosix
import SQLDrivers
import ServiceLifecycle
import SharedPollers

/// Polls in the process what the users of a database follow, beside other pollers of it.
struct SharedPollLoop: Service {
  private let database: HubDatabase
  private let options: SharedPollOptions
  /// Whether it ends when nothing is due, and when the database does not respond.
  private let isOnce: Bool
  /// Called when it begins.
  private let started: @Sendable () -> Void

  init(
    _ database: HubDatabase, _ options: SharedPollOptions, isOnce: Bool, started: @escaping @Sendable () -> Void = {}
  ) {
    (self.database, self.options, self.isOnce, self.started) = (database, options, isOnce, started)
  }

  func run() async throws {
    started()
    try await withGracefulShutdownHandler {
      while !Task.isShuttingDownGracefully {
        do {
          return try await HubThreads.sharedPolling.run { [database, options, isOnce] in
            try HubDatabase.reporting {
              try HubPoll.run(database.connect(for: .requests), options, isOnce: isOnce)
            }
          }
        } catch  where !isOnce {
          Program.report("no poll: \(Program.message(of: error))")
          await cancelWhenGracefulShutdown {
            // Cancelled, it is over.
            try? await Task.sleep(for: SharedPollLoop.wait)
          }
        }
      }
    } onGracefulShutdown: {
      HubPoll.end()
    }
  }

  /// How long to wait for a database that did not respond when the poller began.
  private static let wait = Duration.seconds(10)
}
