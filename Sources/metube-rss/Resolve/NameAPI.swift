import Core
import YouTubeAPI

/// Looks names up by the Data API for as long as it answers; what it refuses is told once, and the pages are left.
struct NameAPI {
  private var api: APISession
  private var isOfUse = true
  /// Whether the person or the deadline ended a question.
  private(set) var hasEnded = false

  /// The API of a session; nil where no key is set, or where a setting of it cannot be, which is told.
  init?(_ session: Session, deadline: Int?) {
    do {
      guard let settings = try APISettings(session.settings) else { return nil }
      api = try APISession(settings, session, deadline: deadline)
    } catch {
      Messages.tell((error as? Failure)?.message ?? "\(error)")
      return nil
    }
  }

  /// The channel of a name; nil where the API knows none, or is of no use any more. Throws where libcurl as a whole fails.
  mutating func channel(of name: ChannelName) throws -> ChannelID? {
    guard isOfUse, let lookup = ChannelLookup(name) else { return nil }
    do { return try ChannelFacts.read(try api.ask(.channel(lookup)))?.channel } catch let refusal as APIRefusal {
      end(refusal)
    } catch let failure as APIFailure { end(.api(failure)) }
    return nil
  }

  /// Keeps what its units came to.
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
