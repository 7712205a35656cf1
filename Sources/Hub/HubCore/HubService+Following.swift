import App
import Core
import Library
import Messages

extension HubService {
  /// Follows everything that a request names, or nothing. Throws a `HubProblem` with the first refusal.
  package func follow(_ request: FollowRequest) throws -> [Event] {
    let outcome = try request.follow(in: session, onlyWhole: true)
    if let refused = outcome.refused.first {
      throw HubProblem(400, "\(refused.text): \(UserMessages.reference(refused.reason, of: refused.text))")
    }
    return outcome.events
  }

  /// Unfollows a subscription; its videos stay.
  @discardableResult
  package func unfollow(_ id: SubscriptionID) throws -> [Event] {
    try session.commit { try session.state.channels[id]?.isFollowed == true ? [.unfollowing(id)] : [] }
  }
}
