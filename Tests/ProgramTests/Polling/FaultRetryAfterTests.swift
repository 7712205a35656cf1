import Core
import FixtureServer
import Glibc
import Testing

@Suite("Retry-After")
struct FaultRetryAfterTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(2)
  }

  @Test(
    "sets the next attempt, from half an hour to a day later",
    arguments: [
      (nil, 1800), ("7200", 7200), ("3", 1800), ("999999999", 86_400), ("-5", 1800), ("soon", 1800), ("", 1800),
    ] as [(String?, Int64)])
  func seconds(value: String?, expected: Int64) throws { try expect(value, expected) }

  @Test("may be an HTTP date")
  func date() throws {
    var (moment, fields) = (time(nil) + 10_800, tm())
    gmtime_r(&moment, &fields)
    var text = [CChar](repeating: 0, count: 64)
    let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
    try expect(String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self), 10_800)
  }

  private func expect(_ value: String?, _ expected: Int64) throws {
    var response = Response.status(429)
    response.headers["Retry-After"] = value
    sandbox.server.fail(.response(response), on: .all, times: .always)
    let before = Int64(time(nil))
    let outcome = try sandbox.run("poll", "--rate", "0", "--jobs", "1")
    #expect(outcome.status == 75 && sandbox.server.requests.count == 1)
    #expect(outcome.lines.last?.hasPrefix("retry after ") == true)
    let status = try sandbox.succeed("status", "--format", "json")
    let until = try #require(status.firstMatch(of: /"pausedUntil":"([^"]+)"/)?.output.1)
    let next = try #require(Timestamp(rfc3339: String(until)))
    // `time` lags behind the clock by up to a tick.
    #expect((before + expected...Int64(time(nil)) + expected + 1).contains(next.seconds))
  }
}
