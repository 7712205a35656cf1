import ArgumentParser
import Core
import ReadModel
import YouTube

/// `enrich`: requests from the Data API what the feeds lack.
struct EnrichCommand: ParsableCommand {
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

  func run() throws {
    let session = try Session(common)
    guard let settings = try APISettings(session.settings) else {
      throw Failure(.usage, "enrich needs a YouTube Data API key; set METUBE_RSS_API_KEY in \(session.home.settings)")
    }
    try session.whilePolling {
      let api = try APISession(settings, session, deadline: nil)
      if gaps {
        try fillGaps(session, api)
      } else if let backfill, let count {
        try bringIn(count, of: backfill, session, api)
      } else {
        try enrich(session, api)
      }
    }
  }

  private func enrich(_ session: Session, _ api: APISession) throws {
    var enrichment = Enrichment(session, api)
    try enrichment.run()
    try tell(UserMessages.enrichment(enrichment.report), enrichment.api)
    if let failure = enrichment.report.failure { throw failure }
  }

  private func fillGaps(_ session: Session, _ api: APISession) throws {
    var older = OlderVideos(session, api)
    var (filled, found) = (0, 0)
    let gaps = try session.state.openGaps
    let failure = try end(older: &older) { older in
      for (id, gap) in gaps {
        if let count = try older.fill(gap, id) { (filled, found) = (filled + 1, found + count) }
      }
    }
    try tell("\(filled) of \(UserMessages.count(gaps.count, "gap")) filled, \(found) new", older.api)
    if let failure { throw failure }
    if filled < gaps.count { throw ExitStatus.partial }
  }

  private func bringIn(_ count: Int, of name: String, _ session: Session, _ api: APISession) throws {
    guard let channel = try ChannelResolver(session.state, alsoUnfollowed: false).resolve(name).channel else {
      throw Failure(.usage, "“\(name)” is a playlist; --backfill takes a channel")
    }
    var older = OlderVideos(session, api)
    var found = 0
    let failure = try end(older: &older) { found = try $0.backfill(channel, count: count) }
    try tell("\(UserMessages.count(found, "older video")) added as skipped", older.api)
    if let failure { throw failure }
  }

  /// Runs `body`, saves the API units used, and returns the failure that ended it early, if any.
  private func end(older: inout OlderVideos, _ body: (inout OlderVideos) throws -> Void) throws -> Failure? {
    var failure: Failure?
    do { try body(&older) } catch let refusal as APIRefusal {
      failure = UserMessages.refusal(refusal, budget: older.api.budget, now: Clock.now())
    } catch let malformed as APIFailure {
      failure = UserMessages.refusal(.api(malformed), budget: older.api.budget, now: Clock.now())
    }
    try older.api.save()
    return failure
  }

  private func tell(_ words: String, _ api: APISession) throws {
    var output = Output()
    output.write("\(words); \(UserMessages.count(api.units, "unit")) used, \(api.left) left today\n")
    try output.finish()
  }
}

/// The result of an enrichment run.
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

/// Looks up videos in the Data API to add facts that feeds lack.
struct Enrichment {
  private let session: Session
  private(set) var api: APISession
  private(set) var report = EnrichmentReport()

  /// Enriches the videos in a session's state.
  init(_ session: Session, _ api: APISession) {
    self.session = session
    self.api = api
  }

  /// Requests whose results are appended together.
  private static let batch = 10

  /// Looks up every due video. Results before a failure are kept; throws if the log or the disk fails.
  mutating func run() throws {
    var due = try dueVideos()[...]
    while !due.isEmpty, report.failure == nil {
      var answers: [(requested: [VideoID], facts: [VideoEnriched])] = []
      while !due.isEmpty, answers.count < Enrichment.batch, report.failure == nil {
        let ids = Array(due.prefix(APIRequest.most))
        due = due.dropFirst(ids.count)
        if let facts = try facts(of: ids) { answers.append((ids, facts)) }
      }
      try append(answers)
    }
  }

  private func dueVideos() throws -> [VideoID] {
    let (state, now) = (try session.state, Clock.now())
    let candidates = try session.query { try $0.enrichmentCandidates() }
    return api.memory.due(try candidates.compactMap { try session.video($0) }, in: state, at: now)
  }

  private mutating func facts(of ids: [VideoID]) throws -> [VideoEnriched]? {
    do { return try VideoResponse.read(try api.ask(.videos(ids))) } catch {
      try note(error)
      return nil
    }
  }

  private mutating func append(_ answers: [(requested: [VideoID], facts: [VideoEnriched])]) throws {
    var memory = api.memory
    let now = Clock.now()
    let events = try session.commit {
      try answers.flatMap { answer in
        var known: [VideoID: Video] = [:]
        for id in answer.requested { known[id] = try session.video(id) }
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

  /// Records an API failure; rethrows any other error.
  private mutating func note(_ error: any Error) throws {
    let refusal: APIRefusal
    switch error {
    case let error as APIRefusal: refusal = error
    case let error as APIFailure: refusal = .api(error)
    default: throw error
    }
    report.failure = UserMessages.refusal(refusal, budget: api.budget, now: Clock.now())
    try api.save()
  }
}
