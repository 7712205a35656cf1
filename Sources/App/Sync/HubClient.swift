import App
import Core
import Glibc
import Gzip
import HTTPClient
import JSON
import Messages
import Platform

/// Requests to the hub that `METUBE_RSS_HUB` names.
package final class HubClient {
  /// A response, whatever its status.
  package struct Response {
    package var status: Int
    var body: [UInt8]
    /// After how many seconds to try again, if the hub says so.
    var pause: Int64?

    package var json: JSONValue? { JSONValue(body) }
    /// The message of a problem document.
    package var detail: String { DisplayText(json?["detail"]?.string ?? "HTTP \(status)").text }
  }

  /// Its address without a slash at the end: `https://hub.example`, `https://example.org/metube`.
  package let url: String
  private let token: String?
  private let transport: HubTransport
  /// How often a request may be repeated.
  private let retries: Int
  /// What the hub may still cost.
  private var budget: HubBudget
  /// How many requests were sent, and about how many bytes went either way.
  private(set) var requests = 0
  private(set) var traffic = 0

  /// A client of the hub at `url`, by default that of the settings; nil without one. The token goes to no other hub
  /// than that of the settings.
  package convenience init?(_ settings: Settings, url given: String?, retries: Int, budget: HubBudget) throws {
    let known = try settings.hubURL()
    guard let url = try given.map({ try Settings.hub($0, "the URL") }) ?? known else { return nil }
    let token = known == nil || known == url ? settings["HUB_TOKEN"] : nil
    try self.init(settings, of: url, token: token, retries: retries, budget: budget)
  }

  /// A client of the hub at `url` with this token, over the network.
  package convenience init(
    _ settings: Settings, of url: String, token: String?, retries: Int, budget: HubBudget
  ) throws {
    let transport = try HubTransport(HTTPSession(settings, jobs: 1))
    self.init(url, token: token, retries: retries, budget: budget, transport)
  }

  /// A client of the hub at `url` that reaches it by `transport`.
  init(_ url: String, token: String?, retries: Int, budget: HubBudget, _ transport: HubTransport) {
    (self.url, self.token, self.retries, self.budget, self.transport) = (url, token, retries, budget, transport)
  }

  /// Whether the token crosses a network without encryption.
  package var sendsInTheClear: Bool {
    guard url.hasPrefix("http://") else { return false }
    let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
    if authority == "[::1]" || authority.hasPrefix("[::1]:") { return false }
    let host = authority.prefix { $0 != ":" }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return host != "localhost" && !(numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
  }

  /// Sends a request; one that gets no response, or 429 or 5xx, is repeated while the budget lasts. Throws a `Failure`
  /// if that does not help, and at once for 401 and for a certificate that is not trusted.
  package func send(_ path: String, query: [(name: String, value: String)] = [], body: Body = .none) throws -> Response
  {
    var repetitions = 0
    while true {
      guard !budget.isSpent else {
        throw failure(.tooSlow(seconds: HubBudget.maximum / 1000))
      }
      let result = try response(to: request(path, query, body), after: repetitions)
      // A hub that is full (507) is full in four seconds too.
      if case .success(let response) = result, response.status == 507 || response.status != 429 && response.status < 500
      {
        guard response.status != 401 else {
          throw failure(.tokenRefused)
        }
        return response
      }
      if transport.ending.isSignalled { throw failure(.interrupted) }
      var pause = HubBudget.pause(before: repetitions)
      // Its limit is by the minute.
      if case .success(let response) = result { pause = max(pause, min(Int(response.pause ?? 0), 60)) }
      if case .failure(let failure) = result, UserMessages.distrust(failure) != nil {
        throw self.failure(.untrusted(failure))
      }
      guard repetitions < retries, budget.allows(pause: pause) else {
        switch result {
        case .failure(.tls(let code)): throw self.failure(.noTLS(code: code))
        case .failure(let failure): throw self.failure(.noResponse(failure))
        case .success(let response): throw failure(.failing(detail: response.detail))
        }
      }
      spending { _ in transport.wait(pause * 1000) }
      repetitions += 1
    }
  }

  /// The failure of what is wrong with this hub.
  func failure(_ flaw: HubFlaw) -> Failure { Failure(SyncError.hub(url: url, flaw)) }

  /// The failure of what is wrong with a log of this hub.
  func failure(of log: String, _ flaw: LogFlaw) -> Failure { Failure(SyncError.log(url: url, log, flaw)) }

  /// Lets a signal end requests before their time.
  func end(by interrupt: Interrupt) { transport.ending.interrupt = interrupt }

  /// Whether a signal ended requests.
  var isEnded: Bool { transport.ending.isSignalled }

  /// Notes that lines of this many bytes arrived here or there.
  func noteProgress(bytes: Int) { budget.earn(bytes: bytes) }

  /// Calls `body`, which may take as long as is left for the hub, in milliseconds, and takes its time off that.
  func spending<Result>(_ body: (_ left: Int) throws -> Result) rethrows -> Result {
    let start = transport.now()
    defer { budget.spend(transport.now() - start) }
    return try body(budget.left)
  }

  /// The body of a request.
  package enum Body {
    case none
    case json(JSONValue)
    case lines([UInt8])
  }

  private func request(_ path: String, _ query: [(name: String, value: String)], _ body: Body) -> HTTPRequest {
    let fields = query.filter { !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    var request = HTTPRequest(
      tag: requests, url: url + path + (fields.isEmpty ? "" : "?\(fields)"), maxBodyBytes: HubClient.maxBytes)
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
  private static let maxBytes = 16 << 20
  private static let worthPacking = 1000

  private func response(to request: HTTPRequest, after repetitions: Int) throws -> Result<Response, HTTPFailure> {
    var request = request
    request.timeout = .milliseconds(budget.timeout(after: repetitions, of: retries))
    requests += 1
    if case .send(let body) = request.method { traffic += body.count }
    traffic += request.url.utf8.count + request.headers.reduce(0) { $0 + $1.utf8.count }
    let outcome = try spending { _ in try transport.send(request) }
    traffic += outcome.bytes
    return outcome.result
  }
}

/// How a client reaches its hub, and the time of its clock.
struct HubTransport {
  /// The outcome of a request, and how many bytes arrived.
  var send: (HTTPRequest) throws -> (result: Result<HubClient.Response, HTTPFailure>, bytes: Int)
  /// Milliseconds of a clock that is never set.
  var now: () -> Int
  /// Waits this many milliseconds.
  var wait: (Int) -> Void
  var ending = Ending()

  /// What ends requests early.
  final class Ending {
    /// Nil while signals have their usual effect.
    var interrupt: Interrupt?

    var isSignalled: Bool { interrupt?.isSignalled() ?? false }
  }
}

extension HubTransport {
  /// The network.
  init(_ http: HTTPSession) {
    let ending = ending
    send = { try HubTransport.send($0, with: http, until: ending) }
    now = Clock.steady
    wait = { milliseconds in
      guard let interrupt = ending.interrupt else { return _ = usleep(UInt32(milliseconds) * 1000) }
      _ = interrupt.waits(milliseconds: milliseconds)
    }
  }

  private static func send(
    _ request: HTTPRequest, with http: HTTPSession, until ending: Ending
  ) throws -> (result: Result<HubClient.Response, HTTPFailure>, bytes: Int) {
    var next: HTTPRequest? = request
    var outcome: HTTPOutcome?
    do {
      try http.run(
        wakeDescriptor: ending.interrupt?.descriptor, isAborted: { ending.isSignalled },
        next: {
          defer { next = nil }
          return next.map { .request($0) } ?? .done
        }, finished: { outcome = $0 })
    } catch { throw UserMessages.failure(error) }
    guard let outcome else { return (.failure(.aborted), 0) }
    let response = outcome.result.map {
      HubClient.Response(status: $0.status, body: $0.body, pause: $0.retryAfter?.seconds(at: Clock.now()))
    }
    return (response, outcome.bytes)
  }
}
