import Messages
import Platform
import YouTube

/// What the terminal says of Google's logins.
extension UserMessages {
  static func failure(_ error: GoogleError) -> Failure {
    switch error {
    case .unreadableTokens(let path, let error):
      Failure(.disk, "\(path): \(unreadable(error)); run metube-rss login google again")
    case .notLoggedIn: Failure(.usage, "not logged in; run metube-rss login google, or name the file ./google")
    case .noSubscriptions: Failure(.partial, "the Google account follows no channel; nothing was imported")
    case .interrupted: Failure(.partial, "interrupted")
    case .noResponse(let failure): Failure(.temporaryFailure, "no response from Google: \(fetch(failure))")
    case .refusal(let failure): self.failure(failure)
    }
  }

  /// Why Google gave no tokens, with the exit status.
  package static func failure(_ failure: OAuthFailure) -> Failure {
    switch failure {
    case .refused("invalid_grant"):
      Failure(.refused, "Google no longer accepts this login (revoked or expired); run metube-rss login google again")
    case .refused("access_denied"): Failure(.refused, "Google reports that access was denied; not logged in")
    case .refused(let word) where ["invalid_client", "unauthorized_client", "redirect_uri_mismatch"].contains(word):
      Failure(
        .refused,
        "Google rejected METUBE_RSS_GOOGLE_CLIENT_ID or METUBE_RSS_GOOGLE_CLIENT_SECRET (\(word)); "
          + "login google needs a client for desktop apps, --device one for TVs and limited input devices")
    case .refused(let word): Failure(.refused, "Google rejected the request (\(word))")
    case .failing(let status): Failure(.temporaryFailure, "Google failed (HTTP \(status)); try again later")
    case .malformed: Failure(.temporaryFailure, "Google sent an invalid response; try again later")
    }
  }
}
