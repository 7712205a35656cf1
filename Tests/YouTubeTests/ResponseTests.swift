import Core
import Glibc
import JSON
import Testing

@testable import YouTube

@Suite("Data API responses")
struct ResponseTests {
  private func facts(_ item: String) throws -> VideoEnriched? {
    try VideoResponse.read(Array("{\"kind\":\"youtube#videoListResponse\",\"items\":[\(item)]}".utf8)).facts.first
  }

  @Test(
    "ISO 8601 durations",
    arguments: [
      ("PT4M13S", 253), ("P1DT2H", 93_600), ("P0D", 0), ("PT0S", 0), ("PT1H", 3600), ("P1W", 604_800), ("PT59S", 59),
      ("", nil), ("P", nil), ("PT", nil), ("4M", nil), ("PT4", nil), ("P4M", nil), ("PTM", nil), ("PT1H1", nil),
      ("PT99999999999999999999S", nil), ("PT-4S", nil), ("P1Y", nil),
    ])
  func lengths(text: String, seconds: Int?) {
    #expect(ISODuration.seconds(text) == seconds)
  }

  @Test("An upcoming stream has its start and no duration")
  func upcoming() throws {
    let fact = try facts(
      """
      {"id":"aaaaaaaaaaA","snippet":{"liveBroadcastContent":"upcoming"},"contentDetails":{"duration":"P0D"},
       "liveStreamingDetails":{"scheduledStartTime":"2026-08-18T12:35:00Z"}}
      """)
    #expect(fact?.live == .upcoming && fact?.duration == nil)
    #expect(fact?.scheduled == Timestamp(rfc3339: "2026-08-18T12:35:00Z"))
  }

  @Test("An ended stream is distinguished from a video that never was one")
  func ended() throws {
    let stream = try facts(
      """
      {"id":"aaaaaaaaaaA","snippet":{"liveBroadcastContent":"none"},"contentDetails":{"duration":"PT2H"},
       "liveStreamingDetails":{"actualStartTime":"2026-08-18T12:35:00Z","actualEndTime":"2026-08-18T14:35:00Z"}}
      """)
    #expect(stream?.live == .ended && stream?.duration == 7200)
    let video = try facts(
      "{\"id\":\"aaaaaaaaaaA\",\"snippet\":{\"liveBroadcastContent\":\"none\"},\"contentDetails\":{\"duration\":\"PT3M\"}}"
    )
    #expect(video?.live == Live.none && video?.duration == 180)
  }

  @Test("View counts are numbers in strings; what is none is unknown")
  func views() throws {
    let items = ["\"7\"", "\"0\"", "\"-1\"", "7", "\"99999999999999999999\"", "null"].enumerated().map { index, count in
      "{\"id\":\"aaaaaaaaa\(index)A\",\"statistics\":{\"viewCount\":\(count)}}"
    }
    let body = "{\"kind\":\"youtube#videoListResponse\",\"items\":[\(items.joined(separator: ","))]}"
    let views = try VideoResponse.read(Array(body.utf8)).views
    #expect(views == [try #require(VideoID("aaaaaaaaa0A")): 7, try #require(VideoID("aaaaaaaaa1A")): 0])
  }

  @Test("A response without items has no videos")
  func noItems() throws {
    #expect(try VideoResponse.read(Array("{\"kind\":\"youtube#videoListResponse\"}".utf8)).facts.isEmpty)
  }

  @Test(
    "An invalid response is malformed",
    arguments: [
      "", "[]", "{}", "<html>", "{\"kind\":\"youtube#videoListResponse\",\"items\":3}", "{\"kind\":1}", "{\"a\":",
    ])
  func malformed(body: String) {
    #expect(throws: APIFailure.malformed) { try VideoResponse.read(Array(body.utf8)) }
    #expect(throws: APIFailure.malformed) { try PlaylistPage(Array(body.utf8)) }
    #expect(throws: APIFailure.malformed) { try ChannelFacts.read(Array(body.utf8)) }
  }

  @Test("A private video in a playlist is skipped, and the next page is known")
  func page() throws {
    let page = try PlaylistPage(
      Array(
        """
        {"kind":"youtube#playlistItemListResponse","nextPageToken":"n","items":[
         {"snippet":{"title":"Private video","channelId":"UCsXVk37bltHxD1rDPwtNM8Q"},"contentDetails":{"videoId":"aaaaaaaaaaA"}},
         {"snippet":{"title":"\\u00fc \\ud83d\\ude00 \\ud83d","channelId":"UCsXVk37bltHxD1rDPwtNM8Q"},
          "contentDetails":{"videoId":"bbbbbbbbbbE","videoPublishedAt":"2026-08-18T12:35:00Z"}}]}
        """.utf8))
    #expect(page.next == "n" && page.entries.map(\.title) == ["ü 😀 \u{FFFD}"])
    #expect(Link(page.entries[0].link) == .unknown)
  }

  @Test(
    "Every failure has its own case",
    arguments: [
      (403, "quotaExceeded", APIFailure.quotaExceeded), (403, "dailyLimitExceeded", .quotaExceeded),
      (400, "keyInvalid", .badKey(reason: "keyInvalid")),
      (403, "accessNotConfigured", .badKey(reason: "accessNotConfigured")),
      (429, "rateLimitExceeded", .tooMany), (403, "userRateLimitExceeded", .tooMany),
      (404, "playlistNotFound", .missing),
      (400, "invalidFilters", .refused(status: 400, reason: "invalidFilters")),
      (500, "backendError", .failing(status: 500)),
      (403, "quotaExceeded or so; rm -rf", .failing(status: 403)),
    ])
  func failures(status: Int, reason: String, failure: APIFailure) {
    let body = "{\"error\":{\"code\":\(status),\"errors\":[{\"reason\":\"\(reason)\"}]}}"
    #expect(APIFailure(status: status, body: Array(body.utf8)) == failure)
  }

  @Test("An HTML page is a server failure, not a refusal", arguments: [400, 403, 404, 502])
  func html(status: Int) {
    #expect(APIFailure(status: status, body: Array("<html>403</html>".utf8)) == .failing(status: status))
  }

  @Test("A truncated response is valid or malformed, without a crash")
  func cuts() {
    let body = Array(
      "{\"kind\":\"youtube#videoListResponse\",\"items\":[{\"id\":\"aaaaaaaaaaA\",\"x\":\"\\u12\",\"n\":-1.5e3}]}".utf8)
    for count in 0...body.count { _ = try? VideoResponse.read(Array(body.prefix(count))) }
    #expect(JSONValue(Array(repeating: UInt8(ascii: "["), count: 100_000)) == nil)
  }

  @Test("Recorded responses are parsed", .enabled(if: samples != nil))
  func recorded() throws {
    #expect(try VideoResponse.read(sample("videos.list-real-vod-20230814-trimmed")).facts.count == 1)
    #expect(try VideoResponse.read(sample("videos.list-real-empty-items")).facts.isEmpty)
    #expect(try ChannelFacts.read(sample("channels.list-real-none-found-no-items-key")) == nil)
    #expect(try ChannelFacts.read(sample("channels.list-real-2021-trimmed"))?.title == "NFL")
    #expect(try PlaylistPage(sample("playlistItems.list-real-contentDetails-20251029")).next != nil)
    #expect(APIFailure(status: 400, body: try sample("error-400-bad-key")) == .badKey(reason: "API_KEY_INVALID"))
    #expect(APIFailure(status: 403, body: try sample("error-403-quotaExceeded")) == .quotaExceeded)
    #expect(APIFailure(status: 429, body: try sample("error-429-rateLimit")) == .tooMany)
  }
}

/// The folder of recorded responses, which is not part of the package.
private let samples: String? = {
  if let named = getenv("METUBE_RSS_SAMPLES") { return String(cString: named) + "/json" }
  var folder = #filePath[...]
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    if access(String(folder) + "/Package.swift", R_OK) == 0 { break }
  }
  let beside = String(folder) + "/../shared/samples/json"
  return access(beside, R_OK) == 0 ? beside : nil
}()

private func sample(_ name: String) throws -> [UInt8] {
  let file = try #require(fopen("\(samples ?? "")/\(name).json", "rb"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}

@Suite("Responses about an account")
struct AccountResponseTests {
  @Test("A page of subscriptions leaves out what is no channel")
  func subscriptions() throws {
    let body = """
      {"kind":"youtube#subscriptionListResponse","nextPageToken":"","items":[
        {"snippet":{"title":"One","resourceId":{"channelId":"UCsXVk37bltHxD1rDPwtNM8Q"}}},
        {"snippet":{"title":"Two","resourceId":{"channelId":"../../x"}}},{"snippet":null},7]}
      """
    let page = try SubscriptionPage(Array(body.utf8))
    #expect(page.channels.map(\.title) == ["One"] && page.next == nil)
    for other in ["", "{}", "[]", "{\"kind\":\"youtube#videoListResponse\"}"] {
      #expect(throws: APIFailure.malformed) { try SubscriptionPage(Array(other.utf8)) }
    }
  }

  @Test("A token that cannot stand in a header is malformed, as is a page that is no web page")
  func tokens() throws {
    for body in ["{}", "{\"access_token\":\"\"}", "{\"access_token\":\"a\\r\\nX: y\"}", "x"] {
      #expect(throws: OAuthFailure.malformed) { try GoogleTokens(Array(body.utf8)) }
    }
    let body = "{\"device_code\":\"d\",\"user_code\":\"u\",\"verification_url\":\"file:///etc/passwd\"}"
    #expect(throws: OAuthFailure.malformed) { try GoogleDeviceCode(Array(body.utf8)) }
    #expect(OAuthFailure(status: 400, body: Array("{\"error\":\"\u{1b}[2J\"}".utf8)) == .failing(status: 400))
    #expect(OAuthFailure(status: 428, body: Array("{\"error\":\"slow_down\"}".utf8)) == .refused("slow_down"))
  }
}
