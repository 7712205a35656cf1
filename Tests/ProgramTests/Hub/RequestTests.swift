import ArgumentParser
import Core
import JSON
import TestSupport
import Testing

@testable import App
@testable import Arguments
@testable import CLI
@testable import HubAPI
@testable import HubCore
@testable import HubReaders
@testable import HubWeb
@testable import Messages
@testable import metube_hub

/// The requests of use cases, as the terminal and the API describe them.
@Suite("Requests of use cases")
struct RequestTests {
  /// The names of a value's members; the parser's wrappers begin with an underscore.
  private func members(_ value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap { $0.label.map { String($0.drop { $0 == "_" }) } })
  }

  /// A filter in which no member has its usual value.
  private var filter: VideoFilter {
    VideoFilter(
      channel: ["NASA", "a--b"], tag: ["--science"], search: "two--words", since: "3d", until: "2026-11-01",
      shorts: .only, upcoming: .show, saved: true, started: true, live: true, minDuration: "10m",
      maxDuration: "1:30:00",
      noRules: true, platform: .podcast, kind: [.audio])
  }

  @Test("Each filter is an option of the terminal and a parameter of the API, under one name")
  func filterMembers() throws {
    let wanted = members(VideoFilter())
    #expect(Set(HubParameter.filters.map(\.name)).subtracting(["status", "all"]) == wanted)
    let options = members(try FilterOptions.parse([]))
    #expect(Set(options.map { $0 == "searches" ? "search" : $0 }) == wanted)
    // The sample below lacks none.
    let usual = Mirror(reflecting: VideoFilter()).children.map { "\($0.value)" }
    let given = Mirror(reflecting: filter).children.map { "\($0.value)" }
    #expect(zip(usual, given).allSatisfy { $0 != $1 })
  }

  @Test("The terminal and the API make the same list of the same filters", arguments: ["oldest", "catchUp", "mix", ""])
  func sameList(order: String) throws {
    let orders: [String: ListRequest.Order] = ["oldest": .oldest, "catchUp": .catchUp, "mix": .mix]
    let wanted = ListRequest(
      filter: filter, status: [.watched, .snoozed], all: true, order: orders[order] ?? .usual)
    let sandbox = try Sandbox()
    let session = try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false)
    #expect(try ListCommand.parse(wanted.arguments).request(in: session) == wanted)
    let parameters: [(name: String, value: String)] =
      [
        ("channel", "NASA"), ("channel", "a--b"), ("tag", "--science"), ("search", "two--words"), ("since", "3d"),
        ("until", "2026-11-01"), ("shorts", "only"), ("upcoming", "show"), ("saved", "true"), ("started", "true"),
        ("live", "true"),
        ("minDuration", "10m"), ("maxDuration", "1:30:00"), ("noRules", "true"), ("status", "watched"),
        ("status", "snoozed"), ("all", "true"), ("platform", "podcast"), ("kind", "audio"),
      ] + (order.isEmpty ? [] : [(order, "true")])
    #expect(try ListRequest(HubArguments(parameters, of: HubRoute.videos[0].query)) == wanted)
  }

  @Test("Each condition of a rule is an option of the terminal and a parameter of the API")
  func ruleMembers() throws {
    let wanted = members(RuleRequest(verdict: .block))
    #expect(Set(HubRoute.conditions.map { $0.name == "in" ? "field" : $0.name }) == wanted)
    let options = members(try RuleOptions.parse(["block"]))
    #expect(Set(options.map { $0 == "shorts" ? "short" : $0 }) == wanted)
  }

  @Test("Each setting of a channel is an option of the terminal and a parameter of the API")
  func channelMembers() throws {
    let wanted = members(ChannelSettings(channel: ""))
    let options = members(try ChannelSetCommand.parse(["x", "--title", "y"])).subtracting(["common"])
    #expect(options == wanted)
    let given = try HubArguments(
      [
        ("title", "T"), ("tag", "a"), ("untag", "b"), ("feed", "videos"), ("shorts", "show"), ("live", "hide"),
        ("order", "oldest"),
      ], of: HubRoute.settings)
    #expect(Set(HubRoute.settings.map(\.name)).union(["channel"]) == wanted)
    let id = try #require(SubscriptionID("UCsXVk37bltHxD1rDPwtNM8Q"))
    #expect(
      ChannelSettings(given, of: id)
        == ChannelSettings(
          channel: id.description, title: "T", tag: ["a"], untag: ["b"], feed: .videos, shorts: .show, live: .hide,
          order: .oldest))
  }

  @Test("Orders that exclude each other are refused")
  func exclusiveOrders() {
    #expect(throws: AppError.self) {
      try ListRequest.Order(oldest: false, newest: false, catchUp: true, mix: true, sort: .published)
    }
    #expect(throws: AppError.self) {
      try ListRequest.Order(oldest: true, newest: true, catchUp: false, mix: false, sort: .published)
    }
    #expect(throws: AppError.self) {
      try ListRequest.Order(oldest: false, newest: false, catchUp: true, mix: false, sort: .found)
    }
  }
}

/// What the API says of what it refuses.
@Suite("Refusals quote the client's own text")
struct RefusalTests {
  @Test(
    "A client reads its own text, unchanged, and its own names of parameters",
    arguments: [
      ("/api/v1/videos?channel=foo--bar", 404, "“foo--bar” matches no channel"),
      ("/api/v1/videos?tag=a--b", 404, "no channel has the tag “a--b”"),
      ("/api/v1/videos?since=a--b", 400, "since: “a--b” is not a time; use 3d, "),
      ("/api/v1/videos?minDuration=a--b", 400, "minDuration: “a--b” is not a duration"),
      ("/api/v1/videos?search=", 400, "search: no words given"),
      ("/api/v1/videos?catchUp=true&mix=true", 400, "catchUp and mix exclude each other"),
    ])
  func lists(path: String, status: Int, text: String) throws {
    let sandbox = try Sandbox()
    let response = try RunningHub(sandbox).get(path)
    let detail = try response.json["detail"]?.string ?? ""
    #expect(response.status == status && detail.hasPrefix(text), "\(detail)")
  }

  @Test("A flaw of a pattern is counted in what the client sent")
  func pattern() throws {
    let hub = try RunningHub(Sandbox())
    let response = try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","matches":"a--(b"}"#)
    let detail = try response.json["detail"]?.string ?? ""
    #expect(response.status == 400 && detail.hasPrefix("matches: “a--(b”: character 5: "), "\(detail)")
  }

  @Test("A wrong setting of the operator stops the start, and is no client's mistake")
  func setting() throws {
    let sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_READ_MEANS"] = "foo"
    let refused = try sandbox.hub(["serve", "--no-poll", "--listen", "127.0.0.1:0", "--home", sandbox.folder.path])
    #expect(refused.status == 64 && refused.text.isEmpty, "\(refused.errors)")
    #expect(refused.errors.contains("METUBE_RSS_READ_MEANS is “foo”; use watched or skipped"), "\(refused.errors)")
  }
}
