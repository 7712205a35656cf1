import Core
import FeedParser

/// The elements whose text is read.
enum WebField: UInt8 {
  case none
  // Of the feed.
  case feedTitle, feedOtherTitle, feedSummary, feedLink, feedID, feedUpdated, feedPublished, feedLanguage,
    feedAuthorName
  case feedManager, feedCreator, feedItunesAuthor, feedImageURL, feedLogo, feedTimeToLive, feedCategory, feedExplicit
  case newFeedURL, complete, podcastGUID
  // Of an entry.
  case title, otherTitle, mediaTitle, description, summary, content, itunesSummary, subtitle, mediaDescription
  case id, link, originalLink, published, updated, otherDate, authorName, author, creator, itunesAuthor
  case category, keywords, duration, explicit, season, episode, episodeType, image, person
}

/// What becomes of an element.
enum WebAction {
  /// It is passed over with its content.
  case skip
  /// Its text is read.
  case text(WebField)
  /// Elements in it are read.
  case enter(WebFeedCollector.Scope)
}

// MARK: Starts

extension WebFeedCollector {
  /// The resolver for URLs in an element with these attributes.
  func links(_ attributes: Attributes) -> LinkResolver {
    let links = frames[frames.count - 1].links
    guard let base = attributes.text(of: "base", prefix: "xml") else { return links }
    return links.within(base: base)
  }

  /// Decides about an element in the innermost scope, and takes its attributes.
  mutating func open(_ tag: WebTag, _ name: ElementName, _ attributes: Attributes) -> WebAction {
    switch frames[frames.count - 1].scope {
    case .document: openRoot(tag, name, attributes)
    case .root: openInRoot(tag, attributes)
    case .feed: openInFeed(tag, attributes)
    case .entry: openInEntry(tag, attributes)
    case .feedAuthor: openInAuthor(tag, .feedAuthorName)
    case .entryAuthor: openInAuthor(tag, .authorName)
    case .feedImage: tag == .url ? .text(.feedImageURL) : .skip
    case .group: openInGroup(tag, attributes)
    case .media: openInMedia(tag, attributes)
    case .alternative: openInAlternative(tag, attributes)
    }
  }

  private mutating func openRoot(_ tag: WebTag, _ name: ElementName, _ attributes: Attributes) -> WebAction {
    var tag = tag
    if tag == .other, name.localText.lowercased() == "rss" {
      adopt(name)
      tag = .rss
    }
    switch tag {
    case .rss: feed.format = .rss
    case .rdf: feed.format = .rdf
    case .feed: feed.format = .atom
    case .entry where name.hasLocal("entry"):
      // A document of one entry (RFC 4287 §2).
      feed.format = .atom
      return startEntry(attributes)
    default:
      refuse(.notAFeed(root: name.evidence))
      return .skip
    }
    feed.language = attributes.text(of: "lang", prefix: "xml")?.withoutBlanks.lowercasedLanguage
    return .enter(tag == .feed ? .feed : .root)
  }

  /// RSS 1.0 has its items beside the channel.
  private mutating func openInRoot(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    switch tag {
    case .channel: .enter(.feed)
    case .entry: startEntry(attributes)
    case .image: .enter(.feedImage)
    default: .skip
    }
  }

  mutating func startEntry(_ attributes: Attributes) -> WebAction {
    guard feed.entries.count < limits.entries else {
      feed.droppedEntries += 1
      return .skip
    }
    if let about = attributes.text(of: "about", prefix: "rdf") { entry.takeID(about, isPermalink: false) }
    return .enter(.entry)
  }

  private mutating func openInAuthor(_ tag: WebTag, _ field: WebField) -> WebAction {
    tag == .name ? .text(field) : .skip
  }

  /// What the attributes of an Atom element say about its text; in RSS there are none.
  func textForm(_ attributes: Attributes) -> PlainText.Form {
    if attributes.isEmpty { return feed.format == .atom ? .plain : .guessed }
    if attributes.text(of: "mode")?.lowercased() == "base64" { return .base64 }
    switch attributes.text(of: "type")?.lowercased() ?? "" {
    case "": return feed.format == .atom ? .plain : .guessed
    case "text", "text/plain", "plain", "xhtml", "application/xhtml+xml", "application/xml", "text/xml": return .plain
    case "html", "text/html": return .html
    case "application/octet-stream": return feed.format == .atom ? .base64 : .html
    default: return .html
    }
  }
}

extension Substring {
  /// A language tag with its first part in lower case, at most 35 characters; nil if it is empty.
  var lowercasedLanguage: String? {
    guard !isEmpty, utf8.count <= 35 else { return nil }
    let main = prefix { $0 != "-" && $0 != "_" }
    return main.lowercased() + self[main.endIndex...].replacing("_", with: "-")
  }
}
