import Core
import JSON

/// Responses about channels.
package enum ChannelResponse {
  /// Parses a response to `APIRequest.channels` into facts per channel; channels unknown to the API are absent.
  ///
  /// `{"kind":"youtube#channelListResponse","items":[{"id":"UC…","snippet":{"thumbnails":{"default":{"url":"https://…"}}},
  /// "statistics":{"subscriberCount":"1230000","hiddenSubscriberCount":false,"videoCount":"212"}}]}`
  ///
  /// Throws `malformed` if it is anything else. A response without `items` has no channels.
  package static func read(_ body: [UInt8]) throws(APIFailure) -> [ChannelEnriched] {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#channelListResponse" else {
      throw .malformed
    }
    guard let items = response["items"] else { return [] }
    guard let elements = items.elements else { throw .malformed }
    return elements.compactMap(facts)
  }

  private static func facts(_ item: JSONValue) -> ChannelEnriched? {
    guard let channel = item["id"]?.string.flatMap({ ChannelID($0) }) else { return nil }
    let (pictures, counts) = (item["snippet"]?["thumbnails"], item["statistics"])
    // The smallest has 88 pixels.
    let avatar = ["default", "medium", "high"].lazy.compactMap { pictures?[$0]?["url"]?.string }.first(
      where: Avatar.isOfYouTube)
    let isHidden = counts?["hiddenSubscriberCount"] == .boolean(true)
    return ChannelEnriched(
      channel: channel, avatar: avatar, subscribers: isHidden ? nil : count(counts?["subscriberCount"]),
      videos: count(counts?["videoCount"]))
  }

  /// A count, which the API writes as a string; nil if it is none, or above 10¹².
  private static func count(_ value: JSONValue?) -> Int? {
    guard let text = value?.string, (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }
}
