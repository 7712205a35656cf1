import FixtureServer
import Testing

/// One way for YouTube, or a server before it, to fail, and how a poll must treat it.
struct PollFault: CustomTestStringConvertible {
  /// The handling of a request that meets the fault.
  enum Course: Equatable {
    /// A retry would fail again: requested once.
    case lasting
    /// It may pass: retried once, at the end of the run.
    case passing
    /// It stops the run for this reason.
    case refusal(String)
  }

  let name: String
  let fault: Fault
  let course: Course
  /// A part of the message.
  let reason: String
  var status: Int?
  /// Whether no response arrives at all, so that the network is blamed if all feeds meet it.
  var isSilent = false
  /// The HTTP requests per feed request: redirects are followed, and libcurl itself retries when a kept connection
  /// breaks.
  var requests = 1...1
  /// An alternative message: a client still sending sees a closed connection as a reset.
  var otherReason: String?
  /// The timeout in seconds; short if the server never ends the response.
  var timeout = "600"

  var testDescription: String { name }

  /// Whether a message reports this fault.
  func isReported(by text: some StringProtocol) -> Bool {
    text.contains(reason) || otherReason.map { text.contains($0) } ?? false
  }
}

extension PollFault {
  /// Every fault; `elsewhere` is the URL of another host.
  static func all(elsewhere: String) -> [PollFault] { statuses + refusals + silences + bodies + redirects(elsewhere) }

  private static let statuses = [404, 410, 500, 503].map { status in
    PollFault(
      name: "\(status)", fault: .status(status), course: status < 500 ? .lasting : .passing, reason: "HTTP \(status)",
      status: status)
  }

  private static let refusals = [
    PollFault(name: "403", fault: .status(403), course: .refusal("refused"), reason: "HTTP 403", status: 403),
    PollFault(
      name: "429 with Retry-After", fault: .response(.tooManyRequests(retryAfter: 7200)), course: .refusal("tooMany"),
      reason: "HTTP 429", status: 429),
    PollFault(
      name: "429 without Retry-After", fault: .status(429), course: .refusal("tooMany"), reason: "HTTP 429",
      status: 429),
  ]

  private static let silences = [
    silence("a hang before the response", .hangBeforeResponse, "timed out", timeout: "1"),
    silence("a hang inside the body", .hangInsideBody(after: 100), "timed out", timeout: "1"),
    silence("a reset", .reset, reset, requests: 1...6),
    silence("an end without a response", .raw([]), "closed without a response", or: reset, requests: 1...6),
    silence("a truncated body", .truncatedBody, "the response was truncated"),
    silence("a response that is not HTTP", .raw(Array("SSH-2.0-dropbear\r\n".utf8)), "invalid HTTP response"),
    silence("gzip that is none", .raw(noGzip), "invalid HTTP response"),
  ]

  private static func silence(
    _ name: String, _ fault: Fault, _ reason: String, or otherReason: String? = nil,
    requests: ClosedRange<Int> = 1...1, timeout: String = "600"
  ) -> PollFault {
    PollFault(
      name: name, fault: fault, course: .passing, reason: reason, isSilent: true, requests: requests,
      otherReason: otherReason, timeout: timeout)
  }

  private static let reset = "the connection was reset"

  private static let noGzip = Array(
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip, no".utf8)

  private static let bodies = [
    body("a length that is too short", .shortLength(by: 100), "damaged XML"),
    body(
      "an HTML page with status 200", .response(.html("<!DOCTYPE html><title>Sign in</title>", status: 200)), "HTML"),
    body("JSON with status 200", .response(.json("{}", status: 200)), "damaged XML"),
    body("an empty body", .response(.feed("")), "empty"),
    body("half a feed", .response(.feed("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>")), "damaged XML"),
    body(
      "another channel's feed", .response(.feed(stranger.feed(generation: 0).xml)), "another channel (\(stranger.id))"),
    PollFault(
      name: "an unrequested 304", fault: .response(.empty(status: 304)), course: .lasting, reason: "HTTP 304",
      status: 304),
    lasting("a gzip bomb", .gzipBomb(bytes: 8 << 20), "larger than 1048576 bytes"),
    lasting("headers without end", .endlessHeaders, "response headers too large"),
  ]

  private static func body(_ name: String, _ fault: Fault, _ reason: String) -> PollFault {
    PollFault(name: name, fault: fault, course: .lasting, reason: reason, status: 200)
  }

  private static func redirects(_ elsewhere: String) -> [PollFault] {
    [
      lasting("a redirect in a circle", .response(.redirect(to: circle)), "too many redirects", requests: 6...6),
      lasting("a redirect to a file", .response(.redirect(to: "file:///etc/passwd")), "a redirect to a non-HTTP URL"),
      lasting("a redirect to another host", .response(.redirect(to: elsewhere)), "a redirect to another host"),
      PollFault(
        name: "a redirect to nowhere", fault: .response(.empty(status: 301)), course: .lasting, reason: "HTTP 301",
        status: 301),
    ]
  }

  private static func lasting(
    _ name: String, _ fault: Fault, _ reason: String, requests: ClosedRange<Int> = 1...1
  ) -> PollFault {
    PollFault(name: name, fault: fault, course: .lasting, reason: reason, requests: requests)
  }

  /// A path that redirects to itself, when so configured.
  static let circle = "/circle"
  /// A channel not followed.
  static let stranger = SyntheticChannel(number: 999)
}
