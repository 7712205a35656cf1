import Core
import FeedParser

/// What has been read of a feed besides its values.
struct FeedDraft {
  var title: String?
  var otherTitle: String?
  /// By `itunes:image`, `image/url`, `logo` and `icon`.
  var itunesImage: String?
  var image: String?
  var logo: String?
  var names: [String] = []
  var itunesAuthor: String?
  var manager: String?
  var published: Timestamp?
  /// How good the link is: 0 without one.
  var linkRank = 0
}

// MARK: Elements of the feed

extension WebFeedCollector {
  mutating func openInFeed(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    switch tag {
    case .entry: return startEntry(attributes)
    case .title: return read(.feedTitle, attributes)
    case .itunesTitle: return read(.feedOtherTitle, attributes)
    case .description, .subtitle, .summary, .itunesSummary: return read(.feedSummary, attributes)
    case .link: return openFeedLink(attributes)
    case .id: return .text(.feedID)
    case .updated, .date: return .text(.feedUpdated)
    case .published: return .text(.feedPublished)
    case .language: return .text(.feedLanguage)
    case .author: return feed.format == .atom ? .enter(.feedAuthor) : .text(.feedManager)
    case .managingEditor: return .text(.feedManager)
    case .creator: return .text(.feedCreator)
    case .itunesAuthor: return .text(.feedItunesAuthor)
    case .image: return .enter(.feedImage)
    case .itunesImage, .podcastImage: return takeFeedImage(attributes)
    case .logo, .icon: return .text(.feedLogo)
    case .timeToLive: return .text(.feedTimeToLive)
    case .category, .itunesCategory: return takeFeedCategory(attributes)
    case .explicit: return .text(.feedExplicit)
    case .newFeedURL: return .text(.newFeedURL)
    case .complete: return .text(.complete)
    case .podcastGUID: return .text(.podcastGUID)
    case .archive:
      feed.isArchive = true
      return .skip
    case .completeFeed:
      feed.isComplete = true
      return .skip
    default: return .skip
    }
  }

  mutating func read(_ field: WebField, _ attributes: Attributes) -> WebAction {
    form = textForm(attributes)
    return .text(field)
  }

  /// Atom's `link`, also in RSS; RSS has the URL as text.
  private mutating func openFeedLink(_ attributes: Attributes) -> WebAction {
    guard let address = attributes.text(of: "href") else { return .text(.feedLink) }
    guard let url = links(attributes).resolve(address.trimmed) else { return .skip }
    for relation in (attributes.text(of: "rel") ?? "alternate").lowercased().split(separator: " ") {
      switch relation {
      case "alternate": takeFeedLink(url, type: attributes.text(of: "type"))
      case "self": feed.selfLink = feed.selfLink ?? url
      case "hub":
        if feed.hubs.count < WebFeedLimits.list, !feed.hubs.contains(url) { feed.hubs.append(url) }
      case "next": feed.nextPage = feed.nextPage ?? url
      case "prev-archive": feed.previousArchive = feed.previousArchive ?? url
      default: break
      }
    }
    return .skip
  }

  private mutating func takeFeedLink(_ url: String, type: String?) {
    let isPage = type.map { $0.lowercased().hasPrefix("text/html") || $0.lowercased().contains("xhtml") } ?? true
    let rank = isPage ? 2 : 1
    guard rank > feedDraft.linkRank else { return }
    (feed.link, feedDraft.linkRank) = (url, rank)
  }

  private mutating func takeFeedImage(_ attributes: Attributes) -> WebAction {
    guard feedDraft.itunesImage == nil else { return .skip }
    guard let address = attributes.text(of: "href") ?? attributes.text(of: "url") else { return .skip }
    feedDraft.itunesImage = links(attributes).resolve(address.trimmed)
    return .skip
  }

  private mutating func takeFeedCategory(_ attributes: Attributes) -> WebAction {
    guard let name = attributes.text(of: "label") ?? attributes.text(of: "term") ?? attributes.text(of: "text") else {
      return .text(.feedCategory)
    }
    feed.categories.addCategory(name)
    return .skip
  }

  /// Takes the text of an element of the feed.
  mutating func finishFeed(_ field: WebField, _ range: Range<Int>) {
    switch field {
    case .feedTitle: feedDraft.title = feedDraft.title ?? line(range)
    case .feedOtherTitle: feedDraft.otherTitle = feedDraft.otherTitle ?? line(range)
    case .feedSummary: feed.summary = feed.summary ?? summary(range)
    case .feedLink:
      if let url = link(range), feedDraft.linkRank < 3 { (feed.link, feedDraft.linkRank) = (url, 3) }
    case .feedID: feed.id = feed.id ?? trimmed(range, limit: WebFeedLimits.id)
    case .feedUpdated: feed.updated = feed.updated ?? time(range)
    case .feedPublished: feedDraft.published = feedDraft.published ?? time(range)
    case .feedLanguage: feed.language = trimmed(range, limit: 64)?[...].lowercasedLanguage ?? feed.language
    case .feedAuthorName, .feedCreator:
      if let name = name(range), feedDraft.names.count < WebFeedLimits.list, !feedDraft.names.contains(name) {
        feedDraft.names.append(name)
      }
    case .feedManager: feedDraft.manager = feedDraft.manager ?? name(range).map(PersonName.withoutAddress)
    case .feedItunesAuthor: feedDraft.itunesAuthor = feedDraft.itunesAuthor ?? name(range)
    case .feedImageURL: feedDraft.image = feedDraft.image ?? link(range)
    case .feedLogo: feedDraft.logo = feedDraft.logo ?? link(range)
    case .feedTimeToLive: feed.timeToLive = trimmed(range, limit: 16).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    case .feedCategory: if let name = name(range) { feed.categories.addCategory(name) }
    case .feedExplicit: feed.isExplicit = trimmed(range, limit: 16).flatMap(Explicit.value)
    case .newFeedURL: feed.newFeedURL = link(range)
    case .complete: feed.isFinished = trimmed(range, limit: 16)?.lowercased() == "yes"
    case .podcastGUID: feed.podcastGUID = trimmed(range, limit: 64)?.lowercased()
    default: break
    }
  }

  /// The finished feed.
  mutating func finished() -> WebFeed {
    feed.title = feedDraft.title ?? feedDraft.otherTitle
    feed.image = feedDraft.itunesImage ?? feedDraft.image ?? feedDraft.logo
    feed.author = feedDraft.itunesAuthor ?? feedDraft.names.nonEmpty?.joined(separator: ", ") ?? feedDraft.manager
    feed.updated = feed.updated ?? feedDraft.published
    feed.isRepaired = isRepairing
    return feed
  }
}

extension Array {
  /// The array; nil if it is empty.
  fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension [String] {
  /// Appends a category that is new, within the limits.
  mutating func addCategory(_ text: String) {
    let bytes = text.utf8.span
    guard count < WebFeedLimits.list, let name = PlainText.line(bytes, .guessed, limit: 100), !contains(name) else {
      return
    }
    append(name)
  }
}
