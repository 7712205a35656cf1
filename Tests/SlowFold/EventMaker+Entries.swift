import Core

/// Events about feeds of other sites and their entries.
extension EventMaker {
  var webFeed: FeedID { mutating get { EventMaker.webFeeds[.random(in: 0..<3, using: &random)].id } }
  /// The feeds of other sites that events are about, and their URLs.
  package static let webFeeds = ["a", "b", "c"].compactMap { name in
    let url = "https://\(name).example/feed"
    return FeedAddress(url).map { (id: FeedID(of: $0), url: url) }
  }
  /// An entry; unless it is forged, one whose ID has nothing of a video's or another entry's.
  var entry: VideoID {
    mutating get {
      guard isForged else { return VideoID(entry: 1 << 40 | .random(in: 0..<videos, using: &random), 5) }
      return VideoID(entry: .random(in: 0..<videos * 2, using: &random), chance ? 5 : 7)
    }
  }

  var feedEvent: EventBody {
    mutating get {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        .feedFollowed(feedFollowed)
      case 1: .feedUnfollowed(webFeed)
      case 2: .feedMerged(FeedMerged(feed: webFeed, into: webFeed))
      default: .feedChanged(feedChanged)
      }
    }
  }

  private var feedFollowed: FeedFollowed {
    mutating get {
      let feed = EventMaker.webFeeds[.random(in: 0..<3, using: &random)]
      let url = [feed.url, feed.url.replacing("https:", with: "http:") + "/#new", ""].randomElement(using: &random)
      return FeedFollowed(
        feed: isForged && chance ? webFeed : feed.id, url: url ?? "", title: maybe { $0.text },
        tags: maybe { $0.textList }, seenBefore: maybe { $0.time })
    }
  }

  private var feedChanged: FeedChanged {
    mutating get {
      var change = FeedChanged(feed: webFeed)
      (change.url, change.name, change.title) = (maybe { $0.text }, maybe { $0.text }, maybe { $0.text })
      (change.tags, change.site, change.image) = (maybe { $0.textList }, maybe { $0.text }, maybe { $0.text })
      (change.language, change.keyKind) = (maybe { $0.text }, maybe { $0.any(EntryKeyKind.self) })
      (change.shorts, change.live) = (maybe { $0.any(ListVisibility.self) }, maybe { $0.any(ListVisibility.self) })
      change.order = maybe { $0.any(ListOrder.self) }
      return change
    }
  }

  var entryFound: EntryFound {
    mutating get {
      EntryFound(
        entry: entry, feed: webFeed, key: text, title: text, facts: facts, status: maybe { $0.any(Status.self) },
        reason: maybe { $0.text })
    }
  }

  var entryChanged: EntryChanged {
    mutating get {
      EntryChanged(entry: entry, title: maybe { $0.text }, facts: facts, alias: maybe { $0.entry })
    }
  }

  private var facts: EntryFacts {
    mutating get {
      var facts = EntryFacts()
      (facts.link, facts.published, facts.media) = (maybe { $0.text }, maybe { $0.time }, maybe { $0.media })
      (facts.duration, facts.image, facts.author) = (
        maybe { min($0.number, 1_000_000) }, maybe { $0.text }, maybe { $0.text }
      )
      (facts.season, facts.episode) = (maybe { $0.number }, maybe { $0.number })
      (facts.isExplicit, facts.description) = (maybe { $0.chance }, maybe { Description($0.text) })
      return facts
    }
  }

  private var media: [EntryMedia] {
    mutating get {
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        EntryMedia(
          url: text, type: ["audio/mpeg", "video/mp4", "", text].randomElement(using: &random) ?? "",
          length: maybe { $0.number })
      }
    }
  }
}
