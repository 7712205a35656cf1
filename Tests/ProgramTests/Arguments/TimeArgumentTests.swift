import Core
import Testing

@Suite("Times as a user types them")
struct MomentTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["TZ"] = "Europe/Berlin"
    try sandbox.follow(threeVideos)
  }

  private func snoozed(until text: String) throws -> String? {
    try sandbox.succeed("snooze", text, ids[0])
    return try sandbox.list("--snoozed").first?.snoozedUntil
  }

  @Test("A day and a time of day are local")
  func local() throws {
    #expect(try snoozed(until: "2099-07-14") == "2099-07-13T22:00:00Z")
    #expect(try snoozed(until: "2099-07-14T10:00") == "2099-07-14T08:00:00Z")
    #expect(try snoozed(until: "2099-12-24T18:30:05") == "2099-12-24T17:30:05Z")
    #expect(try snoozed(until: "2099-12-24T18:30:05Z") == "2099-12-24T18:30:05Z")
  }

  @Test("today, yesterday and tomorrow are the starts of local days")
  func words() throws {
    let tomorrow = try #require(try snoozed(until: "tomorrow"))
    #expect(tomorrow.hasSuffix("T23:00:00Z") || tomorrow.hasSuffix("T22:00:00Z"))
    #expect(try sandbox.run("snooze", "today", ids[1]).errors.contains("“today” is past"))
    try sandbox.succeed("watched", ids[1])
    #expect(try sandbox.run("history", "--since", "yesterday", "--format", "ids").lines == [ids[1]])
    #expect(try sandbox.run("history", "--until", "yesterday", "--format", "ids").lines.isEmpty)
  }

  @Test("The days in a table are accepted by filters", arguments: ["Asia/Tokyo", "America/Los_Angeles", "UTC"])
  func shownDays(zone: String) throws {
    sandbox.environment["TZ"] = zone
    let rows = try sandbox.run("list", "--all", "--limit", "0").lines
    let days = rows.flatMap { $0.split(separator: " ") }.filter { $0.count == 10 && $0.hasPrefix("20") }
    #expect(!days.isEmpty)
    for day in Set(days) {
      let until = try #require(LocalDay(String(day))).next
      let found = try sandbox.run("list", "--all", "--since", String(day), "--until", until, "--format", "ids").lines
      #expect(found.count == days.count { $0 == day }, "\(zone) \(day)")
    }
  }

  @Test(
    "Invalid times are rejected",
    arguments: ["2099-+2-03", "2099-2--3", "+099-02-03", "2099-02-30", "2099-02-03T24:00", "2099-02-03T1:00", "T", ""])
  func refused(text: String) throws {
    let outcome = try sandbox.run("snooze", text, ids[0])
    #expect(outcome.status == 64 && outcome.errors.contains("is not a time"))
  }

  @Test("An absurdly long snooze is rejected", arguments: ["1000000w", "9999-01-01"])
  func tooFar(text: String) throws {
    let outcome = try sandbox.run("snooze", text, ids[0])
    #expect(outcome.status == 64 && outcome.errors.contains("“\(text)” is more than 100 years ahead"))
  }
}

/// A day in a table, `2026-07-14`.
private struct LocalDay {
  private let date: CivilDate

  init?(_ text: String) {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]) else { return nil }
    self.date = date
  }

  /// The day after it.
  var next: String {
    let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
    return String(Timestamp(seconds: Int64(next.daysSinceEpoch) * 86_400).rfc3339.prefix(10))
  }
}
