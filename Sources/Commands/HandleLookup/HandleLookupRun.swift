import Core
import FeedParser
import HTTPClient
import Importers
import YouTube

/// `channels --resolve`: looks up every name that is due.
struct HandleLookupRun {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Looks them up and prints the results.
  func run() throws { try session.whilePolling(lookUp) }

  private func lookUp() throws {
    let file = try PollStateFile(session)
    let memory = file.readToAsk(at: session.now)
    if let pause = memory.pause, pause.isActive(at: session.now) {
      throw Failure(
        .temporaryFailure, "requests to YouTube are paused until \(pause.retry.local); try again after that")
    }
    var names = try HandleLookup(session, memory, most: .max, isForced: true, deadline: nil)
    if !names.isEmpty {
      let fetcher = try HTTPSession(session.settings, jobs: 1)
      defer { tell(names.report) }
      try names.run(with: fetcher)
      try file.write(names.memory)
    }
    try show(names.report)
    if names.report.ending != nil { throw ExitStatus.partial }
    if names.report.stopped != nil { throw ExitStatus.temporaryFailure }
    if !names.report.failed.isEmpty || !names.report.unanswered.isEmpty { throw ExitStatus.partial }
  }

  private func tell(_ report: HandleReport) {
    for line in report.complaints { StandardError.report(line) }
  }

  private func show(_ report: HandleReport) throws {
    var output = Output()
    for (name, subscription) in report.resolved {
      let title = try session.state.channels[subscription].flatMap { $0.hasTitle ? $0.title : nil } ?? ""
      output.write("\(name) is \(subscription)  \(DisplayText(title).text)\n")
    }
    if report.waiting > 0 { output.write("\(UserMessages.count(report.waiting, "handle")) not yet looked up\n") }
    if report.resolved.isEmpty, report.waiting == 0, report.failed.isEmpty { output.write("no handles to look up\n") }
    try output.finish()
  }
}

/// The result of a name lookup.
struct HandleReport {
  /// The resolved names and their subscriptions.
  var resolved: [(name: String, subscription: SubscriptionID)] = []
  /// The names without a channel, and why.
  var failed: [(name: String, words: String)] = []
  /// The names whose pages could not be fetched, and why.
  var unanswered: [(name: String, words: String)] = []
  /// The number of names not yet looked up.
  var waiting = 0
  /// Why it ended early; nil if it did not.
  var stopped: StopReason?
  /// Why the whole command must stop too: an interrupt or the deadline; otherwise nil.
  var ending: StopReason? { stopped == .interrupted || stopped == .deadline ? stopped : nil }
  /// The server's refusal, a 403 or 429, which applies to the feeds too; otherwise nil.
  var refusal: StopReason? { stopped == .refused || stopped == .tooMany ? stopped : nil }
  /// What stopped it, as a message for the user.
  var trouble: String?

  /// Messages for the user, one per line.
  var complaints: [String] {
    var lines = failed.map { "\($0.name): \($0.words); will retry after a day" }
    lines += unanswered.map { "\($0.name): \($0.words); will retry after 15 minutes" }
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
  init(status: Int, body: [UInt8], from place: HandleSource) {
    if status == 403 || status == 429 {
      self = .refused(status == 403 ? .refused : .tooMany)
    } else if status == 200, let channel = HandleResponse.channel(in: body, place) {
      self = .channel(channel)
    } else if place == .feed {
      self = .undecided
    } else if status == 200 {
      self = .nothing("no channel ID on its page")
    } else {
      let words = "HTTP \(status)"
      self = status == 404 || status == 410 ? .nothing(words) : .failing(words)
    }
  }

  /// Interprets a response that is too large or a forbidden redirect. Final, since each retry would cost megabytes.
  init(ofNoUse words: String, from place: HandleSource) { self = place == .feed ? .undecided : .nothing(words) }

  private static func channel(in body: [UInt8], _ place: HandleSource) -> ChannelID? {
    guard place == .feed else { return ChannelPage.channel(in: body) }
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
    do { return try ChannelFacts.read(try api.ask(.channel(lookup)))?.channel } catch let refusal as APIRefusal {
      end(refusal)
    } catch let failure as APIFailure { end(.api(failure)) }
    return nil
  }

  /// Persists the units used.
  func save() throws { try api.save() }

  private mutating func end(_ refusal: APIRefusal) {
    isOfUse = false
    if case .ended = refusal {
      hasEnded = true
      return
    }
    StandardError.report(UserMessages.refusal(refusal, budget: api.budget, now: Clock.now()).message)
  }
}
