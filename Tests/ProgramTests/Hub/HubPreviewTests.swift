import FixtureServer
import JSON
import TestSupport
import Testing

/// Previews of a pattern that takes too many steps on every video.
@Suite("Slow previews")
final class HubPreviewTests: TwoUsers {
  private static let pattern = "(?:[a-z ]?){14}[7-9]"
  private static let body = #"{"verdict":"block","matches":"\#(pattern)","in":"title"}"#

  /// Ann follows a channel with more videos than the pattern has steps for.
  private func followSlow() throws {
    let channel = SyntheticChannel(number: 0)
    let long = String(repeating: "the quick brown fox ", count: 20)
    let videos = (0..<320).map { number in
      let digits = String(number)
      return (
        id: "slow" + String(repeating: "0", count: 6 - digits.count) + digits + "A", title: "\(long)\(number % 6)"
      )
    }
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, videos).xml))
    try follow(channel.id, by: ann)
    try poll()
    #expect(try self.videos(ann).count == 320)
  }

  /// How many requests wait for a thread or a connection.
  private func waiting() throws -> Int {
    let text = try hub.get("/metrics", bob).text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("metube_hub_waiting ") })
    return try #require(line.split(separator: " ").last.flatMap { Int($0) })
  }

  /// The response to a request that has 60 s at most, on a machine that may have less time for it.
  private func response(_ send: () throws -> HubResponse) throws -> HubResponse {
    var response = try send()
    try wait {
      if response.status == 504 { response = try send() }
      return response.status != 504
    }
    return response
  }

  @Test("A pattern that is too slow for all videos is 422, for programs and on the page, and is not saved")
  func refused() throws {
    try followSlow()
    let reader = try sandbox.bearer("ann", "read")
    let refused = try response { try hub.send("POST", "/api/v1/rules/preview", json: HubPreviewTests.body, reader) }
    #expect(refused.status == 422, "\(refused.text)")
    #expect(try refused.json["detail"]?.string?.contains("too slow") == true)
    let page = try response {
      try hub.send(
        "POST", "/rules", [try logIn("ann"), "Content-Type: application/x-www-form-urlencoded"],
        body: "action=preview&verdict=block&pattern=(%3F:[a-z+]%3F){14}[7-9]&in=title".utf8)
    }
    #expect(page.status == 422 && page.text.contains("too slow"), "\(page.status) \(page.text.prefix(500))")
    #expect(try response { try hub.send("POST", "/api/v1/rules", json: HubPreviewTests.body, ann) }.status == 422)
    #expect(try hub.get("/api/v1/videos?limit=1", bob).status == 200)
  }

  @Test(
    "Previews end with their connections, closed or half-closed, and others are answered meanwhile",
    arguments: [
      true, false,
    ])
  func abandoned(isClosed: Bool) throws {
    try followSlow()
    let reader = try sandbox.bearer("ann", "read")
    // For one after the other there is not enough time while the last request waits.
    var previews = try (0..<40).map { _ in
      try hub.begin(
        "POST", "/api/v1/rules/preview", [reader, "Content-Type: application/json"], body: HubPreviewTests.body)
    }
    try wait { try waiting() >= 10 }
    #expect(try hub.get("/api/v1/videos?limit=1", bob).status == 200)
    if isClosed { previews = [] } else { for preview in previews { preview.finishWriting() } }
    let own = try hub.get("/api/v1/videos?limit=1", ann)
    #expect(own.status == 200, "\(own.text)")
    #expect(try waiting() == 0)
    withExtendedLifetime(previews) {}
  }
}
