import Core
import Terminal
import Testing

@testable import HubPage

/// Days and times as text.
@Suite("Days and times as text")
struct DayTests {
  // Wednesday 2026-07-01 14:00 UTC.
  private static let now = Timestamp(seconds: 1_782_914_400)

  @Test(
    "Headings of days",
    arguments: [
      (0, "Today"), (-1, "Yesterday"), (-2, "Monday"), (-6, "Thursday"), (-7, "24 June"), (-200, "13 December 2025"),
    ])
  func headings(_ days: Int, _ text: String) {
    let moment = DayTests.now.adding(seconds: Int64(days) * 86_400)
    #expect(LocalTime.utc(DayTests.now).heading(of: moment) == text)
  }

  @Test(
    "Sections of lists are days within a week, else months",
    arguments: [
      (0, "2026-07-01", "Today"), (1, "2026-07-02", "2 July"), (-6, "2026-06-25", "Thursday"), (-7, "2026-06", "June"),
      (-31, "2026-05", "May"), (-200, "2025-12", "December 2025"),
    ])
  func sections(_ days: Int, _ key: String, _ text: String) {
    let section = LocalTime.utc(DayTests.now).section(of: DayTests.now.adding(seconds: Int64(days) * 86_400))
    #expect(section == (key, text))
  }

  @Test("What was earlier in this month")
  func thisMonth() {
    let now = DayTests.now.adding(seconds: 20 * 86_400)
    #expect(LocalTime.utc(now).section(of: DayTests.now) == ("2026-07", "Earlier in July"))
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
