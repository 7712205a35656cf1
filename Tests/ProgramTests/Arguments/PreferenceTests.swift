import Core
import FixtureServer
import Glibc
import TestSupport
import Testing

@testable import App
@testable import Platform

@Suite("Preferences in the terminal")
struct PreferenceTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)
  private let channel = SyntheticChannel(number: 0)

  init() throws {
    sandbox = try Sandbox()
    var feed = FixtureFeed.of(channel, threeVideos)
    feed.entries[0].isShort = true
    sandbox.server.serve(channel.id, .feed(feed.xml))
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
  }

  /// The row of a preference in the list.
  private func row(_ name: String) throws -> [Substring] {
    let lines = try sandbox.succeed("preferences", "--format", "tsv").split(separator: "\n")
    let row = try #require(lines.first { $0.hasPrefix("\(name)\t") })
    return row.split(separator: "\t", omittingEmptySubsequences: false).prefix(4).map { $0 }
  }

  @Test("docs/reference/preferences.md has the table of preferences")
  func document() throws {
    let bytes = try #require(Files.read(Files.packageRoot + "/docs/reference/preferences.md"))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let rows = Preference.table.map { row in
      "| `\(row.preference.rawValue)` | \(row.values.text) | \(row.standard) | \(row.summary) |"
    }
    #expect(lines.map(String.init) == rows)
  }

  @Test("The list has value, default and where the value comes from")
  func list() throws {
    #expect(try row("order") == ["order", "newest", "newest", "default"])
    sandbox.environment["METUBE_RSS_ORDER"] = "oldest"
    #expect(try row("order") == ["order", "oldest", "oldest", "METUBE_RSS_ORDER"])
    #expect(try sandbox.succeed("preferences", "set", "order", "mix") == "order: mix\n")
    #expect(try row("order") == ["order", "mix", "oldest", "preference"])
    #expect(try sandbox.succeed("preferences", "set", "order", "mix") == "no change\n")
    #expect(try sandbox.succeed("preferences", "unset", "order") == "order: default again\n")
    #expect(try row("order") == ["order", "oldest", "oldest", "METUBE_RSS_ORDER"])
    let json = try sandbox.succeed("preferences", "list", "--format", "json")
    #expect(Preference.allCases.allSatisfy { json.contains("{\"preference\":\"\($0.rawValue)\",") })
    #expect(try sandbox.succeed("preferences").hasPrefix("preference"))
  }

  @Test("A mistake is one message with the values, and changes nothing")
  func mistakes() throws {
    let before = sandbox.log
    for (arguments, message) in [
      (["set", "themes", "dark"], "“themes” is not a preference; did you mean theme?"),
      (["unset", "x"], "“x” is not a preference; the preferences are order, sort, "),
      (["set", "theme", "pink"], "theme: “pink” is not a value; use system, light or dark"),
      (["set", "watched-at", "0%"], "watched-at: “0%” is not a value; use 1% to 100%"),
      (["set", "speed", "9"], "speed: “9” is not a value; use a factor from 0.25 to 4"),
      (["set", "time-zone", "Mars/Olympus"], "time-zone: this machine has no time zone “Mars/Olympus”"),
      (["set", "theme", "dark", "--channel", channel.id], "theme: a channel cannot have a value of its own"),
    ] {
      let outcome = try sandbox.program.run(["preferences"] + arguments)
      #expect(outcome.status == 64 && outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    #expect(sandbox.log == before)
  }

  @Test("Lists follow order, sort and Shorts; an option overrides a preference")
  func lists() throws {
    let newest = try sandbox.list().map(\.video)
    #expect(newest == [ids[1], ids[2]])
    sandbox.environment["METUBE_RSS_ORDER"] = "random"
    try sandbox.succeed("preferences", "set", "order", "oldest")
    #expect(try sandbox.list().map(\.video) == newest.reversed(), "a preference replaces even a bad setting")
    #expect(try sandbox.list("--newest").map(\.video) == newest)
    sandbox.environment["METUBE_RSS_ORDER"] = nil
    try sandbox.succeed("preferences", "set", "shorts", "show")
    #expect(try sandbox.list().map(\.video) == ids.reversed())
    #expect(try sandbox.list("--shorts", "hide").map(\.video) == newest.reversed())
    #expect(try sandbox.succeed("why", ids[0]).contains("yes: it is new, and nothing hides it"))
    try sandbox.succeed("channel", "set", channel.id, "--shorts", "hide")
    #expect(try sandbox.list().map(\.video) == newest.reversed())
    try sandbox.succeed("undo")
    #expect(try sandbox.list().map(\.video) == ids.reversed())
  }

  @Test("An undo takes a preference back, and names it")
  func undo() throws {
    try sandbox.succeed("preferences", "set", "theme", "dark")
    try sandbox.succeed("preferences", "set", "theme", "light")
    #expect(try sandbox.succeed("undo") == "undone: 1 preference (1 change)\ntheme: dark\n")
    #expect(try sandbox.succeed("undo") == "undone: 1 preference (1 change)\ntheme: default again\n")
  }

  @Test("Times are in the zone and the form of the person")
  func times() throws {
    try #require(TimeZoneRules.named("Asia/Kathmandu") != nil, "needs tzdata")
    let before = try sandbox.succeed("show", ids[1])
    try sandbox.succeed("preferences", "set", "time-zone", "Asia/Kathmandu")
    try sandbox.succeed("preferences", "set", "dates", "dmy")
    let after = try sandbox.succeed("show", ids[1])
    #expect(before != after && after.contains(#/published +\d\d\.\d\d\.\d{4} \d\d:\d\d/#), "\(after)")
    #expect(try sandbox.succeed("list", "--format", "csv").contains("Z,"), "formats for programs stay UTC")
  }

  @Test("A speed by channel is listed after that of all")
  func speeds() throws {
    #expect(
      try sandbox.succeed("preferences", "set", "speed", "1.50", "--channel", channel.title)
        == "speed: 1.5 for \(channel.title)\n")
    let lines = try sandbox.succeed("preferences", "--format", "tsv").split(separator: "\n").suffix(2)
    #expect(lines.first?.hasPrefix("speed\t1\t1\tdefault\t\t\t") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("speed\t1.5\t1\tpreference\t\(channel.id)\t\(channel.title)\t") == true, "\(lines)")
    try sandbox.succeed("preferences", "unset", "speed", "--channel", channel.id)
    #expect(
      try sandbox.succeed("preferences", "--format", "tsv").split(separator: "\n").last?.hasPrefix("speed\t1\t") == true
    )
  }

  @Test("Preferences of another device arrive with its log; the later one of two counts")
  func otherDevice() throws {
    try sandbox.succeed("preferences", "set", "density", "compact")
    let other = try Sandbox()
    try other.succeed("preferences", "set", "theme", "dark")
    try other.succeed("preferences", "set", "density", "comfortable")
    let name = try #require(other.folder.names(in: "log").first { $0.hasSuffix(".jsonl") })
    _ = sandbox.folder.write(try #require(other.folder.read("log/\(name)")), to: "log/\(name)")
    #expect(try row("theme")[1] == "dark" && row("density")[1] == "comfortable")
    try sandbox.succeed("preferences", "set", "theme", "light")
    #expect(try row("theme")[1] == "light")
  }
}

@Suite("Rules of time zones")
struct TimeZoneRulesTests {
  private func offset(_ zone: String, _ time: String) throws -> Int64 {
    let rules = try #require(TimeZoneRules.named(zone), "needs tzdata: \(zone)")
    return rules.offset(at: try #require(Timestamp(rfc3339: time)))
  }

  @Test("Offsets are those of the database, also in years that only its rule for all years covers")
  func offsets() throws {
    for (zone, time, seconds) in [
      ("UTC", "2026-11-22T00:00:00Z", 0), ("Europe/Berlin", "2026-07-01T00:00:00Z", 7200),
      ("Europe/Berlin", "2026-10-25T00:59:59Z", 7200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
      ("Europe/Berlin", "2060-03-28T00:59:59Z", 3600), ("Europe/Berlin", "2060-03-28T01:00:00Z", 7200),
      ("America/New_York", "2050-01-15T12:00:00Z", -18_000), ("America/New_York", "2050-07-15T12:00:00Z", -14_400),
      ("Australia/Sydney", "2050-01-15T12:00:00Z", 39_600), ("Australia/Sydney", "2050-07-15T12:00:00Z", 36_000),
      ("Australia/Lord_Howe", "2050-01-15T12:00:00Z", 39_600), ("Australia/Lord_Howe", "2050-07-15T12:00:00Z", 37_800),
      ("Asia/Kathmandu", "2026-11-22T00:00:00Z", 20_700), ("Etc/GMT+3", "2026-11-22T00:00:00Z", -10_800),
    ] {
      #expect(try offset(zone, time) == Int64(seconds), "\(zone) \(time)")
    }
  }

  @Test("A local time is the time at which clocks show it")
  func localTimes() throws {
    let berlin = try #require(TimeZoneRules.named("Europe/Berlin"))
    let local = { (text: String) throws in try #require(Timestamp(rfc3339: text)).seconds }
    #expect(berlin.time(ofLocal: try local("2026-07-01T02:00:00Z")).rfc3339 == "2026-07-01T00:00:00Z")
    #expect(berlin.time(ofLocal: try local("2026-10-25T02:30:00Z")).rfc3339 == "2026-10-25T00:30:00Z")
    #expect(berlin.time(ofLocal: try local("2026-03-29T02:30:00Z")).rfc3339 == "2026-03-29T01:30:00Z")
  }

  @Test("Bytes that are not a time zone are rejected, and never a crash")
  func hostile() throws {
    let whole = try File.read("/usr/share/zoneinfo/Europe/Berlin", limit: 1 << 18)
    for length in 0..<whole.count { _ = TimeZoneRules(Array(whole.prefix(length)))?.offset(at: Timestamp(seconds: 0)) }
    #expect(TimeZoneRules([]) == nil && TimeZoneRules(Array("TZif".utf8)) == nil)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      _ = TimeZoneRules(bytes)?.offset(at: Timestamp(seconds: 4_000_000_000))
    }
    #expect(TimeZoneRules.named("../../../etc/passwd") == nil)
  }
}
