import Testing

@testable import HTTPClient

extension HTTPSettings {
  /// Timeouts that no working transfer reaches, however busy the machine is.
  static let patient: HTTPSettings = {
    var settings = HTTPSettings(userAgent: "metube-rss-tests")
    settings.connectTimeout = .seconds(300)
    settings.totalTimeout = .seconds(600)
    settings.stallTime = .seconds(300)
    return settings
  }()

  /// These settings with one changed.
  func with<Value>(_ member: WritableKeyPath<HTTPSettings, Value>, _ value: Value) -> HTTPSettings {
    var settings = self
    settings[keyPath: member] = value
    return settings
  }
}

/// Calls `body` with this timeout, then twice, four times as long and so on, until it returns true: a short timeout must
/// not pass before the state that is to be timed out, and a busy machine needs long to reach it.
func expect(within timeout: Duration, _ body: (Duration) throws -> Bool) throws {
  var timeout = timeout
  while try !body(timeout) {
    timeout = timeout * 2
    try #require(timeout < .seconds(300))
  }
}

extension HTTPSession {
  /// The outcomes of these requests, in order of completion.
  func outcomes(of requests: [HTTPRequest]) throws -> [HTTPOutcome] {
    var left = requests[...]
    var outcomes: [HTTPOutcome] = []
    try run(
      wakeDescriptor: nil,
      isAborted: { false },
      next: { left.popFirst().map(HTTPStep.request) ?? .done },
      finished: { outcomes.append($0) })
    return outcomes
  }

  /// The outcome of one request.
  func outcome(of request: HTTPRequest) throws -> HTTPOutcome {
    let outcomes = try outcomes(of: [request])
    #expect(outcomes.count == 1)
    return try #require(outcomes.first)
  }
}

/// The outcome of one GET with a new fetcher, limited to 100,000 bytes.
func outcome(ofGet url: String, _ settings: HTTPSettings = .patient) throws -> HTTPOutcome {
  try HTTPSession(settings).outcome(of: HTTPRequest(tag: 1, url: url, maxBodyBytes: 100_000))
}

/// The response to one GET with a new fetcher.
func response(toGet url: String, _ settings: HTTPSettings = .patient) throws -> HTTPResponse {
  try outcome(ofGet: url, settings).result.get()
}

/// The failure of one GET with a new fetcher.
func failure(ofGet url: String, _ settings: HTTPSettings = .patient) throws -> HTTPFailure? {
  guard case .failure(let failure) = try outcome(ofGet: url, settings).result else { return nil }
  return failure
}

/// A GET limited to 100,000 bytes.
func get(_ url: String, tag: Int = 1) -> HTTPRequest { HTTPRequest(tag: tag, url: url, maxBodyBytes: 100_000) }

extension Result where Success == HTTPResponse, Failure == HTTPFailure {
  /// The HTTP status; nil for a failure.
  var status: Int? { try? get().status }
}
