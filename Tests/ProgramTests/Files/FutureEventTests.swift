import Core
import EventLog
import Library
import SQLDrivers
import TestSupport
import Testing

/// What devices and archives do not get of a log in PostgreSQL.
@Suite(.enabled(if: SharedPollScene.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
final class FutureEventTests: TwoUsers {
  @Test("Events ahead of the clock are left out of a user's logs, and counted")
  func counted() throws {
    #expect(try mark("9bZkp7q19f0", #""saved":true"#, by: ann).status == 200)
    let database = try #require(sandbox.schema).connect()
    let ahead = try PostgresLibrary(database, of: "ann") { 4_102_444_800_000 }
    let saved = SavedSet(video: try #require(VideoID("dQw4w9WgXcQ")), saved: true)
    _ = try ahead.commit(action: nil, undoing: nil) { [.savedSet(saved)] }
    let logs = try PostgresLibrary(database, of: "ann") { UInt64(SharedPollScene.milliseconds) }
      .deviceLogs(temporary: sandbox.folder.path)
    let counts = try logs.marks().map { try logs.futureEvents(of: $0.log) }
    #expect(counts.reduce(0, +) == 1, "\(counts)")
    let archive = try hub.get("/api/v1/export/archive", ann)
    #expect(archive.status == 200 && archive.body.count > 200)
  }
}
