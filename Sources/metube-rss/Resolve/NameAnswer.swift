import Core
import FeedXML
import Import

/// Where a name is looked up.
enum NamePlace { case feed, api, page }

/// What an answer of a feed or a page says of the name it was asked for.
enum NameAnswer: Equatable {
  /// The name is this channel's.
  case channel(ChannelID)
  /// Nothing more is to be asked: 403 or 429.
  case refused(StopReason)
  /// The feed does not say, and fails for hours on most days: the API and the page have the last word.
  case undecided
  /// The page could not be had, which says nothing of the name; in words for the person.
  case failing(String)
  /// The name leads to no channel; in words for the person.
  case nothing(String)

  /// What an answer with this status of HTTP says.
  init(status: Int, body: [UInt8], from place: NamePlace) {
    if status == 403 || status == 429 {
      self = .refused(status == 403 ? .refused : .tooMany)
    } else if status == 200, let channel = NameAnswer.channel(in: body, place) {
      self = .channel(channel)
    } else if place == .feed {
      self = .undecided
    } else if status == 200 {
      self = .nothing("no channel is named on its page")
    } else {
      let words = "HTTP \(status)"
      self = status == 404 || status == 410 ? .nothing(words) : .failing(words)
    }
  }

  /// What an answer says that is too large, or leads astray, and would be the same again: megabytes, each time.
  init(ofNoUse words: String, from place: NamePlace) { self = place == .feed ? .undecided : .nothing(words) }

  private static func channel(in body: [UInt8], _ place: NamePlace) -> ChannelID? {
    guard place == .feed else { return ChannelPage.channel(in: body) }
    do {
      let feed = try Feed(xml: body)
      return feed.authorChannel ?? feed.channel
    } catch { return nil }  // Not a feed: the Data API and the page have the last word.
  }
}
