import App
import Core
import HubPage
import ReadModel

extension FeedPage {
  /// Where else a search finds something: `3 watched`, `2 hidden by rules`, `1 of channels not followed`. Empty without
  /// a search, and for one that lists everything.
  var elsewhere: [FeedView.Choice] {
    get throws {
      guard query["q"] != nil, !query.isOfStarted, query["status"] != "all" else { return [] }
      let isOfAll = query[FeedQuery.everything] != nil
      guard !isOfAll || query["status"] != nil else { return [] }
      var request = try query.ofEveryStatus.request(of: .found)
      request.limit = FeedPage.maxCounted
      let found = try request.selection(in: session)
      let hidden = isOfAll ? [] : hidden
      guard found.matching > selection.matching else { return hidden }
      guard found.next == nil else {
        let rest = found.matching - selection.matching
        return [FeedView.Choice("\(rest) more in all lists", everything(status: nil), isChosen: false)]
      }
      let rows = try session.rows(found.ids, alsoUnseen: true)
      return others(rows.map(\.status)) + hidden
    }
  }

  /// How many videos of a search are counted by their status.
  private static let maxCounted = 400

  /// The statuses of what is found beyond this list, each with its number.
  private func others(_ statuses: [Status]) -> [FeedView.Choice] {
    let own = query["status"].flatMap(Status.init(rawValue:)) ?? .new
    var choices: [FeedView.Choice] = []
    for status in [Status.new, .watched, .skipped, .snoozed] where status != own {
      let count = statuses.count { $0 == status }
      if count > 0 {
        choices.append(FeedView.Choice("\(count) \(status.rawValue)", everything(status: status), isChosen: false))
      }
    }
    let known = selection.matching + selection.hidden.sum
    let unfollowed = statuses.count { $0 == own } - known
    if unfollowed > 0 {
      choices.append(
        FeedView.Choice("\(unfollowed) of channels not followed", everything(status: own), isChosen: false))
    }
    return choices
  }

  /// The same search in everything that was found.
  private func everything(status: Status?) -> PagePath {
    let others = query.given.filter { !["status", "mode", FeedQuery.everything].contains($0.name) }
    let mode = query.given.filter { $0.name == "mode" }
    let chosen = status.map { [(name: "status", value: $0.rawValue)] } ?? []
    return PagePath(query.path, query: others + mode + chosen + [(FeedQuery.everything, "true")])
  }
}

extension VideoSelection.Hidden {
  /// How many are hidden by something that is known of them.
  fileprivate var sum: Int { upcoming + shorts + streams + rules }
}
