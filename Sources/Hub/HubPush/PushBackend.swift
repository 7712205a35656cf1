import HubLimits
import HubStore

/// Where a subscriber of WebSub finds the channels, keeps the subscriptions, and has feeds polled.
package protocol PushBackend: Sendable {
  var stores: ConnectionPool<PushStore> { get }
  /// The subscriptions that a step looks at; none if another process does.
  func tasks() async throws -> [PushTask]
  /// Records that a task was looked at.
  func note(_ task: PushTask)
  /// Whether this process, and no other one, may send requests now.
  func isInCharge() async throws -> Bool
  /// Ends a step, which looked at all tasks if it is whole: lets polls know of leases, and polls what was announced
  /// unless the process ends.
  func endStep(isWhole: Bool, isLast: Bool) async throws
  /// Records that a channel has news, so that its feed is polled; returns whether that needs a step.
  func takeNews(of subscription: PushSubscription, in store: PushStore) throws -> Bool
  /// Records that the news of a channel is announced no longer.
  func noteEnd(of subscription: PushSubscription, in store: PushStore) throws
  /// Records that this process receives nothing any more.
  func end() async throws
}

/// A subscription, and whether its channel is followed and has this hub and topic.
package struct PushTask: Sendable {
  package var subscription: PushSubscription
  package var isWanted: Bool
}
