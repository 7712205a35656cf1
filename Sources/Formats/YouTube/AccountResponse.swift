import Core
import JSON

/// One page of the account's subscriptions.
package struct SubscriptionPage: Sendable {
  /// The channels, with their titles.
  package let channels: [(id: ChannelID, title: String)]
  /// The account's own channel, which subscribed; nil if the page does not name one.
  package let subscriber: ChannelID?
  /// How many subscriptions the account has on all pages; nil if the page does not say.
  package let total: Int?
  /// The token of the next page; nil on the last page.
  package let next: String?

  /// Parses a response to `APIRequest.subscriptions`. Throws `malformed` if it is anything else.
  package init(_ body: [UInt8]) throws(APIFailure) {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#subscriptionListResponse" else {
      throw .malformed
    }
    let items = response["items"]?.elements ?? []
    channels = items.compactMap { item in
      let snippet = item["snippet"]
      guard let id = snippet?["resourceId"]?["channelId"]?.string.flatMap({ ChannelID($0) }) else { return nil }
      return (id, snippet?["title"]?.string ?? "")
    }
    subscriber = items.lazy.compactMap { $0["snippet"]?["channelId"]?.string.flatMap { ChannelID($0) } }.first
    total = response["pageInfo"]?["totalResults"]?.number.flatMap { (0...1_000_000).contains($0) ? Int($0) : nil }
    next = response["nextPageToken"]?.text
  }
}

/// The own channel of an account.
package struct OwnChannel: Equatable, Sendable {
  package let id: ChannelID
  package let title: String
  /// The playlist of all its uploads; nil if it has none.
  package let uploads: PlaylistID?

  /// Parses a response to `APIRequest.ownChannel`; nil if the account has no channel. Throws `malformed` if it is
  /// anything else.
  ///
  /// `{"kind":"youtube#channelListResponse","items":[{"id":"UC…","snippet":{"title":"…"},
  /// "contentDetails":{"relatedPlaylists":{"uploads":"UU…"}}}]}`
  package static func read(_ body: [UInt8]) throws(APIFailure) -> OwnChannel? {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#channelListResponse" else {
      throw .malformed
    }
    guard let item = response["items"]?.elements?.first else { return nil }
    guard let id = item["id"]?.string.flatMap({ ChannelID($0) }) else { throw .malformed }
    let uploads = item["contentDetails"]?["relatedPlaylists"]?["uploads"]?.string
    return OwnChannel(
      id: id, title: item["snippet"]?["title"]?.string ?? "", uploads: uploads.flatMap { PlaylistID($0) })
  }
}
