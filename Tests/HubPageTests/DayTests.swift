import Core
import HubPage
import Terminal
import Testing

/// Days and times in words.
@Suite("Days and times in words")
struct DayTests {
  // Wednesday 2026-07-01 14:00 UTC.
  private static let now = Timestamp(seconds: 1_782_914_400)

  @Test(
    "Headings of days",
    arguments: [
      (0, "Today"), (-1, "Yesterday"), (-2, "Monday"), (-6, "Thursday"), (-7, "24 June"), (-200, "13 December 2025"),
    ])
  func headings(_ days: Int, _ words: String) {
    let moment = DayTests.now.adding(seconds: Int64(days) * 86_400)
    #expect(LocalTime.utc(DayTests.now).heading(of: moment) == words)
  }

  @Test("A day is the user's, not Greenwich's")
  func zone() {
    let tokyo = LocalTime(DayTests.now) { _ in 9 * 3600 }
    #expect(tokyo.heading(of: DayTests.now.adding(seconds: 1800)) == "Today")
    #expect(tokyo.heading(of: DayTests.now.adding(seconds: 3 * 3600)) == "2 July")
    #expect(tokyo.moment(DayTests.now.adding(seconds: 3 * 3600)) == "tomorrow 02:00")
    #expect(tokyo.long(DayTests.now) == "2026-07-01 23:00")
  }
}
