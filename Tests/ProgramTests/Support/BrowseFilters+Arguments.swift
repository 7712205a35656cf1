import Core

@testable import App
@testable import CLI

extension BrowseFilters {
  /// The options of `list` that select the same.
  var arguments: [String] { request.arguments }
}

extension ListRequest {
  /// The options of `list` that describe it, but for a cursor and a limit.
  var arguments: [String] {
    var arguments = status.sorted { $0.rawValue < $1.rawValue }.map { "--status=\($0.rawValue)" }
    arguments += filter.tag.map { "--tag=\($0)" } + filter.channel.map { "--channel=\($0)" }
    let values = [
      ("search", filter.search), ("shorts", filter.shorts?.rawValue), ("upcoming", filter.upcoming?.rawValue),
    ]
    arguments += values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    let flags =
      [("all", all), ("live", filter.live), ("saved", filter.saved), ("started", filter.started)]
      + [("no-rules", filter.noRules)]
    arguments += flags.filter(\.1).map { "--\($0.0)" }
    switch order {
    case .usual: break
    case .newest: arguments.append("--newest")
    case .oldest: arguments.append("--oldest")
    case .catchUp: arguments.append("--catch-up")
    case .mix: arguments.append("--mix")
    }
    let others = [
      ("since", filter.since), ("until", filter.until), ("min-duration", filter.minDuration),
      ("max-duration", filter.maxDuration), ("platform", filter.platform?.rawValue),
    ]
    arguments += filter.kind.map { "--kind=\($0.rawValue)" }
    arguments += others.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    return arguments + (sort.map { ["--sort=\($0.rawValue)"] } ?? [])
  }
}
