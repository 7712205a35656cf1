import Core
import FeedParser
import HTTPClient
import Importers
import YouTube

/// The source of a name lookup.
enum HandleSource { case feed, api, page }

/// The result of looking up a name in a feed or a page.
enum HandleResponse: Equatable {
  /// The name belongs to this channel.
  case channel(ChannelID)
  /// Stop sending requests: 403 or 429.
  case refused(StopReason)
  /// The feed is inconclusive (feeds fail for hours on most days); the API and the page decide.
  case undecided
  /// The page could not be fetched, which says nothing about the name; the payload is the message for the user.
  case failing(String)
  /// The name belongs to no channel; the payload is the message for the user.
  case nothing(String)

  /// Interprets a response with this HTTP status.
  init(status: Int, body: [UInt8], from place: HandleSource) {
    if status == 403 || status == 429 {
      self = .refused(status == 403 ? .refused : .tooMany)
    } else if status == 200, let channel = HandleResponse.channel(in: body, place) {
      self = .channel(channel)
    } else if place == .feed {
      self = .undecided
    } else if status == 200 {
      self = .nothing("no channel ID on its page")
    } else {
      let words = "HTTP \(status)"
      self = status == 404 || status == 410 ? .nothing(words) : .failing(words)
    }
  }

  /// Interprets a response that is too large or a forbidden redirect. Final, since each retry would cost megabytes.
  init(ofNoUse words: String, from place: HandleSource) { self = place == .feed ? .undecided : .nothing(words) }

  private static func channel(in body: [UInt8], _ place: HandleSource) -> ChannelID? {
    guard place == .feed else { return ChannelPage.channel(in: body) }
    do {
      let feed = try Feed(xml: body)
      return feed.authorChannel ?? feed.channel
    } catch { return nil }  // Not a feed: the Data API and the page decide.
  }
}

/// Looks names up through the Data API until it fails. Reports the failure once; lookup then falls back to pages.
struct HandleAPI {
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
      StandardError.report((error as? Failure)?.message ?? "\(error)")
      return nil
    }
  }

  /// The channel of a name; nil if the API has none or has failed. Throws if libcurl as a whole fails.
  mutating func channel(of name: ChannelName) throws -> ChannelID? {
    guard isOfUse, let lookup = ChannelLookup(name) else { return nil }
    do { return try api.ask(.channel(lookup), ChannelFacts.read)?.channel } catch let refusal as APIRefusal {
      isOfUse = false
      if case .ended = refusal { hasEnded = true } else { StandardError.report(api.failure(refusal).message) }
      return nil
    }
  }

  /// Persists the units used.
  func save() throws { try api.save() }
}
