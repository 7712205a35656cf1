import App
import Core
import Messages
import Platform
import PollEngine
import Terminal
import YouTube

extension HubService {
  /// How many older videos one request finds.
  private static let olderVideos = 200
  /// How long that may take, in milliseconds: other writing requests wait.
  private static let longest = 20_000

  /// What older videos of a channel cost; nil if they cannot be fetched, also with invalid API settings,
  /// which `enrich` reports.
  package func olderCost(_ id: SubscriptionID) -> String? {
    guard let settings = try? APISettings(session.settings),
      let left = try? settings.units(in: session).left
    else { return nil }
    let price = id.channel == nil ? "1 unit for each 50 entries" : "about 8"
    return "Up to \(HubService.olderVideos), as skipped: \(price) of the \(left) API units left today."
  }

  /// Adds older videos of a channel, or further entries of a playlist, as skipped. With a database a user may do so a few times a day (`KeyUseLimit`). What
  /// fails before the key's first unit is taken does not count: another request on its way, a budget that is used up, a
  /// refused key.
  package func findOlder(of id: SubscriptionID) throws {
    guard let settings = try APISettings(session.settings) else {
      throw HubProblem(409, "Older videos need a key of YouTube’s Data API; see the manual of metube-rss.")
    }
    let limit = session.workspace.olderLimit
    try count(limit, "Older videos can be requested")
    var units = 0
    defer {
      if units == 0 { StandardError.reportFailure { try limit?.forgetLast() } }
    }
    try session.workspace.whileAlone {
      let api = try APISession(settings, session, deadline: Clock.steady() + HubService.longest)
      defer { units = api.units }
      let failure = try api.attempt {
        switch id {
        case .channel(let channel):
          _ = try OlderVideos(session, api).backfill(channel, count: HubService.olderVideos)
        case .playlist(let playlist):
          var videos = PlaylistVideos(session, api)
          try videos.backfill(playlist, count: HubService.olderVideos)
        case .feed: break
        }
      }
      if let failure {
        // The person on the page can do nothing about the key.
        StandardError.report(failure.message)
        throw failure
      }
    }
  }

  /// Counts a request that uses a key of all users. Throws a `HubProblem` with status 429, which begins with `text`, if
  /// it is one too many.
  func count(_ limit: (any KeyUseLimit)?, _ text: String) throws {
    guard let limit, let wait = try limit.count() else { return }
    let end = session.now.adding(seconds: wait).wait(from: session.now)
    throw HubProblem(
      429, "\(text) \(limit.maximum) times in 24 hours; try again in about \(end).",
      retryAfter: Int(wait))
  }
}
