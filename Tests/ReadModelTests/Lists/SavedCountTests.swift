import Core
import SQLDrivers
import Testing

@testable import ReadModel

@Suite("The number of saved videos")
struct SavedCountTests {
  @Test("The count includes saved videos, found or not, without those that were removed")
  func count() throws {
    let model = try ReadModel.empty()
    #expect(try model.savedCount() == 0)
    try model.apply(
      (1...6 as ClosedRange<UInt64>).flatMap { number in
        [
          Sample.event(Int64(number), Sample.found(number)),
          Sample.event(Int64(number) + 10, .savedSet(SavedSet(video: Sample.video(number), saved: true))),
        ]
      })
    try model.apply([
      Sample.event(30, .savedSet(SavedSet(video: Sample.video(2), saved: false))),
      Sample.event(31, .savedSet(SavedSet(video: Sample.video(99), saved: true))),
    ])
    #expect(try model.savedCount() == 6)
    #expect(try model.saved().count == 6)
  }

  @Test("Counting reads no rows of videos", .enabled(if: TestEngine.postgres == nil, "needs SQLite"))
  func plan() throws {
    let model = try ReadModel.empty()
    var plan: [String] = []
    try model.read { (database) throws(DatabaseError) in
      try database.forEach(.sqlite("EXPLAIN QUERY PLAN \(ReadModel.savedCountQuery)"), 0) { plan.append($0.text(3)) }
    }
    #expect(plan == ["SEARCH d USING INDEX decision_saved (owner=?)"])
  }
}
