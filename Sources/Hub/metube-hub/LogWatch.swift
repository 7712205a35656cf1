import HubCore
import HubLimits
import ServiceLifecycle
import Synchronization

/// Notifies listeners when any process appended to their log.
final class LogWatch: Service {
  private let logs: Logs
  private let listeners = Mutex<[Int: (user: String?, stream: AsyncStream<String>.Continuation)]>([:])
  private let next = Mutex(0)
  /// The logs that are listened to, as they were last.
  private let latest = Mutex<[String?: (position: [UInt64], token: String)]>([:])
  private let reading = Mutex(Reading())

  /// Whose logs are being read, and who is to be looked at again because that took longer than a look.
  private struct Reading {
    var users: Set<String?> = []
    var missed: Set<String?> = []
  }

  /// Where logs are looked at.
  struct Logs: Sendable {
    /// Waits; returns the owners whose logs grew, nil if any may have.
    var grown: @Sendable () async -> Set<UInt64>?
    /// The positions of users' logs.
    var positions: @Sendable (Set<String?>) async -> [String?: [UInt64]]
    /// Reads the token of a user's log.
    var token: @Sendable (String?) async throws -> String
  }

  init(_ logs: Logs) { self.logs = logs }

  convenience init(_ services: UserServices) {
    let news = LogNews(services.location)
    self.init(
      Logs(
        grown: { await news.wait() }, positions: { await services.positions(of: $0) },
        token: { user in try await services.run(user, on: \.reading) { try $0.token() } }))
  }

  /// How many listen.
  var count: Int { listeners.withLock { $0.count } }
  /// How many listen to a user's log.
  func count(of user: String?) -> Int { listeners.withLock { $0.values.count { $0.user == user } } }
  /// Of all users, and of one. The page has one for all its tabs.
  private static let (maximum, maxOfOne) = (400, 20)

  /// Whether another may listen.
  enum Arrival {
    case stream(AsyncStream<String>, end: @Sendable () -> Void)
    /// As many listen as may: for one user, or for all.
    case full(maximum: Int, isOfUser: Bool)
  }

  /// The tokens of a user's log as it grows, the present one first.
  ///
  /// Beyond the limit of a user the new stream is refused, instead of ending the oldest: clients connect again when a stream
  /// ends, so one tab too many would make all of them connect without end. When the hub's limit is reached, the user who
  /// has most streams loses the oldest to one who has fewer.
  func tokens(of user: String?) -> Arrival {
    let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = next.withLock { number in
      number += 1
      return number
    }
    let (refusal, ended) = listeners.withLock { listeners -> (Arrival?, AsyncStream<String>.Continuation?) in
      let held = Dictionary(grouping: listeners.keys) { listeners[$0]?.user }
      let own = held[user]?.count ?? 0
      guard own < LogWatch.maxOfOne else { return (.full(maximum: LogWatch.maxOfOne, isOfUser: true), nil) }
      var ended: AsyncStream<String>.Continuation?
      if listeners.count >= LogWatch.maximum {
        guard let greediest = held.values.max(by: { $0.count < $1.count }), greediest.count > own + 1,
          let oldest = greediest.min()
        else { return (.full(maximum: LogWatch.maximum, isOfUser: false), nil) }
        ended = listeners.removeValue(forKey: oldest)?.stream
      }
      listeners[number] = (user, continuation)
      return (nil, ended)
    }
    // Outside the lock, which a listener that ends takes.
    ended?.finish()
    if let refusal { return refusal }
    if let latest = latest.withLock({ $0[user] }) { continuation.yield(latest.token) }
    continuation.onTermination = { [self] _ in listeners.withLock { $0[number] = nil } }
    return .stream(stream, end: { continuation.finish() })
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var lastKeepAlive = ContinuousClock.now
      while !Task.isCancelled {
        let grown = await self.logs.grown()
        let isKeepAliveDue = ContinuousClock.now - lastKeepAlive >= LogWatch.timeout
        if isKeepAliveDue { lastKeepAlive = ContinuousClock.now }
        await self.look(at: grown, isKeepAliveDue: isKeepAliveDue)
      }
      // Outside the lock, which a listener that ends takes.
      for listener in self.listeners.withLock({ Array($0.values) }) { listener.stream.finish() }
    }
  }

  /// How long a connection is silent.
  private static let timeout = Duration.seconds(15)

  /// Looks at the logs that are listened to: at those of the owners that grew, and of who began to listen. Only while
  /// somebody listens.
  private func look(at grown: Set<UInt64>?, isKeepAliveDue: Bool) async {
    let users = listeners.withLock { Set($0.values.map { $0.user }) }
    let known = latest.withLock { latest in
      latest = latest.filter { users.contains($0.key) }
      return latest
    }
    let missed = reading.withLock { reading in
      defer { reading.missed = [] }
      return reading.missed
    }
    // All see the catalogue grow, owner 0.
    let looked = users.filter { user in
      if missed.contains(user) { return true }
      guard let grown, let owner = known[user]?.position.first else { return true }
      return grown.contains(0) || grown.contains(owner)
    }
    let positions = looked.isEmpty ? [:] : await logs.positions(looked)
    for user in users {
      if looked.contains(user) { look(user, at: positions[user] ?? []) }
      if isKeepAliveDue { send("", to: user) }
    }
  }

  /// Makes each listener check whether it may still listen.
  func recheck() { listeners.withLock { for listener in $0.values { LogWatch.send("", to: listener.stream) } } }

  /// Reads the log of a user if it grew, concurrently with those of others: no user waits for another one's log.
  private func look(_ user: String?, at position: [UInt64]) {
    let known = latest.withLock { $0[user] }
    guard known == nil || known?.position != position else { return }
    let isFree = reading.withLock { reading in
      let isFree = reading.users.insert(user).inserted
      if !isFree { reading.missed.insert(user) }
      return isFree
    }
    guard isFree else { return }
    Task {
      await self.read(user, at: position)
      self.reading.withLock { _ = $0.users.remove(user) }
    }
  }

  /// Sends the token of a log that may have grown.
  private func read(_ user: String?, at position: [UInt64]) async {
    let known = latest.withLock { $0[user] }
    let token = try? await logs.token(user)
    guard let current = token ?? known?.token else { return }
    // What could not be read is looked at again.
    latest.withLock { $0[user] = (token == nil ? [] : position, current) }
    if current != known?.token { send(current, to: user) }
  }

  private func send(_ token: String, to user: String?) {
    listeners.withLock { listeners in
      for listener in listeners.values where listener.user == user { LogWatch.send(token, to: listener.stream) }
    }
  }

  /// Sends a token; an empty one replaces none that the listener has not read yet.
  private static func send(_ token: String, to stream: AsyncStream<String>.Continuation) {
    if case .dropped(let last) = stream.yield(token), token.isEmpty, !last.isEmpty { stream.yield(last) }
  }
}
