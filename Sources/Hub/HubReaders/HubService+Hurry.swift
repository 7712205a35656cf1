import App
import Core
import HubCore
import ReadModel

extension HubService {
  /// Makes feeds due now that the user follows, all, or those that the variable parts of a Miniflux route name, and says
  /// whether anybody polls them.
  package func requestPoll(of parts: [String: String]) throws -> PollStart {
    let isNew = try hurry(feedsOf: parts)
    guard let life = try session.workspace.pollerLife(), life.working == 0 else { return isNew ? .started : .running }
    return .waiting(seen: life.seen)
  }

  private func hurry(feedsOf parts: [String: String]) throws -> Bool {
    try refresh()
    try numbers.take(session)
    let feed = parts["feed"].flatMap { Int($0) }
    let category = parts["category"].flatMap { Int($0) }
    // Of an unknown one nothing is polled, as with files.
    if parts["feed"] != nil { return try hurry(feed.flatMap { try followedFeed($0) }.map { [$0.id] } ?? []) }
    if parts["category"] != nil { return try hurry(category.flatMap { try tag($0) }.map { try feeds(in: $0) } ?? []) }
    return try hurry(nil)
  }

  private func feeds(in category: String) throws -> [SubscriptionID] {
    try session.state.followed.filter { $0.isIn(category: category) }.map(\.id)
  }
}
