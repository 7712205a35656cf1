import Core
import EventLog
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
  private let fetcher: HTTPSession
  private let interrupt = Interrupt()
  /// When to stop sending requests, on the monotonic clock.
  private let deadline: Int?
  private let file: APIStateFile
  /// The API state; the caller persists it with `save`.
  var memory: APIState
  /// Requests sent; each costs one unit.
  private(set) var units = 0

  /// A session that continues from the stored state; `deadline` is on the monotonic clock.
  init(_ settings: APISettings, _ session: Session, deadline: Int?) throws {
    self.settings = settings
    self.deadline = deadline
    file = APIStateFile(session.home)
    memory = file.read()
    fetcher = try HTTPSession(session.settings, jobs: 1)
  }

  /// The units left in today's budget.
  var left: Int { memory.left(of: settings.budget, at: Clock.now()) }
  /// The maximum units per day.
  var budget: Int { settings.budget }

  /// The response body of one request; its unit counts even if the request fails. Throws `APIRefusal`.
  mutating func ask(_ apiRequest: APIRequest) throws -> [UInt8] {
    if interrupt.isSignalled() || deadline.map({ Clock.steady() >= $0 }) ?? false { throw APIRefusal.ended }
    guard memory.takeUnit(of: settings.budget, at: Clock.now()) else { throw APIRefusal.budget }
    units += 1
    switch try fetch(apiRequest) {
    case .failure(.aborted): throw APIRefusal.ended
    case .failure(let failure): throw APIRefusal.network(UserMessages.fetch(failure))
    case .success(let answer) where answer.status == 200: return answer.body
    case .success(let answer):
      let failure = APIFailure(status: answer.status, body: answer.body)
      if failure == .quotaExceeded { memory.noteExhausted(at: Clock.now()) }
      throw APIRefusal.api(failure)
    }
  }

  /// Persists the state.
  func save() throws { try file.write(memory) }

  private func fetch(_ apiRequest: APIRequest) throws -> Result<HTTPResponse, HTTPFailure> {
    var request = HTTPRequest(tag: 0, url: settings.url + apiRequest.target, maxBodyBytes: APISession.bodyLimit)
    // A redirect could take the key to another host.
    request.followsRedirects = false
    request.headers = ["X-Goog-Api-Key: \(settings.key)", "Accept: application/json"]
    var waiting: HTTPRequest? = request
    var result: Result<HTTPResponse, HTTPFailure> = .failure(.aborted)
    let late = deadline
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor,
        isAborted: { interrupt.isSignalled() || late.map { Clock.steady() >= $0 + 1000 } ?? false },
        next: { waiting.take().map { .request($0) } ?? .done }, finished: { result = $0.result })
    } catch { throw UserMessages.failure(error) }
    return result
  }

  /// The maximum response size in bytes; 50 entries with 5,000-character descriptions take at most 1.5 MB.
  private static let bodyLimit = 4 << 20
}

/// Data API settings.
struct APISettings {
  /// The user's API key. Sent in a header, never logged or shown.
  let key: String
  /// Scheme, host and port.
  let url: String
  /// The maximum units per day.
  let budget: Int

  /// The settings; nil without a key. Throws on an invalid setting.
  init?(_ settings: Settings) throws {
    guard let key = settings["API_KEY"].map({ String($0.withoutBlanks) }), !key.isEmpty else { return nil }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Failure(.usage, "METUBE_RSS_API_KEY contains characters that are not valid in a key")
    }
    self.key = key
    url = try settings.apiURL()
    budget = try APISettings.budget(settings["API_BUDGET"])
  }

  private static func budget(_ setting: String?) throws -> Int {
    guard let setting else { return APIState.usualBudget }
    guard let budget = Int(setting), budget >= 0 else {
      throw Failure(.usage, "METUBE_RSS_API_BUDGET is “\(setting)”; use a number of units per day")
    }
    return budget
  }
}

/// This machine's Data API state file.
struct APIStateFile {
  private let path: String

  /// The file in this machine's state folder.
  init(_ home: Home) { path = "\(home.pollState)/api" }

  /// The stored state; empty before the first request. If it is unreadable the day's budget restarts, which with the
  /// default budget still stays within the key's own quota.
  func read() -> APIState {
    do throws(LogError) {
      var memory = APIState()
      for record in try StateFile.read(path) ?? [] { memory.take(record) }
      return memory
    } catch {
      StandardError.report(
        "\(path): the Data API state \(UserMessages.unreadable(error)); today's unit count restarts at 0")
      return APIState()
    }
  }

  /// Replaces the stored state.
  func write(_ memory: APIState) throws {
    do { try StateFile.write(path, memory.records) } catch { throw UserMessages.failure(error) }
  }
}

extension APIState {
  /// The records: one for the day, one per missing video.
  fileprivate var records: [StateRecord] {
    var records: [StateRecord] = []
    if let day {
      records.append(
        StateRecord([
          ("day", .number(day.daysSinceEpoch)), ("units", .number(units)), ("exhausted", .flag(isExhausted)),
        ]))
    }
    for (video, since) in missing.sorted(by: { $0.key < $1.key }) {
      records.append(StateRecord([("missing", .text(video.description)), ("since", .text(since.rfc3339))]))
    }
    return records
  }

  /// Applies one record; ignores unknown ones.
  fileprivate mutating func take(_ record: StateRecord) {
    switch (record["day"], record["units"], record["exhausted"], record["missing"], record["since"]) {
    case (.number(let number), .number(let units), .flag(let isExhausted), _, _):
      (day, self.units, self.isExhausted) = (CivilDate(daysSinceEpoch: number), units, isExhausted)
    case (_, _, _, .text(let id), .text(let since)):
      if let video = VideoID(id), let time = Timestamp(rfc3339: since) { missing[video] = time }
    default: break
    }
  }
}
