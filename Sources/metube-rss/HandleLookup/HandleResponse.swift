import Core
import FeedParser
import Importers

/// The source of a name lookup.
enum NamePlace { case feed, api, page }

/// The result of looking up a name in a feed or a page.
enum NameAnswer: Equatable {
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
  init(status: Int, body: [UInt8], from place: NamePlace) {
    if status == 403 || status == 429 {
      self = .refused(status == 403 ? .refused : .tooMany)
    } else if status == 200, let channel = NameAnswer.channel(in: body, place) {
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
  init(ofNoUse words: String, from place: NamePlace) { self = place == .feed ? .undecided : .nothing(words) }

  private static func channel(in body: [UInt8], _ place: NamePlace) -> ChannelID? {
    guard place == .feed else { return ChannelPage.channel(in: body) }
    do {
      let feed = try Feed(xml: body)
      return feed.authorChannel ?? feed.channel
    } catch { return nil }  // Not a feed: the Data API and the page decide.
  }
}
