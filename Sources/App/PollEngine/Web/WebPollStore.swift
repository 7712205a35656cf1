import App
import Core
import Library
import Platform
import ReadModel
import WebPolling

/// The polling state of feeds of other sites during a poll.
struct WebPollStore {
  private let session: Session
  private let file: WebPollStateFile
  private var content: WebPollStateFile.Content

  /// Reads the stored state of the feeds that are followed.
  init(_ session: Session) throws {
    self.session = session
    file = WebPollStateFile(session.home)
    content = try session.webPollState()
  }

  /// The state.
  var memory: WebPollState {
    get { content.memory }
    set { content.memory = newValue }
  }

  /// Replaces the stored state, keeping only what is followed.
  mutating func write() throws(Failure) {
    // If the read model fails, which others report, what was requested must be kept all the same.
    if let followed = try? session.state.followedFeeds {
      content.memory = content.memory.following(followed.map { PolledFeedID($0.id.description) }, at: Clock.now())
    }
    content.run = (try? session.query { try $0.polls() })?.lastRun?.id
    try file.write(content)
  }
}

/// What a poll is to request of other sites, and the polling state.
struct WebPollWork {
  let plan: WebPlan
  let store: WebPollStore
  /// Whether no feed is due.
  var isEmpty: Bool { plan.due.isEmpty }

  /// Plans a run over the followed feeds, or those that are wanted; nil if no feed of another site is followed.
  init?(
    _ session: Session, _ wanted: [SubscriptionID], ignoresGaps: Bool, ignoresFloor: Bool, at now: Timestamp
  ) throws {
    let followed = try session.state.followedFeeds
    guard !followed.isEmpty else { return nil }
    store = try WebPollStore(session)
    let feeds = followed.compactMap { channel in
      channel.address.flatMap { WebURL($0) }.map { PolledFeed(id: PolledFeedID(channel.id.description), url: $0) }
    }
    let named = wanted.compactMap { $0.feed.map { PolledFeedID($0) } }
    let demand = WebPlan.Demand(
      feeds: wanted.isEmpty ? nil : Set(named), ignoresGaps: ignoresGaps || !wanted.isEmpty, ignoresFloor: ignoresFloor)
    plan = WebPlan(feeds, for: demand, memory: store.memory, now: now)
  }
}
