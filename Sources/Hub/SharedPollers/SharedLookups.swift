import App
import Core
import Platform
import PollEngine
import ReadModel
import YouTube

/// The lookups of a poller in the Data API, beside other pollers: one request at a time, between two batches of feeds.
///
/// Each video and channel is claimed before it is requested, by one poller. All pollers with a key share its budget, and
/// pause together when it is refused; see `APIKeyTable`.
package final class SharedLookups {
  private let tables: PollTables
  private let api: APISession
  private let interrupt = Interrupt()
  /// For how many seconds something may be due until a request is sent that is not full.
  private let timeout: Int
  /// The next request is about channels, if any are due.
  private var areChannelsNext = false
  /// Until when nothing is requested because a request failed, on the monotonic clock.
  private var rest = Int.min

  /// The lookups that the settings of a session ask for; nil without an API key. Throws if a setting is invalid, or asks
  /// for yt-dlp. With `isOnce` nothing is waited for that fills a request.
  init?(_ session: Session, _ tables: PollTables, isOnce: Bool) throws {
    guard let settings = try SharedLookups.settings(session.settings) else { return nil }
    (self.tables, timeout) = (tables, isOnce ? 0 : SharedLookups.usualTimeout)
    api = try APISession(settings, session, deadline: nil)
  }

  /// The API settings; nil without a key. Throws if a setting is invalid, or asks for yt-dlp.
  package static func settings(_ settings: Settings) throws -> APISettings? {
    guard try EnrichmentSource(settings) != .ytDlp else {
      throw Failure(
        .usage,
        "METUBE_RSS_ENRICH=yt-dlp does not work with a database: yt-dlp requests YouTube's pages outside the pace that "
          + "pollers share; set METUBE_RSS_API_KEY, or METUBE_RSS_ENRICH= to do without")
    }
    return try APISettings(settings)
  }

  /// How long one request may take with its repetitions, in milliseconds: feeds wait for it.
  private static let longest = 20_000
  /// How long a poller sends nothing after a failed request, in milliseconds.
  private static let failureRest = 900_000
  /// After how long what a failed request was about is requested again, at the earliest, in seconds: up to twice as long,
  /// each at another moment, so that what cannot be requested together comes apart, and others come first.
  private static let failureWait: Int64 = 7200
  /// How long a length may be missing, in seconds, so that fifty videos share a request.
  private static let usualTimeout = 600
  /// How long a claim lasts, in seconds; longer than a request with its repetitions.
  private static let lease = 300
  /// How long until another look at what has no followers, and at least until another at a channel, in seconds.
  private static let day: Int64 = 86_400
  /// How long to wait after a failure of the database, in milliseconds.
  private static let databaseWait = 60_000

  /// Sends at most one request, and appends what it says to the catalogue of a session; returns whether more may be due.
  /// Reports what goes wrong, but throws failures of the log and the database.
  func run(_ session: Session, isVerbose: Bool) throws -> Bool {
    guard Clock.steady() >= rest else { return false }
    do { return try look(session, isVerbose: isVerbose) } catch {
      rest = Clock.steady() + SharedLookups.databaseWait
      throw error
    }
  }

  private func look(_ session: Session, isVerbose: Bool) throws -> Bool {
    guard try api.left > 0 else { return false }
    let isQueued = try tables.queueLookups()
    let areChannels = areChannelsNext
    areChannelsNext.toggle()
    let report =
      areChannels
      ? try lookUpChannels(session) ?? lookUpVideos(session) : try lookUpVideos(session) ?? lookUpChannels(session)
    guard let report else { return isQueued }
    if isVerbose, report.requested + report.channels > 0 { StandardError.report(report.summary) }
    if let failure = report.failure { StandardError.report(failure.message) }
    return Clock.steady() >= rest && !interrupt.isSignalled()
  }

  // MARK: Videos

  /// Looks up videos; nil if none are due.
  private func lookUpVideos(_ session: Session) throws -> EnrichmentReport? {
    let claimed = try tables.claimVideos(APIRequest.maximum, timeout: timeout, for: SharedLookups.lease)
    guard !claimed.isEmpty else { return nil }
    var memory = APIState()
    for (video, missing) in claimed { memory.missing[video] = missing }
    let ids = claimed.map(\.video)
    let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: true) }
    let due = memory.due(videos, in: sources, at: tables.now)
    var report = EnrichmentReport()
    var wait: Int64?
    if !due.isEmpty {
      let response: EnrichedVideos?
      (response, report.failure, wait) = try ask(.videos(due), VideoResponse.read)
      if let response {
        try append(response.facts, about: due, session, &memory, &report)
        session.keep(views: response.views)
      }
    }
    try finish(ids, isRequested: Set(due).contains, failureWait: wait, session, memory)
    return report
  }

  private func append(
    _ facts: [VideoEnriched], about ids: [VideoID], _ session: Session, _ memory: inout APIState,
    _ report: inout EnrichmentReport
  ) throws {
    var updated = memory
    let events = try session.commit {
      let known = try session.query { try $0.videos(ids, alsoUnseen: true) }.videos
      updated = memory
      return updated.events(
        facts, requested: ids, known: Dictionary(known.map { ($0.id, $0) }) { $1 }, at: tables.now)
    }
    memory = updated
    report.requested += ids.count
    report.note(events)
  }

  /// Keeps when claimed videos are to be looked up again: those of a failed request after a while.
  private func finish(
    _ ids: [VideoID], isRequested: (VideoID) -> Bool, failureWait: Int64?, _ session: Session, _ memory: APIState
  ) throws {
    let (known, sources) = try session.query { try $0.videos(ids, alsoUnseen: true) }
    let videos = Dictionary(known.map { ($0.id, $0) }) { $1 }
    let now = tables.now
    try tables.finish(
      ids.map { id in
        // A video without any known property any more is not followed.
        let next = videos[id].map { memory.next(for: $0, at: now) } ?? now
        var due = next
        if isRequested(id) {
          if let failureWait { due = now.adding(seconds: .random(in: failureWait...failureWait * 2)) }
        } else if next != nil, videos[id].map(sources.isFollowed) != true {
          due = now.adding(seconds: SharedLookups.day)
        }
        return (id, due, memory.missing[id])
      })
  }

  // MARK: Channels

  /// Looks up channels; nil if none are due.
  private func lookUpChannels(_ session: Session) throws -> EnrichmentReport? {
    let ids = try tables.claimChannels(APIRequest.maximum, timeout: timeout, for: SharedLookups.lease)
    guard !ids.isEmpty else { return nil }
    let subscriptions = ids.map { SubscriptionID.channel($0) }
    var memory = APIState()
    let due = memory.dueChannels(in: try session.query { try $0.state(of: subscriptions) }, at: tables.now)
    var report = EnrichmentReport()
    var wait: Int64?
    if !due.isEmpty {
      let response: [ChannelEnriched]?
      (response, report.failure, wait) = try ask(.channels(due), ChannelResponse.read)
      if let response {
        let bodies = memory.events(response, requested: due, at: tables.now)
        try session.commit { bodies }
        report.channels = due.count
      }
    }
    let state = try session.query { try $0.state(of: subscriptions) }
    let now = tables.now
    try tables.finish(
      ids.map { id in
        if let wait, due.contains(id) { return (id, now.adding(seconds: .random(in: wait...wait * 2))) }
        guard state.channels[.channel(id)]?.isFollowed == true else {
          return (id, now.adding(seconds: SharedLookups.day))
        }
        return (id, max(memory.next(for: id, in: state), now.adding(seconds: SharedLookups.day)))
      })
    return report
  }

  // MARK: Requests

  /// Whether a request may be sent now. Throws failures of the database.
  var isReady: Bool { get throws { try Clock.steady() >= rest && api.left > 0 } }

  /// The response to one request; else what to report of its failure, if anything, and after how many seconds to repeat
  /// it. Throws failures of the database.
  func ask<Facts>(
    _ request: APIRequest, _ read: ([UInt8]) throws(APIFailure) -> Facts
  ) throws -> (Facts?, Failure?, wait: Int64?) {
    try attempt(within: SharedLookups.longest / 1000) { try $0.ask(request, read) }
  }

  /// The same of several requests, which may take this many seconds together.
  func attempt<Facts>(
    within seconds: Int, _ body: (APISession) throws -> Facts
  ) throws -> (Facts?, Failure?, wait: Int64?) {
    api.deadline = Clock.steady() + seconds * 1000
    do {
      let facts = try body(api)
      return (facts, api.tookLast ? api.failure(.budget) : nil, nil)
    } catch let refusal as APIRefusal {
      switch refusal {
      // Others have reported it.
      case .known, .budget, .tooCostly: return (nil, nil, 0)
      case .ended where interrupt.isSignalled(): return (nil, nil, 0)
      case .api(let failure) where failure.ofKey != nil: return (nil, api.failure(refusal), 0)
      case .ended: return failed(.network("timed out after \(seconds) seconds"))
      case .api, .network: return failed(refusal)
      }
    }
  }

  /// A failure that may be this machine's alone: other pollers find out for themselves.
  private func failed<Facts>(_ refusal: APIRefusal) -> (Facts?, Failure?, wait: Int64?) {
    rest = Clock.steady() + SharedLookups.failureRest
    return (nil, api.failure(refusal), SharedLookups.failureWait)
  }
}
