import Core
import YouTube

extension HubService {
  /// How many older videos one request finds.
  private static let olderVideos = 200
  /// How long that may take, in milliseconds: other writing requests wait.
  private static let longest = 20_000

  /// What older videos of a channel cost; nil if they cannot be fetched, also with invalid API settings,
  /// which `enrich` reports.
  func olderCost(_ id: SubscriptionID) -> String? {
    guard id.channel != nil, let settings = try? APISettings(session.settings),
      let left = try? settings.units(in: session).left
    else { return nil }
    return "Up to \(HubService.olderVideos), as skipped: about 8 of the \(left) API units left today."
  }

  /// Adds older videos of a channel, as skipped.
  func findOlder(of id: SubscriptionID) throws {
    guard let channel = id.channel, let settings = try APISettings(session.settings) else {
      throw HubProblem(409, "Older videos need a key of YouTube’s Data API; see the manual of metube-rss.")
    }
    try session.whilePolling {
      let api = try APISession(settings, session, deadline: Clock.steady() + HubService.longest)
      let older = OlderVideos(session, api)
      if let failure = try api.attempt({ _ = try older.backfill(channel, count: HubService.olderVideos) }) {
        // The person on the page can do nothing about the key.
        StandardError.report(failure.message)
        throw failure
      }
    }
  }
}
