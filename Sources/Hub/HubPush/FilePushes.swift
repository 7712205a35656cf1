import Arguments
import Core
import Glibc
import HubCore
import HubLimits
import HubStore
import Synchronization

/// The subscriptions of a hub on files: its one process sends all requests, and polls what is announced.
package final class FilePushes: PushBackend {
  private let files: HubFiles
  /// The one log, or that of the catalogue, which follows what any user follows.
  private let services: ConnectionPool<HubService>
  package let stores: ConnectionPool<PushStore>
  /// The followed channels, as the step found them.
  private let targets = Mutex<[HubPush.Target]>([])
  /// When each channel was polled last because of a push, seconds.
  private let polled = Mutex<[String: Int64]>([:])

  /// `folder` is that of the accounts.
  package init(_ files: HubFiles, folder: String) {
    self.files = files
    services = ConnectionPool { try HubService(files, user: nil) }
    stores = ConnectionPool { try PushStore(folder: folder) }
  }

  /// All subscriptions, with one for each new channel.
  package func tasks() async throws -> [PushTask] {
    let targets = try await services.run(on: HubThreads.reading) { try $0.pushTargets() }
    self.targets.withLock { $0 = targets }
    let wanted = Dictionary(targets.map { ($0.channel, $0) }) { $1 }
    return try await stores.run(on: HubThreads.accounts) { store in
      let known = Set(try store.all().map(\.channel))
      for target in targets where !known.contains(target.channel) {
        if let source = target.source { try store.add(target.channel, hub: source.hub, topic: source.topic) }
      }
      return try store.all().map { subscription in
        // Without polling state nothing is known of the hub, and so nothing else is wanted.
        let isWanted =
          wanted[subscription.channel].map { target in
            target.source.map { subscription.isAt($0) } ?? true
          } ?? false
        return PushTask(subscription: subscription, isWanted: isWanted)
      }
    }
  }

  package func note(_: PushTask) {}

  package func isInCharge() async throws -> Bool { true }

  package func endStep(isWhole _: Bool, isLast: Bool) async throws {
    try await storePushed()
    if !isLast { try await poll(targets.withLock { $0 }) }
  }

  /// Stores until when each channel is polled once a day: while its lease is active and this process renews the entry.
  private func storePushed() async throws {
    let now = Int64(time(nil))
    let active = try await stores.run(on: HubThreads.accounts) { try $0.all() }.filter { $0.isActive(at: now) }
    // Rounded to half a day, so that the file does not change at every step.
    let maximum = (now / FilePushes.halfDay + 3) * FilePushes.halfDay
    let pushed = Dictionary(active.map { ($0.channel, min($0.lease?.end ?? 0, maximum)) }) { $1 }
    try await services.run(on: HubThreads.writing) { try $0.setPushed(pushed) }
  }

  private static let halfDay: Int64 = 43_200

  /// Polls the channels whose news was announced, each at most once in 15 minutes.
  private func poll(_ targets: [HubPush.Target]) async throws {
    let requested = Dictionary(targets.map { ($0.channel, $0.requested) }) { $1 }
    var due: [String] = []
    for subscription in try await stores.run(on: HubThreads.accounts, { try $0.all() }) {
      guard let pushed = subscription.pushed else { continue }
      let now = Int64(time(nil))
      let last = requested[subscription.channel] ?? nil
      if requested[subscription.channel] == nil || last.map({ $0 > pushed }) ?? false {
        // Unfollowed, or polled since.
        _ = try await stores.run(on: HubThreads.accounts) { store in
          try store.change(subscription.callback) { if $0.pushed == pushed { $0.pushed = nil } }
        }
        continue
      }
      let before = max(last ?? 0, polled.withLock { $0[subscription.channel] } ?? 0)
      if now >= before + PollPlan.floor || before > now { due.append(subscription.channel) }
    }
    guard !due.isEmpty else { return }
    let now = Int64(time(nil))
    polled.withLock { polled in
      polled = polled.filter { $0.value + PollPlan.floor > now }
      for channel in due { polled[channel] = now }
    }
    try await HubThreads.polling.run { [due] in
      HubPoll.run(self.files, users: [], maximum: nil, channels: due, exports: NamedExports.refresh)
    }
  }

  // MARK: What hubs send

  package func takeNews(of subscription: PushSubscription, in store: PushStore) throws -> Bool {
    let now = try store.now()
    // Also during a poll that may have read the feed already; at most once a second in a flood.
    if subscription.pushed != now { _ = try store.change(subscription.callback) { $0.pushed = now } }
    return subscription.pushed == nil
  }

  // The next step writes what polls rely on.
  package func noteEnd(of _: PushSubscription, in _: PushStore) throws {}

  // Polls must not rely on pushes from now on.
  package func end() async throws { try HubService.forgetPushed(files) }
}

extension PushSubscription {
  /// Whether it is at this hub, to this topic.
  func isAt(_ source: PushSource) -> Bool { source.hub == hub && source.topic == topic }
}
