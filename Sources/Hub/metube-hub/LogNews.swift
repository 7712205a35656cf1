import HubCore
import HubLimits
import HubStore
import ReadModel
import SQLDrivers
import Synchronization

/// When the logs that are listened to may have grown. Those in files are looked at once a second. The database notifies
/// one connection of each process; because a notification may be lost, all logs are looked at every few seconds too.
final class LogNews: Sendable {
  private let database: HubDatabase?
  private let state = Mutex(State())

  private struct State {
    /// `@unchecked`: used by one thread at a time, the one that waits for news.
    struct Listening: @unchecked Sendable { let database: Database }
    var listening: Listening?
    var lastLook = ContinuousClock.now
  }

  /// How often all logs of a database are looked at.
  private static let interval = Duration.seconds(5)

  init(_ location: HubLocation) { database = location.database }

  /// Waits up to a second; returns the owners whose logs grew, nil if any may have.
  func wait() async -> Set<UInt64>? {
    guard let database else {
      try? await Task.sleep(for: .seconds(1))
      return nil
    }
    do {
      let grown = try await HubThreads.listening.run { try self.listen(database) }
      if let grown, ContinuousClock.now - state.withLock({ $0.lastLook }) < LogNews.interval { return grown }
    } catch {
      // The server is gone, as requests report. What it would have notified of meanwhile is lost.
      state.withLock { $0.listening = nil }
      try? await Task.sleep(for: .seconds(1))
    }
    state.withLock { $0.lastLook = ContinuousClock.now }
    return nil
  }

  /// The owners that the database notifies of within a second; nil if it just began to.
  private func listen(_ hub: HubDatabase) throws -> Set<UInt64>? {
    guard let listening = state.withLock({ $0.listening }) else {
      let database = try hub.connect(for: .accounts)
      try Accounts.listen(on: database)
      state.withLock { $0.listening = State.Listening(database: database) }
      return nil
    }
    return Set(try listening.database.notifications(waiting: 1000).compactMap { UInt64($0) })
  }
}
