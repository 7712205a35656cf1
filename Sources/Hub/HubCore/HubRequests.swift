import App
import Core
import ReadModel

/// Requests of use cases from the parameters that `HubRoute` names.
extension VideoFilter {
  init(_ given: HubArguments) {
    self.init(
      channel: given.texts("channel"), tag: given.texts("tag"), search: given["search"], since: given["since"],
      until: given["until"], shorts: given.choice("shorts"), upcoming: given.choice("upcoming"),
      saved: given.flag("saved") ?? false, started: given.flag("started") ?? false,
      live: given.flag("live") ?? false, minDuration: given["minDuration"], maxDuration: given["maxDuration"],
      noRules: given.flag("noRules") ?? false, platform: given.choice("platform"),
      kind: Set(given.texts("kind").compactMap { MediaKind(rawValue: $0) }))
  }
}

extension ListRequest {
  package init(_ given: HubArguments) throws {
    let sort: VideoQuery.Order? = given.choice("sort")
    func flag(_ name: String) -> Bool { given.flag(name) ?? false }
    self.init(
      filter: VideoFilter(given), status: Set(given.texts("status").compactMap { Status(rawValue: $0) }),
      all: flag("all"),
      order: try Order(
        oldest: flag("oldest"), newest: flag("newest"), catchUp: flag("catchUp"), mix: flag("mix"), sort: sort),
      sort: sort,
      after: try given["after"].map { text in
        guard let cursor = PageCursor(text) else {
          throw HubProblem(400, "after: not a cursor; take the next of the page before")
        }
        return cursor
      }, limit: given.integer("limit") ?? 50)
  }
}

extension ExportRequest {
  package init(_ given: HubArguments) {
    self.init(
      filter: VideoFilter(given), status: Set(given.texts("status").compactMap { Status(rawValue: $0) }),
      all: given.flag("all") ?? false)
  }
}

extension HistoryRequest {
  package init(_ given: HubArguments) {
    self.init(since: given["since"], until: given["until"], search: nil, limit: given.integer("limit") ?? 50)
  }
}

extension ChannelsRequest {
  package init(_ given: HubArguments) {
    self.init(
      tag: given.texts("tag"), failing: given.flag("failing") ?? false, dead: given.flag("dead") ?? false,
      sort: given.choice("sort") ?? .title)
  }
}

extension ChannelSettings {
  package init(_ given: HubArguments, of channel: SubscriptionID) {
    self.init(
      channel: channel.description, title: given["title"], tag: given.texts("tag"), untag: given.texts("untag"),
      feed: given.choice("feed"), shorts: given.choice("shorts"), live: given.choice("live"),
      order: given.choice("order"))
  }
}

extension RuleRequest {
  package init(_ given: HubArguments) {
    self.init(
      verdict: given.choice("verdict") ?? .block, contains: given["contains"], matches: given["matches"],
      field: given.choice("in"), minDuration: given["minDuration"], maxDuration: given["maxDuration"],
      short: given.flag("short"), live: given.flag("live"), olderThan: given["olderThan"], tag: given["tag"],
      channel: given["channel"])
  }
}

extension ImportRequest {
  init(_ given: HubArguments) {
    self.init(
      tag: given.texts("tag"), seenBefore: given["seenBefore"], onlyNew: given.flag("onlyNew") ?? false,
      allHistory: given.flag("allHistory") ?? false, dryRun: given.flag("dryRun") ?? false)
  }
}

extension FollowRequest {
  package init(_ given: HubArguments) {
    self.init(channels: given.texts("channels"), tag: given.texts("tag"), seenBefore: given["seenBefore"])
  }
}
