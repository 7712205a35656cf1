import JSON
import TestSupport
import Testing

/// Readers that read more than the hub allows a user.
@Suite("Readers at the limit of requests")
final class ReaderLimitTests: TwoUsers {
  /// Sends as many requests on one connection, in less than a minute on any machine that answers them.
  private func read(_ count: Int, _ header: String) throws {
    let request = "GET /v1/me HTTP/1.1\r\nHost: \(hub.host)\r\n\(header)\r\n"
    let all = String(repeating: request + "\r\n", count: count - 1) + request + "Connection: close\r\n\r\n"
    _ = try hub.exchange(Array(all.utf8))
  }

  @Test("Four tokens and a session share the limit of their user; then marks are still taken, and others read")
  func shared() throws {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let entry = try #require(try hub.get("/v1/entries?limit=1", ann).json["entries"]?.elements?.first)
    let number = String(Int(try #require(entry["id"]?.number)))
    let tokens = try (0..<3).map { _ in try sandbox.bearer("ann") }
    let session = try logIn("ann")
    // Only one of them reads much.
    try wait {
      try read(250, ann)
      let others = try tokens.map { try hub.get("/v1/me", $0).status } + [hub.get("/api/v1/channels", session).status]
      return others.allSatisfy { $0 == 429 }
    }
    let marked = try hub.send("PUT", "/v1/entries", json: #"{"entry_ids":[\#(number)],"status":"read"}"#, tokens[0])
    #expect(marked.status == 204, "\(marked.text)")
    let form = "Content-Type: application/x-www-form-urlencoded"
    let starred = try hub.send(
      "POST", "/reader/api/0/edit-tag", [tokens[1], form],
      body: "i=\(number)&a=user/-/state/com.google/starred".utf8)
    #expect(starred.status == 200 && starred.text == "OK", "\(starred.text)")
    let log = try sandbox.hubLines("ann")
    #expect(log.contains { $0.contains("\"kind\":\"statusSet\"") })
    #expect(log.contains { $0.contains("aved") && $0.contains("\"kind\":\"") && !$0.contains("statusSet") }, "\(log)")
    #expect(try hub.get("/v1/me", bob).status == 200)
    // The minute may be over.
    let refused = try hub.get("/v1/me", ann)
    if refused.status == 429 {
      #expect(try refused.json["error_message"]?.string?.contains("requests in a minute") == true)
      #expect(refused.headers["retry-after"] != nil)
    }
  }
}
