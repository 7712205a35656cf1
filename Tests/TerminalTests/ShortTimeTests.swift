import TestSupport
import Testing

@testable import Core
@testable import Terminal

private let waits: [(seconds: Int64, text: String)] = [
  (-5, "1 min"), (0, "1 min"), (29, "1 min"), (90, "2 min"), (3569, "59 min"), (3570, "1 h"), (5400, "2 h"),
  (84_599, "23 h"), (84_600, "1 d"), (259_195, "3 d"), (259_200, "3 d"), (34_560_000, "400 d"),
]

@Test("A wait is given in the most fitting unit, and never as zero", arguments: waits)
func wait(seconds: Int64, text: String) {
  #expect(Sample.start.adding(seconds: seconds).wait(from: Sample.start) == text)
}

@Test("A snoozed video shows for how long, before its other marks")
func snoozeMark() throws {
  var row = try sampleRow(title: "A title")
  (row.status, row.snoozedUntil, row.maybeUpcoming) = (.snoozed, Sample.start.adding(seconds: 86_400 * 5), true)
  #expect(row.marks(at: Sample.start) == ["snoozed 5 d", "maybe upcoming"])
  (row.status, row.snoozedUntil, row.saved) = (.watched, nil, true)
  #expect(row.marks(at: Sample.start) == ["saved", "watched", "maybe upcoming"])
}

@Test("A partly watched video shows the position until it is watched")
func progressMark() throws {
  var row = try sampleRow(title: "A title")
  (row.progress, row.saved) = (754, true)
  #expect(row.marks(at: Sample.start) == ["saved", "at 12:34"])
  row.status = .watched
  #expect(row.marks(at: Sample.start) == ["saved", "watched"])
}

@Test("A day is local, even if the clock has changed since")
func localDays() throws {
  let (winter, summer) = (try #require(Timestamp(rfc3339: "2026-01-14T22:30:00Z")), Timestamp(seconds: 1_784_068_200))
  let now = LocalTime(Timestamp(seconds: 1_800_000_000)) { $0 < summer ? 3600 : 7200 }
  #expect(summer.rfc3339 == "2026-07-14T22:30:00Z")
  #expect(winter.short(at: now) == "2026-01-14" && summer.short(at: now) == "2026-07-15")
  #expect(summer.short(at: .utc(now.time)) == "2026-07-14")
}
