import Core
import YouTube

/// What an account follows at YouTube, as all its pages said.
package struct AccountListing: Equatable, Sendable {
  /// One subscription.
  package struct Entry: Equatable, Sendable {
    package var id: ChannelID
    package var title: String

    package init(id: ChannelID, title: String) { (self.id, self.title) = (id, title) }
  }

  /// The subscriptions, each once.
  package var entries: [Entry] = []
  /// The account's own channel; nil if it is not known.
  package var own: ChannelID?
  /// How many subscriptions there are as YouTube says; nil if it does not say.
  package var total: Int?

  package init(entries: [Entry] = [], own: ChannelID? = nil, total: Int? = nil) {
    (self.entries, self.own, self.total) = (entries, own, total)
  }

  /// What events call the account: `google:UC…`.
  package var source: String { own.map { "google:\($0)" } ?? "google" }

  /// How many subscriptions it lacks of those that YouTube says there are.
  package var missing: Int { max(0, (total ?? 0) - entries.count) }

  /// The maximum number of pages of 50; accounts do not follow more channels.
  private static let maxPages = 400

  /// Requests all pages. Throws an `APIRefusal` if one cannot be fetched.
  package static func read(_ api: APISession) throws -> AccountListing {
    var listing = AccountListing()
    var known: Set<ChannelID> = []
    var page: String?
    // A page token seen before means a loop.
    var pages: Set<String> = []
    repeat {
      let response = try api.ask(.subscriptions(page: page), SubscriptionPage.init)
      listing.entries += response.channels.filter { known.insert($0.id).inserted }.map {
        Entry(id: $0.id, title: $0.title)
      }
      listing.own = listing.own ?? response.subscriber
      listing.total = response.total ?? listing.total
      page = response.next
      if let page, !pages.insert(page).inserted || pages.count >= maxPages { throw APIRefusal.api(.malformed) }
    } while page != nil
    return listing
  }

  /// Reads the list with the account's own channel, which is requested unless it is known.
  package static func read(_ api: APISession, knowing own: ChannelID?) throws -> AccountListing {
    var listing = try read(api)
    if listing.own == nil || listing.own != own {
      listing.own = try api.ask(.ownChannel, OwnChannel.read)?.id ?? listing.own
    }
    return listing
  }
}
