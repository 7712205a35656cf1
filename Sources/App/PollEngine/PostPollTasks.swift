import App
import Core
import EventLog
import Exporters
import Glibc
import HTTPClient
import Library
import Messages
import Platform
import ReadModel
import YouTube

/// The tasks after a poll's report. A failure here is reported, but affects neither the videos found nor the poll's
/// status.
struct PostPollTasks {
  private let session: Session
  /// Refreshes the exports of the settings; silent unless that fails.
  private let exports: (Session) -> Void
  /// When to stop sending Data API requests, in milliseconds of the steady clock; nil if unlimited.
  private let deadline: Int?
  private let hook: NewVideoHook?

  /// Create this when the poll begins. `deadline` is in milliseconds of the steady clock; `exports` refreshes the exports
  /// of the settings.
  init(_ session: Session, deadline: Int?, exports: @escaping (Session) -> Void) throws {
    self.session = session
    self.exports = exports
    self.deadline = deadline
    hook = try NewVideoHook(session)
  }

  /// During an outage, queries the Data API for channels whose feeds fail. Runs before the poll reports.
  func fallBack(_ memory: PollState, _ file: PollStateFile) {
    StandardError.reportFailure {
      guard let settings = try APISettings(session.settings) else {
        throw Failure(SettingError.noAPIKey)
      }
      var memory = memory
      let api = try APISession(settings, session, deadline: deadline)
      let outcome = try OutageFallback(session: session, api: api).run(&memory)
      try file.write(memory)
      if outcome.requested > 0 {
        StandardError.report(
          "used the Data API in place of \(UserMessages.count(outcome.requested, "feed")): \(outcome.new) new")
      }
      if let failure = outcome.failure { throw failure }
    }
  }

  /// How long yt-dlp may be run for after a poll, in milliseconds.
  private static let longestLookup = 120_000

  /// Enriches new videos if the settings say how, with `describes` also those that no feed has shown, refreshes the exports and runs the user's hook on the new videos.
  func run(describes: Bool) {
    StandardError.reportFailure {
      var failure: Failure?
      switch try EnrichmentSource(session.settings) {
      case nil: break
      case .ytDlp:
        // The rest is for later polls: exports and the hook wait for it.
        let end = Clock.steady() + PostPollTasks.longestLookup
        var lookup = try YtDlp(session, deadline: min(deadline ?? end, end))
        failure = try lookup.enrich().failure
        var playlists = try YtDlpPlaylists(session, deadline: min(deadline ?? end, end))
        failure = try playlists.complete() ?? failure
      case .api:
        guard let settings = try APISettings(session.settings) else { break }
        let api = try APISession(settings, session, deadline: deadline)
        failure = try session.enrich(with: api).failure
        if failure == nil {
          var playlists = PlaylistVideos(session, api)
          failure = try api.attempt { try playlists.complete() }
        }
      }
      if let failure { throw failure }
    }
    if describes {
      StandardError.reportFailure { try Descriptions.run(session, within: PostPollTasks.longestLookup, deadline) }
    }
    exports(session)
    StandardError.reportFailure { try hook?.run(session) }
  }
}

/// `METUBE_RSS_ON_NEW`: a program that runs once after a poll with new videos, which it reads on standard input in the
/// format of `list --format jsonl`. What the first response of a newly followed feed holds is not new. Its failure is
/// reported and has no other effect.
package struct NewVideoHook {
  private let line: String
  /// The log's clock when the poll began: what it finds is later.
  private let start: UInt64
  /// The subscriptions whose feeds had been fetched before: the first response holds what is already old.
  private let known: Set<SubscriptionID>

  /// The hook of a poll that is about to start; nil if none is set.
  init?(_ session: Session) throws {
    guard let line = session.settings["ON_NEW"] else { return nil }
    self.line = line
    start = session.library.clock.last
    known = Set(try session.state.followed.filter { $0.name != nil || $0.feedDetails.keyKind != nil }.map(\.id))
  }

  /// Runs the program if there are new videos that `list` would show. Throws failures to report.
  func run(_ session: Session) throws {
    let rows = try self.rows(session)
    guard !rows.isEmpty else { return }
    let environment = Environment.withoutSecrets()
    guard let arguments = ShellWords.split(line, home: environment["HOME"]), let program = arguments.first else {
      throw Failure(SettingError.hookQuote)
    }
    guard let input = ScratchFile(holding: rows.flatMap { $0.json.object + [10] }) else {
      throw Failure(PollError.noRoomForHook(folder: ScratchFile.folder))
    }
    let limit = try NewVideoHook.limit(session.settings)
    let child = ChildProcess(arguments: arguments, environment: environment)
    // Its output must not mix with the poll's report.
    let ending = child.run(input: input.descriptor, output: STDERR_FILENO, within: limit, interrupt: Interrupt())
    guard let complaint = ending.complaint else { return }
    let flaw: HookFlaw =
      switch ending {
      case .timedOut: .timedOut(seconds: limit)
      case .notStarted: .notStarted(complaint)
      default: .ended(complaint)
      }
    throw Failure(PollError.hook(program: program, flaw))
  }

  private func rows(_ session: Session) throws -> [VideoRow] {
    guard let device = session.library.device else { return [] }
    let query = VideoQuery(
      statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    let last = EventID(reading: start, device: device)
    let selection = try session.query { model in
      try model.select(query, at: Clock.now(), among: try model.finds(of: device, after: last))
    }
    return try session.rows(selection.ids.filter { try session.video($0).map(isNews) ?? false })
  }

  /// Whether a feed that had been fetched before holds the video.
  private func isNews(_ video: Video) -> Bool {
    let isOfPlaylist = Array(video.feeds.forms) == [.playlist]
    return !known.isDisjoint(with: isOfPlaylist ? video.playlists.map { .playlist($0) } : video.sources)
  }

  /// The default time limit, seconds.
  package static let usualLimit = 60

  /// The time limit, seconds. Throws if the setting is invalid.
  package static func limit(_ settings: Settings) throws -> Int {
    guard let setting = settings["ON_NEW_SECONDS"] else { return usualLimit }
    guard let seconds = Int(setting), (1...86_400).contains(seconds) else {
      throw Failure(SettingError.hookLimit(setting))
    }
    return seconds
  }
}

extension PollSession {
  /// Requests the pages of channels whose feeds have failed for days, because a feed's 404 alone proves nothing; three
  /// per run. Returns the polling state with the results; ignores responses other than 200 and 404.
  func checkPages(with fetcher: any FeedTransport) throws -> PollState {
    var memory = run.memory
    guard run.stopped == nil, run.checked > 0 else { return memory }
    let now = store.now()
    let ids = memory.feeds.filter { $0.value.needsPage(at: now) && $0.key.channel != nil }.keys.sorted()
    var waiting = ids.prefix(3).enumerated().map { tag, id in
      var request = HTTPRequest(tag: tag, url: feedsURL + "/channel/\(id)", maxBodyBytes: 4 << 20)
      request.method = .head
      // Without it YouTube sends Europeans a cookie consent page.
      request.cookie = "SOCS=CAI"
      return request
    }
    guard !waiting.isEmpty else { return memory }
    var problem: (any Error)?
    do {
      try fetcher.run(
        wakeDescriptor: nil, isAborted: { isToEnd },
        next: {
          guard let request = waiting.last, problem == nil else { return .done }
          do {
            switch try sharedPace?.next() ?? .now {
            case .now:
              waiting.removeLast()
              return .request(request)
            case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
            case .paused, .over: return .done
            }
          } catch { problem = error }
          return .done
        },
        finished: { outcome in
          guard case .success(let response) = outcome.result, [200, 404].contains(response.status) else { return }
          memory.feeds[ids[outcome.tag]]?.notePage(isMissing: response.status == 404, at: now)
        })
    } catch { throw UserMessages.failure(error) }
    if let problem { throw problem }
    return memory
  }
}

/// The last fallback during a feed outage: the Data API's uploads playlist of each due channel.
struct OutageFallback {
  let session: Session
  let api: APISession

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
  func run(_ memory: inout PollState) throws -> Outcome {
    var outcome = Outcome()
    outcome.failure = try api.attempt {
      for channel in try OutageFallback.due(in: session.state, memory, at: Clock.now()) {
        do {
          let list = PlaylistID(of: channel, form: .uploads)
          let page = try api.ask(.playlist(list, page: nil, count: fullFeedCount), PlaylistPage.init)
          outcome.new += try append(page, of: channel, &memory)
          outcome.requested += 1
        } catch APIRefusal.api(.missing) {
          continue  // A channel without uploads, or deleted: its feed will show which.
        }
      }
    }
    return outcome
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
