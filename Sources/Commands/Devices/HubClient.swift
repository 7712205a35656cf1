import Core
import Glibc
import Gzip
import HTTPClient
import JSON

/// Requests to the hub that `METUBE_RSS_HUB` names.
final class HubClient {
  /// A response, whatever its status.
  struct Answer {
    var status: Int
    var body: [UInt8]
    /// After how many seconds to try again, if the hub says so.
    var pause: Int64?

    var json: JSONValue? { JSONValue(body) }
    /// The message of a problem document.
    var detail: String { DisplayText(json?["detail"]?.string ?? "HTTP \(status)").text }
  }

  /// Its address without a slash at the end: `https://hub.example`, `https://example.org/metube`.
  let url: String
  private let token: String?
  private let http: HTTPSession
  /// How often a request may be repeated.
  private let retries: Int
  /// How many requests were sent, and about how many bytes went either way.
  private(set) var requests = 0
  private(set) var traffic = 0

  /// A client of the hub at `url`, by default that of the settings; nil without one. The token goes to no other hub
  /// than that of the settings.
  init?(_ settings: Settings, url given: String?, retries: Int) throws {
    let known = try settings.hubURL()
    guard let url = try given.map({ try Settings.hub($0, "the URL") }) ?? known else { return nil }
    (self.url, self.retries) = (url, retries)
    token = known == nil || known == url ? settings["HUB_TOKEN"] : nil
    http = try HTTPSession(settings, jobs: 1)
  }

  /// Whether the token crosses a network without encryption.
  var sendsInTheClear: Bool {
    guard url.hasPrefix("http://") else { return false }
    let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
    if authority == "[::1]" || authority.hasPrefix("[::1]:") { return false }
    let host = authority.prefix { $0 != ":" }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return host != "localhost" && !(numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
  }

  /// The seconds to wait before each repetition.
  private static let pauses = [1, 2, 4]

  /// Sends a request; one that gets no answer, or 429 or 5xx, is repeated. Throws a `Failure` if that does not help, and
  /// for 401.
  func send(_ path: String, query: [(name: String, value: String)] = [], body: Body = .none) throws -> Answer {
    var attempt = 0
    while true {
      let result = try answer(to: request(path, query, body))
      // A hub that is full (507) is full in four seconds too.
      if case .success(let answer) = result, answer.status == 507 || answer.status != 429 && answer.status < 500 {
        guard answer.status != 401 else {
          throw Failure(.refused, "\(url): the hub refuses the token; pair this device: metube-rss pair URL CODE")
        }
        return answer
      }
      guard attempt < retries else {
        switch result {
        case .failure(let failure): throw Failure(.temporaryFailure, "\(url): \(UserMessages.fetch(failure))")
        case .success(let answer): throw Failure(.temporaryFailure, "\(url): \(answer.detail)")
        }
      }
      var pause = HubClient.pauses[min(attempt, HubClient.pauses.count - 1)]
      // Its limit is by the minute.
      if case .success(let answer) = result { pause = max(pause, min(Int(answer.pause ?? 0), 60)) }
      sleep(UInt32(pause))
      attempt += 1
    }
  }

  /// The body of a request.
  enum Body {
    case none
    case json(JSONValue)
    case lines([UInt8])
  }

  private func request(_ path: String, _ query: [(name: String, value: String)], _ body: Body) -> HTTPRequest {
    let fields = query.filter { !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    var request = HTTPRequest(
      tag: requests, url: url + path + (fields.isEmpty ? "" : "?\(fields)"), maxBodyBytes: HubClient.mostBytes)
    request.followsRedirects = false
    if let token { request.headers.append("Authorization: Bearer \(token)") }
    switch body {
    case .none: break
    case .json(let value):
      request.headers.append("Content-Type: application/json")
      request.method = .send(value.bytes)
    case .lines(var lines):
      request.headers.append("Content-Type: application/jsonl")
      if lines.count >= HubClient.worthPacking {
        lines = Gzip.pack(lines)
        request.headers.append("Content-Encoding: gzip")
      }
      // Otherwise libcurl waits a second for a 100 before it sends a large body.
      request.headers.append("Expect:")
      request.method = .send(lines)
    }
    return request
  }

  /// A longest line and more.
  private static let mostBytes = 16 << 20
  private static let worthPacking = 1000

  private func answer(to request: HTTPRequest) throws -> Result<Answer, HTTPFailure> {
    requests += 1
    if case .send(let body) = request.method { traffic += body.count }
    traffic += request.url.utf8.count + request.headers.reduce(0) { $0 + $1.utf8.count }
    var next: HTTPRequest? = request
    var outcome: HTTPOutcome?
    do {
      try http.run(
        wakeDescriptor: nil, isAborted: { false },
        next: {
          defer { next = nil }
          return next.map { .request($0) } ?? .done
        }, finished: { outcome = $0 })
    } catch { throw UserMessages.failure(error) }
    guard let outcome else { return .failure(.aborted) }
    traffic += outcome.bytes
    return outcome.result.map {
      Answer(status: $0.status, body: $0.body, pause: $0.retryAfter?.seconds(at: Clock.now()))
    }
  }
}
