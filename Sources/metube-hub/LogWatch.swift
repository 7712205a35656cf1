import Commands
import ServiceLifecycle
import Synchronization

/// Tells listeners when something was appended to the log, by whatever process. Looks once a second, and only while
/// somebody listens.
final class LogWatch: Service {
  private let services: ConnectionPool<HubService>
  private let listeners = Mutex<[Int: AsyncStream<String>.Continuation]>([:])
  private let next = Mutex(0)
  private let latest = Mutex("")

  init(_ services: ConnectionPool<HubService>) { self.services = services }

  /// How many listen.
  var count: Int { listeners.withLock { $0.count } }
  private static let most = 100

  /// The tokens of the log as it grows, the present one first; nil if too many listen.
  func tokens() -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = next.withLock { number in
      number += 1
      return number
    }
    let isAdded = listeners.withLock { listeners in
      guard listeners.count < LogWatch.most else { return false }
      listeners[number] = continuation
      return true
    }
    guard isAdded else { return nil }
    let latest = latest.withLock { $0 }
    if !latest.isEmpty { continuation.yield(latest) }
    continuation.onTermination = { [self] _ in listeners.withLock { $0[number] = nil } }
    return stream
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var known = ""
      var ticks = 0
      while !Task.isCancelled {
        if self.count > 0 {
          // A log that cannot be read is reported to the next request for changes.
          let token = (try? await self.services.run(on: HubThreads.reading) { try $0.token() }) ?? known
          // An empty token keeps the connection alive.
          ticks += 1
          self.latest.withLock { $0 = token }
          if token != known || ticks % 15 == 0 { self.send(token == known ? "" : token) }
          known = token
        }
        try? await Task.sleep(for: .seconds(1))
      }
      // Outside the lock, which a listener that ends takes.
      for listener in self.listeners.withLock({ Array($0.values) }) { listener.finish() }
    }
  }

  /// Makes each listener look whether it may still listen.
  func recheck() { send("") }

  private func send(_ token: String) {
    listeners.withLock { listeners in
      for listener in listeners.values { listener.yield(token) }
    }
  }
}
