import App
import Core
import EventLog
import HubCore
import HubPage
import Library
import Messages
import PollEngine
import ReadModel
import Terminal

extension HubService {
  /// The feed, or first steps for someone who follows nothing yet.
  func feedView(_ call: HubCall) throws -> RouteResponse {
    let query = try FeedQuery(call, path: [], usual: usualMode)
    if query.given.isEmpty, try session.state.followsNothing {
      let frame = frame(call, .feed, "Welcome", at: query.link)
      return PageProblem.document(frame, WelcomeView().html(in: frame))
    }
    let list = try FeedPage(query, in: session)
    let title = query["q"].map { "Search: \($0)" } ?? (query.isOfStarted ? "Continue watching" : "Feed")
    var frame = frame(call, .feed, title, at: query.link)
    frame.search = query["q"] ?? ""
    return PageProblem.document(frame, try list.view.html(in: frame))
  }

  /// The frame of a view at a path.
  func frame(_ call: HubCall, _ view: PageView, _ title: String, at path: PagePath) -> PageFrame {
    var frame = PageFrame(
      settings: call.page, view: view, title: title, path: path, notice: notice(call), now: session.local)
    (frame.user, frame.look) = (call.user, look)
    frame.hasOwnZone = (try? session.preferences.zone) != nil
    if let state = try? session.state {
      frame.channel = { id in
        let channel = state.channels[id]
        return (channel?.avatar, channel?.isFollowed ?? false)
      }
    }
    return frame
  }
}

/// A list with its filters, from the log.
struct FeedPage {
  let query: FeedQuery
  let session: Session
  private let state: State
  let selection: VideoSelection
  private let rows: [VideoRow]

  /// Runs a query.
  init(_ query: FeedQuery, of scope: FeedQuery.Scope = .everything, in session: Session) throws {
    (self.query, self.session) = (query, session)
    selection = try query.request(of: scope).selection(in: session)
    rows = try session.rows(selection.ids, alsoUnseen: true)
    state = try session.state
  }

  /// Every video that a query selects, of all pages.
  static func all(_ query: FeedQuery, in session: Session) throws -> [VideoID] {
    var request = try query.request(of: .everything)
    request.limit = 0
    return try request.selection(in: session).ids
  }

  /// Whether the days on which videos were published follow each other.
  private var isByDay: Bool {
    let sort = query["sort"] ?? (try? session.preferences.sort.rawValue)
    return query.grouping == .days && sort != VideoQuery.Order.found.rawValue
  }

  /// How many match.
  var matching: Int { selection.matching }

  /// The list itself.
  var list: VideoList {
    VideoList(
      rows, by: isByDay ? .days : query.grouping == .days ? .none : query.grouping,
      next: selection.next.map { query.link(after: $0.description) },
      cursor: selection.next?.description ?? "", token: session.library.position)
  }

  /// The view of the feed.
  var view: FeedView {
    get throws {
      let elsewhere = try elsewhere
      return FeedView(
        list: list, summary: summary, bar: bar(statuses: feedStatuses), elsewhere: elsewhere,
        hidden: elsewhere.isEmpty ? hidden : [], markAll: markAll,
        outage: PollTexts(session).outage(try session.pollState().pause),
        checked: PollTexts(session).checked(state), end: try end(isElsewhere: !elsewhere.isEmpty))
    }
  }

  /// Where a form marks all of it, if that is more than this page.
  private var markAll: (path: PagePath, count: Int)? {
    let isNew = query["status"] == nil || query["status"] == Status.new.rawValue
    let others = ["all", "saved", FeedQuery.everything]
    guard selection.next != nil, isNew, others.allSatisfy({ query[$0] == nil }) else { return nil }
    return (PagePath(["marks"], query: query.given), selection.matching)
  }

  private var summary: String {
    let isNew = ["status", "saved", FeedQuery.everything].allSatisfy { query[$0] == nil } && !query.isOfStarted
    let noun = isNew ? "new video" : "video"
    return UserMessages.count(selection.matching, noun)
  }

  /// The chips, the sheet and the filters in force of a list that has these statuses to choose.
  func bar(statuses: [FeedView.Choice]) -> FilterBar {
    FilterBar(
      chips: FilterBar.Group("Order", modes),
      groups: [
        FilterBar.Group("Status", statuses), FilterBar.Group("Tags", tags), FilterBar.Group("Kind", kinds),
        FilterBar.Group("Not shown", hidden),
      ], limits: limits, filters: filters)
  }

  private var modes: [FeedView.Choice] {
    FeedQuery.Mode.allCases.map { mode in
      let path = query.link(setting: "mode", to: mode == query.usual ? nil : mode.rawValue)
      return FeedView.Choice(mode.text, path, isChosen: mode == query.mode)
    }
  }

  /// The statuses of the feed.
  var feedStatuses: [FeedView.Choice] { statuses(first: "New", rest: ["snoozed", "watched", "skipped", "all"]) }

  /// The statuses of a channel's list.
  var channelStatuses: [FeedView.Choice] { statuses(first: "All", rest: ["new", "watched", "skipped", "snoozed"]) }

  /// The statuses to choose; the first is the one of a list that names none.
  private func statuses(first: String, rest: [String]) -> [FeedView.Choice] {
    let start = FeedView.Choice(first, query.link(setting: "status", to: nil), isChosen: query["status"] == nil)
    return [start]
      + rest.map { status in
        let text = status.prefix(1).uppercased() + status.dropFirst()
        return FeedView.Choice(text, query.link(setting: "status", to: status), isChosen: query["status"] == status)
      }
  }

  /// Shorts and streams.
  private var kinds: [FeedView.Choice] {
    let (shorts, isLive) = (query["shorts"], query["live"] == "true")
    func path(shorts: String?, live: String?) -> PagePath {
      let rest = query.given.filter { $0.name != "shorts" && $0.name != "live" }
      let added = [("shorts", shorts), ("live", live)].compactMap { name, value in value.map { (name, $0) } }
      return PagePath(query.path, query: rest + added)
    }
    return [
      FeedView.Choice("As usual", path(shorts: nil, live: nil), isChosen: shorts == nil && !isLive),
      FeedView.Choice("With Shorts", path(shorts: "show", live: nil), isChosen: shorts == "show"),
      FeedView.Choice("Streams only", path(shorts: nil, live: "true"), isChosen: isLive),
    ]
  }

  /// The limits of length and date.
  private var limits: FilterBar.Limits {
    let (own, others) = (
      query.given.filter { FilterBar.Limits.names.contains($0.name) },
      query.given.filter { !FilterBar.Limits.names.contains($0.name) }
    )
    return FilterBar.Limits(
      path: PagePath(query.path), others: others,
      values: Dictionary(own.map { ($0.name, $0.value) }) { first, _ in first })
  }

  private var tags: [FeedView.Choice] {
    let names = state.followedTags
    guard !names.isEmpty else { return [] }
    let all = FeedView.Choice("All tags", query.link(setting: "tag", to: nil), isChosen: query["tag"] == nil)
    return [all]
      + names.map { name in
        FeedView.Choice(
          name, query.link(setting: "tag", to: name),
          isChosen: query["tag"].map { NormalizedName($0) == NormalizedName(name) } ?? false)
      }
  }

  /// The filters in force, but for the mode, whose chip shows it.
  private var filters: [FeedView.Choice] {
    query.given.filter { $0.name != "mode" }.map { filter in
      FeedView.Choice(text(filter), query.link(without: filter), isChosen: true)
    }
  }

  private func text(_ filter: (name: String, value: String)) -> String {
    switch filter.name {
    case "q": return "“\(filter.value)”"
    case "channel":
      return SubscriptionID(filter.value).flatMap { state.channels[$0]?.title } ?? filter.value
    case FeedQuery.everything: return "also what is hidden"
    case "noRules": return "with videos hidden by rules"
    case "live": return "streams only"
    case "saved": return "saved only"
    case "started": return "begun only"
    case "all": return "also of channels not followed"
    case "status": return filter.value == "all" ? "every status" : "\(filter.value) only"
    case "tag": return "tag \(filter.value)"
    case "sort": return "sorted by \(filter.value == "found" ? "time of finding" : filter.value)"
    case "shorts": return filter.value == "show" ? "with Shorts" : "\(filter.value) Shorts"
    case "upcoming": return filter.value == "show" ? "with upcoming" : "\(filter.value) upcoming"
    case "since": return "since \(filter.value)"
    case "until": return "before \(filter.value)"
    case "minDuration": return "at least \(filter.value)"
    case "maxDuration": return "at most \(filter.value)"
    default: return "\(filter.name): \(filter.value)"
    }
  }

  var hidden: [FeedView.Choice] {
    let hidden = selection.hidden
    var choices: [FeedView.Choice] = []
    func add(_ count: Int, _ text: String, _ path: PagePath) {
      if count > 0 { choices.append(FeedView.Choice(text, path, isChosen: false)) }
    }
    add(hidden.shorts, UserMessages.count(hidden.shorts, "Short"), query.link(setting: "mode", to: "shorts"))
    add(hidden.upcoming, "\(hidden.upcoming) upcoming", query.link(setting: "upcoming", to: "only"))
    add(hidden.streams, UserMessages.count(hidden.streams, "stream"), query.link(setting: "live", to: "true"))
    add(hidden.rules, "\(hidden.rules) hidden by rules", query.link(setting: "noRules", to: "true"))
    add(hidden.unknownLength, "\(hidden.unknownLength) of unknown length", query.link(setting: "mode", to: nil))
    return choices
  }

  /// What can be said at the end of the list.
  private func end(isElsewhere: Bool) throws -> String {
    guard query.isNarrowed else { return PollTexts(session).caughtUp(try PollStanding(session, state)) }
    if !rows.isEmpty { return isElsewhere ? "That is all that matches in this list." : "That is all that matches." }
    return isElsewhere ? "Nothing in this list matches." : "Nothing matches."
  }
}
