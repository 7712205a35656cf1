import Core

/// What a person is told of a poll.
extension Words {
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
