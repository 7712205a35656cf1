import Core
import FixtureServer
import TestSupport
import Testing

/// What `/metrics` names, and what the documents say that it names.
class HubMetricsTests: TwoUsers {
  /// The names of gauges in a document, or in the response.
  static func names(in text: String) -> Set<String> {
    Set(text.matches(of: /metube_hub_[a-z_]+[a-z]/).map { String($0.output) })
  }

  static func documented(in document: String) throws -> Set<String> {
    let bytes = try #require(Files.read(Files.packageRoot + "/docs/" + document))
    return names(in: String(decoding: bytes, as: UTF8.self))
  }

  func metrics() throws -> Set<String> {
    try follow(TwoUsers.science, by: ann)
    let response = try hub.get("/metrics", ann)
    #expect(response.status == 200, "\(response.text)")
    return HubMetricsTests.names(in: response.text)
  }

  /// The value of a gauge, as a user sees it.
  func gauge(_ name: String, _ user: String) throws -> Int? {
    let prefix = "metube_hub_\(name) "
    return try hub.get("/metrics", user).text.split(separator: "\n").first { $0.hasPrefix(prefix) }
      .flatMap { Int($0.dropFirst(prefix.count)) }
  }

  /// Polls a feed that fails beside one that works, with a key of the Data API that is refused; returns when the gauges
  /// say so.
  func pollFailing() throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.server.serve(TwoUsers.other, .empty(status: 404))
    try restartHub()
    #expect(try gauge("feeds_failing", ann) == 0 && gauge("api_units_today", ann) == 0)
    try follow(TwoUsers.science, TwoUsers.other, by: ann)
    try lookUpNames()
    try wait { try gauge("feeds_failing", ann) == 1 && gauge("api_units_today", ann) ?? 0 > 0 }
    #expect(try gauge("feeds_failing", ann) == 1 && gauge("api_units_today", ann) ?? 0 > 0)
  }
}

@Suite("Metrics of a hub on files")
final class FileMetricsTests: HubMetricsTests {
  override class var isOfFiles: Bool { true }

  @Test("have every figure that the manual names, and the feeds that are due")
  func files() throws {
    let missing = try HubMetricsTests.documented(in: "operate.md").subtracting(metrics())
    #expect(missing.isEmpty)
    #expect(try hub.get("/metrics", ann).text.contains("\nmetube_hub_feeds_due 1\n"))
    #expect(try hub.get("/metrics", bob).text.contains("\nmetube_hub_feeds_due 0\n"))
  }

  @Test("count the feeds of a user that fail, and the units of the Data API")
  func failing() throws {
    try pollFailing()
    #expect(try gauge("feeds_failing", bob) == 0)
  }
}

@Suite("Metrics of a hub on PostgreSQL", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
final class PostgresMetricsTests: HubMetricsTests {
  @Test("have every figure that the manual says to watch, and no other of the pollers")
  func database() throws {
    let named = try HubMetricsTests.documented(in: "many.md")
    let found = try metrics()
    #expect(named.subtracting(found).isEmpty)
    let usual: Set = ["responses_total", "response_seconds", "videos", "channels", "listeners", "connections"]
    let others = found.subtracting(named).filter { name in !usual.contains { name.hasPrefix("metube_hub_" + $0) } }
    #expect(others.isEmpty)
  }

  @Test("count the feeds that fail, and the units of the Data API")
  func failing() throws { try pollFailing() }
}
