import Commands
import ServiceLifecycle
import Synchronization

/// Notifies listeners when any process appended to their log. Checks once a second, and only while somebody listens.
final class LogWatch: Service {
  private let services: UserServices
  private let listeners = Mutex<[Int: (user: String?, stream: AsyncStream<String>.Continuation)]>([:])
  private let next = Mutex(0)
  /// The logs that are listened to, as they were last.
  private let latest = Mutex<[String?: (position: [UInt64], token: String)]>([:])

  init(_ services: UserServices) { self.services = services }

  /// How many listen.
  var count: Int { listeners.withLock { $0.count } }
  /// How many listen to a user's log.
  func count(of user: String?) -> Int { listeners.withLock { $0.values.count { $0.user == user } } }
  private static let most = 100

  /// The tokens of a user's log as it grows, the present one first; nil if too many listen.
  func tokens(of user: String?) -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = next.withLock { number in
      number += 1
      return number
    }
    let isAdded = listeners.withLock { listeners in
      guard listeners.count < LogWatch.most else { return false }
      listeners[number] = (user, continuation)
      return true
    }
    guard isAdded else { return nil }
    if let latest = latest.withLock({ $0[user] }) { continuation.yield(latest.token) }
    continuation.onTermination = { [self] _ in listeners.withLock { $0[number] = nil } }
    return stream
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var ticks = 0
      while !Task.isCancelled {
        ticks += 1
        let users = self.listeners.withLock { Set($0.values.map { $0.user }) }
        self.latest.withLock { latest in latest = latest.filter { users.contains($0.key) } }
        for user in users { await self.look(user, isToAnswer: ticks % 15 == 0) }
        try? await Task.sleep(for: .seconds(1))
      }
      // Outside the lock, which a listener that ends takes.
      for listener in self.listeners.withLock({ Array($0.values) }) { listener.stream.finish() }
    }
  }

  /// Makes each listener check whether it may still listen.
  func recheck() { listeners.withLock { for listener in $0.values { listener.stream.yield("") } } }

  /// Sends the token of a log that grew; else an empty one, which keeps the connection alive, if `isToAnswer`.
  private func look(_ user: String?, isToAnswer: Bool) async {
    let known = latest.withLock { $0[user] }
    // A log that cannot be read is reported to the next request for changes, and looked at again.
    var position = (try? services.files.position(of: services.files.isShared ? user : nil)) ?? []
    var token = known?.token
    if token == nil || position != known?.position {
      let read = try? await services.run(user, on: HubThreads.reading) { try $0.token() }
      if read == nil { position = [] }
      token = read ?? token
    }
    guard let token else { return }
    latest.withLock { $0[user] = (position, token) }
    if token != known?.token || isToAnswer { send(token == known?.token ? "" : token, to: user) }
  }

  private func send(_ token: String, to user: String?) {
    listeners.withLock { listeners in
      for listener in listeners.values where listener.user == user { listener.stream.yield(token) }
    }
  }
}
