import Core
import EventLog
import Glibc
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import Sync

/// Lines of a hub's database that are not what somebody wrote, and devices that exchange with it.
@Suite("Damage in a database", .enabled(if: TestSchema.server != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
final class StoredDamageTests: TwoUsers {
  private var schema: TestSchema { get throws { try #require(sandbox.schema) } }

  private func device() throws -> SyncedDevice {
    let header = try sandbox.bearer("ann")
    return SyncedDevice(sandbox, token: header.split(separator: " ").last.map(String.init))
  }

  private func decide(_ numbers: ClosedRange<UInt64>) throws {
    for number in numbers {
      let rule = #"{"verdict":"block","contains":"word\#(number)"}"#
      #expect(try hub.send("POST", "/api/v1/rules", json: rule, ann).status == 201)
    }
  }

  /// Flips a bit of a line, counted from 1, of the log that the hub writes for a user; for the catalogue if nil.
  private func damage(_ user: String?, line: Int) throws -> String {
    let database = try schema.connect()
    let log = try #require(
      try database.first(
        """
        SELECT log.n, log.name FROM log JOIN owner ON owner.n = log.owner AND owner.device = log.name
        WHERE owner.name = ?1 OR (?1 IS NULL AND owner.n = 0)
        """, user
      ) { (number: $0.int(0), name: $0.text(1)) })
    try database.run(
      .postgres(
        """
        UPDATE log_line SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1)
        WHERE log = $1 AND start = (SELECT start FROM log_line WHERE log = $1 ORDER BY start OFFSET $2 LIMIT 1)
        """), log.number, line - 1)
    return log.name
  }

  /// The number of a line of the catalogue that finds a video, and has others behind it.
  private func lineOfVideo() throws -> Int {
    let lines = try schema.lines(nil)
    let isFound: (String) -> Bool = { $0.contains(#""kind":"videoFound""#) && $0.contains(TwoUsers.science) }
    return try #require(lines.firstIndex(where: isFound)) + 1
  }

  private func log(_ arguments: String...) throws -> Program.Outcome {
    try sandbox.hub(["log"] + arguments + schema.options)
  }

  @Test("is found by verify, said by the health check and the status, and mended by a device that has the line")
  func mended() throws {
    let device = try device()
    try decide(1...6)
    try device.sync(hub.port)
    #expect(try log("verify", "ann").status == 0)
    #expect(try sandbox.hub(["status"] + schema.options).status == 0)
    let name = try damage("ann", line: 4)
    let found = try log("verify", "ann")
    #expect(found.status == 65 && found.errors.contains("\(name).jsonl:4 "), "\(found.errors)")
    #expect(try log("verify", "bob").status == 0)
    wait { (try? hub.get("/health").status) == 503 }
    #expect(try hub.get("/health").status == 503)
    let status = try sandbox.hub(["status"] + schema.options)
    #expect(status.status == 74 && status.errors.contains("damaged logs: 1"), "\(status.errors)")
    #expect(status.text.contains("damaged      ann, \(name).jsonl: line 4 "), "\(status.text)")
    #expect(status.text.contains("metube-hub log repair ann"))
    let object = try #require(JSONValue(sandbox.hub(["status", "--json"] + schema.options).output))
    #expect(object["damage"]?.elements?.first?["user"] == "ann" && object["damaged"]?.number == 1)
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 0 && outcome.errors.contains("mended"), "\(outcome.status) \(outcome.errors)")
    let after = try log("verify", "--all")
    #expect(after.status == 0, "\(after.errors)")
    #expect(device.events.count == 6)
    try decide(7...7)
  }

  @Test("is noticed by the exchange alone, and mended in it")
  func noticed() throws {
    let device = try device()
    try decide(1...6)
    try device.sync(hub.port)
    _ = try damage("ann", line: 4)
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 0 && outcome.errors.contains("mended"), "\(outcome.status) \(outcome.errors)")
    #expect(try log("verify", "--all").status == 0)
    #expect(device.events.count == 6)
  }

  @Test("in the middle of a log that no device reads again is found once a day, by one of the processes")
  func daily() throws {
    try decide(1...6)
    let database = try schema.connect()
    func looks() throws -> Int64 {
      let query: SQL = "SELECT count(*) FROM all_meta WHERE key = 'inspected' AND owner > 0"
      return try database.integer(query) ?? 0
    }
    wait { (try? looks()) == 2 }
    #expect(try looks() == 2, "of Ann and Bob")
    let name = try damage("ann", line: 4)
    try database.execute("UPDATE all_meta SET value = (unix_time() - 86401)::text::bytea WHERE key = 'inspected'")
    _ = try hub.end()
    let other = try sandbox.runHub()
    wait { (try? other.get("/health").status) == 503 }
    #expect(try other.get("/health").status == 503)
    let status = try sandbox.hub(["status"] + schema.options)
    #expect(status.status == 74 && status.text.contains("\(name).jsonl: line 4 "), "\(status.text)")
    let reported = try other.end().errors
    #expect(reported.contains("the log of ann: \(name).jsonl: line 4 "), "\(reported)")
    #expect(reported.contains("metube-hub log repair ann"))
  }

  @Test("is named by every exchange if no device has the line, until it is repaired", arguments: [true, false])
  func removed(isVerified: Bool) throws {
    let device = try device()
    try decide(1...3)
    try device.sync(hub.port)
    try decide(4...9)
    let name = try damage("ann", line: 8)
    if isVerified { #expect(try log("verify", "--all").status == 65) }
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 74, "\(outcome.text) \(outcome.errors)")
    #expect(outcome.errors.contains("\(name).jsonl, line 8"), "\(outcome.errors)")
    #expect(outcome.errors.contains("on the hub") && outcome.errors.contains("metube-hub log repair ann"))
    #expect(device.events.count == 8)
    let repaired = try log("repair", "ann", "--yes")
    #expect(repaired.status == 0 && repaired.text.contains("1 damaged line removed"), "\(repaired.errors)")
    #expect(try log("verify", "--all").status == 0)
    #expect(try device.run(hub.port, "sync").status == 0)
    try decide(10...10)
    try device.sync(hub.port)
    #expect(device.events.count == 9)
    #expect(try hub.get("/api/v1/rules", ann).json["rules"]?.elements?.count == 9)
  }

  @Test(
    "of the catalogue reaches no device that has none of it yet, but what is behind it does", arguments: [true, false])
  func copied(isFirst: Bool) throws {
    for user in [ann, bob] { try follow(TwoUsers.science, by: user) }
    try poll()
    let (first, second) = (try device(), try device())
    try first.sync(hub.port)
    let line = try isFirst ? 1 : lineOfVideo()
    let name = try damage(nil, line: line)
    let outcome = try second.run(hub.port, "sync")
    #expect(outcome.status == 74 && outcome.errors.contains("\(name).jsonl: line \(line) "), "\(outcome.errors)")
    #expect(outcome.errors.contains("metube-hub log repair --all"))
    #expect(second.events.count >= first.events.count - 1 && second.events.isSubset(of: first.events))
    #expect(try log("repair", "--all", "--yes").status == 0)
    for _ in 0..<2 { #expect(try second.run(hub.port, "sync").status == 0) }
  }

  @Test("of the catalogue is named by exchanges, and its repair fills the tables again", arguments: [true, false])
  func catalogue(isVerified: Bool) throws {
    for user in [ann, bob] { try follow(TwoUsers.science, by: user) }
    try poll()
    let device = try device()
    try device.sync(hub.port)
    let (whole, bobs) = (try videos(ann).count, try videos(bob).count)
    let line = try lineOfVideo()
    let name = try damage(nil, line: line)
    if isVerified { #expect(try log("verify", "--all").status == 65) }
    let outcome = try device.run(hub.port, "sync")
    #expect(outcome.status == 74 && outcome.errors.contains("\(name).jsonl: line \(line) "), "\(outcome.errors)")
    #expect(outcome.errors.contains("metube-hub log repair --all"))
    #expect(try log("repair", "--all", "--yes").status == 0)
    for _ in 0..<2 {
      let outcome = try device.run(hub.port, "sync")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let quiet = try device.sync(hub.port)
    #expect(quiet.sent == 0 && quiet.received == 0)
    #expect(try videos(ann).count == whole)
    #expect(try videos(bob).count >= bobs - 1)
    #expect(try log("verify", "--all").status == 0)
  }

  @Test("of a device's own log comes back from the database, or is said by the device")
  func own() throws {
    let device = try device()
    for number in 1...8 as ClosedRange<UInt64> { try device.decide(.mark(number, .watched)) }
    try device.sync(hub.port)
    let path = "log/\(try device.device).jsonl"
    func damage(line: Int) throws {
      var lines = try #require(device.folder.read(path)).split(separator: 10).map(Array.init)
      lines[line - 1][40] ^= 1
      device.folder.write(lines.flatMap { $0 + [10] }, to: path)
    }
    let whole = device.folder.read(path)
    try damage(line: 4)
    #expect(try device.run(hub.port, "sync").status == 0)
    #expect(device.folder.read(path) == whole)
    for number in 9...12 as ClosedRange<UInt64> { try device.decide(.mark(number, .watched)) }
    try damage(line: 10)
    let said = try device.run(hub.port, "sync")
    #expect(said.status == 74 && said.errors.contains("line 10: damaged on this device"), "\(said.errors)")
    #expect(try device.run(hub.port, "log", "repair", "--yes").status == 0)
    #expect(try device.run(hub.port, "sync").status == 0)
    #expect(device.events.count == 11)
    #expect(try schema.lines("ann").count { $0.contains("statusSet") } >= 11)
    #expect(try log("verify", "ann").status == 0)
  }
}
