import ArgumentParser
import Core
import ReadModel
import YouTube

/// `enrich`: requests from the Data API what the feeds lack.
struct EnrichCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrich", abstract: "Fetch lengths and live states from YouTube's Data API; needs an API key.",
    discussion: """
      Needs METUBE_RSS_API_KEY. Looks up every video without API data and those that
      are upcoming, live or without a length: 50 videos per unit, at most
      METUBE_RSS_API_BUDGET units a day (5000). Each poll does the same at its end.

      Examples:
        metube-rss enrich
        metube-rss enrich --gaps
        metube-rss enrich --backfill 'In a Nutshell' 200
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Instead, look up videos that feed gaps may have missed, and close the gaps.") var gaps = false
  @Option(
    text: "Instead, add older videos of this channel as skipped.", value: "channel", completion: Completion.channels)
  var backfill: String?
  @Argument(help: ArgumentHelp("How many older videos.", valueName: "n")) var count: Int?

  func validate() throws {
    if (backfill == nil) != (count == nil) { throw ValidationError("use --backfill CHANNEL N") }
    if let count, !(1...20_000).contains(count) { throw ValidationError("--backfill takes 1 to 20000 videos") }
    if gaps, backfill != nil { throw ValidationError("--gaps and --backfill exclude each other") }
  }

  func run(in session: Session, to output: inout Output) throws {
    guard let settings = try APISettings(session.settings) else {
      throw Failure(.usage, "enrich needs a YouTube Data API key; set METUBE_RSS_API_KEY in \(session.home.settings)")
    }
    try session.whilePolling {
      let api = try APISession(settings, session, deadline: nil)
      let (words, failure): (String, (any Error)?)
      if gaps {
        (words, failure) = try fillGaps(session, api)
      } else if let backfill, let count {
        (words, failure) = try bringIn(count, of: backfill, session, api)
      } else {
        let report = try session.enrich(with: api)
        let removed = report.removed > 0 ? ", \(report.removed) removed from YouTube" : ""
        words = "\(UserMessages.count(report.requested, "video")) looked up, \(report.learnt) updated\(removed)"
        failure = report.failure
      }
      output.write("\(words); \(UserMessages.count(api.units, "unit")) used, \(api.left) left today\n")
      try output.finish()
      if let failure { throw failure }
    }
  }

  private func fillGaps(_ session: Session, _ api: APISession) throws -> (String, (any Error)?) {
    let older = OlderVideos(session, api)
    var (filled, found) = (0, 0)
    let gaps = try session.state.openGaps
    let failure = try api.attempt {
      for (id, gap) in gaps {
        if let count = try older.fill(gap, id) { (filled, found) = (filled + 1, found + count) }
      }
    }
    let words = "\(filled) of \(UserMessages.count(gaps.count, "gap")) filled, \(found) new"
    return (words, failure ?? (filled < gaps.count ? ExitStatus.partial : nil))
  }

  private func bringIn(
    _ count: Int, of name: String, _ session: Session, _ api: APISession
  ) throws -> (String, (any Error)?) {
    guard let channel = try ChannelResolver(session.state, alsoUnfollowed: false).resolve(name).channel else {
      throw Failure(.usage, "“\(name)” is a playlist; --backfill takes a channel")
    }
    var found = 0
    let failure = try api.attempt { found = try OlderVideos(session, api).backfill(channel, count: count) }
    return ("\(UserMessages.count(found, "older video")) added as skipped", failure)
  }
}

/// The result of looking videos up in the Data API.
struct EnrichmentReport {
  /// Videos looked up.
  var requested = 0
  /// Videos updated from the responses.
  var learnt = 0
  /// Videos found to be removed.
  var removed = 0
  /// Why it ended early; nil if it did not.
  var failure: Failure?
}

extension Session {
  /// Looks up every due video in the Data API, to add facts that feeds lack. Results before a failure are kept; throws
  /// if the log or the disk fails.
  func enrich(with api: APISession) throws -> EnrichmentReport {
    var report = EnrichmentReport()
    let candidates = try query { try $0.enrichmentCandidates() }.compactMap { try video($0) }
    var due = try api.memory.due(candidates, in: state, at: Clock.now())[...]
    while !due.isEmpty, report.failure == nil {
      var answers: [(requested: [VideoID], facts: [VideoEnriched])] = []
      report.failure = try api.attempt {
        // The results of ten requests are appended together.
        while !due.isEmpty, answers.count < 10 {
          let ids = Array(due.prefix(APIRequest.most))
          due = due.dropFirst(ids.count)
          answers.append((ids, try api.ask(.videos(ids), VideoResponse.read)))
        }
      }
      try append(answers, api, &report)
    }
    return report
  }

  private func append(
    _ answers: [(requested: [VideoID], facts: [VideoEnriched])], _ api: APISession, _ report: inout EnrichmentReport
  ) throws {
    var memory = api.memory
    let now = Clock.now()
    let events = try commit {
      try answers.flatMap { answer in
        var known: [VideoID: Video] = [:]
        for id in answer.requested { known[id] = try video(id) }
        return memory.events(answer.facts, requested: answer.requested, known: known, at: now)
      }
    }
    api.memory = memory
    try api.save()
    for event in events {
      switch event.body {
      case .videoEnriched: report.learnt += 1
      case .videoRemoved(let removal): report.removed += removal.removed ? 1 : 0
      default: break
      }
    }
    report.requested += answers.reduce(0) { $0 + $1.requested.count }
  }
}
