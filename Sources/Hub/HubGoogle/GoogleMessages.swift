import App
import Core
import HubCore
import Messages
import Platform
import PollEngine
import YouTube

/// What users of the hub read of failures at Google; secrets, paths and hosts are in none.
enum GoogleMessages {
  /// Why a login leads to nothing.
  static func problem(_ failure: OAuthFailure) -> HubProblem {
    switch failure {
    case .refused("access_denied"): HubProblem(403, "Access was denied at Google. Nothing is connected.")
    case .refused("expired_token"): HubProblem(409, "The code has expired; begin again.")
    case .refused("invalid_grant"): HubProblem(403, "Google does not accept that login any more; begin again.")
    case .refused(let word):
      HubProblem(503, "Google refuses this hub (\(word)). Its operator must check the client at Google.")
    case .failing(let status): HubProblem(503, "Google failed (HTTP \(status)); try again later.", retryAfter: 60)
    case .malformed: HubProblem(503, "Google sent an invalid response; try again later.", retryAfter: 60)
    }
  }

  /// Why a login leads to nothing if Google did not respond.
  static func problem(_ failure: Failure) -> HubProblem {
    guard failure.status == .temporaryFailure else {
      StandardError.report("google: \(failure.message)")
      return HubProblem(503, "The hub cannot send requests to Google; its journal says why.")
    }
    return HubProblem(503, "Google did not respond; try again later.", retryAfter: 60)
  }

  /// Reports what the operator must mend.
  static func report(_ failure: OAuthFailure) {
    let ofPerson = ["access_denied", "invalid_grant", "expired_token"]
    if case .refused(let word) = failure, !ofPerson.contains(word) {
      StandardError.report("google: the client in METUBE_RSS_GOOGLE_CLIENT_ID is refused (\(word))")
    }
  }

  /// Why a synchronisation failed.
  static func text(_ refusal: APIRefusal) -> String {
    switch refusal {
    case .network: "YouTube did not respond"
    case .budget, .tooCostly: "today’s requests to YouTube are used up"
    case .ended: "it took too long"
    case .api(let failure), .known(let failure): text(failure)
    }
  }

  private static func text(_ failure: APIFailure) -> String {
    switch failure {
    case .quotaExceeded: return "today’s requests to YouTube are used up"
    case .tooMany: return "YouTube reports too many requests"
    case .badKey(let reason):
      StandardError.report("google: the Data API rejects a login (\(reason)); enable it in the client's project")
      return "YouTube rejects the request (\(reason)); the hub’s operator must check this"
    case .missing: return "YouTube has no subscriptions of this account"
    case .refused(let status, let reason): return "YouTube rejects the request (HTTP \(status), \(reason))"
    case .failing(let status): return "YouTube failed (HTTP \(status))"
    case .malformed: return "YouTube sent an invalid list"
    }
  }

  /// Whether a refusal says that the login is not what it was: the person must log in again.
  static func isOfLogin(_ refusal: APIRefusal) -> Bool {
    guard case .api(.badKey(let reason)) = refusal else { return false }
    return ["authError", "insufficientPermissions", "UNAUTHENTICATED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"].contains(
      reason)
  }
}
