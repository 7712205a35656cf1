import Core
import ReadModel
import YouTube

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
