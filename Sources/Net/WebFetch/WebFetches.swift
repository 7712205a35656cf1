import HTTPClient

/// The requests under way of any number of fetches, beside the session that transfers them.
///
/// A caller with a pace of its own asks `next` first, then itself; each hop of a redirect goes out before new requests.
package struct WebFetches: Sendable {
  private var walks: [Int: RedirectWalk] = [:]
  private var waiting: [HTTPRequest] = []

  package init() {}

  /// The number of requests without an outcome.
  package var count: Int { walks.count }

  /// Begins a request; its tag must be none of those under way. Returns the outcome if nothing may be sent.
  package mutating func start(_ request: WebRequest) -> WebOutcome? {
    precondition(walks[request.tag] == nil, "a tag belongs to one request at a time")
    var walk = RedirectWalk(request)
    switch walk.start() {
    case .transfer(let next):
      walks[request.tag] = walk
      waiting.append(next)
      return nil
    case .finished(let outcome): return outcome
    }
  }

  /// The next transfer to begin; nil if there is none yet.
  package mutating func next() -> HTTPRequest? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Takes the outcome of a transfer; returns that of its request if it is finished.
  package mutating func take(_ outcome: HTTPOutcome) -> WebOutcome? {
    guard var walk = walks.removeValue(forKey: outcome.tag) else { return nil }
    switch walk.take(outcome) {
    case .transfer(let next):
      walks[outcome.tag] = walk
      waiting.append(next)
      return nil
    case .finished(let result): return result
    }
  }

  /// Gives up what has no outcome; returns one for each, by tag.
  package mutating func abandon() -> [WebOutcome] {
    let outcomes = walks.sorted { $0.key < $1.key }.map { $0.value.abandoned() }
    (walks, waiting) = ([:], [])
    return outcomes
  }
}

extension HTTPSession {
  /// Fetches what is at some URLs; the outcomes are in order of completion. Ends early, with outcomes `aborted`, once
  /// `isAborted` returns true, which is called in every round, at least once a second.
  ///
  /// Throws `multi` or `setting` if libcurl fails as a whole.
  package func fetch(
    _ requests: [WebRequest], wakeDescriptor: Int32?, isAborted: () -> Bool
  ) throws(HTTPFailure) -> [WebOutcome] {
    var fetches = WebFetches()
    var outcomes = requests.compactMap { fetches.start($0) }
    try run(
      wakeDescriptor: wakeDescriptor, isAborted: isAborted,
      next: {
        if let request = fetches.next() { return .request(request) }
        return fetches.count > 0 ? .idle : .done
      },
      finished: { outcome in
        if let outcome = fetches.take(outcome) { outcomes.append(outcome) }
      })
    return outcomes + fetches.abandon()
  }
}
