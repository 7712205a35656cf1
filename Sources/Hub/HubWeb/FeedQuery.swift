import App
import Core
import HubCore
import HubPage

/// The filters of a list on the page: those of `list` by their names, with `q` for a search, `mode` for the usual
/// combinations and `cursor` for the position to continue at.
struct FeedQuery {
  /// A usual combination of options.
  enum Mode: String, CaseIterable {
    case newest, oldest, catchUp = "catch-up", mix, started, quick, long, shorts

    var text: String {
      switch self {
      case .newest: "Newest"
      case .oldest: "Oldest"
      case .catchUp: "Catch up"
      case .mix: "Mix"
      case .started: "Continue watching"
      case .quick: "Under 10 min"
      case .long: "Over 30 min"
      case .shorts: "Shorts"
      }
    }

    /// Lets a list be in this mode, unless its own parameters say otherwise.
    fileprivate func apply(to request: inout ListRequest) {
      switch self {
      case .newest: request.order = .newest
      case .oldest: request.order = .oldest
      case .catchUp: request.order = .catchUp
      case .mix: request.order = .mix
      case .started: request.filter.started = true
      case .quick: request.filter.maxDuration = request.filter.maxDuration ?? "10m"
      case .long: request.filter.minDuration = request.filter.minDuration ?? "30m"
      case .shorts: request.filter.shorts = request.filter.shorts ?? .only
      }
    }
  }

  /// The parts of the path of the list.
  let path: [String]
  /// The filters as given, without empty ones, the cursor and what notices need.
  let given: [(name: String, value: String)]
  let cursor: String?
  let mode: Mode
  /// The mode of an address that names none.
  let usual: Mode
  /// Videos in a page.
  static let size = 60

  private init(
    path: [String], given: [(name: String, value: String)], cursor: String?, mode: Mode, usual: Mode
  ) {
    (self.path, self.given, self.cursor, self.mode, self.usual) = (path, given, cursor, mode, usual)
  }

  /// Reads the query of a request. Throws a `HubProblem` if a filter is unknown.
  init(_ call: HubCall, path: [String], usual: Mode) throws {
    (self.path, self.usual) = (path, usual)
    let kept = call.query.filter { !$0.value.isEmpty && !PageNotice.parameters.contains($0.name) }
    cursor = kept.first { $0.name == "cursor" }?.value
    given = kept.filter { $0.name != "cursor" }
    let name = given.first { $0.name == "mode" }?.value
    guard let mode = name.map({ Mode(rawValue: $0) }) ?? usual else {
      throw HubProblem(400, "mode: takes \(Mode.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.mode = mode
  }

  /// What a view lists, whatever its address says.
  enum Scope {
    case everything, saved
    /// Everything that was found, of every status, with Shorts and videos that rules hide.
    case found
    /// The videos of one channel, of every status.
    case channel(SubscriptionID)
  }

  /// The list that the address names.
  func request(of scope: Scope) throws -> ListRequest {
    let own = given.filter {
      !["mode", FeedQuery.everything].contains($0.name) && ($0.name != "status" || $0.value != "all")
    }
    let parameters = own.map { (name: $0.name == "q" ? "search" : $0.name, value: $0.value) }
    var request = try ListRequest(HubArguments(parameters, of: HubRoute.listing))
    if self[FeedQuery.everything] == "true" { FeedQuery.lift(&request) }
    switch scope {
    case .everything: break
    case .saved: request.filter.saved = true
    case .found: FeedQuery.lift(&request)
    case .channel(let channel):
      guard request.filter.channel.isEmpty else { throw HubProblem(400, "channel: given twice") }
      (request.filter.channel, request.all) = ([channel.description], true)
    }
    if given.contains(where: { $0.name == "status" && $0.value == "all" }) { request.all = true }
    if mode != usual { mode.apply(to: &request) }
    request.limit = FeedQuery.size
    if let cursor {
      guard let after = PageCursor(cursor) else { throw HubProblem(400, "cursor: not one of this list") }
      request.after = after
    }
    return request
  }

  /// Lets a list have everything that was found, whatever usually hides it.
  private static func lift(_ request: inout ListRequest) {
    (request.all, request.filter.noRules) = (true, true)
    request.filter.shorts = request.filter.shorts ?? .show
    request.filter.upcoming = request.filter.upcoming ?? .show
  }

  /// The parameter of a list that has also what is usually hidden.
  static let everything = "everything"

  /// The same list of every status, from its start.
  var ofEveryStatus: FeedQuery {
    FeedQuery(path: path, given: given.filter { $0.name != "status" }, cursor: nil, mode: mode, usual: usual)
  }

  /// What headings the list has: those of its arrangement.
  var grouping: VideoList.Grouping { (mode.isFilter ? usual : mode).grouping }

  /// The value of a filter; nil if absent.
  subscript(name: String) -> String? { given.first { $0.name == name }?.value }

  /// Whether it asks for less than everything new.
  var isNarrowed: Bool { given.contains { !["mode", "noRules"].contains($0.name) } || mode.isFilter }

  /// Whether it lists what was begun.
  var isOfStarted: Bool { mode == .started || self["started"] == "true" }

  // MARK: Paths

  /// The path of the list itself.
  var link: PagePath { PagePath(path, query: given) }

  /// The path of the next page.
  func link(after cursor: String) -> PagePath { PagePath(path, query: given + [("cursor", cursor)]) }

  /// The path of the list with one filter set, or without it.
  func link(setting name: String, to value: String?) -> PagePath {
    PagePath(path, query: given.filter { $0.name != name } + (value.map { [(name, $0)] } ?? []))
  }

  /// The path of the list without one filter.
  func link(without filter: (name: String, value: String)) -> PagePath {
    PagePath(path, query: given.filter { $0 != filter })
  }
}

extension FeedQuery.Mode {
  /// Whether it leaves videos out, rather than arranging them.
  fileprivate var isFilter: Bool { self == .quick || self == .long || self == .shorts || self == .started }

  /// What headings a list has in this order.
  var grouping: VideoList.Grouping {
    switch self {
    case .catchUp: .channels
    case .mix, .started: .none
    default: .days
    }
  }
}
