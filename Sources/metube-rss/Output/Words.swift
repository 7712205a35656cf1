import Core
import FeedXML
import Fetch
import Glibc

/// The words for counts, failures and reports: every sentence about evidence from the modules is made here.
enum Words {
  /// `1 video`, `2 videos`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// What an action was, from its events: `2 marks`.
  static func action(_ events: [Event]) -> String {
    let nouns = events.compactMap { noun($0.body) }
    let order = ["follow", "unfollow", "channel setting", "mark", "rule"]
    let parts = order.map { noun in (nouns.count { $0 == noun }, noun) }.filter { $0.0 > 0 }
    return parts.isEmpty ? count(events.count, "event") : parts.map { count($0.0, $0.1) }.joined(separator: ", ")
  }

  private static func noun(_ body: EventBody) -> String? {
    switch body {
    case .channelFollowed, .handleFollowed: "follow"
    case .channelUnfollowed, .handleUnfollowed: "unfollow"
    case .channelChanged: "channel setting"
    case .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet: "mark"
    case .ruleSet, .ruleRemoved: "rule"
    default: nil
    }
  }

  /// What an event made of a video or a subscription, with its title; nil where it is about neither.
  static func outcome(_ body: EventBody, in state: State) -> String? {
    func title(of id: SubscriptionID) -> String { DisplayText(state.channels[id]?.title ?? "\(id)").text }
    switch body {
    case .channelFollowed(let followed): return "following \(title(of: followed.subscription))"
    case .channelUnfollowed(let id): return "no longer following \(title(of: id))"
    case .channelChanged(let change): return "\(title(of: change.subscription)): \(choices(change))"
    default:
      guard let id = body.video, let words = happened(body) else { return nil }
      return reply(DisplayText(words).text, state.videos[id]?.title ?? "", id)
    }
  }

  /// What a person chose for a channel: `feed videos, streams hidden, oldest first`.
  static func choices(_ change: ChannelChanged) -> String {
    var words: [String] = []
    if let title = change.title { words.append(title.isEmpty ? "its own title" : "titled \(DisplayText(title).text)") }
    if let tags = change.tags {
      let names = tags.map { DisplayText($0).text }.joined(separator: ", ")
      words.append(tags.isEmpty ? "no tags" : "tags \(names)")
    }
    if let feed = change.feed { words.append("feed \(feed.rawValue)") }
    if let shorts = change.shorts { words.append(shorts == .show ? "Shorts listed" : "Shorts hidden") }
    if let live = change.live { words.append(live == .show ? "streams listed" : "streams hidden") }
    if let order = change.order { words.append("\(order.rawValue) first") }
    return words.joined(separator: ", ")
  }
}

// MARK: Input that is not understood

extension Words {
  /// Why a text names nothing.
  static func reference(_ error: ReferenceError) -> String {
    switch error {
    case .notAReference: "neither an id nor a handle (@name) nor an address"
    case .notYouTube: "not an address of YouTube"
    case .badChannelID(let text):
      "\(DisplayText(text).text) is no channel's id: UC and 22 letters, the last of them A, Q, g or w"
    case .badPlaylistID(let text): "\(DisplayText(text).text) is no playlist's id"
    case .badVideoID(let text): "\(DisplayText(text).text) is no video's id: 11 letters"
    case .badName(let text): "\(DisplayText(text).text) can be no handle or name"
    case .playlistWithoutFeed(let text): "the list \(DisplayText(text).text) is private to its owner and has no feed"
    case .namesNothing: "a page of YouTube, but of no channel, playlist or video"
    }
  }

  /// Why a document of XML was refused.
  static func xml(_ damage: XMLDamage) -> String {
    switch damage {
    case .empty: "empty"
    case .malformed(let code, let line, let column): "damaged XML at line \(line), column \(column) (libxml2 \(code))"
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .tagTooLong(let limit, let line): "line \(line): a tag of more than \(limit) bytes"
    case .tooManyAttributes(let limit, let line): "line \(line): a tag with more than \(limit) attributes"
    case .tooManyNames(let limit, let line): "line \(line): more than \(limit) names"
    case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit)"
    case .tooManyEntries(let limit): "more than \(limit) entries"
    case .fieldTooLong(let limit, let line): "line \(line): a text of more than \(limit) bytes"
    case .doctype(let line): "line \(line): a document type, which is not read"
    case .encoding(let name): "in the encoding \(DisplayText(name).text), which is not read"
    case .notAFeed(let root): "no feed but <\(DisplayText(root).text)>"
    case .notOPML(let root): "no OPML but <\(DisplayText(root).text)>"
    case .badEntry(let line, let field, let flaw): "line \(line): an entry whose \(field) is \(flaw)"
    }
  }

  /// Why an answer with status 200 is no feed.
  static func feed(_ damage: XMLDamage) -> String {
    if case .notAFeed(let root) = damage, root.lowercased() == "html" { return "an HTML page in place of the feed" }
    return xml(damage)
  }

  /// Why a feed is not believed.
  static func foreign(_ channel: ChannelID) -> String { "the feed of another channel (\(channel))" }
}

// MARK: The network

extension Words {
  /// A failure of libcurl as a whole.
  static func failure(_ failure: FetchFailure) -> Failure { Failure(.disk, "libcurl: \(fetch(failure))") }

  /// Why no answer came.
  static func fetch(_ failure: FetchFailure) -> String {
    switch failure {
    case .resolve: "the name of the host was not found"
    case .connect(errno: 0): "no connection"
    case .connect(let code): "no connection (\(String(cString: strerror(code))))"
    case .proxy: "the proxy failed"
    case .tls(let code): "TLS failed (libcurl \(code))"
    case .untrusted: "the certificate is not trusted"
    case .timedOut: "timed out"
    case .authorities: "the file of certificate authorities cannot be read"
    case .stalled: "the answer stalled"
    case .tooLarge(let limit): "an answer larger than \(limit) bytes"
    case .headersTooLarge: "headers without end"
    case .reset: "the connection was reset"
    case .noAnswer: "the connection was closed without an answer"
    case .truncated: "the answer broke off"
    case .malformed: "an answer that is no HTTP"
    case .tooManyRedirects: "too many redirects"
    case .forbiddenScheme: "a redirect to something other than the web"
    case .forbiddenAddress: "a redirect to a private address"
    case .forbiddenHost: "a redirect to another host"
    case .invalidURL: "an address that is none"
    case .invalidHeader: "a header that cannot be sent"
    case .aborted: "ended before an answer came"
    case .library(let problem): "it cannot be loaded: \(problem)"
    case .setting(let name, let code): "this libcurl does not take \(name) (\(code))"
    case .multi(let code), .other(let code): "libcurl \(code)"
    }
  }

  /// What came of a poll, for a person.
  static func report(_ report: PollReport, _ plan: PollPlan, _ memory: PollMemory) -> String {
    var lines: [String] = []
    let gaps = report.gaps > 0 ? ", \(count(report.gaps, "gap"))" : ""
    let failed = report.failed > 0 ? ", \(report.failed) failed" : ""
    lines.append(
      "\(count(report.checked, "feed")) checked: \(report.new) new, \(report.changed) changed\(gaps)\(failed)")
    lines += notDue(plan)
    if report.usedOtherForm { lines.append("the channels' feeds fail; their playlists' feeds were asked instead") }
    if let reason = report.stopped { lines.append("stopped: \(stopped(reason)); \(left(report))") }
    if report.stopped != nil, let pause = memory.pause, pause.reason != .offline {
      lines.append("next try from \(pause.retry.rfc3339) on")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// What a run that stopped left: `6 not asked, 1 name still to be looked up`.
  private static func left(_ report: PollReport) -> String {
    let names = report.namesLeft > 0 ? "\(count(report.namesLeft, "name")) still to be looked up" : nil
    let feeds = report.unasked > 0 || names == nil ? "\(report.unasked) not asked" : nil
    return [feeds, names].compactMap(\.self).joined(separator: ", ")
  }

  /// How many were not asked, and why.
  private static func notDue(_ plan: PollPlan) -> [String] {
    let reasons = Dictionary(grouping: plan.notDue.values, by: \.self).mapValues(\.count)
    return reasons.sorted { ($1.value, word($0.key)) < ($0.value, word($1.key)) }.map { "\($1) not asked: \(word($0))" }
  }

  private static func word(_ reason: PollPlan.Reason) -> String {
    switch reason {
    case .fresh: "asked less than 15 minutes ago (--force asks all the same)"
    case .gap: "their own gap is not over (--all asks all the same)"
    case .pause(let until): "the feeds were failing or refused; the next try is from \(until.rfc3339) on"
    }
  }

  /// Why a run stopped.
  static func stopped(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "YouTube's feeds are failing as a whole; no channel is to blame"
    case .offline: "no feed could be reached; the network, the proxy or the name service is at fault"
    case .refused: "YouTube refuses this address for now (403); that usually lasts about four hours"
    case .tooMany: "YouTube says there were too many questions (429)"
    case .deadline: "the deadline passed"
    case .interrupted: "interrupted; what had come was kept"
    }
  }

  /// The failures of a poll, one line for each reason, with the channels it befell.
  static func failures(_ report: PollReport, _ state: State) -> [String] {
    if report.stopped == .outage { return [] }
    let reasons = Dictionary(grouping: report.failures, by: \.answer.words)
    return reasons.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, failures in
      let titles = failures.prefix(3).map { DisplayText(state.channels[$0.subscription]?.title ?? "").text }
      let more = failures.count > 3 ? " and \(failures.count - 3) more" : ""
      return "\(titles.joined(separator: ", "))\(more): \(reason)"
    }
  }
}
