import Core

/// What the URL of a page says about its feed, by the patterns of platforms.
package enum PlatformFeed: Equatable, Sendable {
  /// It is at one of these addresses.
  case feeds([FeedCandidate])
  /// Another document says where it is.
  case lookup(WebURL, FeedLookup)
  /// The platform has none; a bridge of this kind at an instance of one's own may make one, at this path.
  case bridge(FeedBridge, path: String)
  /// The platform has none, and nothing makes one.
  case unsupported(platform: String)
}

/// A document that contains the address of a feed.
package enum FeedLookup: Equatable, Sendable {
  /// Apple's directory of podcasts, JSON.
  case applePodcast
  /// The page of a user at SoundCloud.
  case soundCloudPage
}

/// A program that makes feeds of sites without one. Public instances would learn what is followed.
package enum FeedBridge: String, Sendable {
  case rssBridge = "RSS-Bridge"
  case rssHub = "RSSHub"
}

extension FeedDiscovery {
  /// What the pattern of a URL says about its feed; nil if it says nothing, so that the page itself is to be read.
  ///
  /// Candidates that are `guessed` are of patterns that many programs share: the page counts first.
  package static func platform(of url: WebURL) -> PlatformFeed? {
    let page = PlatformPage(url)
    for site in PlatformPage.sites where site.hosts.contains(where: { page.isAt($0) }) {
      if let found = site.read(page) { return found }
    }
    return page.byPath()
  }

  /// The feed that a document of a lookup names; nil if it names none.
  package static func feed(in document: [UInt8], of lookup: FeedLookup) -> FeedCandidate? {
    switch lookup {
    case .applePodcast: AppleLookup.feed(in: document)
    case .soundCloudPage: SoundCloudPage.feed(in: document)
    }
  }
}

/// The URL of a page on a platform.
struct PlatformPage {
  /// Without `www.` or `m.`
  let host: String
  /// The components of the path, decoded.
  let path: [String]
  let url: WebURL

  init(_ url: WebURL) {
    let host = url.bareHost
    self.host = host.hasPrefix("m.") ? String(host.dropFirst(2)) : host
    (self.url, path) = (url, url.components)
  }

  /// Whether the host is this one, or with a leading dot one below it.
  func isAt(_ name: String) -> Bool { name.hasPrefix(".") ? host.hasSuffix(name) : host == name }

  /// A component of the path; nil if there is none, or it is nothing that a name may be.
  func name(_ index: Int) -> String? {
    guard path.indices.contains(index), path[index].utf8.count <= 200 else { return nil }
    return path[index]
  }

  /// A feed at a target on the same server: `/feed?x=y`, of which the parts from outside are encoded.
  func here(_ target: String, _ certainty: FeedCandidate.Certainty) -> PlatformFeed? {
    at(url.origin + target, certainty)
  }

  /// A feed at an address.
  func at(_ address: String, _ certainty: FeedCandidate.Certainty) -> PlatformFeed? {
    candidate(address, nil, certainty).map { .feeds([$0]) }
  }

  /// A candidate at an address.
  func candidate(_ address: String, _ title: String?, _ certainty: FeedCandidate.Certainty) -> FeedCandidate? {
    WebURL(address).map { FeedCandidate(url: $0, title: title, certainty: certainty) }
  }

  /// A name as a part of a path or query.
  static func encoded(_ name: String) -> String { name.percentEncoded(keeping: "-._~@") }
}

// MARK: The table

extension PlatformPage {
  /// A platform: its hosts, and what its URLs mean.
  struct Site {
    let hosts: [String]
    let read: @Sendable (PlatformPage) -> PlatformFeed?
  }

  /// The platforms whose hosts are known, and who documents the addresses.
  static let sites: [Site] = [
    Site(hosts: ["odysee.com"]) { page in
      page.name(0).flatMap { $0.hasPrefix("@") ? page.at("https://odysee.com/$/rss/\(odysee($0))", .stated) : nil }
    },
    Site(hosts: ["vimeo.com"]) { page in
      if page.name(0) == "channels", let name = page.name(1) {
        return page.at("https://vimeo.com/channels/\(encoded(name))/videos/rss", .stated)
      }
      // A number is a video.
      guard let name = page.name(0), !name.allSatisfy(\.isNumber), !vimeoPages.contains(name) else { return nil }
      return page.at("https://vimeo.com/\(encoded(name))/videos/rss", .stated)
    },
    Site(hosts: ["bitchute.com"]) { page in
      guard page.name(0) == "channel", let slug = page.name(1) else { return nil }
      return page.at("https://www.bitchute.com/feeds/rss/channel/\(encoded(slug))/", .stated)
    },
    Site(hosts: ["nebula.tv", "nebula.app"]) { page in
      guard let slug = page.name(0), page.path.count == 1 else { return nil }
      return page.at("https://rss.nebula.app/video/channels/\(encoded(slug)).rss", .stated)
    },
    Site(hosts: ["soundcloud.com"]) { page in
      page.name(0).flatMap { WebURL("https://soundcloud.com/\(encoded($0))") }.map { .lookup($0, .soundCloudPage) }
    },
    Site(hosts: ["podcasts.apple.com", "itunes.apple.com"]) { page in
      guard let part = page.path.last(where: { $0.hasPrefix("id") }), case let number = part.dropFirst(2),
        !number.isEmpty, number.utf8.count <= 15, number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return WebURL("https://itunes.apple.com/lookup?id=\(number)").map { .lookup($0, .applePodcast) }
    },
    Site(hosts: ["bsky.app"]) { page in
      guard page.name(0) == "profile", let name = page.name(1) else { return nil }
      return page.at("https://bsky.app/profile/\(encoded(name))/rss", .stated)
    },
    Site(hosts: ["reddit.com", "old.reddit.com", "new.reddit.com"]) { page in
      guard let kind = page.name(0), ["r", "user", "u"].contains(kind), let name = page.name(1), page.path.count == 2
      else { return nil }
      return page.at("https://www.reddit.com/\(kind == "r" ? "r" : "user")/\(encoded(name))/.rss", .stated)
    },
    Site(hosts: ["github.com"]) { page in page.gitHub() },
    Site(hosts: [".substack.com"]) { page in page.here("/feed", .stated) },
    Site(hosts: [".wordpress.com"]) { page in page.here("/feed/", .stated) },
    Site(hosts: ["media.ccc.de"]) { page in
      guard page.name(0) == "c", let acronym = page.name(1) else {
        return page.path.isEmpty ? page.at("https://media.ccc.de/podcast-hq.xml", .stated) : nil
      }
      return page.at("https://media.ccc.de/c/\(encoded(acronym))/podcast/mp4-hq.xml", .stated)
    },
    Site(hosts: ["twitch.tv"]) { page in
      page.name(0).flatMap { page.at("https://twitchrss.appspot.com/vod/\(encoded($0))", .foreign) }
    },
    Site(hosts: ["space.bilibili.com"]) { page in
      page.name(0).map { .bridge(.rssHub, path: "/bilibili/user/video/\(encoded($0))") }
    },
    Site(hosts: ["arte.tv"]) { _ in .bridge(.rssBridge, path: "/?action=display&bridge=Arte7&format=Atom") },
    Site(hosts: ["rumble.com"]) { page in
      guard page.name(0) == "c", let name = page.name(1) else { return .unsupported(platform: "Rumble") }
      let query = "action=display&bridge=Rumble&account=\(encoded(name))&type=channel&format=Atom"
      return .bridge(.rssBridge, path: "/?\(query)")
    },
    Site(hosts: ["dailymotion.com"]) { _ in .unsupported(platform: "Dailymotion") },
    Site(hosts: ["open.spotify.com"]) { _ in .unsupported(platform: "Spotify") },
    Site(hosts: ["floatplane.com"]) { _ in .unsupported(platform: "Floatplane") },
  ]

  /// `@Name:a` as the feed wants it; the page may have `@Name#a`, whose fragment is no part of the path.
  private static func odysee(_ name: String) -> String { name.percentEncoded(keeping: "-._~@:") }

  private static let vimeoPages: Set<String> = [
    "categories", "channels", "groups", "ondemand", "watch", "features", "upload", "log_in", "join", "blog", "help",
  ]

  private func gitHub() -> PlatformFeed? {
    guard let owner = name(0), let project = name(1), path.count == 2 || path[2] == "releases" else { return nil }
    let root = "https://github.com/\(PlatformPage.encoded(owner))/\(PlatformPage.encoded(project))"
    let feeds = [("releases", "Releases"), ("tags", "Tags"), ("commits", "Commits")]
    return .feeds(feeds.compactMap { candidate("\(root)/\($0.0).atom", "\(project): \($0.1)", .stated) })
  }
}

// MARK: Programs that run anywhere

extension PlatformPage {
  /// What the path alone says: PeerTube and Mastodon run on servers of any name.
  func byPath() -> PlatformFeed? {
    guard let first = name(0) else { return nil }
    if let second = name(1), path.count <= 3 {
      switch first {
      case "c", "video-channels": return peerTube("videoChannelName", second)
      case "a", "accounts": return peerTube("accountName", second)
      default: break
      }
    }
    guard first.hasPrefix("@"), path.count == 1, first.utf8.count > 1, !first.dropFirst().contains("@") else {
      return nil
    }
    return here("/\(PlatformPage.encoded(first)).rss", .guessed)
  }

  /// The feed of a channel or account, at its own server: `name@other.example` is asked there.
  private func peerTube(_ parameter: String, _ name: String) -> PlatformFeed? {
    let sides = name.split(separator: "@", maxSplits: 1)
    guard let local = sides.first, sides.count <= 2 else { return nil }
    let origin = sides.count == 2 ? WebURL("https://\(sides[1])")?.origin : url.origin
    guard let origin else { return nil }
    return at("\(origin)/feeds/videos.xml?\(parameter)=\(PlatformPage.encoded(String(local)))", .guessed)
  }
}
