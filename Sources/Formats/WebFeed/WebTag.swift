import FeedParser

/// The recognised elements, whatever their prefix; those of RSS and Atom alike are one, as feeds mix them.
enum WebTag: UInt8 {
  /// Not recognised.
  case other
  case rss, rdf, feed, channel, entry
  case title, link, id, published, updated, created, date
  case description, summary, content, subtitle
  case author, creator, name, email, managingEditor, category, keywords
  case enclosure, image, url, logo, icon, timeToLive, language
  case itunesTitle, itunesAuthor, itunesImage, itunesSummary, itunesSubtitle, itunesCategory
  case duration, explicit, season, episode, episodeType, newFeedURL, complete
  case mediaGroup, mediaContent, mediaThumbnail, mediaTitle, mediaDescription, mediaCategory, mediaKeywords
  case podcastGUID, transcript, chapters, person, alternateEnclosure, source, podcastSeason, podcastEpisode
  case podcastImage
  case originalLink, archive, completeFeed
}

/// The namespaces with recognised elements.
enum WebNamespace {
  case core, itunes, media, podcast, dublinCore, content, xhtml, feedBurner, history

  /// The namespace with this name, in the spellings that feeds have; nil if it is not recognised.
  init?(_ name: String) {
    var rest = name.lowercased()[...]
    for scheme in ["https://", "http://", "uuid:"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      break
    }
    while let last = rest.last, last == "/" || last == "#" { rest = rest.dropLast() }
    guard let found = WebNamespace.names[String(rest)] else { return nil }
    self = found
  }

  /// The namespace that a prefix stands for by custom, where a document does not declare it.
  init?(prefix: String) {
    switch prefix.lowercased() {
    case "itunes", "googleplay": self = .itunes
    case "media": self = .media
    case "podcast": self = .podcast
    case "dc", "dcterms": self = .dublinCore
    case "content": self = .content
    case "xhtml", "body": self = .xhtml
    case "feedburner": self = .feedBurner
    case "atom", "atom10", "rss", "rdf", "a10": self = .core
    case "fh", "history": self = .history
    default: return nil
    }
  }

  /// Without scheme and final slash, in lower case.
  private static let names: [String: WebNamespace] = [
    "www.w3.org/2005/atom": .core, "purl.org/atom/ns": .core, "purl.org/rss/1.0": .core,
    "my.netscape.com/rdf/simple/0.9": .core, "channel.netscape.com/rdf/simple/0.9": .core,
    "my.netscape.com/publish/formats/rss-0.91.dtd": .core, "backend.userland.com/rss": .core,
    "backend.userland.com/rss2": .core, "backend.userland.com/rss091": .core, "backend.userland.com/rss092": .core,
    "blogs.law.harvard.edu/tech/rss": .core, "cyber.law.harvard.edu/rss/rss.html": .core,
    "cyber.law.harvard.edu/rss": .core, "www.rssboard.org/rss-specification": .core,
    "purl.org/net/rss1.1": .core, "www.w3.org/1999/02/22-rdf-syntax-ns": .core,
    "example.com/necho": .core, "example.com/newformat": .core, "purl.org/echo": .core, "purl.org/pie": .core,
    "uri/of/echo/namespace": .core,
    "www.itunes.com/dtds/podcast-1.0.dtd": .itunes, "example.com/dtds/podcast-1.0.dtd": .itunes,
    "www.google.com/schemas/play-podcasts/1.0": .itunes,
    "www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": .itunes,
    "search.yahoo.com/mrss": .media, "search.yahoo.com/rss": .media, "api.flickr.com/services/feeds/mrss": .media,
    "www.rssboard.org/media-rss": .media, "tools.search.yahoo.com/mrss": .media,
    "podcastindex.org/namespace/1.0": .podcast,
    "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
    "purl.org/dc/elements/1.1": .dublinCore, "purl.org/dc/elements/1.0": .dublinCore, "purl.org/dc/terms": .dublinCore,
    "purl.org/rss/1.0/modules/dc": .dublinCore, "purl.org/dc/elements/2.0": .dublinCore,
    "purl.org/rss/1.0/modules/content": .content,
    "www.w3.org/1999/xhtml": .xhtml,
    "rssnamespace.org/feedburner/ext/1.0": .feedBurner,
    "purl.org/syndication/history/1.0": .history,
  ]

  /// The tag of each recognised element, by its local name in lower case.
  fileprivate var tags: [String: WebTag] {
    switch self {
    case .core: WebNamespace.coreTags
    case .itunes: WebNamespace.itunesTags
    case .media: WebNamespace.mediaTags
    case .podcast: WebNamespace.podcastTags
    case .dublinCore: WebNamespace.dublinCoreTags
    case .content: ["encoded": .content]
    case .xhtml: ["body": .content, "div": .content]
    case .feedBurner: ["origlink": .originalLink]
    case .history: ["archive": .archive, "complete": .completeFeed]
    }
  }

  private static let coreTags: [String: WebTag] = [
    "rss": .rss, "rdf": .rdf, "feed": .feed, "channel": .channel, "item": .entry, "entry": .entry,
    "title": .title, "link": .link, "guid": .id, "id": .id,
    "pubdate": .published, "published": .published, "issued": .published, "created": .created,
    "updated": .updated, "modified": .updated, "lastbuilddate": .updated,
    "description": .description, "summary": .summary, "content": .content, "body": .content, "fullitem": .content,
    "subtitle": .subtitle, "tagline": .subtitle, "author": .author, "name": .name, "email": .email,
    "managingeditor": .managingEditor, "category": .category, "enclosure": .enclosure, "image": .image, "url": .url,
    "logo": .logo, "icon": .icon, "ttl": .timeToLive, "language": .language,
  ]
  private static let itunesTags: [String: WebTag] = [
    "title": .itunesTitle, "author": .itunesAuthor, "image": .itunesImage, "summary": .itunesSummary,
    "description": .itunesSummary, "subtitle": .itunesSubtitle, "category": .itunesCategory, "duration": .duration,
    "explicit": .explicit, "season": .season, "episode": .episode, "episodetype": .episodeType,
    "link": .itunesImage, "new-feed-url": .newFeedURL, "complete": .complete, "keywords": .keywords,
  ]
  private static let mediaTags: [String: WebTag] = [
    "group": .mediaGroup, "content": .mediaContent, "thumbnail": .mediaThumbnail, "title": .mediaTitle,
    "description": .mediaDescription, "category": .mediaCategory, "keywords": .mediaKeywords,
  ]
  private static let podcastTags: [String: WebTag] = [
    "guid": .podcastGUID, "transcript": .transcript, "chapters": .chapters, "person": .person,
    "alternateenclosure": .alternateEnclosure, "source": .source, "season": .podcastSeason,
    "episode": .podcastEpisode, "image": .podcastImage,
  ]
  private static let dublinCoreTags: [String: WebTag] = [
    "title": .title, "creator": .creator, "author": .creator, "date": .date, "issued": .date, "created": .created,
    "modified": .updated, "description": .summary, "abstract": .summary, "subject": .category, "language": .language,
  ]
}

/// The tags of the names that a document has met.
///
/// libxml2 keeps each name once, so a name is found by its address; the table is small, and a name that it has lost is
/// looked up again.
struct WebTagTable {
  private struct Slot {
    var address = ElementName.Address(local: 0, namespace: 0)
    var prefix: UInt = 0
    var tag = WebTag.other
  }

  private var slots = [Slot](repeating: Slot(), count: 256)
  /// The namespace of the root element, which counts as that of RSS whatever its name is.
  private var rootNamespace: String?

  /// The tag of an element.
  mutating func tag(of name: ElementName) -> WebTag {
    let address = name.address
    let prefix = address.namespace == 0 ? name.prefixAddress : 0
    let index = Int(
      truncatingIfNeeded: ((address.local ^ address.namespace &* 3 ^ prefix) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    if slots[index].address == address, slots[index].prefix == prefix { return slots[index].tag }
    let tag = lookUp(name)
    slots[index] = Slot(address: address, prefix: prefix, tag: tag)
    return tag
  }

  /// Takes the namespace of an RSS root element as that of RSS.
  mutating func adopt(_ name: ElementName) { rootNamespace = name.namespaceText }

  private func lookUp(_ name: ElementName) -> WebTag {
    let namespace: WebNamespace?
    if let text = name.namespaceText {
      namespace = WebNamespace(text) ?? (text == rootNamespace ? .core : nil)
    } else if let prefix = name.prefixText {
      namespace = WebNamespace(prefix: prefix)
    } else {
      namespace = .core
    }
    return namespace?.tags[name.localText.lowercased()] ?? .other
  }
}
