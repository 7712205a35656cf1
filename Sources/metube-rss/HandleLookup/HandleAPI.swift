import Core
import YouTube

/// Looks names up through the Data API until it fails. Reports the failure once; lookup then falls back to pages.
struct NameAPI {
  private var api: APISession
  private var isOfUse = true
  /// Whether the user or the deadline ended a request.
  private(set) var hasEnded = false

  /// The API of a session; nil without a key, or if a setting is invalid, which is reported.
  init?(_ session: Session, deadline: Int?) {
    do {
      guard let settings = try APISettings(session.settings) else { return nil }
      api = try APISession(settings, session, deadline: deadline)
    } catch {
      Messages.tell((error as? Failure)?.message ?? "\(error)")
      return nil
    }
  }

  /// The channel of a name; nil if the API has none or has failed. Throws if libcurl as a whole fails.
  mutating func channel(of name: ChannelName) throws -> ChannelID? {
    guard isOfUse, let lookup = ChannelLookup(name) else { return nil }
    do { return try ChannelFacts.read(try api.ask(.channel(lookup)))?.channel } catch let refusal as APIRefusal {
      end(refusal)
    } catch let failure as APIFailure { end(.api(failure)) }
    return nil
  }

  /// Persists the units used.
  func save() throws { try api.save() }

  private mutating func end(_ refusal: APIRefusal) {
    isOfUse = false
    if case .ended = refusal {
      hasEnded = true
      return
    }
    Messages.tell(Words.refusal(refusal, budget: api.budget, now: Clock.now()).message)
  }
}
