import Core

@testable import App
@testable import CLI

extension BrowseFilters {
  /// The options of `list` that select the same.
  var words: [String] { request.words }
}

extension ListRequest {
  /// The options of `list` that describe it, but for a cursor and a limit.
  var words: [String] {
    var words = status.sorted { $0.rawValue < $1.rawValue }.map { "--status=\($0.rawValue)" }
    words += filter.tag.map { "--tag=\($0)" } + filter.channel.map { "--channel=\($0)" }
    let values = [
      ("search", filter.search), ("shorts", filter.shorts?.rawValue), ("upcoming", filter.upcoming?.rawValue),
    ]
    words += values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    let flags =
      [("all", all), ("live", filter.live), ("saved", filter.saved), ("started", filter.started)]
      + [("no-rules", filter.noRules)]
    words += flags.filter(\.1).map { "--\($0.0)" }
    switch order {
    case .usual: break
    case .newest: words.append("--newest")
    case .oldest: words.append("--oldest")
    case .catchUp: words.append("--catch-up")
    case .mix: words.append("--mix")
    }
    let others = [
      ("since", filter.since), ("until", filter.until), ("min-duration", filter.minDuration),
      ("max-duration", filter.maxDuration),
    ]
    words += others.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    return words + (sort.map { ["--sort=\($0.rawValue)"] } ?? [])
  }
}
