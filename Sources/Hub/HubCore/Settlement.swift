import App
import Core
import EventLog
import Library
import ReadModel

/// A user's decisions about channels that the catalogue had not yet read: once it has, they become events of the user's
/// log, as in the terminal's poll.
struct Settlement {
  private var extent: [Int: UInt64] = [:]
  /// Subscriptions whose date is long settled.
  private var settled: Set<SubscriptionID> = []

  /// Follows the channels of names that were resolved, and marks what was published before a `seenBefore` date and
  /// found soon after it was given. Does nothing unless the logs grew since.
  mutating func settle(_ session: Session) throws {
    guard session.library.hasCatalogue, session.library.extent != extent else { return }
    let state = try session.state
    for handle in state.handles.values where Settlement.isOpen(handle, in: state) {
      try session.commit(action: handle.action) { try Settlement.follow(handle.handle, in: session) }
    }
    for channel in try session.state.followed {
      guard let limit = channel.seenLimit, !settled.contains(channel.id) else { continue }
      let since = limit.id.timestamp
      func marks() throws -> [EventBody] {
        try session.query { try $0.undecided(of: channel.id, before: limit.value, after: since) }
          .map { .statusSet(StatusSet(video: $0, status: .watched, reason: Settlement.reason)) }
      }
      if try !marks().isEmpty { try session.commit { try marks() } }
      if channel.name != nil, session.now.seconds(since: since) > Settlement.timeout { settled.insert(channel.id) }
    }
    extent = session.library.extent
  }

  /// The reason of the status, as that of a video that the terminal's poll found.
  private static let reason = "seenBefore"
  /// How long, in seconds, the videos of a date are looked for at every change: 30 days.
  private static let timeout: Int64 = 30 * 86_400

  /// Whether a name was resolved and its channel not followed since.
  private static func isOpen(_ handle: Handle, in state: State) -> Bool {
    guard handle.followed != nil, let subscription = handle.subscription, let requested = handle.followChanged else {
      return false
    }
    return state.channels[subscription]?.followChanged.map { $0 < requested } ?? true
  }

  private static func follow(_ name: String, in session: Session) throws -> [EventBody] {
    let state = try session.state
    guard let handle = state.handles[name], isOpen(handle, in: state), let followed = handle.followed,
      let subscription = handle.subscription
    else { return [] }
    var wish = FollowChanges(tags: [], seenBefore: followed.seenBefore)
    wish.add(.subscription(subscription, .channel), title: followed.title, tags: followed.tags ?? [])
    return try wish.bodies(in: session.library.model)
  }
}
