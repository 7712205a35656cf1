import Core
import HTTPClient
import Messages
import Platform
import YouTube

/// Messages about a poll.
extension UserMessages {
  /// The text report of a poll.
  package static func report(_ report: PollReport, _ plan: PollPlan, _ memory: PollState) -> String {
    var lines: [String] = []
    let run = report.run
    let gaps = run.gaps > 0 ? ", \(count(run.gaps, "gap"))" : ""
    let failed = run.failed > 0 ? ", \(run.failed) failed" : ""
    lines.append("\(count(run.checked, "feed")) checked: \(run.new) new, \(run.changed) changed\(gaps)\(failed)")
    lines += notDue(plan, report.web)
    lines += report.remarks
    if report.hasNothingToCompare {
      lines.append("no other feed responded lately: YouTube or the feed may be at fault; the next poll tries again")
    }
    if report.usedOtherForm { lines.append("channel feeds are failing; their playlist feeds were used instead") }
    if let reason = run.stopped {
      let isBroken = reason == .offline && run.checked > 0
      let text = isBroken ? "most responses broke off; check the network and the proxy" : stopped(reason)
      lines.append("stopped: \(text); \(left(report))")
    }
    if run.stopped != nil, let pause = memory.pause, pause.reason != .offline {
      lines.append("retry after \(pause.retry.local)")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// What a stopped poll left undone: `6 not checked, 1 handle not yet looked up`.
  private static func left(_ report: PollReport) -> String {
    let names = report.namesLeft > 0 ? "\(count(report.namesLeft, "handle")) not yet looked up" : nil
    let feeds = report.run.unrequested > 0 || names == nil ? "\(report.run.unrequested) not checked" : nil
    return [feeds, names].compactMap(\.self).joined(separator: ", ")
  }

  /// How many feeds were skipped, and why.
  private static func notDue(_ plan: PollPlan, _ web: WebPollReport?) -> [String] {
    let reasons = Dictionary(grouping: plan.notDue.values, by: word).mapValues(\.count)
      .merging(web.map(notDue) ?? [:], uniquingKeysWith: +)
    return reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($1) skipped: \($0)" }
  }

  static func word(_ reason: PollPlan.Reason) -> String {
    switch reason {
    case .fresh: "checked less than 15 minutes ago (use --force to poll anyway)"
    case .unstored: "requested less than 15 minutes ago, but nothing of it is stored; due again after that"
    case .gap: "not due yet (use --now to poll anyway)"
    case .pause(let until): "the feeds were failing or refused; retry after \(until.local)"
    }
  }

  /// The failures of a poll, one line per reason with the affected channels.
  static func failures(_ report: PollReport, _ memory: PollState, _ state: State) -> [String] {
    let reasons = Dictionary(grouping: report.failures) { failure in
      failure.text + (report.run.outage ? "" : advice(failure, memory.feeds[failure.subscription]))
    }
    return reasons.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, failures in
      let titles = failures.prefix(3).map { name($0.subscription, state) }
      let more = failures.count > 3 ? " and \(failures.count - 3) more" : ""
      return "\(titles.joined(separator: ", "))\(more): \(reason)"
    }
  }

  /// The title of a subscription; its ID if it has none yet.
  private static func name(_ id: SubscriptionID, _ state: State) -> String {
    guard let title = state.channels[id]?.title, !title.isEmpty else { return id.description }
    return DisplayText(title).text
  }

  /// What a 404 of a feed that never responded may mean.
  private static func advice(_ failure: PollRun.Failure, _ known: FeedState?) -> String {
    guard failure.outcome.status == 404, known?.answered == nil else { return "" }
    return " (never found: mistyped, deleted or a fault of YouTube; it will be checked again)"
  }
}

extension UserMessages {
  static func failure(_ error: PollError) -> Failure {
    switch error {
    case .stateUnsaved(let failure): Failure(failure.status, "\(failure.message); the videos are saved")
    case .noRoomForHook(let folder): Failure(.disk, "METUBE_RSS_ON_NEW: no space for a temporary file in \(folder)")
    case .hook(let program, let flaw): Failure(.partial, "METUBE_RSS_ON_NEW: \(program) \(text(of: flaw))")
    case .api(let refusal, let budget, let now): self.refusal(refusal, budget: budget, now: now)
    case .apiLogin(let reason):
      Failure(
        .refused,
        "the Data API rejected the Google login (\(reason)); enable the YouTube Data API in the client's "
          + "project, or run metube-rss login google again")
    case .lookupsStopped:
      Failure(.partial, "stopped before all channels were looked up; results so far are saved")
    case .ytDlpMissing(let reason):
      Failure(.usage, "yt-dlp: \(reason); install it, or do without --with and METUBE_RSS_ENRICH")
    case .ytDlp(let channel, let reason):
      Failure(.temporaryFailure, "yt-dlp, channel “\(DisplayText(channel).text)”: \(reason)")
    case .ytDlpVideos(let reason): Failure(.temporaryFailure, "yt-dlp: \(reason)")
    case .videosStopped: Failure(.partial, "stopped before all videos were looked up; results so far are saved")
    case .noSearchSource:
      Failure(
        .usage,
        "a search on YouTube needs a key of the YouTube Data API (METUBE_RSS_API_KEY), or METUBE_RSS_ENRICH=yt-dlp")
    case .searchStopped: Failure(.partial, "stopped before YouTube responded")
    case .ytDlpSearch(let text, let reason):
      Failure(.temporaryFailure, "yt-dlp, search for “\(DisplayText(text).text)”: \(reason)")
    case .sampleFeed(let path, let error): Failure(.invalidInput, "\(path): \(xml(error))")
    case .noSampleFeeds(let folder): Failure(.invalidInput, "\(folder): has no sample feeds (UC….xml)")
    }
  }

  private static func text(of flaw: HookFlaw) -> String {
    switch flaw {
    case .timedOut(let seconds):
      "timed out after \(count(seconds, "second")) and was stopped (METUBE_RSS_ON_NEW_SECONDS)"
    case .notStarted(let complaint): "cannot be started: \(complaint)"
    case .ended(let complaint): complaint
    }
  }

  /// Why the Data API request failed, with the exit status.
  static func refusal(_ refusal: APIRefusal, budget: Int, now: Timestamp) -> Failure {
    let tomorrow = PacificDay.end(of: now).local
    switch refusal {
    case .network(let text): return Failure(.temporaryFailure, "no response from the Data API: \(text)")
    case .budget:
      return Failure(
        .temporaryFailure,
        "today's budget of \(count(budget, "unit")) is used up; it resets at \(tomorrow) (METUBE_RSS_API_BUDGET)")
    case .tooCostly(let cost, let left):
      return Failure(
        .temporaryFailure,
        "that costs \(cost) units, and \(left) of today's \(budget) are left; they reset at \(tomorrow) (METUBE_RSS_API_BUDGET)"
      )
    case .ended: return Failure(.partial, "stopped before all requests were sent; results so far are saved")
    case .api(let failure), .known(let failure): return UserMessages.failure(failure, tomorrow: tomorrow)
    }
  }

  private static func failure(_ failure: APIFailure, tomorrow: String) -> Failure {
    switch failure {
    case .quotaExceeded:
      Failure(
        .temporaryFailure, "the Data API reports that today's quota of the key is used up; it resets at \(tomorrow)")
    case .badKey(let reason):
      Failure(.refused, "the Data API rejected METUBE_RSS_API_KEY (\(reason)); check it in the Google Cloud console")
    case .tooMany: Failure(.temporaryFailure, "the Data API reports too many requests; try again in a few minutes")
    case .missing: Failure(.partial, "the Data API did not find the requested resource")
    case .refused(let status, let reason):
      Failure(.refused, "the Data API rejected the request (HTTP \(status), \(reason)); this version may be too old")
    case .failing(let status): Failure(.temporaryFailure, "the Data API failed (HTTP \(status)); try again later")
    case .malformed: Failure(.temporaryFailure, "the Data API sent an invalid response; try again later")
    }
  }
}
