import Core
import HubCore
import HubLimits
import HubStore
import Platform
import SQLDrivers
import Synchronization

/// The subscriptions of a hub with a database: every process receives what hubs send, one of them sends requests, and
/// pollers fetch the news.
package final class DatabasePushes: PushBackend {
  package let stores: ConnectionPool<PushStore>
  private let client: PushClient
  /// This process, by a name that no other one has.
  private let process = "\(HostName.process) \(Secrets.make())"
  private let cursor = Mutex(Cursor())

  /// The progress through the channels.
  private struct Cursor {
    /// The last one, in order; empty before the first.
    var last = ""
    /// Where to go on after a whole step.
    var next = ""
  }

  package init(_ database: HubDatabase, _ client: PushClient) {
    self.client = client
    stores = ConnectionPool { PushStore(try database.connect(for: .accounts)) }
  }

  /// The number of channels that a step looks at: of a million each comes every two hours.
  private static let maximum = 2000

  /// The subscriptions of the next channels, with one for each new channel.
  package func tasks() async throws -> [PushTask] {
    let last = cursor.withLock { $0.last }
    let candidates = try await stores.run(on: HubThreads.accounts) { [client, process] store in
      guard try store.keep(as: process) else { return [PushStore.Candidate]() }
      let found = try store.candidates(after: last, maximum: DatabasePushes.maximum)
      let added = try found.filter { try store.subscribe($0, client) }
      return added.isEmpty ? found : try store.candidates(after: last, maximum: DatabasePushes.maximum)
    }
    cursor.withLock { $0.next = candidates.count < DatabasePushes.maximum ? "" : candidates.last?.channel ?? "" }
    return try candidates.compactMap { candidate in
      guard let subscription = candidate.subscription else { return nil }
      // Without a poll nothing is known of the hub, and so nothing else is wanted.
      let isWanted = try candidate.isFollowed && candidate.source(client).map { subscription.isAt($0) } ?? true
      return PushTask(subscription: subscription, isWanted: isWanted)
    }
  }

  package func note(_ task: PushTask) { cursor.withLock { $0.last = task.subscription.channel } }

  package func isInCharge() async throws -> Bool {
    try await stores.run(on: HubThreads.accounts) { [process] in try $0.keep(as: process) }
  }

  package func endStep(isWhole: Bool, isLast _: Bool) async throws {
    if isWhole { cursor.withLock { $0.last = $0.next } }
  }

  package func takeNews(of subscription: PushSubscription, in store: PushStore) throws -> Bool {
    try store.hurry(subscription.channel)
    return false
  }

  // Its next poll may be a day away.
  package func noteEnd(of subscription: PushSubscription, in store: PushStore) throws {
    try store.hurry(subscription.channel)
  }

  package func end() async throws {
    try await stores.run(on: HubThreads.accounts) { [process] in try $0.leave(as: process) }
  }
}

extension PushStore.Candidate {
  /// Where to subscribe; nil if its feed names no permitted hub.
  fileprivate func source(_ client: PushClient) throws -> PushSource? {
    guard let id = ChannelID(channel) else { return nil }
    return try client.source(of: id, named: source.map { PushSource(hub: $0.hub, topic: $0.topic) })
  }
}

extension PushStore {
  /// Adds the subscription that a followed channel lacks; returns whether it did.
  fileprivate func subscribe(_ candidate: Candidate, _ client: PushClient) throws -> Bool {
    guard candidate.isFollowed, candidate.subscription == nil, let source = try candidate.source(client) else {
      return false
    }
    try add(candidate.channel, hub: source.hub, topic: source.topic)
    return true
  }
}
