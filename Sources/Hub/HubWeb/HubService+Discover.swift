import App
import Core
import HubCore
import HubPage
import Library
import Messages
import PollEngine

/// Following by name, and Discover.
extension HubService {
  /// What a follow form gives, of a request to see choices or to search for them.
  private struct Wish {
    var name: String
    var tag: String
    var seenBefore: String
  }

  /// The channels that a name may mean: `?name=Kurzgesagt`, with `tag` and `seenBefore` for what is chosen.
  func followView(_ call: HubCall) throws -> RouteResponse {
    func value(_ name: String) -> String { call.query.first { $0.name == name }?.value ?? "" }
    let wish = Wish(name: value("name"), tag: value("tag"), seenBefore: value("seenBefore"))
    return try choices(call, wish, try recentChannels(wish.name)?.found)
  }

  /// Follows what a text names; shows choices if it is a name, those of YouTube too if the form asks for them.
  func followForm(_ call: HubCall) throws -> RouteResponse {
    let source = call.field("source") ?? ""
    let words = source.split(whereSeparator: \.isWhitespace).map(String.init)
    guard !words.isEmpty else { throw HubProblem(400, "Name a channel: @handle, address, ID or name.") }
    let wish = Wish(name: source, tag: call.field("tag") ?? "", seenBefore: call.field("seenBefore") ?? "")
    if call.field("action") == "search" { return try choices(call, wish, try youTubeChannels(source).found) }
    if HubService.isName(words) { return PageProblem.redirect(to: HubService.path(wish)) }
    let request = FollowRequest(
      channels: words, tag: HubService.tags(wish.tag), seenBefore: wish.seenBefore.isEmpty ? nil : wish.seenBefore)
    do {
      return try done(call, changed: try follow(request).count, fallback: PagePath(["channels"]))
    } catch let problem as HubProblem where problem.status == 400 {
      return try refused(call, wish, problem)
    } catch let error as AppError {
      return try refused(call, wish, PageWords.problem(error))
    }
  }

  /// The form again as it was typed, with the reason why it was refused.
  private func refused(_ call: HubCall, _ wish: Wish, _ problem: HubProblem) throws -> RouteResponse {
    let view = FollowView(
      name: wish.name, tag: wish.tag, seenBefore: wish.seenBefore, known: [], found: nil, offer: nil,
      problem: PageWords.sentence(problem.detail))
    let frame = frame(call, .channels, "Follow", at: PagePath(["channels"]))
    var response = PageProblem.document(frame, view.html(in: frame))
    response.status = problem.status
    return response
  }

  /// Whether words are the name of a channel: none of them is an ID, an address or a handle.
  private static func isName(_ words: [String]) -> Bool {
    words.allSatisfy { word in
      do throws(ReferenceError) {
        _ = try ChannelReference(word)
        return false
      } catch { return error.mayBeName }
    }
  }

  private static func path(_ wish: Wish) -> PagePath {
    let query = [("name", wish.name), ("tag", wish.tag), ("seenBefore", wish.seenBefore)].filter { !$0.1.isEmpty }
    return PagePath(["follow"], query: query.map { (name: $0.0, value: $0.1) })
  }

  private func choices(_ call: HubCall, _ wish: Wish, _ found: [ChannelMatch]?) throws -> RouteResponse {
    guard wish.name.isEmpty || SearchText(wish.name) != nil else {
      throw HubProblem(400, "A name has at most \(SearchText.maxBytes) bytes.")
    }
    let view = FollowView(
      name: wish.name, tag: wish.tag, seenBefore: wish.seenBefore,
      known: try ChannelSearch(name: wish.name).choices(in: session), found: found, offer: shownOffer,
      problem: nil)
    let frame = frame(call, .channels, "Follow", at: HubService.path(wish))
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// What a search on YouTube costs, as its button says it.
  private var shownOffer: SearchOffer? {
    searchOffer().map { offer in
      SearchOffer(
        price: offer.left.map { "\(offer.cost) of \($0) units" } ?? "with yt-dlp",
        isAffordable: offer.left.map { $0 >= offer.cost } ?? true)
    }
  }

  // MARK: Discover

  /// The channels of a name that Discover shows.
  private static let shownChannels = 5

  /// What was found for the text in the address; what YouTube found for them minutes ago too.
  func discoverView(_ call: HubCall) throws -> RouteResponse {
    let typed = call.query.first { $0.name == "q" }?.value ?? ""
    return try discover(call, typed, recentVideos(typed)?.found)
  }

  /// What was found, after a search on YouTube.
  func discoverForm(_ call: HubCall) throws -> RouteResponse {
    let typed = call.query.first { $0.name == "q" }?.value ?? ""
    // Before units are spent.
    guard call.query.allSatisfy({ $0.name == "q" }) else { throw HubProblem(400, "q: the only parameter here") }
    return try discover(call, typed, try youTubeVideos(typed).found)
  }

  private func discover(_ call: HubCall, _ typed: String, _ found: [YouTubeVideo]?) throws -> RouteResponse {
    let query = try FeedQuery(call, path: ["discover"], usual: .newest)
    guard query.given.allSatisfy({ $0.name == "q" }) else { throw HubProblem(400, "q: the only parameter here") }
    let frame = frame(call, .discover, "Discover", at: query.link)
    guard let text = SearchText(typed) else {
      let view = DiscoverView(query: typed, list: nil, summary: "", channels: [], found: nil, offer: nil)
      return PageProblem.document(frame, view.html(in: frame))
    }
    let page = try FeedPage(query, of: .found, in: session)
    let channels = try ChannelSearch(name: text.text).choices(in: session)
    let view = DiscoverView(
      query: text.text, list: page.list, summary: UserMessages.count(page.matching, "video"),
      channels: query.cursor == nil ? Array(channels.prefix(HubService.shownChannels)) : [],
      found: try found.map(shown), offer: query.cursor == nil ? shownOffer : nil)
    return PageProblem.document(frame, view.html(in: frame))
  }

  private func shown(_ videos: [YouTubeVideo]) throws -> [DiscoverView.Found] {
    let state = try session.state
    let rows = Dictionary(try session.rows(videos.map(\.video)).map { ($0.video, $0) }) { $1 }
    return videos.map { video in
      let isFollowed = video.channel.map { state.channels[.channel($0)]?.isFollowed == true } ?? false
      return DiscoverView.Found(video: video, row: rows[video.video], isFollowed: isFollowed)
    }
  }
}
