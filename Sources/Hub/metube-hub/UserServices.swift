import App
import Core
import HubCore
import HubLimits
import HubStore
import ReadModel
import SQLDrivers
import Synchronization

/// The logs of users for requests: each used by one thread at a time, the most recently used kept open.
final class UserServices: Sendable {
  let location: HubLocation
  private let accounts: ConnectionPool<Accounts>
  /// What is broken in logs in files.
  let inspection: LogInspection
  private let threads: LogThreads
  /// The connections to a database; nil with files.
  private let connections: ConnectionPool<UserConnection>?
  private let recents: RecentResponses
  private let maxSubscriptions: Int
  private let idle = Mutex<[Idle]>([])
  private let uses = Mutex(Uses())

  /// Which users' folders are in use, by how many requests, and which are about to get another name.
  private struct Uses {
    var running: [String: Int] = [:]
    var paused: Set<String> = []
  }

  /// `@unchecked`: a service is taken out of the list while a thread uses it, so that no two use it at once.
  private struct Idle: @unchecked Sendable {
    let service: HubService
    let user: String?
    /// A folder that was replaced by another of this name is another user's.
    let folder: UInt64?
    let since: ContinuousClock.Instant
  }

  /// `connections` is the number of connections to a database, `maxSubscriptions` how many a user may have.
  init(
    _ location: HubLocation, _ accounts: ConnectionPool<Accounts>, _ inspection: LogInspection, connections: Int,
    maxSubscriptions: Int
  ) {
    (self.location, self.accounts, self.inspection) = (location, accounts, inspection)
    self.maxSubscriptions = maxSubscriptions
    recents = RecentResponses(
      maxWaitingOfOne: location.isShared ? WorkerThreads.maxWaitingOfOne : WorkerThreads.maxWaiting)
    switch location {
    case .database(let database):
      threads = LogThreads(connections: connections)
      self.connections = ConnectionPool {
        UserConnection(try database.connect(for: .requests), try location.settings(), maxSubscriptions)
      }
    case .files(let files):
      (threads, self.connections) = (files.isShared ? .files : .home, nil)
    }
  }

  /// Why nothing can be polled; nil if nothing seems to be in the way.
  var obstacleToPolls: HubProblem? { get throws { try location.files?.obstacleToPolls(inspection.damage(of: nil)) } }

  /// How many requests wait for a thread, and so for a connection to a database; also those for the accounts.
  var waiting: Int {
    [threads.reading, threads.writing, threads.importing, HubThreads.accounts].reduce(0) { $0 + $1.waiting }
  }

  /// The maximum number kept open, and for how long.
  private static let maximum = 16
  private static let timeout = Duration.seconds(300)

  /// How long reading for one request may take.
  private static let maxTime = Duration.seconds(60)

  /// Runs `body` on one of some threads with the log of a user, or with the only log of a home, for any user. It takes
  /// its turn as the user's. What reads ends with its request, or with its time.
  func run<Result: Sendable>(
    _ user: String?, on threads: KeyPath<LogThreads, WorkerThreads> & Sendable,
    _ body: @escaping @Sendable (HubService) throws -> Result
  ) async throws -> Result {
    let user = try owner(user)
    let interruption = threads == \LogThreads.reading ? Interruption.current : nil
    // What is followed already stays, so only what writes has to know.
    let ownLimit = try await threads == \LogThreads.reading ? nil : maxSubscriptions(of: user)
    try begin(user)
    defer { end(user) }
    return try await self.threads[keyPath: threads].run(of: user ?? "", until: interruption) {
      let end = ContinuousClock.now + UserServices.maxTime
      interruption?.begin { ContinuousClock.now > end }
      guard let files = self.location.files else {
        guard let connections = self.connections, let user else { throw HubProblem(401, "log in, or send a token") }
        return try connections.use(where: { $0.knows(user) }) {
          let service = try $0.service(of: user)
          if let ownLimit { service.maxSubscriptions = ownLimit }
          return try body(service)
        }
      }
      let folder = try files.identity(of: user)
      // Removed since the request was admitted: its folder must not be made anew.
      if user != nil, folder == nil { throw HubProblem(401, "log in, or send a token") }
      let idle = try self.take(user, folder) ?? HubService(files, user: user)
      idle.maxSubscriptions = ownLimit ?? self.maxSubscriptions
      defer { self.keep(idle, user, folder) }
      try idle.notice(self.inspection.damage(of: user))
      return try body(idle)
    }
  }

  /// The response of a route to a user's request, if possible a recent one, which needs no other thread: only the names
  /// and sizes of the logs are read.
  func response(
    of route: HubRoute, to call: HubCall, for user: String?, on threads: KeyPath<LogThreads, WorkerThreads> & Sendable
  ) async throws -> RouteResponse {
    guard route.method == .get else { return try await run(user, on: threads) { $0.response(of: route, to: call) } }
    let position = try await position(of: user)
    // Damage moves no position, and a device that met some asks at once for what is known of it by now; nor does a search,
    // whose results these views show.
    guard !route.path.hasPrefix("/api/v1/logs"), !["/discover", "/follow"].contains(route.path) else {
      return try await run(user, on: threads) { $0.response(of: route, to: call) }
    }
    return try await recents.response(to: call, at: position) {
      try await self.run(user, on: threads) { service in
        var response = service.response(of: route, to: call)
        if response.status == 200 { response.digest = Fingerprint.of(response.body.span.bytes) }
        return response
      }
    }
  }

  // MARK: Users

  /// How many subscriptions a user may have, if an administrator set a limit below that of all.
  private func maxSubscriptions(of user: String?) async throws -> Int? {
    guard let user else { return nil }
    let limit = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.user(user)?.limits.subscriptions }
    return limit.map { min($0, maxSubscriptions) }
  }

  /// Runs `body` while no request uses the log of a user; throws if they do not end in time. Requests that come meanwhile
  /// are refused for a moment.
  func withoutRequests<Result>(of user: String, _ body: () async throws -> Result) async throws -> Result {
    guard location.files?.isShared == true else { return try await body() }
    let busy = HubProblem(409, "The user’s log is in use. Try again in a moment.")
    guard uses.withLock({ $0.paused.insert(user).inserted }) else { throw busy }
    defer { uses.withLock { _ = $0.paused.remove(user) } }
    let end = ContinuousClock.now + UserServices.longestWait
    while uses.withLock({ $0.running[user] ?? 0 > 0 }) {
      guard ContinuousClock.now < end else { throw busy }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await body()
  }

  private static let longestWait = Duration.seconds(10)

  private func begin(_ user: String?) throws {
    guard let user else { return }
    try uses.withLock { uses in
      if uses.paused.contains(user) {
        throw HubProblem(503, "this user is being renamed; try again", retryAfter: HubProblem.shortly)
      }
      uses.running[user, default: 0] += 1
    }
  }

  private func end(_ user: String?) {
    guard let user else { return }
    uses.withLock { uses in
      let count = (uses.running[user] ?? 1) - 1
      uses.running[user] = count == 0 ? nil : count
    }
  }

  /// The position of the logs that a user reads.
  private func position(of user: String?) async throws -> [UInt64] {
    let user = try owner(user)
    if let files = location.files { return try files.position(of: user) }
    guard let user else { throw HubProblem(401, "log in, or send a token") }
    let position = try await accounts.run(on: HubThreads.accounts, of: user) { try $0.position(of: user) }
    guard let position else { throw HubProblem(401, "log in, or send a token") }
    return position
  }

  /// The positions of several users; those whose logs cannot be read are left out.
  func positions(of users: Set<String?>) async -> [String?: [UInt64]] {
    if let files = location.files {
      var positions: [String?: [UInt64]] = [:]
      for user in users {
        // A log that cannot be read is reported to the next request for changes, and looked at again.
        positions[user] = try? files.position(of: files.isShared ? user : nil)
      }
      return positions
    }
    let names = users.compactMap(\.self)
    // As above.
    let found = try? await accounts.run(on: HubThreads.accounts) { try $0.positions(of: names) }
    return Dictionary(uniqueKeysWithValues: (found ?? [:]).map { (Optional($0.key), $0.value) })
  }

  /// Whose log a user reads; nil for the one log of a home.
  private func owner(_ user: String?) throws -> String? {
    guard user != nil || !location.isShared else { throw HubProblem(401, "log in, or send a token") }
    return location.isShared ? user : nil
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
      let count = max(idle.count - UserServices.maximum, idle.count { now - $0.since > UserServices.timeout })
      defer { idle.removeFirst(count) }
      return Array(idle.prefix(count))
    }
    withExtendedLifetime(closed) {}
  }
}

/// A connection to a hub's database, with the logs of the users who used it last. Not for two threads at once.
final class UserConnection {
  private let database: Database
  /// The last one used is the last.
  private var services: [(user: String, owner: Int64, service: HubService)] = []
  private static let maxServices = 8

  private let settings: Settings
  private let maxSubscriptions: Int

  init(_ database: Database, _ settings: Settings, _ maxSubscriptions: Int) {
    (self.database, self.settings, self.maxSubscriptions) = (database, settings, maxSubscriptions)
  }

  /// Whether it has the log of a user.
  func knows(_ user: String) -> Bool { services.contains { $0.user == user } }

  /// The log of a user. Throws a `HubProblem` if the user was removed.
  func service(of user: String) throws -> HubService {
    let known = services.firstIndex { $0.user == user }.map { services.remove(at: $0) }
    // A removed user's name may be another's now.
    guard let owner = try Accounts.owner(of: user, in: database) else {
      throw HubProblem(401, "log in, or send a token")
    }
    let service = known?.owner == owner ? known?.service : nil
    let opened = try service ?? HubService(database, user: user, owner: owner, settings)
    opened.maxSubscriptions = maxSubscriptions
    services.append((user, owner, opened))
    if services.count > UserConnection.maxServices { services.removeFirst() }
    return opened
  }
}
