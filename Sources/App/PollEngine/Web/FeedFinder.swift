import App
import Core
import FeedParser
import HTTPClient
import Messages
import Platform
import WebFeed
import WebFetch

/// Finds the feed at an address that a person typed, which needs the network: by the patterns of platforms, in the document
/// there, then by the links of a page.
package struct FeedFinder {
  private let http: HTTPSession
  private let rules: AddressRules
  private let interrupt = Interrupt()

  /// A finder with this machine's settings.
  package init(_ settings: Settings) throws {
    rules = AddressRules(allowsPrivateNetworks: try settings.allowsPrivateNetworks())
    http = try HTTPSession(settings, jobs: 1)
  }

  /// What is at an address.
  package enum Finding: Equatable, Sendable {
    /// This feed, which was read.
    case feed(FeedCandidate)
    /// Several feeds, or one of which somebody else's service would learn; none was requested.
    case choices([FeedCandidate])
    case nothing(NoFeed)
  }

  /// Finds the feed at an address as a person types it: `example.org/blog`. Throws if libcurl as a whole fails.
  package func find(_ typed: String) throws -> Finding {
    guard let url = FeedDiscovery.url(typed: typed) else { return .nothing(.noAddress) }
    switch FeedDiscovery.platform(of: url) {
    case nil: return try page(url, guesses: [])
    case .unsupported(let platform): return .nothing(.unsupported(platform: platform))
    case .bridge(let bridge, let path): return .nothing(.bridge(bridge.rawValue, path: path))
    case .lookup(let address, let lookup):
      switch try document(at: address) {
      case .failure(let problem): return .nothing(problem)
      case .success(let found):
        guard let candidate = FeedDiscovery.feed(in: found.response.body, of: lookup) else {
          return .nothing(.noFeed)
        }
        return try check(candidate)
      }
    case .feeds(let candidates):
      let stated = candidates.filter { $0.certainty == .stated }
      if stated.count > 1 { return .choices(stated) }
      if let only = stated.first {
        let finding = try check(only)
        if case .feed = finding { return finding }
        let other = try page(url, guesses: [])
        if case .nothing = other { return finding }
        return other
      }
      let guesses = candidates.filter { $0.certainty == .guessed }
      return guesses.isEmpty ? .choices(candidates) : try page(url, guesses: guesses)
    }
  }

  /// Requests a candidate and adds its title; `nothing` if no feed is there.
  package func check(_ candidate: FeedCandidate) throws -> Finding {
    // It was found on a page of a site that shows channels of YouTube.
    if ChannelReference.isYouTube(candidate.url.text) { return .feed(candidate) }
    switch try document(at: candidate.url) {
    case .failure(let problem): return .nothing(problem)
    case .success(let found):
      guard case .feed(let feed) = find(in: found) else { return .nothing(.noFeed) }
      return .feed(FeedFinder.candidate(feed, at: candidate.url, title: candidate.title))
    }
  }

  /// What the document at a URL is or links; guesses are tried if it names no feed.
  private func page(_ url: WebURL, guesses: [FeedCandidate]) throws -> Finding {
    var problem = NoFeed.noFeed
    switch try document(at: url) {
    case .failure(let failure): problem = failure
    case .success(let found):
      switch find(in: found) {
      case .feed(let feed): return .feed(FeedFinder.candidate(feed, at: url, title: nil))
      case .page(let candidates) where candidates.count == 1: return try check(candidates[0])
      case .page(let candidates) where !candidates.isEmpty: return .choices(candidates)
      case .page: break
      case .neither(let damage): problem = .damaged(UserMessages.feed(damage))
      }
    }
    for guess in guesses {
      if case .feed(let found) = try check(guess) { return .feed(found) }
    }
    return .nothing(problem)
  }

  private func find(in found: WebResponse) -> FeedDiscovery.Finding {
    FeedDiscovery.find(in: found.response.body, contentType: found.response.contentType, url: found.url)
  }

  private static func candidate(_ feed: WebFeed, at url: WebURL, title: String?) -> FeedCandidate {
    FeedCandidate(url: url, title: feed.title.flatMap { $0.isEmpty ? nil : $0 } ?? title, certainty: .stated)
  }

  private func document(at url: WebURL) throws -> Result<WebResponse, NoFeed> {
    var request = WebRequest(tag: 0, url: url, rules: rules)
    request.accept = "text/html, \(WebFeedReading.accepted)"
    let outcomes: [WebOutcome]
    do {
      outcomes = try http.fetch(
        [request], wakeDescriptor: interrupt.descriptor, isAborted: { interrupt.isSignalled() })
    } catch { throw UserMessages.failure(error) }
    switch outcomes.first?.result {
    case .success(let found):
      let isChallenge = found.response.mitigation?.lowercased() == "challenge"
      if isChallenge { return .failure(.damaged("HTTP \(found.response.status), a check for browsers")) }
      return found.response.status == 200 ? .success(found) : .failure(.damaged("HTTP \(found.response.status)"))
    case .failure(let failure): return .failure(.damaged(UserMessages.fetch(failure)))
    case nil: return .failure(.noFeed)
    }
  }
}

/// Why there is no feed to follow at an address.
package enum NoFeed: Error, Equatable, Sendable {
  /// The text is no address.
  case noAddress
  /// The document there is no feed and names none.
  case noFeed
  /// The document cannot be read, for a reason as text for the user.
  case damaged(String)
  /// The platform has no feeds; a bridge of one's own, of this kind, makes them at this path.
  case bridge(String, path: String)
  /// The platform has no feeds, and nothing makes any.
  case unsupported(platform: String)
}
