import Core
import EventLog
import YouTube

/// The last fallback during a feed outage: the Data API's uploads playlist of each due channel.
struct OutageFallback {
  private let session: Session
  private var api: APISession

  /// For the channels in a session's state.
  init(_ session: Session, _ api: APISession) {
    self.session = session
    self.api = api
  }

  /// The result of the fallback.
  struct Outcome {
    /// Channels with a successful response.
    var requested = 0
    /// New videos found.
    var new = 0
    /// Why it ended early; nil if it did not.
    var failure: Failure?
  }

  /// Requests each channel without a successful response within its polling interval, the longest overdue first, and
  /// records the responses in `memory`. Results before a failure are kept; throws if the log or the disk fails.
  mutating func run(_ memory: inout PollState) throws -> Outcome {
    var outcome = Outcome()
    let now = Clock.now()
    for channel in try OutageFallback.due(in: session.state, memory, at: now) {
      do {
        let list = PlaylistID(of: channel, form: .uploads)
        let page = try PlaylistPage(try api.ask(.playlist(list, page: nil, count: fullFeedCount)))
        outcome.new += try append(page, of: channel, &memory)
        outcome.requested += 1
      } catch APIRefusal.api(.missing) {
        continue  // A channel without uploads, or deleted: its feed will show which.
      } catch {
        outcome.failure = try OutageFallback.words(error, budget: api.budget)
        break
      }
    }
    try api.save()
    return outcome
  }

  private static func words(_ error: any Error, budget: Int) throws -> Failure {
    switch error {
    case let error as APIRefusal: UserMessages.refusal(error, budget: budget, now: Clock.now())
    case let error as APIFailure: UserMessages.refusal(.api(error), budget: budget, now: Clock.now())
    default: throw error
    }
  }

  private static func due(in state: State, _ memory: PollState, at now: Timestamp) -> [ChannelID] {
    let channels = state.followed.compactMap { channel -> (ChannelID, Timestamp)? in
      guard let id = channel.id.channel else { return nil }
      guard let known = memory.feeds[channel.id], let answered = known.answered else {
        return (id, Timestamp(seconds: 0))
      }
      return now.seconds(since: answered) >= known.gap(at: now) ? (id, answered) : nil
    }
    return channels.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  private func append(_ page: PlaylistPage, of channel: ChannelID, _ memory: inout PollState) throws -> Int {
    let feed = Feed(
      title: "", authorName: page.owner, authorChannel: nil, channel: channel, playlist: nil,
      entries: page.entries.filter { $0.channel == channel }, deletedEntries: [])
    let id = SubscriptionID.channel(channel)
    let answered = memory.feeds[id]?.answered
    var new = 0
    try session.commit {
      let feedRequest = FeedRequest(subscription: id, form: .uploads)
      let detection = try session.detect(feed, feedRequest, answered: answered)
      new = detection.new
      return detection.events
    }
    var known = memory.feeds[id] ?? FeedState()
    known.answered = Clock.now()
    known.habit = PublishingInterval(of: feed) ?? known.habit
    memory.feeds[id] = known
    return new
  }
}
