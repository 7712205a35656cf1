import FixtureServer
import HubAPI
import HubCore
import HubReaders
import HubWeb
import JSON
import TestSupport
import Testing
import metube_hub

/// Two users whose logs are in files, beside those of `TwoUsers` in PostgreSQL.
private final class TwoUsersInFiles: TwoUsers {
  override class var isOfFiles: Bool { true }
}

/// The same requests to a hub on files and to one on PostgreSQL.
@Suite("Files and PostgreSQL side by side", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
struct HubEnginesTests {
  /// What stands for the variable parts of a route.
  private static func parts(_ users: TwoUsers, _ hers: TwoUsers.Hers) throws -> [String: String] {
    var parts = hers.parts
    let entry = try #require(users.hub.get("/v1/entries?limit=1", users.ann).json["entries"]?.elements?.first)
    let (item, feed) = (Int(entry["id"]?.number ?? 0), Int(entry["feed_id"]?.number ?? 0))
    parts["{item}"] = "\(item)"
    parts["{entry}"] = "\(item)"
    parts["{feed}"] = "\(feed)"
    parts["{stream*}"] = "feed/\(feed)"
    parts["{secret}"] = users.ann.split(separator: " ").last.map(String.init)
    return parts
  }

  private static func path(_ route: HubRoute, _ parts: [String: String]) -> String {
    let path = route.path.split(separator: "/").map { "/" + (parts[String($0)] ?? ($0.hasPrefix("{") ? "1" : "\($0)")) }
    return path.isEmpty ? "/" : path.joined()
  }

  /// What of a response does not depend on when and where it was made: without numbers, IDs of events and secrets.
  private static func essence(
    _ response: HubResponse, of users: TwoUsers, _ hers: TwoUsers.Hers, _ devices: Set<String>
  ) -> String {
    var text = response.text.replacing(users.hub.host, with: "HOST").replacing(
      hers.parts["{rule}"] ?? "-", with: "RULE")
    // Not all of these random texts have a digit.
    for device in devices { text = text.replacing(device, with: "DEVICE") }
    // On a slow machine it is a minute ago.
    text = text.replacing(/just now|[0-9]+ ?[a-z]+ ago/, with: "AGO")
    // Pollers of a database log their polls once in a quarter of an hour.
    for phrase in ["Checked AGO", "Never checked", "You’re all caught up.", "Nothing was checked yet."] {
      text = text.replacing(phrase, with: "POLL")
    }
    let words = text.split { " \n\",:;<>=/&?.-T+()'#_".contains($0) }
    return words.filter { $0.count < 20 && !$0.contains(where: \.isNumber) }.joined(separator: " ")
  }

  /// The IDs of the devices that wrote her log and the catalogue.
  private static func devices(of users: TwoUsers) throws -> Set<String> {
    let lines = try users.sandbox.hubLines("ann") + users.sandbox.hubLines(nil)
    return Set(lines.compactMap { $0.firstMatch(of: /"id":"[0-9a-f]+-[0-9a-f]+-([0-9a-z]+)"/).map { String($0.1) } })
  }

  /// What two texts begin with.
  private static func beginning(_ texts: [String]) -> String {
    String(zip(texts[0], texts[1]).prefix { $0 == $1 }.map(\.0))
  }

  @Test("Every route that reads responds alike")
  func routes() throws {
    let both = [try TwoUsersInFiles(), try TwoUsers()]
    let hers = try both.map { try $0.decide() }
    let parts = try zip(both, hers).map { try HubEnginesTests.parts($0, $1) }
    let devices = try both.map { try HubEnginesTests.devices(of: $0) }
    #expect(devices.allSatisfy { $0.count == 2 }, "\(devices)")
    // Of the process, of files, of the time of day, or without an end.
    let others = [
      "events", "health", "metrics", "status", "statusView", "listLogs", "logLines",
      // Packed with the time; HubExportTests compares what they hold.
      "exportArchive", "exportNewPipeBackup", "exportTakeoutPlaylists",
    ]
    let routes = HubRoute.all + HubRoute.dialects + HubRoute.pages
    for route in routes where route.method == .get && !others.contains(route.name) && !route.path.contains("callback") {
      let responses = try (0..<2).map { index in
        let query = route.name == "changes" ? "?since=" + hers[index].position : ""
        return try both[index].hub.get(HubEnginesTests.path(route, parts[index]) + query, both[index].ann)
      }
      #expect(
        responses[0].status == responses[1].status && responses[1].status < 500,
        "\(route.path): \(responses[0].status) and \(responses[1].text.prefix(300))")
      let essences = (0..<2).map { HubEnginesTests.essence(responses[$0], of: both[$0], hers[$0], devices[$0]) }
      // Whole pages would be reported otherwise.
      let isAlike = essences[0] == essences[1]
      #expect(isAlike, "\(route.path): after “\(HubEnginesTests.beginning(essences).suffix(100))”")
    }
  }
}
