import Core
import YouTube

extension HubService {
  /// How many older videos one request finds.
  private static let olderVideos = 200

  /// What older videos of a channel cost; nil if they cannot be fetched, also with invalid API settings,
  /// which `enrich` reports.
  func olderCost(_ id: SubscriptionID) -> String? {
    guard id.channel != nil, let settings = try? APISettings(session.settings) else { return nil }
    let left = APIStateFile(session.home).read().left(of: settings.budget, at: session.now)
    return "Up to \(HubService.olderVideos), as skipped: about 8 of the \(left) API units left today."
  }

  /// Adds older videos of a channel, as skipped.
  func findOlder(of id: SubscriptionID) throws {
    guard let channel = id.channel, let settings = try APISettings(session.settings) else {
      throw HubProblem(409, "Older videos need a key of YouTube’s Data API; see the manual of metube-rss.")
    }
    try session.whilePolling {
      var older = OlderVideos(session, try APISession(settings, session, deadline: nil))
      do { _ = try older.backfill(channel, count: HubService.olderVideos) } catch let refusal as APIRefusal {
        throw UserMessages.refusal(refusal, budget: older.api.budget, now: Clock.now())
      }
      try older.api.save()
    }
  }
}
