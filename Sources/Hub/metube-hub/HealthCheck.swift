import HubCore
import HubLimits
import HubStore
import Platform
import ReadModel
import SQLDrivers
import Synchronization

/// Whether the hub works: its logs can be read and written, and none is damaged. While another process writes, the counts
/// are what the check before found.
final class HealthCheck: Sendable {
  typealias Counts = (videos: Int, channels: Int)

  /// What a check finds.
  struct Health: Sendable {
    var counts: Counts
    /// Why the hub does not work as it should; nil if it does.
    var trouble: String?
    /// The number of damaged logs.
    var damaged: Int
    var isWritable: Bool
  }

  /// Of its own, because those that answer requests may all be busy.
  private let check: @Sendable () async throws -> Health
  /// What the check before found; nil with a database, which always responds at once if it does at all.
  private let last = Mutex<Health?>(nil)
  private let keepsLast: Bool
  /// When a change last failed because a database's disk was full, which nothing but a change finds out.
  private let full = Mutex<ContinuousClock.Instant?>(nil)
  private static let memory = Duration.seconds(60)
  private static let timeout = Duration.seconds(1)

  init(_ location: HubLocation, _ inspection: LogInspection) {
    switch location {
    case .database(let database):
      keepsLast = false
      let views = ConnectionPool { Accounts(try database.connect(for: .accounts)) }
      check = {
        try await views.run(on: HubThreads.checking) { accounts in
          let (damaged, isWritable) = (try accounts.damagedLogs(), try accounts.isWritable)
          return Health(try accounts.counts(), damaged: damaged, obstacle: isWritable ? nil : .readOnly)
        }
      }
    case .files(let files):
      keepsLast = true
      let views = ConnectionPool { try HubService(files, user: nil) }
      check = {
        try await views.run(on: HubThreads.checking) {
          Health(try $0.counts(), damaged: inspection.findings.count, obstacle: try files.obstacle)
        }
      }
    }
  }

  /// Notes that the disk was full a moment ago. Of files this is not kept: a check finds it out by itself.
  func noteFull() { if !keepsLast { full.withLock { $0 = ContinuousClock.now } } }

  private var isFull: Bool {
    full.withLock { $0.map { ContinuousClock.now - $0 < HealthCheck.memory } ?? false }
  }

  /// What the log has. Throws if it cannot be read.
  @discardableResult
  func counts() async throws -> Counts { try await health().counts }

  /// How the hub is. Throws if the log cannot be read.
  func health() async throws -> Health {
    let (results, result) = AsyncStream<Result<Health, any Error>>.makeStream()
    Task {
      do {
        let health = try await check()
        if keepsLast { last.withLock { $0 = health } }
        result.yield(.success(health))
      } catch { result.yield(.failure(error)) }
    }
    let alarm = Task {
      try await Task.sleep(for: HealthCheck.timeout)
      if let last = last.withLock({ $0 }) { result.yield(.success(last)) }
    }
    defer { alarm.cancel() }
    for await first in results {
      let health = try first.get()
      return isFull && health.isWritable ? Health(health.counts, damaged: health.damaged, obstacle: .full) : health
    }
    throw CancellationError()
  }
}

extension HealthCheck.Health {
  fileprivate init(_ counts: HealthCheck.Counts, damaged: Int, obstacle: Failure.Obstacle?) {
    (self.counts, self.damaged, isWritable) = (counts, damaged, obstacle == nil)
    switch obstacle {
    case .full: trouble = "the disk is full"
    case .some: trouble = "the files or the database can only be read"
    case nil: trouble = damaged > 0 ? "a log is damaged; metube-hub status says which, and what to do" : nil
    }
  }
}
