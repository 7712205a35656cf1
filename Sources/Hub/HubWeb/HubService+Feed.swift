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
    return frame
  }
}

/// A list with its filters, from the log.
struct FeedPage {
  private let query: FeedQuery
  private let session: Session
  private let state: State
  private let selection: VideoSelection
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
      FeedView(
        list: list, summary: summary, modes: modes,
        statuses: statuses(first: "New", rest: ["snoozed", "watched", "skipped", "all"]), tags: tags, hidden: hidden,
        filters: filters, markAll: markAll,
        outage: PollTexts(session).outage(try session.pollState().pause),
        checked: PollTexts(session).checked(state), end: try end)
    }
  }

  /// Where a form marks all of it, if that is more than this page.
  private var markAll: (path: PagePath, count: Int)? {
    let isNew = query["status"] == nil || query["status"] == Status.new.rawValue
    guard selection.next != nil, isNew, query["all"] == nil, query["saved"] == nil else { return nil }
    return (PagePath(["marks"], query: query.given), selection.matching)
  }

  private var summary: String {
    let noun = query["status"] == nil && query["saved"] == nil && !query.isOfStarted ? "new video" : "video"
    return UserMessages.count(selection.matching, noun)
  }

  var modes: [FeedView.Choice] {
    FeedQuery.Mode.allCases.map { mode in
      let path = query.link(setting: "mode", to: mode == query.usual ? nil : mode.rawValue)
      return FeedView.Choice(mode.text, path, isChosen: mode == query.mode)
    }
  }

  /// The statuses to choose; the first is the one of a list that names none.
  func statuses(first: String, rest: [String]) -> [FeedView.Choice] {
    let start = FeedView.Choice(first, query.link(setting: "status", to: nil), isChosen: query["status"] == nil)
    return [start]
      + rest.map { status in
        let text = status.prefix(1).uppercased() + status.dropFirst()
        return FeedView.Choice(text, query.link(setting: "status", to: status), isChosen: query["status"] == status)
      }
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

  /// The filters that no other control shows.
  private var filters: [FeedView.Choice] {
    query.given.filter { !["mode", "tag", "status"].contains($0.name) }.map { filter in
      FeedView.Choice(text(filter), query.link(without: filter), isChosen: true)
    }
  }

  private func text(_ filter: (name: String, value: String)) -> String {
    switch filter.name {
    case "q": return "“\(filter.value)”"
    case "channel":
      return SubscriptionID(filter.value).flatMap { state.channels[$0]?.title } ?? filter.value
    case "noRules": return "with videos hidden by rules"
    case "live": return "streams only"
    case "saved": return "saved only"
    case "started": return "begun only"
    case "all": return "also of channels not followed"
    case "shorts", "upcoming": return "\(filter.name): \(filter.value)"
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
  private var end: String {
    get throws {
      if query.isNarrowed { return rows.isEmpty ? "Nothing matches." : "That is all that matches." }
      return PollTexts(session).caughtUp(try PollStanding(session, state))
    }
  }
}
