/// Where a video or an entry comes from, as lists name and filter it.
package enum VideoPlatform: String, CaseIterable, Sendable {
  case youtube
  /// A sound of a feed of none of the sites below.
  case podcast
  /// Known by the path of its feed, because everybody may run an instance.
  case peertube
  case rumble, odysee, vimeo, dailymotion, bitchute, twitch, bilibili, nebula, soundcloud, reddit, github
  /// Anything else of a feed of none of these sites.
  case web

  /// The sites that are known by the host of their feeds.
  private static let sites: [String: VideoPlatform] = [
    "rumble.com": .rumble, "odysee.com": .odysee, "vimeo.com": .vimeo, "dailymotion.com": .dailymotion,
    "bitchute.com": .bitchute, "twitch.tv": .twitch, "bilibili.com": .bilibili, "nebula.app": .nebula,
    "nebula.tv": .nebula, "soundcloud.com": .soundcloud, "reddit.com": .reddit, "github.com": .github,
  ]

  /// The site of a feed at a URL; nil if it is not a known one.
  package static func site(ofFeedAt address: String?) -> VideoPlatform? {
    guard let url = address.flatMap({ WebURL($0) }) else { return nil }
    if url.path.hasPrefix("/feeds/videos.") { return .peertube }
    return url.host.hasPrefix("twitchrss.") ? .twitch : sites[url.site]
  }

  /// The platform of an entry of this kind, of a feed at a URL.
  package static func platform(ofFeedAt address: String?, _ kind: MediaKind) -> VideoPlatform {
    site(ofFeedAt: address) ?? (kind == .audio ? .podcast : .web)
  }
}
