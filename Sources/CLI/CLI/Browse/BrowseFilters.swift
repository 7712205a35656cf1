import App
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
  var started = false
  var noRules = false
  var order = Order.usual
  /// Filters that cannot be changed here, and stay as they were given.
  var others = Others()

  /// Filters of `list` by the time published and by length, as they were typed.
  struct Others: Equatable {
    var since: String?
    var until: String?
    var minDuration: String?
    var maxDuration: String?

    /// What they say: `since=3d`.
    var summary: [String] {
      [("since", since), ("until", until), ("min-duration", minDuration), ("max-duration", maxDuration)]
        .compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
  }

  /// A channel as `list` takes it, and as it is shown.
  struct Channel: Equatable {
    var word: String
    var title: String
  }

  /// The order.
  enum Order: CaseIterable {
    case usual, newest, oldest, catchUp, mix

    /// The order of the list.
    var listed: ListRequest.Order {
      switch self {
      case .usual: .usual
      case .newest: .newest
      case .oldest: .oldest
      case .catchUp: .catchUp
      case .mix: .mix
      }
    }
  }

  /// The list that the filters select.
  var request: ListRequest {
    let filter = VideoFilter(
      channel: channels.map(\.word), tag: tags, search: search.isEmpty ? nil : search, since: others.since,
      until: others.until, shorts: shorts, upcoming: upcoming, saved: saved,
      started: started, live: live, minDuration: others.minDuration, maxDuration: others.maxDuration, noRules: noRules)
    return ListRequest(filter: filter, status: statuses, all: all, order: order.listed)
  }

  /// A summary of the filters; empty for the default list.
  var summary: [String] {
    var parts = Field.allCases.compactMap { field in
      value(of: field) == BrowseFilters().value(of: field) ? nil : "\(field.rawValue): \(value(of: field))"
    }
    if !search.isEmpty { parts.append("search: \(search)") }
    return parts + others.summary
  }
}

extension BrowseFilters {
  /// A line of the panel that changes the filters.
  enum Field: String, CaseIterable {
    case status, tag, channel
    case shorts = "Shorts"
    case upcoming, live, saved, started, rules, order
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
    case .started: started ? "only" : "also"
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
    case .started: started.toggle()
    case .rules: noRules.toggle()
    case .order: order = next(order, of: Order.allCases)
    }
  }
}
