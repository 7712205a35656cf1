import FixtureServer
import Glibc
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// A hub whose user Ann follows 1,000 channels that do not exist; Bob follows five that do.
class InventedChannels: TwoUsers {
  /// Bob's channels, in the order of their IDs.
  private(set) var real: [String] = []

  override init() throws {
    try super.init()
    let names = TemporaryFolder.names(in: Files.packageRoot + "/Fixtures/feeds/channels").filter { $0.hasPrefix("UC") }
    real = Array(names.sorted().map { String($0.prefix(24)) }.prefix(5))
    #expect(real.count == 5)
    try importInvented(1000)
    for channel in real { try follow(channel, by: bob) }
  }

  /// Lets Ann import a list of well-formed IDs.
  private func importInvented(_ count: Int) throws {
    let rows = (0..<count).map { number in
      let id = "UC" + String("\(number + 1_000_000)".reversed()) + "00000000000000A"
      return "\(id),http://www.youtube.com/channel/\(id),Invented\n"
    }
    let response = try hub.send(
      "POST", "/api/v1/import", [ann], body: ("Channel Id,Channel Url,Channel Title\n" + rows.joined()).utf8)
    #expect(response.status == 200, "\(response.text)")
    #expect(try hub.get("/api/v1/channels", ann).json["channels"]?.elements?.count == count)
  }

  /// How many of Bob's channels were among the first requests.
  func realOnes(amongFirst count: Int) -> Int { sandbox.server.requests.prefix(count).count { real.contains($0.key) } }

  /// Checks that nothing pauses, and that Bob has videos.
  func expectWell() throws {
    let status = try hub.get("/api/v1/status", bob).json
    #expect(status["pausedUntil"] == .some(.null), "\(status)")
    #expect(try !videos(bob).isEmpty)
  }
}

/// With a folder, whose poll keeps the pace of two requests a second.
@Suite("Invented channels of one user of a folder")
final class FolderTurnTests: InventedChannels {
  override class var isOfFiles: Bool { true }

  @Test("Invented channels neither keep another user's new channels waiting nor pause the poll")
  func turns() throws {
    #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    // An outage would be declared with less than twenty.
    wait { sandbox.server.requests.count >= 26 }
    #expect(sandbox.server.requests.count >= 26)
    #expect(realOnes(amongFirst: 12) == 5)
    try expectWell()
  }
}

@Suite(
  "Invented channels of one user of a database",
  .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
final class DatabaseTurnTests: InventedChannels {
  @Test("Invented channels neither keep another user's new channels waiting nor pause the pollers")
  func turns() throws {
    // One at a time: of several at once an early one may be the last that the server reads.
    let outcome = try #require(sandbox.schema).hub("poll", "--once", "--rate", "0", "--jobs", "1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(realOnes(amongFirst: 20) == 5, "\(sandbox.server.requests.prefix(40).map(\.key))")
    #expect(sandbox.server.requests.count >= 1005)
    let database = try #require(sandbox.schema).connect()
    #expect(try database.integer("SELECT count(*) FROM poll_pause") == 0)
    #expect(try database.integer("SELECT count(*) FROM poll_channel WHERE failures = 0") == 5)
    try expectWell()
  }
}
