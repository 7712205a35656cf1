import Core

/// What the full-screen view lists: the options of `list` that can be changed in it.
struct BrowseFilters: Equatable {
  /// Empty for the usual ones.
  var statuses: Set<Status> = []
  /// Every status, also of unfollowed channels.
  var all = false
  var tags: [String] = []
  var channels: [Channel] = []
  var search = ""
  var shorts: VideoQuery.Visibility?
  var upcoming: VideoQuery.Visibility?
  var live = false
  var saved = false
  var noRules = false
  var order = Order.usual
  /// Other options of `list`, which stay as they were given.
  var others: [String] = []

  /// A channel as `list` takes it, and as it is shown.
  struct Channel: Equatable {
    var word: String
    var title: String
  }

  /// The order, as options of `list`.
  enum Order: String, CaseIterable {
    case usual = ""
    case newest = "--newest"
    case oldest = "--oldest"
    case catchUp = "--catch-up"
    case mix = "--mix"
  }

  /// The options for `list`.
  var words: [String] {
    var words = statuses.sorted { $0.rawValue < $1.rawValue }.map { "--status=\($0.rawValue)" }
    words += tags.map { "--tag=\($0)" } + channels.map { "--channel=\($0.word)" }
    if !search.isEmpty { words.append("--search=\(search)") }
    words += [shorts.map { "--shorts=\($0.rawValue)" }, upcoming.map { "--upcoming=\($0.rawValue)" }].compactMap(\.self)
    let flags = [("--all", all), ("--live", live), ("--saved", saved), ("--no-rules", noRules)]
    words += flags.filter(\.1).map(\.0)
    if order != .usual { words.append(order.rawValue) }
    return words + others
  }

  /// What is filtered, in words; empty for the default list.
  var summary: [String] {
    var parts = Field.allCases.compactMap { field in
      value(of: field) == BrowseFilters().value(of: field) ? nil : "\(field.rawValue): \(value(of: field))"
    }
    if !search.isEmpty { parts.append("search: \(search)") }
    return parts + others.map { String($0.drop { $0 == "-" }) }
  }
}

extension BrowseFilters {
  /// A line of the panel that changes the filters.
  enum Field: String, CaseIterable {
    case status, tag, channel
    case shorts = "Shorts"
    case upcoming, live, saved, rules, order
  }

  /// The value of a field as the panel shows it.
  func value(of field: Field) -> String {
    switch field {
    case .status where all && statuses.isEmpty: "any, also unfollowed"
    case .status where statuses.isEmpty: saved ? "any" : "new"
    case .status: statuses.map(\.rawValue).sorted().joined(separator: ", ")
    case .tag: tags.isEmpty ? "any" : tags.joined(separator: ", ")
    case .channel: channels.isEmpty ? "any" : channels.map(\.title).joined(separator: ", ")
    case .shorts: shorts?.rawValue ?? "as set for each channel"
    case .upcoming: upcoming?.rawValue ?? "hide"
    case .live: live ? "only" : "also"
    case .saved: saved ? "only" : "also"
    case .rules: noRules ? "ignored" : "applied"
    case .order:
      switch order {
      case .usual: "as set"
      case .newest: "newest first"
      case .oldest: "oldest first"
      case .catchUp: "catch-up, channel by channel"
      case .mix: "mix, channels in turn"
      }
    }
  }

  /// Changes a field to its next or previous value; a tag or a channel only back to any.
  mutating func step(_ field: Field, by step: Int) {
    func next<Value: Equatable>(_ value: Value, of values: [Value]) -> Value {
      let index = values.firstIndex(of: value) ?? 0
      return values[(index + step + values.count) % values.count]
    }
    switch field {
    case .status:
      let choices: [[Status]] = [[], [.watched], [.skipped], [.snoozed]]
      let present = all && statuses.isEmpty ? nil : Array(statuses)
      let chosen = next(present, of: choices.map(Optional.some) + [nil])
      (statuses, all) = (Set(chosen ?? []), chosen == nil)
    case .tag: tags = []
    case .channel: channels = []
    case .shorts: shorts = next(shorts, of: [nil, .show, .only, .hide])
    case .upcoming: upcoming = next(upcoming, of: [nil, .show, .only])
    case .live: live.toggle()
    case .saved: saved.toggle()
    case .rules: noRules.toggle()
    case .order: order = next(order, of: Order.allCases)
    }
  }
}
