import App
import Core
import FeedParser
import HTTPClient
import Importers
import Library
import Messages
import Platform
import YouTube

/// Resolves the followed names (`@handle`, `/user/name`, `/c/name`) to channel IDs, which needs the network.
///
/// One at a time: the feed for an old-style name, else the Data API if a key is set, else the channel page, which has
/// over a megabyte. A name without a channel is recorded and retried after a day; a missing response or a server error
/// does not count against the name. A 403 or 429 ends the run and pauses the feeds too, because the host is the same.
package struct HandleLookup {
  /// One lookup.
  private struct Lookup {
    var followed: HandleFollowed
    var name: ChannelName
    var source: HandleSource
  }

  private let follow: (HandleFollowed, SubscriptionID) throws -> Void
  private let sharedPace: PollTurns?
  private let feedsURL: String
  private let interrupt = Interrupt()
  /// When to stop sending requests, on the monotonic clock.
  private let deadline: Int?
  private var lookups: [Lookup] = []
  private var requested: Lookup?
  private var api: HandleAPI?
  /// The earliest time of the next request, on the monotonic clock.
  private var nextRequest = 0
  private var problem: (any Error)?
  /// The polling state, updated with the results.
  package private(set) var memory: PollState
  /// The result so far.
  package private(set) var report = HandleReport()

  /// A lookup of up to `maximum` due names, until `deadline` on the monotonic clock; with `isForced` also of those whose
  /// page failed minutes ago, or that were not found 15 minutes ago. Several users, given with the names that each follows, take turns. Follows the channels of
  /// resolved names.
  package init(
    _ session: Session, _ memory: PollState, inTurnsOf users: [[String]], maximum: Int, isForced: Bool, deadline: Int?
  ) throws {
    let names = try session.state.unresolved
    let due = names.filter { name in
      memory.names[name.handle].map { known in
        let isOld = session.now.seconds(since: known.requested) >= PollPlan.floor
        return known.isDue(at: session.now) || isForced && (known.isUndecided || isOld)
      } ?? true
    }
    // Shuffle, or names whose pages fail would starve the others.
    let chosen =
      due.count > maximum ? due.shuffled().inTurns(of: users.shuffled(), by: \.handle).prefix(maximum) : due[...]
    try self.init(session, memory, of: chosen, deadline: deadline, pace: nil) { followed, subscription in
      try HandleLookup.follow(subscription, of: followed, session)
    }
    report.waiting = due.count - lookups.count
    if !lookups.isEmpty { api = HandleAPI(session, deadline: deadline) }
  }

  /// A lookup of some names without the Data API. `follow` is called with each resolved one.
  package init(
    _ session: Session, _ memory: PollState, of names: some Sequence<HandleFollowed>, deadline: Int?, pace: PollTurns?,
    follow: @escaping (HandleFollowed, SubscriptionID) throws -> Void
  ) throws {
    (self.follow, self.deadline, self.memory, sharedPace) = (follow, deadline, memory, pace)
    feedsURL = try session.settings.feedsURL()
    for followed in names {
      guard let name = ChannelName(description: followed.handle) else { continue }
      lookups.append(Lookup(followed: followed, name: name, source: name.feedPath == nil ? .api : .feed))
    }
  }

  /// Whether no name is due.
  package var isEmpty: Bool { lookups.isEmpty }

  /// Looks up all due names. Throws if the log or libcurl as a whole fails; earlier results stay.
  package mutating func run(with fetcher: HTTPSession) throws {
    var run = self
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor, isAborted: { run.isOver() }, next: { run.nextStep() },
        finished: { run.take($0) })
    } catch { run.problem = run.problem ?? UserMessages.failure(error) }
    self = run
    report.waiting += lookups.count
    if let problem { throw problem }
    try api?.save()
  }

  private mutating func isOver() -> Bool {
    // A deadline that passes after the last response stops nothing.
    if let deadline, Clock.steady() >= deadline, requested != nil || !lookups.isEmpty {
      report.stopped = .deadline
    } else if interrupt.isSignalled() || api?.hasEnded == true {
      report.stopped = .interrupted
    }
    return problem != nil || report.ending != nil
  }

  private mutating func nextStep() -> HTTPStep {
    if requested != nil { return .idle }
    askAPI()
    guard problem == nil, report.stopped == nil, let lookup = lookups.first else { return .done }
    let now = Clock.steady()
    guard now >= nextRequest else { return .wait(.milliseconds(nextRequest - now)) }
    if let step = waitForPermission() { return step }
    // 0.5 to 1 second between requests, as for feeds.
    nextRequest = now + 500 + Int.random(in: 0...500)
    lookups.removeFirst()
    requested = lookup
    return .request(request(for: lookup))
  }

  /// What to do until the shared pace permits a request; nil once it does.
  private mutating func waitForPermission() -> HTTPStep? {
    do {
      switch try sharedPace?.next() ?? .now {
      case .now: return nil
      case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
      case .paused, .over: report.stopped = .deadline
      }
    } catch { problem = error }
    return .done
  }

  /// Looks up the next names in the Data API, up to the first that it does not resolve.
  private mutating func askAPI() {
    while problem == nil, !isOver(), let lookup = lookups.first, lookup.source == .api {
      do {
        if let channel = try api?.channel(of: lookup.name) {
          lookups.removeFirst()
          note(.channel(channel), lookup.followed)
        } else if api?.hasEnded != true {
          lookups[0].source = .page
        }
      } catch { problem = error }
    }
  }

  private func request(for lookup: Lookup) -> HTTPRequest {
    let path = lookup.source == .feed ? lookup.name.feedPath : nil
    var request = HTTPRequest(
      tag: 0, url: feedsURL + (path ?? lookup.name.encodedPath), maxBodyBytes: HandleLookup.bodyLimit)
    // Without it YouTube sends Europeans a cookie consent page.
    if lookup.source == .page { request.cookie = "SOCS=CAI" }
    return request
  }

  /// The maximum page size in bytes; real pages have 1.6 MB.
  private static let bodyLimit = 4 << 20

  private mutating func take(_ outcome: HTTPOutcome) {
    guard let lookup = requested else { return }
    requested = nil
    switch outcome.result {
    case .failure(.aborted): lookups.insert(lookup, at: 0)
    case .failure(let failure) where failure.hasResponse:
      note(HandleResponse(ofNoUse: UserMessages.fetch(failure), from: lookup.source), to: lookup, retryAfter: nil)
    case .failure(let failure):
      lookups.insert(lookup, at: 0)
      report.stopped = .offline
      report.trouble = UserMessages.fetch(failure)
    case .success(let response):
      let said = HandleResponse(status: response.status, body: response.body, from: lookup.source)
      note(said, to: lookup, retryAfter: response.retryAfter)
    }
  }

  private mutating func note(_ response: HandleResponse, to lookup: Lookup, retryAfter: RetryAfter?) {
    let handle = lookup.followed.handle
    switch response {
    case .channel(let channel): note(.channel(channel), lookup.followed)
    case .refused(let reason):
      lookups.insert(lookup, at: 0)
      pause(reason, after: retryAfter)
    case .undecided:
      var next = lookup
      next.source = .api
      lookups.insert(next, at: 0)
    case .failing(let reason):
      memory.names[handle] = HandleState(requested: Clock.now(), lastOutcome: reason, isUndecided: true)
      report.waiting += 1
      report.undecided.append((handle, reason))
    case .nothing(let reason):
      memory.names[handle] = HandleState(requested: Clock.now(), lastOutcome: reason)
      report.failed.append((handle, reason))
    }
  }

  private mutating func pause(_ reason: StopReason, after retryAfter: RetryAfter?) {
    let now = Clock.now()
    let seconds = retryAfter.map { $0.seconds(at: now) }
    memory.pause = Backoff.after(memory.pause, reason: reason, requested: seconds, now: now)
    report.stopped = reason
    report.trouble = reason == .refused ? "HTTP 403" : "HTTP 429"
  }

  private mutating func note(_ subscription: SubscriptionID, _ followed: HandleFollowed) {
    memory.names[followed.handle] = nil
    report.resolved.append((followed.handle, subscription))
    do { try follow(followed, subscription) } catch { problem = error }
  }

  /// Follows the channel of a resolved name, as part of the action that followed the name.
  private static func follow(
    _ subscription: SubscriptionID, of followed: HandleFollowed, _ session: Session
  ) throws {
    try session.commit(action: session.state.handles[followed.handle]?.action) {
      // It may have been unfollowed during the lookup.
      guard let followed = try session.state.handles[followed.handle]?.followed else { return [] }
      var wish = FollowChanges(tags: [], seenBefore: followed.seenBefore)
      wish.add(.subscription(subscription, .channel), title: followed.title, tags: followed.tags ?? [])
      let resolved = HandleResolved(handle: followed.handle, subscription: subscription)
      return [.handleResolved(resolved)] + (try wish.bodies(in: session.library.model))
    }
  }
}

/// The result of a name lookup.
package struct HandleReport {
  /// The resolved names and their subscriptions.
  package var resolved: [(name: String, subscription: SubscriptionID)] = []
  /// The names without a channel, and why.
  package var failed: [(name: String, reason: String)] = []
  /// The names whose pages could not be fetched, and why.
  package var undecided: [(name: String, reason: String)] = []
  /// The number of names not yet looked up.
  package var waiting = 0
  /// Why it ended early; nil if it did not.
  package var stopped: StopReason?
  /// Why the whole command must stop too: an interrupt or the deadline; otherwise nil.
  package var ending: StopReason? { stopped == .interrupted || stopped == .deadline ? stopped : nil }
  /// The server's refusal, a 403 or 429, which applies to the feeds too; otherwise nil.
  var refusal: StopReason? { stopped == .refused || stopped == .tooMany ? stopped : nil }
  /// What stopped it, as a message for the user.
  package var trouble: String?

  /// Messages for the user, one per line.
  package var complaints: [String] {
    var lines = failed.map { "\($0.name): \($0.reason); will retry after a day" }
    lines += undecided.map { "\($0.name): \($0.reason); will retry after 15 minutes" }
    if let trouble { lines.append("handles cannot be looked up now: \(trouble)") }
    return lines
  }
}

/// The source of a name lookup.
enum HandleSource { case feed, api, page }

/// The result of looking up a name in a feed or a page.
enum HandleResponse: Equatable {
  /// The name belongs to this channel.
  case channel(ChannelID)
  /// Stop sending requests: 403 or 429.
  case refused(StopReason)
  /// The feed is inconclusive (feeds fail for hours on most days); the API and the page decide.
  case undecided
  /// The page could not be fetched, which says nothing about the name; the payload is the message for the user.
  case failing(String)
  /// The name belongs to no channel; the payload is the message for the user.
  case nothing(String)

  /// Interprets a response with this HTTP status.
  init(status: Int, body: [UInt8], from source: HandleSource) {
    if status == 403 || status == 429 {
      self = .refused(status == 403 ? .refused : .tooMany)
    } else if status == 200, let channel = HandleResponse.channel(in: body, source) {
      self = .channel(channel)
    } else if source == .feed {
      self = .undecided
    } else if status == 200 {
      self = .nothing("no channel ID on its page")
    } else {
      let reason = "HTTP \(status)"
      self = status == 404 || status == 410 ? .nothing(reason) : .failing(reason)
    }
  }

  /// Interprets a response that is too large or a forbidden redirect. Final, since each retry would cost megabytes.
  init(ofNoUse reason: String, from source: HandleSource) { self = source == .feed ? .undecided : .nothing(reason) }

  private static func channel(in body: [UInt8], _ source: HandleSource) -> ChannelID? {
    guard source == .feed else { return ChannelPage.channel(in: body) }
    do {
      let feed = try Feed(xml: body)
      return feed.authorChannel ?? feed.channel
    } catch { return nil }  // Not a feed: the Data API and the page decide.
  }
}

/// Looks names up through the Data API until it fails. Reports the failure once; lookup then falls back to pages.
struct HandleAPI {
  private var api: APISession
  private var isOfUse = true
  /// Whether the user or the deadline ended a request.
  private(set) var hasEnded = false

  /// The API of a session; nil without a key, or if a setting is invalid, which is reported.
  init?(_ session: Session, deadline: Int?) {
    do {
      guard let settings = try APISettings(session.settings) else { return nil }
      api = try APISession(settings, session, deadline: deadline)
    } catch {
      StandardError.report((error as? Failure)?.message ?? "\(error)")
      return nil
    }
  }

  /// The channel of a name; nil if the API has none or has failed. Throws if libcurl as a whole fails.
  mutating func channel(of name: ChannelName) throws -> ChannelID? {
    guard isOfUse, let lookup = ChannelLookup(name) else { return nil }
    do { return try api.ask(.channel(lookup), ChannelFacts.read)?.channel } catch let refusal as APIRefusal {
      isOfUse = false
      if case .ended = refusal { hasEnded = true } else { StandardError.report(api.failure(refusal).message) }
      return nil
    }
  }

  /// Persists the units used.
  func save() throws { try api.save() }
}
