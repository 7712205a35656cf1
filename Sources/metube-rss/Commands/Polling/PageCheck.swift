import Core
import HTTPClient

/// Requests the pages of channels whose feeds have failed for days: a feed's 404 alone proves nothing.
struct PageCheck {
  private let session: Session
  /// The maximum pages requested per run; the others wait for the next run.
  private static let most = 3

  init(_ session: Session) { self.session = session }

  /// Requests the pages of suspect channels after a finished poll; returns its polling state with the results. Ignores
  /// responses other than 200 and 404.
  func run(_ poll: PollSession, _ fetcher: Fetcher) throws -> PollMemory {
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
    } catch { throw Words.failure(error) }
    return memory
  }

  private func request(_ id: SubscriptionID, tag: Int) throws -> FetchRequest {
    var request = FetchRequest(
      tag: tag, url: try session.settings.feedsURL() + "/channel/\(id)", maxBodyBytes: 4 << 20)
    request.method = .head
    // Without it YouTube sends Europeans a cookie consent page.
    request.cookie = "SOCS=CAI"
    return request
  }
}
