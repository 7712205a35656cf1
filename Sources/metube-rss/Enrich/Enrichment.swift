import Core
import YouTubeAPI

/// What enrichment came to.
struct EnrichmentReport {
  /// Videos that were asked about.
  var asked = 0
  /// Videos of which the answers said something new.
  var learnt = 0
  /// Videos that turned out to be gone.
  var removed = 0
  /// Why it ended early; nil where it did not.
  var failure: Failure?
}

/// Asks the Data API about videos of which it may know more.
struct Enrichment {
  private let session: Session
  private(set) var api: APISession
  private(set) var report = EnrichmentReport()

  /// Enrichment of what a session knows.
  init(_ session: Session, _ api: APISession) {
    self.session = session
    self.api = api
  }

  /// Questions whose answers are appended together.
  private static let batch = 10

  /// Asks all that is due. What came before a failure is kept; throws where the log or the disk fails.
  mutating func run() throws {
    var due = api.memory.due(in: session.state, at: Clock.now())[...]
    while !due.isEmpty, report.failure == nil {
      var answers: [(asked: [VideoID], facts: [VideoEnriched])] = []
      while !due.isEmpty, answers.count < Enrichment.batch, report.failure == nil {
        let ids = Array(due.prefix(APIQuestion.most))
        due = due.dropFirst(ids.count)
        if let facts = try facts(of: ids) { answers.append((ids, facts)) }
      }
      try append(answers)
    }
  }

  private mutating func facts(of ids: [VideoID]) throws -> [VideoEnriched]? {
    do { return try VideoAnswer.read(try api.ask(.videos(ids))) } catch {
      try note(error)
      return nil
    }
  }

  private mutating func append(_ answers: [(asked: [VideoID], facts: [VideoEnriched])]) throws {
    var memory = api.memory
    let now = Clock.now()
    let events = try session.commit { state in
      answers.flatMap { memory.events($0.facts, asked: $0.asked, in: state, at: now) }
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
    report.asked += answers.reduce(0) { $0 + $1.asked.count }
  }

  /// Keeps why the API was of no use; anything else is thrown on.
  private mutating func note(_ error: any Error) throws {
    let refusal: APIRefusal
    switch error {
    case let error as APIRefusal: refusal = error
    case let error as APIFailure: refusal = .api(error)
    default: throw error
    }
    report.failure = Words.refusal(refusal, budget: api.budget, now: Clock.now())
    try api.save()
  }
}
