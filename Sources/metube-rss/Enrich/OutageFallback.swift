import Core
import EventLog
import YouTubeAPI

/// The last rung during an outage of the feeds: the Data API's list of each channel whose time has come.
struct OutageFallback {
  private let session: Session
  private var api: APISession

  /// For the channels that a session knows.
  init(_ session: Session, _ api: APISession) {
    self.session = session
    self.api = api
  }

  /// What came of it.
  struct Outcome {
    /// Channels that were answered for.
    var asked = 0
    /// Videos that were found.
    var new = 0
    /// Why it ended early; nil where it did not.
    var failure: Failure?
  }

  /// Asks for each channel that was not answered for in its own gap, the longest unasked first. `memory` then knows that
  /// they were. What came before a failure is kept; throws where the log or the disk fails.
  mutating func run(_ memory: inout PollMemory) throws -> Outcome {
    var outcome = Outcome()
    let now = Clock.now()
    for channel in OutageFallback.due(in: session.state, memory, at: now) {
      do {
        let list = PlaylistID(of: channel, form: .uploads)
        let page = try PlaylistPage(try api.ask(.playlist(list, page: nil, count: fullFeedCount)))
        outcome.new += try append(page, of: channel, &memory)
        outcome.asked += 1
      } catch APIRefusal.api(.missing) {
        continue  // A channel without uploads, or gone: its feed will tell.
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
    case let error as APIRefusal: Words.refusal(error, budget: budget, now: Clock.now())
    case let error as APIFailure: Words.refusal(.api(error), budget: budget, now: Clock.now())
    default: throw error
    }
  }

  private static func due(in state: State, _ memory: PollMemory, at now: Timestamp) -> [ChannelID] {
    let channels = state.followed.compactMap { channel -> (ChannelID, Timestamp)? in
      guard let id = channel.id.channel else { return nil }
      guard let known = memory.feeds[channel.id], let answered = known.answered else {
        return (id, Timestamp(seconds: 0))
      }
      return now.seconds(since: answered) >= known.gap(at: now) ? (id, answered) : nil
    }
    return channels.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  private func append(_ page: PlaylistPage, of channel: ChannelID, _ memory: inout PollMemory) throws -> Int {
    let feed = Feed(
      title: "", authorName: page.owner, authorChannel: nil, channel: channel, playlist: nil,
      entries: page.entries.filter { $0.channel == channel }, deletedEntries: [])
    let id = SubscriptionID.channel(channel)
    let answered = memory.feeds[id]?.answered
    var new = 0
    try session.commit { state in
      let question = FeedQuestion(subscription: id, form: .uploads)
      let detection = Detection(of: feed, asked: question, answered: answered, in: state)
      new = detection.new
      return detection.events
    }
    var known = memory.feeds[id] ?? FeedMemory()
    known.answered = Clock.now()
    known.habit = PostingHabit(of: feed) ?? known.habit
    memory.feeds[id] = known
    return new
  }
}
