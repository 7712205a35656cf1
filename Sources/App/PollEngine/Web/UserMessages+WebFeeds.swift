import Core
import EventLog
import Exporters
import HTTPClient
import Messages
import Platform
import WebFetch
import WebPolling

/// Messages about feeds of other sites. None has an address that may contain a secret.
extension UserMessages {
  /// Why there is no usable response to a request for any URL.
  static func fetch(_ failure: WebFailure) -> String {
    switch failure {
    case .transfer(.forbiddenAddress, _):
      "an address that is not on the internet (METUBE_RSS_PRIVATE_NETWORKS=yes allows private networks)"
    case .transfer(let problem, _): fetch(problem)
    case .forbiddenPort: "a port other than 80 and 443 (METUBE_RSS_PRIVATE_NETWORKS=yes allows any)"
    case .downgrade: "a redirect from https to http"
    case .badRedirect: "a redirect without a valid URL"
    case .tooManyRedirects(let limit): "more than \(count(limit, "redirect"))"
    }
  }

  /// Why there is no feed to follow at an address, and what to do instead.
  package static func text(of reason: NoFeed) -> String {
    switch reason {
    case .noAddress: "not an address"
    case .noFeed: "no feed is there, and the page links none"
    case .damaged(let text): text
    case .bridge(let kind, let path):
      "the site has no feeds; with an instance of \(kind) of your own, follow https://INSTANCE\(path)"
    case .unsupported(let platform): "\(platform) has no feeds"
    }
  }

  /// The title of a feed; without one its address, or its ID if the address is private.
  static func name(of feed: SubscriptionID, in state: State) -> String {
    guard let channel = state.channels[feed], !channel.hasTitle else {
      return DisplayText(state.channels[feed]?.title ?? "\(feed)").text
    }
    return channel.isPrivate ? "\(feed)" : DisplayText(channel.address ?? "\(feed)").text
  }

  private static func name(_ id: PolledFeedID, _ state: State) -> String {
    SubscriptionID(id.text).map { name(of: $0, in: state) } ?? id.text
  }

  /// What failed in a poll of feeds of other sites, one line for each reason with the feeds; then what needs the user.
  static func failures(_ report: WebPollReport, _ state: State) -> [String] {
    let reasons = Dictionary(grouping: report.run.failed, by: \.text)
    var lines = reasons.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, failed in
      let titles = failed.prefix(3).map { name($0.feed, state) }
      let more = failed.count > 3 ? " and \(failed.count - 3) more" : ""
      return "\(titles.joined(separator: ", "))\(more): \(reason)"
    }
    lines += report.run.gone.map {
      "\(name($0, state)): its publisher says that it is gone; it will be checked once a week"
    }
    lines += report.run.probablyGone.map {
      "\(name($0, state)): has been failing for 30 days, and is probably gone; see metube-rss channels --dead"
    }
    lines += report.renumbered.map {
      "\(name(of: .feed($0), in: state)): gave its entries new IDs; those whose titles are known count as skipped"
    }
    return lines
  }

  /// What the text report of a poll says of feeds of other sites besides the counts.
  static func remarks(_ report: WebPollReport, _ state: State) -> [String] {
    var lines = report.run.moves.map { "\(name($0.feed, state)) has moved to \($0.to.host)" }
    lines += report.gaps.map { "\(name(of: .feed($0), in: state)) may have published more than its feed shows" }
    lines += report.run.paused.map { "\($0.host): \(pause($0.pause.reason)); retry after \($0.pause.retry.local)" }
    return lines
  }

  private static func pause(_ reason: StopReason) -> String {
    switch reason {
    case .refused: "refuses requests"
    case .tooMany: "wants fewer requests"
    default: "most of its feeds are failing"
    }
  }

  /// How many feeds of other sites were skipped, by reason.
  static func notDue(_ report: WebPollReport) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (reason, count) in report.notDue { counts[word(reason), default: 0] += count }
    if report.dropped > 0 { counts["their site failed or refused in this run"] = report.dropped }
    return counts
  }

  private static func word(_ reason: WebPlan.Reason) -> String {
    switch reason {
    case .fresh: word(.fresh as PollPlan.Reason)
    case .gap: word(.gap as PollPlan.Reason)
    case .pause(let until): "their site was failing or refused; retry after \(until.local)"
    case .turn: "their site takes few requests; the next polls check them"
    }
  }
}

extension WebPollReport {
  /// Adds what the report of a poll has besides counts.
  func add(to line: inout JSONLine) {
    line.add("moved", run.moves.map(\.feed.text))
    line.add("goneFeeds", (run.gone + run.probablyGone).map(\.text))
    line.add("renumbered", renumbered.map(\.description))
    line.add("pausedSites", objects: run.paused.map(WebPollReport.json))
  }

  private static func json(_ paused: (host: String, pause: Backoff)) -> JSONLine {
    var line = JSONLine()
    line.add("site", paused.host)
    line.add("reason", paused.pause.reason.rawValue)
    line.add("until", paused.pause.retry)
    return line
  }

  /// The failures as members of `failures`; the status is in the reason.
  var failures: [JSONLine] {
    run.failed.map { failure in
      var line = JSONLine()
      line.add("channel", failure.feed.text)
      line.add("reason", failure.text)
      line.add("status", Int?.none)
      return line
    }
  }
}
