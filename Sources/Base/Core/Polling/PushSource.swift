/// Where the news of a feed is announced (WebSub §4): its hub, and the topic to subscribe to.
package struct PushSource: Equatable, Sendable {
  package var hub: String
  package var topic: String

  package init(hub: String, topic: String) { (self.hub, self.topic) = (hub, topic) }

  /// YouTube's hub and topic, as its documentation names them; its feeds name no hub.
  /// https://developers.google.com/youtube/v3/guides/push_notifications
  package static func youTube(_ channel: ChannelID) -> PushSource {
    PushSource(
      hub: "https://pubsubhubbub.appspot.com/subscribe",
      topic: "https://www.youtube.com/xml/feeds/videos.xml?channel_id=\(channel)")
  }
}

extension PushSource {
  /// Whether requests may go to the hub: over TLS to a host with a name, or to the host that feeds come from. What feeds
  /// say must not lead requests into the user's own network.
  package func isSafe(feedsURL: String) -> Bool {
    guard let host = PushSource.host(of: hub) else { return false }
    if PushSource.isSameHost(hub, feedsURL) { return hub.hasPrefix("https://") || !feedsURL.hasPrefix("https://") }
    let labels = host.split(separator: ".")
    return hub.hasPrefix("https://") && labels.count > 1 && labels.last?.contains { $0.isLetter } == true
      && host.allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) }
  }

  /// Whether two URLs name the same host.
  package static func isSameHost(_ one: String, _ other: String) -> Bool {
    host(of: one).map { $0 == host(of: other) } ?? false
  }

  /// The host of a URL, without the port; nil if it has none, or a user name.
  private static func host(of url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#\\".contains($0) }
    guard !authority.contains("@") else { return nil }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : host.lowercased()
  }
}
