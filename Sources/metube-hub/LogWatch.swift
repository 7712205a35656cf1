import Commands
import ServiceLifecycle
import Synchronization

/// Notifies listeners when any process appended to their log.
final class LogWatch: Service {
  private let services: UserServices
  private let news: LogNews
  private let listeners = Mutex<[Int: (user: String?, stream: AsyncStream<String>.Continuation)]>([:])
  private let next = Mutex(0)
  /// The logs that are listened to, as they were last.
  private let latest = Mutex<[String?: (position: [UInt64], token: String)]>([:])

  init(_ services: UserServices) { (self.services, news) = (services, LogNews(services.files)) }

  /// How many listen.
  var count: Int { listeners.withLock { $0.count } }
  /// How many listen to a user's log.
  func count(of user: String?) -> Int { listeners.withLock { $0.values.count { $0.user == user } } }
  /// Of all users, and of one. The page has one for all its tabs.
  private static let (most, mostOfOne) = (400, 20)

  /// Whether another may listen.
  enum Arrival {
    case stream(AsyncStream<String>, end: @Sendable () -> Void)
    /// As many listen as may: for one user, or for all.
    case full(most: Int, isOfUser: Bool)
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
      guard own < LogWatch.mostOfOne else { return (.full(most: LogWatch.mostOfOne, isOfUser: true), nil) }
      var ended: AsyncStream<String>.Continuation?
      if listeners.count >= LogWatch.most {
        guard let greediest = held.values.max(by: { $0.count < $1.count }), greediest.count > own + 1,
          let oldest = greediest.min()
        else { return (.full(most: LogWatch.most, isOfUser: false), nil) }
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
      var lastAnswer = ContinuousClock.now
      while !Task.isCancelled {
        let grown = await self.news.wait()
        let isToAnswer = ContinuousClock.now - lastAnswer >= LogWatch.patience
        if isToAnswer { lastAnswer = ContinuousClock.now }
        await self.look(at: grown, isToAnswer: isToAnswer)
      }
      // Outside the lock, which a listener that ends takes.
      for listener in self.listeners.withLock({ Array($0.values) }) { listener.stream.finish() }
    }
  }

  /// How long a connection is silent.
  private static let patience = Duration.seconds(15)

  /// Looks at the logs that are listened to: at those of the owners that grew, and of who began to listen. Only while
  /// somebody listens.
  private func look(at grown: Set<UInt64>?, isToAnswer: Bool) async {
    let users = listeners.withLock { Set($0.values.map { $0.user }) }
    let known = latest.withLock { latest in
      latest = latest.filter { users.contains($0.key) }
      return latest
    }
    // All see the catalogue grow, owner 0.
    let looked = users.filter { user in
      guard let grown, let owner = known[user]?.position.first else { return true }
      return grown.contains(0) || grown.contains(owner)
    }
    let positions = looked.isEmpty ? [:] : await services.positions(of: looked)
    for user in users {
      if looked.contains(user) {
        await look(user, at: positions[user] ?? [], isToAnswer: isToAnswer)
      } else if isToAnswer {
        send("", to: user)
      }
    }
  }

  /// Makes each listener check whether it may still listen.
  func recheck() { listeners.withLock { for listener in $0.values { listener.stream.yield("") } } }

  /// Sends the token of a log that grew; else an empty one, which keeps the connection alive, if `isToAnswer`.
  private func look(_ user: String?, at found: [UInt64], isToAnswer: Bool) async {
    let known = latest.withLock { $0[user] }
    var (position, token) = (found, known?.token)
    if token == nil || position != known?.position {
      let read = try? await services.run(user, on: \.reading, isOfHub: true) { try $0.token() }
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
