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
  /// Names that turned out to be channels.
  var resolved = 0
  /// Why it ended early; nil where it did not.
  var failure: Failure?
}

/// Asks the Data API about videos of which it may know more, and for channels of which only a name is known.
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
    if report.failure == nil { try resolveNames() }
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

  /// Looks up names that were followed before anybody knew whose they are.
  private mutating func resolveNames() throws {
    for name in session.state.unresolved where report.failure == nil {
      guard let lookup = ChannelLookup(name.handle) else { continue }
      do {
        guard let facts = try ChannelFacts.read(try api.ask(.channel(lookup))) else {
          Messages.tell("\(DisplayText(name.handle).text): the Data API knows no such channel")
          continue
        }
        let id = SubscriptionID.channel(facts.channel)
        let followed = ChannelFollowed(subscription: id, title: name.title, tags: name.tags)
        try session.commit { state in
          let resolved = EventBody.handleResolved(HandleResolved(handle: name.handle, subscription: id))
          return state.channels[id]?.isFollowed == true ? [resolved] : [resolved, .channelFollowed(followed)]
        }
        report.resolved += 1
      } catch { try note(error) }
    }
    try api.save()
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
