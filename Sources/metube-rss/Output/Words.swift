import Core
import FeedXML
import Fetch
import Glibc

/// The words for counts, failures and reports: every sentence about evidence from the modules is made here.
enum Words {
  /// `1 video`, `2 videos`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// What an action was, from its events: `2 marks`.
  static func action(_ events: [Event]) -> String {
    let nouns = events.compactMap { noun($0.body) }
    let order = ["follow", "unfollow", "channel setting", "mark", "rule"]
    let parts = order.map { noun in (nouns.count { $0 == noun }, noun) }.filter { $0.0 > 0 }
    return parts.isEmpty ? count(events.count, "event") : parts.map { count($0.0, $0.1) }.joined(separator: ", ")
  }

  private static func noun(_ body: EventBody) -> String? {
    switch body {
    case .channelFollowed, .handleFollowed: "follow"
    case .channelUnfollowed, .handleUnfollowed: "unfollow"
    case .channelChanged: "channel setting"
    case .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet: "mark"
    case .ruleSet, .ruleRemoved: "rule"
    default: nil
    }
  }

  /// What an event made of a video or a subscription, with its title; nil where it is about neither.
  static func outcome(_ body: EventBody, in state: State) -> String? {
    func title(of id: SubscriptionID) -> String { DisplayText(state.channels[id]?.title ?? "\(id)").text }
    switch body {
    case .channelFollowed(let followed): return "following \(title(of: followed.subscription))"
    case .channelUnfollowed(let id): return "no longer following \(title(of: id))"
    case .channelChanged(let change): return "\(title(of: change.subscription)): \(choices(change))"
    default:
      guard let id = body.video, let words = happened(body) else { return nil }
      return reply(DisplayText(words).text, state.videos[id]?.title ?? "", id)
    }
  }

  /// The title of what a decision is about: a channel's, a video's or a name; a rule has none.
  static func subject(_ body: EventBody, in state: State) -> String {
    func title(of id: SubscriptionID) -> String { state.channels[id]?.title ?? "\(id)" }
    let text =
      switch body {
      case .channelFollowed(let followed): title(of: followed.subscription)
      case .channelUnfollowed(let id): title(of: id)
      case .channelChanged(let change): title(of: change.subscription)
      case .handleFollowed(let followed): followed.handle
      case .handleUnfollowed(let unfollowed): unfollowed.handle
      case .ruleSet, .ruleRemoved: "a rule"
      default: body.video.flatMap { state.videos[$0]?.title } ?? ""
      }
    return DisplayText(text).text
  }

  /// What a person chose for a channel: `feed videos, streams hidden, oldest first`.
  static func choices(_ change: ChannelChanged) -> String {
    var words: [String] = []
    if let title = change.title { words.append(title.isEmpty ? "its own title" : "titled \(DisplayText(title).text)") }
    if let tags = change.tags {
      let names = tags.map { DisplayText($0).text }.joined(separator: ", ")
      words.append(tags.isEmpty ? "no tags" : "tags \(names)")
    }
    if let feed = change.feed { words.append("feed \(feed.rawValue)") }
    if let shorts = change.shorts { words.append(shorts == .show ? "Shorts listed" : "Shorts hidden") }
    if let live = change.live { words.append(live == .show ? "streams listed" : "streams hidden") }
    if let order = change.order { words.append("\(order.rawValue) first") }
    return words.joined(separator: ", ")
  }
}

// MARK: Input that is not understood

extension Words {
  /// Why a text names nothing.
  static func reference(_ error: ReferenceError) -> String {
    switch error {
    case .notAReference: "neither an id nor a handle (@name) nor an address"
    case .notYouTube: "not an address of YouTube"
    case .badChannelID(let text):
      "\(DisplayText(text).text) is no channel's id: UC and 22 letters, the last of them A, Q, g or w"
    case .badPlaylistID(let text): "\(DisplayText(text).text) is no playlist's id"
    case .badVideoID(let text): "\(DisplayText(text).text) is no video's id: 11 letters"
    case .badName(let text): "\(DisplayText(text).text) can be no handle or name"
    case .playlistWithoutFeed(let text): "the list \(DisplayText(text).text) is private to its owner and has no feed"
    case .namesNothing: "a page of YouTube, but of no channel, playlist or video"
    }
  }

  /// Why a document of XML was refused.
  static func xml(_ damage: XMLDamage) -> String {
    switch damage {
    case .empty: "empty"
    case .malformed(let code, let line, let column): "damaged XML at line \(line), column \(column) (libxml2 \(code))"
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .tagTooLong(let limit, let line): "line \(line): a tag of more than \(limit) bytes"
    case .tooManyAttributes(let limit, let line): "line \(line): a tag with more than \(limit) attributes"
    case .tooManyNames(let limit, let line): "line \(line): more than \(limit) names"
    case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit)"
    case .tooManyEntries(let limit): "more than \(limit) entries"
    case .fieldTooLong(let limit, let line): "line \(line): a text of more than \(limit) bytes"
    case .doctype(let line): "line \(line): a document type, which is not read"
    case .encoding(let name): "in the encoding \(DisplayText(name).text), which is not read"
    case .notAFeed(let root): "no feed but <\(DisplayText(root).text)>"
    case .notOPML(let root): "no OPML but <\(DisplayText(root).text)>"
    case .badEntry(let line, let field, let flaw): "line \(line): an entry whose \(field) is \(flaw)"
    }
  }

  /// Why an answer with status 200 is no feed.
  static func feed(_ damage: XMLDamage) -> String {
    if case .notAFeed(let root) = damage, root.lowercased() == "html" { return "an HTML page in place of the feed" }
    return xml(damage)
  }

  /// Why a feed is not believed.
  static func foreign(_ channel: ChannelID) -> String { "the feed of another channel (\(channel))" }
}

// MARK: The network

extension Words {
  /// A failure of libcurl as a whole.
  static func failure(_ failure: FetchFailure) -> Failure { Failure(.disk, "libcurl: \(fetch(failure))") }

  /// Why no answer came.
  static func fetch(_ failure: FetchFailure) -> String {
    switch failure {
    case .resolve: "the name of the host was not found"
    case .connect(errno: 0): "no connection"
    case .connect(let code): "no connection (\(String(cString: strerror(code))))"
    case .proxy: "the proxy failed"
    case .tls(let code): "TLS failed (libcurl \(code))"
    case .untrusted: "the certificate is not trusted"
    case .timedOut: "timed out"
    case .authorities: "the file of certificate authorities cannot be read"
    case .stalled: "the answer stalled"
    case .tooLarge(let limit): "an answer larger than \(limit) bytes"
    case .headersTooLarge: "headers without end"
    case .reset: "the connection was reset"
    case .noAnswer: "the connection was closed without an answer"
    case .truncated: "the answer broke off"
    case .malformed: "an answer that is no HTTP"
    case .tooManyRedirects: "too many redirects"
    case .forbiddenScheme: "a redirect to something other than the web"
    case .forbiddenAddress: "a redirect to a private address"
    case .forbiddenHost: "a redirect to another host"
    case .invalidURL: "an address that is none"
    case .invalidHeader: "a header that cannot be sent"
    case .aborted: "ended before an answer came"
    case .library(let problem): "it cannot be loaded: \(problem)"
    case .setting(let name, let code): "this libcurl does not take \(name) (\(code))"
    case .multi(let code), .other(let code): "libcurl \(code)"
    }
  }
}
