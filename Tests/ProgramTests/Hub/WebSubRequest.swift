import Core
import FixtureServer
import HubStore
import JSON
import TestSupport
import Testing

/// A request that a hub of WebSub received from a subscriber whose callbacks begin with `https://hub.example`.
struct WebSubRequest: Equatable {
  var mode: String
  var topic: String
  /// Of the callback.
  var path: String
  var secret: String

  init(_ request: Request) {
    // A form has the syntax of a query.
    let text = String(decoding: request.body, as: UTF8.self)
    let fields = Dictionary(
      text.split(separator: "&").map { pair in
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(sides[0]), String(percentDecoding: sides[1].utf8))
      }
    ) { $1 }
    (mode, topic, secret) = (fields["hub.mode"] ?? "", fields["hub.topic"] ?? "", fields["hub.secret"] ?? "")
    path = String((fields["hub.callback"] ?? "").trimmingPrefix("https://hub.example"))
  }
}

extension FixtureServer {
  /// What it received as a hub of WebSub.
  func webSubRequests(_ path: String = "/hub") -> [WebSubRequest] {
    requests.filter { $0.method == "POST" && $0.path == path }.map { WebSubRequest($0) }
  }
}

extension RunningHub {
  /// Verifies a request as a hub does.
  func verify(
    _ asked: WebSubRequest, mode: String? = nil, topic: String? = nil, lease: Int = 432_000,
    challenge: String = "a.challenge-1"
  ) throws -> HubResponse {
    let topic = (topic ?? asked.topic).percentEncoded(keeping: "")
    let query =
      "hub.mode=\(mode ?? asked.mode)&hub.topic=\(topic)&hub.challenge=\(challenge)&hub.lease_seconds=\(lease)"
    return try get("\(asked.path)?\(query)", "Host: hub.example")
  }

  /// Pushes as a hub does; returns the status.
  func push(
    _ asked: WebSubRequest, method: String = "sha1", secret: String? = nil, isSigned: Bool = true,
    body: String = "<feed/>"
  ) throws -> Int {
    let digest = try #require(PushSignature.digest(method, of: Array(body.utf8), secret: secret ?? asked.secret))
    let header = "X-Hub-Signature: \(method)=\(digest.map { String(hex: $0, digits: 2) }.joined())"
    return try send(
      "POST", asked.path, ["Host: hub.example", "Content-Type: application/atom+xml"] + (isSigned ? [header] : []),
      body: body.utf8
    ).status
  }
}
