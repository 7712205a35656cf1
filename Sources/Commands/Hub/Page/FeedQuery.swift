import Core
import HubPage

/// The filters of a list on the page: those of `list` by their names, with `q` for a search, `mode` for the usual
/// combinations and `cursor` for the place to continue.
struct FeedQuery {
  /// A usual combination of options.
  enum Mode: String, CaseIterable {
    case newest, oldest, catchUp = "catch-up", mix, quick, long, shorts

    var words: String {
      switch self {
      case .newest: "Newest"
      case .oldest: "Oldest"
      case .catchUp: "Catch up"
      case .mix: "Mix"
      case .quick: "Under 10 min"
      case .long: "Over 30 min"
      case .shorts: "Shorts"
      }
    }

    /// The parameters of the API that mean it.
    fileprivate var parameters: [(name: String, value: String)] {
      switch self {
      case .newest: []
      case .oldest: [("oldest", "true")]
      case .catchUp: [("catchUp", "true")]
      case .mix: [("mix", "true")]
      case .quick: [("maxDuration", "10m")]
      case .long: [("minDuration", "30m")]
      case .shorts: [("shorts", "only")]
      }
    }
  }

  /// The parts of the path of the list.
  let path: [String]
  /// The filters as given, without empty ones, the cursor and what notices need.
  let given: [(name: String, value: String)]
  let cursor: String?
  let mode: Mode
  /// Videos in a page.
  static let size = 60

  /// Reads the query of a request. Throws a `HubProblem` if a filter is unknown.
  init(_ call: HubCall, path: [String]) throws {
    self.path = path
    let kept = call.query.filter { !$0.value.isEmpty && !PageNotice.parameters.contains($0.name) }
    cursor = kept.first { $0.name == "cursor" }?.value
    given = kept.filter { $0.name != "cursor" }
    let name = given.first { $0.name == "mode" }?.value
    guard let mode = name.map({ Mode(rawValue: $0) }) ?? .newest else {
      throw HubProblem(400, "mode: takes \(Mode.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.mode = mode
  }

  /// The command of the terminal that lists the same; `fixed` are parameters that the view adds.
  func command(_ fixed: [(name: String, value: String)] = []) throws -> ListCommand {
    var parameters = fixed + mode.parameters + [("limit", String(FeedQuery.size))]
    for (name, value) in given where name != "mode" {
      switch (name, value) {
      case ("q", _): parameters.append(("search", value))
      case ("status", "all"): if !fixed.contains(where: { $0.name == "all" }) { parameters.append(("all", "true")) }
      default: parameters.append((name, value))
      }
    }
    if let cursor {
      guard PageCursor(cursor) != nil else { throw HubProblem(400, "cursor: not one of this list") }
      parameters.append(("after", cursor))
    }
    return try ListCommand.forHub(HubParameter.words(parameters, of: HubRoute.videos[0].query))
  }

  /// The value of a filter; nil if absent.
  subscript(name: String) -> String? { given.first { $0.name == name }?.value }

  /// Whether it asks for less than everything new.
  var isNarrowed: Bool { given.contains { !["mode", "noRules"].contains($0.name) } || mode.isFilter }

  // MARK: Paths

  /// The path of the list itself.
  var place: PagePath { PagePath(path, query: given) }

  /// The path of the next page.
  func place(after cursor: String) -> PagePath { PagePath(path, query: given + [("cursor", cursor)]) }

  /// The path of the list with one filter set, or without it.
  func place(setting name: String, to value: String?) -> PagePath {
    PagePath(path, query: given.filter { $0.name != name } + (value.map { [(name, $0)] } ?? []))
  }

  /// The path of the list without one filter.
  func place(without filter: (name: String, value: String)) -> PagePath {
    PagePath(path, query: given.filter { $0 != filter })
  }
}

extension FeedQuery.Mode {
  /// Whether it leaves videos out, rather than arranging them.
  fileprivate var isFilter: Bool { self == .quick || self == .long || self == .shorts }

  /// What headings a list has in this order.
  var grouping: VideoList.Grouping {
    switch self {
    case .catchUp: .channels
    case .mix: .none
    default: .days
    }
  }
}
