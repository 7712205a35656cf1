import Core
import HTTPClient
import YouTube

/// Why a Data API request failed.
enum APIRefusal: Error {
  case api(APIFailure)
  /// No response; the payload is the message for the user.
  case network(String)
  /// The daily budget is used up.
  case budget
  /// The deadline passed or the user interrupted.
  case ended
}

/// Sends Data API requests one at a time, within the daily budget.
struct APISession {
  private let settings: APISettings
  private let fetcher: Fetcher
  private let interrupt = Interrupt()
  /// When to stop sending requests, on the monotonic clock.
  private let deadline: Int?
  private let file: APIFile
  /// The API state; the caller persists it with `save`.
  var memory: APIMemory
  /// Requests sent; each costs one unit.
  private(set) var units = 0

  /// A session that continues from the stored state; `deadline` is on the monotonic clock.
  init(_ settings: APISettings, _ session: Session, deadline: Int?) throws {
    self.settings = settings
    self.deadline = deadline
    file = APIFile(session.home)
    memory = file.read()
    fetcher = try Fetcher(session.settings, jobs: 1)
  }

  /// The units left in today's budget.
  var left: Int { memory.left(of: settings.budget, at: Clock.now()) }
  /// The maximum units per day.
  var budget: Int { settings.budget }

  /// The response body of one request; its unit counts even if the request fails. Throws `APIRefusal`.
  mutating func ask(_ question: APIQuestion) throws -> [UInt8] {
    if interrupt.hasCome() || deadline.map({ Clock.steady() >= $0 }) ?? false { throw APIRefusal.ended }
    guard memory.takeUnit(of: settings.budget, at: Clock.now()) else { throw APIRefusal.budget }
    units += 1
    switch try fetch(question) {
    case .failure(.aborted): throw APIRefusal.ended
    case .failure(let failure): throw APIRefusal.network(Words.fetch(failure))
    case .success(let answer) where answer.status == 200: return answer.body
    case .success(let answer):
      let failure = APIFailure(status: answer.status, body: answer.body)
      if failure == .quotaExceeded { memory.noteExhausted(at: Clock.now()) }
      throw APIRefusal.api(failure)
    }
  }

  /// Persists the state.
  func save() throws { try file.write(memory) }

  private func fetch(_ question: APIQuestion) throws -> Result<FetchAnswer, FetchFailure> {
    var request = FetchRequest(tag: 0, url: settings.url + question.target, maxBodyBytes: APISession.bodyLimit)
    // A redirect could take the key to another host.
    request.followsRedirects = false
    request.headers = ["X-Goog-Api-Key: \(settings.key)", "Accept: application/json"]
    var waiting: FetchRequest? = request
    var result: Result<FetchAnswer, FetchFailure> = .failure(.aborted)
    let late = deadline
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor,
        isAborted: { interrupt.hasCome() || late.map { Clock.steady() >= $0 + 1000 } ?? false },
        next: { waiting.take().map { .request($0) } ?? .done }, finished: { result = $0.result })
    } catch { throw Words.failure(error) }
    return result
  }

  /// The maximum response size in bytes; 50 entries with 5,000-character descriptions take at most 1.5 MB.
  private static let bodyLimit = 4 << 20
}

extension Words {
  /// Why the Data API request failed, with the exit status.
  static func refusal(_ refusal: APIRefusal, budget: Int, now: Timestamp) -> Failure {
    let tomorrow = PacificDay.end(of: now).rfc3339
    switch refusal {
    case .network(let words): return Failure(.later, "no response from the Data API: \(words)")
    case .budget:
      return Failure(
        .later,
        "today's budget of \(count(budget, "unit")) is used up; it resets at \(tomorrow) (METUBE_RSS_API_BUDGET)")
    case .ended: return Failure(.inPart, "stopped before all requests were sent; results so far are saved")
    case .api(let failure): return Words.failure(failure, tomorrow: tomorrow)
    }
  }

  private static func failure(_ failure: APIFailure, tomorrow: String) -> Failure {
    switch failure {
    case .quotaExceeded:
      Failure(.later, "the Data API reports that today's quota of the key is used up; it resets at \(tomorrow)")
    case .badKey(let reason):
      Failure(.refused, "the Data API rejected METUBE_RSS_API_KEY (\(reason)); check it in the Google Cloud console")
    case .tooMany: Failure(.later, "the Data API reports too many requests; try again in a few minutes")
    case .missing: Failure(.inPart, "the Data API did not find the requested resource")
    case .refused(let status, let reason):
      Failure(.refused, "the Data API rejected the request (HTTP \(status), \(reason)); this version may be too old")
    case .failing(let status): Failure(.later, "the Data API failed (HTTP \(status)); try again later")
    case .malformed: Failure(.later, "the Data API sent an invalid response; try again later")
    }
  }
}
