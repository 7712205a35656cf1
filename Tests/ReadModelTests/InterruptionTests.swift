import Core
import SQLDrivers
import Synchronization
import TestSupport
import Testing

@testable import ReadModel

@Suite("Reading that ends early", .enabled(if: TestEngine.postgres == nil))
struct InterruptionTests {
  private let model: ReadModel

  init() throws {
    model = try ReadModel.empty()
    try model.apply([Sample.event(1, Sample.found(1, title: "One"))])
  }

  /// Counts so far that the test need not wait for the end.
  private func count(to last: Int64) throws -> Int64? {
    try model.read { (database) throws(DatabaseError) in
      try database.integer(
        .sqlite("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT count(*) FROM n"),
        last)
    }
  }

  @Test("A query ends when its client has gone or its time is over, and the tables can be read as before")
  func query() throws {
    let looks = Mutex(0)
    let late = Interruption()
    late.begin {
      looks.withLock { looks in
        looks += 1
        return looks > 5
      }
    }
    #expect(throws: DatabaseError.interrupted) {
      try Interruption.$current.withValue(late) { try count(to: .max) }
    }
    // One look before it and one each 20,000 steps.
    #expect(looks.withLock { $0 } == 6)
    let gone = Interruption()
    gone.set()
    #expect(throws: DatabaseError.interrupted) {
      try Interruption.$current.withValue(gone) { try count(to: .max) }
    }
    #expect(try count(to: 100_000) == 100_000)
  }

  @Test("What is written is not interrupted, even if reading ended within the same request")
  func writing() throws {
    let gone = Interruption()
    gone.set()
    try Interruption.$current.withValue(gone) {
      try model.apply([Sample.event(2, Sample.found(2, title: "Two"))])
      #expect(throws: DatabaseError.interrupted) { try count(to: 10) }
      try model.apply([Sample.event(3, Sample.found(3, title: "Three"))])
    }
    #expect(try model.videoCount() == 3)
  }

  @Test("An action runs once, also if the work has ended before it is known")
  func actions() {
    let interruption = Interruption()
    let runs = Mutex(0)
    interruption.whenSet { runs.withLock { $0 += 1 } }
    interruption.set()
    interruption.set()
    interruption.whenSet { runs.withLock { $0 += 10 } }
    #expect(runs.withLock { $0 } == 11)
  }
}
