import Core
import HTTPClient
import YouTube

/// The tasks after a poll's report. A failure here is reported, but affects neither the videos found nor the poll's
/// status.
struct PostPollTasks {
  private let session: Session
  /// The folder of `--home`; nil if absent.
  private let folder: String?
  /// When to stop sending Data API requests, in milliseconds of the steady clock; nil if unlimited.
  private let deadline: Int?
  private let hook: NewVideoHook?

  /// Create this when the poll begins. `deadline` is in milliseconds of the steady clock.
  init(_ session: Session, folder: String?, deadline: Int?) throws {
    self.session = session
    self.folder = folder
    self.deadline = deadline
    hook = try NewVideoHook(session)
  }

  /// During an outage, queries the Data API for channels whose feeds fail. Runs before the poll reports.
  func fallBack(_ memory: PollState, _ file: PollStateFile) {
    StandardError.reportFailure {
      guard let settings = try APISettings(session.settings) else {
        throw Failure(.usage, "--api-fallback needs a YouTube Data API key: set METUBE_RSS_API_KEY")
      }
      var memory = memory
      var fallback = OutageFallback(session, try APISession(settings, session, deadline: deadline))
      let outcome = try fallback.run(&memory)
      try file.write(memory)
      if outcome.requested > 0 {
        StandardError.report(
          "used the Data API in place of \(UserMessages.count(outcome.requested, "feed")): \(outcome.new) new")
      }
      if let failure = outcome.failure { throw failure }
    }
  }

  /// Enriches new videos if an API key is set, refreshes the exports and runs the user's hook on the new videos.
  func run() {
    StandardError.reportFailure {
      guard let settings = try APISettings(session.settings) else { return }
      var enrichment = Enrichment(session, try APISession(settings, session, deadline: deadline))
      try enrichment.run()
      if let failure = enrichment.report.failure { throw failure }
    }
    NamedExports(session, folder: folder).refresh()
    StandardError.reportFailure { try hook?.run(session) }
  }
}

/// Requests the pages of channels whose feeds have failed for days: a feed's 404 alone proves nothing.
struct PageCheck {
  private let session: Session
  /// The maximum pages requested per run; the others wait for the next run.
  private static let most = 3

  init(_ session: Session) { self.session = session }

  /// Requests the pages of suspect channels after a finished poll; returns its polling state with the results. Ignores
  /// responses other than 200 and 404.
  func run(_ poll: PollSession, _ fetcher: HTTPSession) throws -> PollState {
    var memory = poll.run.memory
    guard poll.run.stopped == nil, poll.run.checked > 0 else { return memory }
    let now = Clock.now()
    let ids = memory.feeds.filter { $0.value.needsPage(at: now) && $0.key.channel != nil }.keys.sorted()
    var waiting = try ids.prefix(PageCheck.most).enumerated().map { try request($0.element, tag: $0.offset) }
    guard !waiting.isEmpty else { return memory }
    do {
      try fetcher.run(
        wakeDescriptor: nil, isAborted: { poll.isToEnd }, next: { waiting.popLast().map { .request($0) } ?? .done },
        finished: { outcome in
          guard case .success(let answer) = outcome.result, [200, 404].contains(answer.status) else { return }
          memory.feeds[ids[outcome.tag]]?.notePage(isMissing: answer.status == 404, at: now)
        })
    } catch { throw UserMessages.failure(error) }
    return memory
  }

  private func request(_ id: SubscriptionID, tag: Int) throws -> HTTPRequest {
    var request = HTTPRequest(
      tag: tag, url: try session.settings.feedsURL() + "/channel/\(id)", maxBodyBytes: 4 << 20)
    request.method = .head
    // Without it YouTube sends Europeans a cookie consent page.
    request.cookie = "SOCS=CAI"
    return request
  }
}
