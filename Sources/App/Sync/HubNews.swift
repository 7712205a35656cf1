import App
import Core
import EventLog
import JSON
import Library
import Messages
import Platform

/// What the hub found, fetched before a poll, and which feeds it checked.
package struct HubNews {
  private let session: Session
  private let client: HubClient
  /// How the hub was before this poll.
  private let before: HubState

  /// Of a session; nil without a hub. A hub that failed before gets one short request, and no repetitions.
  package init?(_ session: Session, retries: Int) throws {
    guard let url = try session.settings.hubURL() else { return nil }
    before = HubState(url, in: session.home)
    let isFailing = before.failingSince != nil
    guard
      let client = try HubClient(
        session.settings, url: nil, retries: isFailing ? 0 : retries, budget: isFailing ? .ofFailing : .whole)
    else { return nil }
    (self.session, self.client) = (session, client)
  }

  /// A feed as the hub's last poll of it left it.
  fileprivate struct Checked {
    var subscription: SubscriptionID
    var at: Timestamp
    var habit: PublishingInterval?
    /// When the hub requests it next; nil if it fails, or if the hub does not say so.
    var next: Timestamp?
  }

  /// The feeds that the hub polls.
  package struct Feeds {
    fileprivate var checked: [Checked]

    /// Records when the hub read its feeds, and leaves what it polls as usual to it, but for a request a day.
    package func add(to memory: inout PollState, at now: Timestamp) {
      for feed in checked { memory.noteHub(feed.subscription, at: feed.at, feed.habit, next: feed.next, now: now) }
    }
  }

  /// Fetches what the hub found, with retries; nil, after a message, if it fails, or if it failed so recently that it is
  /// not requested: then the feeds are requested from YouTube. With `isForced` it is requested all the same, with
  /// `isQuiet` only the first failure is reported.
  package func fetch(isForced: Bool, isQuiet: Bool) -> Feeds? {
    if !isForced, let since = before.failingSince, let retry = before.pollsWithoutHub(at: session.now) {
      let text = "\(before.problem ?? client.url); failing since \(since.local)"
      if !isQuiet { StandardError.report("\(text); polling without the hub, which polls try again at \(retry.local)") }
      return nil
    }
    do {
      var feeds = Feeds(checked: [])
      // In this order, so that what these polls found is fetched.
      try session.sync(with: client) {
        let response = try client.send("/api/v1/channels")
        guard response.status == 200 else { throw client.failure(.refused(detail: response.detail)) }
        feeds.checked = (response.json?["channels"]?.elements ?? []).compactMap { Checked($0) }
      }
      return feeds
    } catch {
      let failure = error as? Failure ?? Failure(SyncError.other("\(error)"))
      let isTemporary = failure.status == .temporaryFailure
      if isTemporary { StandardError.reportFailure(noteFailure) }
      // Once is enough for an hourly timer; status says since when.
      if !isQuiet || before.failingSince == nil || !isTemporary {
        StandardError.report("\(failure.message); polling without the hub until it answers")
      }
      return nil
    }
  }

  private func noteFailure() throws {
    var state = HubState(client.url, in: session.home)
    state.notePollFailure(at: Clock.now())
    try state.write(in: session.home)
  }

  /// Sends what the poll found, until a signal arrives. A failure is kept for `status`, and later commands try again.
  package func send(until interrupt: Interrupt) {
    client.end(by: interrupt)
    guard let sync = try? BackgroundSync(session), (try? sync.unsent) ?? 0 > 0 else { return }
    _ = try? session.sync(with: client) {}
  }
}

extension HubNews.Checked {
  /// A channel in a response; nil if its feed was never read.
  fileprivate init?(_ value: JSONValue) {
    func time(_ name: String) -> Timestamp? { value[name]?.string.flatMap { Timestamp(rfc3339: $0) } }
    guard let subscription = value["channel"]?.string.flatMap({ SubscriptionID($0) }), let at = time("lastChecked")
    else {
      return nil
    }
    (self.subscription, self.at, next) = (subscription, at, time("nextCheck"))
    let interval = value["intervalSeconds"]?.number.flatMap { Int64(exactly: $0) }
    habit = time("lastPublished").map { PublishingInterval(newest: $0, interval: interval) }
  }
}
