import Arguments
import Core
import Glibc
import HubCore
import HubLimits
import NIOPosix
import PollEngine
import ServiceLifecycle
import Synchronization

/// Polls in the process: the terminal's poll, with its pace, its lock and its state, whenever a feed may be due.
final class PollLoop: Service {
  private let location: HubLocation
  private let users: @Sendable () async throws -> [String]
  /// How many subscriptions of each user are polled.
  private let maxSubscriptions: Int
  private let isOn: Bool
  /// What is polled instead of YouTube.
  private let samples: SampleFeeds?
  private let isRunning = Mutex(false)
  /// When the last poll of this process began and the next one begins, seconds.
  private let last = Mutex<Int64?>(nil)
  private let next = Mutex<Int64?>(nil)
  private let requests: AsyncStream<Void>
  private let request: AsyncStream<Void>.Continuation

  /// `users` are those for whom a data folder is polled, with so many subscriptions each.
  init(
    _ location: HubLocation, users: @escaping @Sendable () async throws -> [String], maxSubscriptions: Int, isOn: Bool,
    samples: SampleFeeds?
  ) {
    (self.location, self.users, self.maxSubscriptions, self.isOn) = (location, users, maxSubscriptions, isOn)
    self.samples = samples
    (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts a poll soon; returns false if one is running. Another one follows it, because what is due may be newer.
  func start() -> Bool {
    let isFree = isRunning.withLock { !$0 }
    request.yield()
    return isFree
  }

  /// When the last poll of this process began and the next one begins, and whether one runs; nil if none did or will.
  var times: (last: Int64?, next: Int64?, isPolling: Bool) {
    (last.withLock { $0 }, next.withLock { $0 }, isRunning.withLock { $0 })
  }

  /// Polls on request, and every 17 minutes.
  func run() async throws {
    let ticks = Task {
      while isOn, !Task.isCancelled {
        request.yield()
        next.withLock { $0 = Int64(time(nil)) + PollLoop.interval.components.seconds }
        try await Task.sleep(for: PollLoop.interval)
      }
    }
    await withGracefulShutdownHandler {
      for await _ in requests { await poll() }
    } onGracefulShutdown: {
      ticks.cancel()
      self.request.finish()
      // Also if none runs: a request may still be on its way.
      HubPoll.end()
    }
    ticks.cancel()
  }

  private static let interval = Duration.seconds(PollPlan.hubInterval)

  private func poll() async {
    isRunning.withLock { $0 = true }
    last.withLock { $0 = Int64(time(nil)) }
    defer { isRunning.withLock { $0 = false } }
    do {
      guard let files = location.files else { return }
      let names = try await files.isShared ? users() : []
      try await HubThreads.polling.run {
        HubPoll.run(
          files, users: names, maximum: self.maxSubscriptions, samples: self.samples, exports: NamedExports.refresh)
      }
    } catch { Program.report("no poll: \(Program.message(of: error))") }
  }
}
