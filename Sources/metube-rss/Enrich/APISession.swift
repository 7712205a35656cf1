import Core
import Fetch
import YouTubeAPI

/// Why a question to the Data API was not answered.
enum APIRefusal: Error {
  case api(APIFailure)
  /// No answer came; in words for the person.
  case network(String)
  /// The day's own budget is used up.
  case budget
  /// There is no time left, or the person asked to end.
  case ended
}

/// Asks the Data API, one question after the other, within the day's budget.
struct APISession {
  private let settings: APISettings
  private let fetcher: Fetcher
  private let interrupt = Interrupt()
  /// When no further question is asked, on the steady clock.
  private let deadline: Int?
  private let file: APIFile
  /// What is remembered; the caller keeps it with `save`.
  var memory: APIMemory
  /// Questions asked, each a unit.
  private(set) var units = 0

  /// A session that goes on from what is remembered; `deadline` is on the steady clock.
  init(_ settings: APISettings, _ session: Session, deadline: Int?) throws {
    self.settings = settings
    self.deadline = deadline
    file = APIFile(session.home)
    memory = file.read()
    fetcher = try Fetcher(session.settings, jobs: 1)
  }

  /// The units left of today's budget.
  var left: Int { memory.left(of: settings.budget, at: Clock.now()) }
  /// The most units of a day.
  var budget: Int { settings.budget }

  /// The body of the answer to one question; its unit is counted whatever comes of it.
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

  /// Keeps what is remembered.
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

  /// The most bytes of an answer; 50 entries with descriptions of 5,000 letters each have 1.5 MB at the very most.
  private static let bodyLimit = 4 << 20
}

extension Words {
  /// Why the Data API was of no use, with the status that says so.
  static func refusal(_ refusal: APIRefusal, budget: Int, now: Timestamp) -> Failure {
    let tomorrow = PacificDay.end(of: now).rfc3339
    switch refusal {
    case .network(let words): return Failure(.later, "the Data API did not answer: \(words)")
    case .budget:
      return Failure(
        .later,
        "the \(count(budget, "unit")) for today are used; the next ones come at \(tomorrow) (METUBE_RSS_API_BUDGET)")
    case .ended: return Failure(.inPart, "ended before all was asked; what had come was kept")
    case .api(let failure): return Words.failure(failure, tomorrow: tomorrow)
    }
  }

  private static func failure(_ failure: APIFailure, tomorrow: String) -> Failure {
    switch failure {
    case .quotaExceeded:
      Failure(.later, "the Data API says that the key's quota for today is used up; it begins anew at \(tomorrow)")
    case .badKey(let reason):
      Failure(.refused, "the Data API refuses METUBE_RSS_API_KEY (\(reason)); look at it in Google's console")
    case .tooMany: Failure(.later, "the Data API says there were too many questions; try again in some minutes")
    case .missing: Failure(.inPart, "the Data API does not have what was asked for")
    case .refused(let status, let reason):
      Failure(.refused, "the Data API refuses the question (HTTP \(status), \(reason)); this version may be too old")
    case .failing(let status): Failure(.later, "the Data API failed (HTTP \(status)); try again later")
    case .malformed: Failure(.later, "the Data API sent what is no answer; try again later")
    }
  }
}
