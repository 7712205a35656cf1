import Core
import FeedParser

// MARK: Elements of an entry

extension WebFeedCollector {
  mutating func openInEntry(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    switch tag {
    case .title: return read(.title, attributes)
    case .itunesTitle: return read(.otherTitle, attributes)
    case .description: return read(.description, attributes)
    case .summary: return read(.summary, attributes)
    case .content: return read(.content, attributes)
    case .itunesSummary: return read(.itunesSummary, attributes)
    case .itunesSubtitle, .subtitle: return read(.subtitle, attributes)
    case .mediaTitle: return read(.mediaTitle, attributes)
    case .mediaDescription: return read(.mediaDescription, attributes)
    case .id:
      isPermalink = feed.format == .rss && attributes.text(of: "ispermalink")?.lowercased() != "false"
      return .text(.id)
    case .link: return openLink(attributes)
    case .originalLink: return .text(.originalLink)
    case .published: return .text(.published)
    case .updated: return .text(.updated)
    case .date, .created: return .text(.otherDate)
    case .author: return feed.format == .atom ? .enter(.entryAuthor) : .text(.author)
    case .name: return .text(.authorName)
    case .creator: return .text(.creator)
    case .itunesAuthor: return .text(.itunesAuthor)
    case .category, .itunesCategory, .mediaCategory: return openCategory(attributes)
    case .keywords, .mediaKeywords: return .text(.keywords)
    case .duration: return .text(.duration)
    case .explicit: return .text(.explicit)
    case .season, .podcastSeason: return .text(.season)
    case .episode, .podcastEpisode: return .text(.episode)
    case .episodeType: return .text(.episodeType)
    default: return openMedia(tag, attributes)
    }
  }

  private mutating func openMedia(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    switch tag {
    case .enclosure: return takeEnclosure(attributes, address: "url")
    case .itunesImage, .podcastImage, .image: return takeImage(attributes)
    case .mediaGroup: return .enter(.group)
    case .mediaContent, .mediaThumbnail: return openInGroup(tag, attributes)
    case .alternateEnclosure:
      media = WebMedia(attributes, url: "", kind: nil)
      return .enter(.alternative)
    case .transcript: return takeTranscript(attributes)
    case .chapters:
      entry.entry.chapters = entry.entry.chapters ?? address(attributes, "url")
      return .skip
    case .person:
      person = WebPerson(
        name: "", role: attributes.text(of: "role")?.lowercased(), group: attributes.text(of: "group")?.lowercased(),
        link: address(attributes, "href"), image: address(attributes, "img"))
      return .text(.person)
    default: return .skip
    }
  }

  mutating func openInGroup(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    switch tag {
    case .mediaContent:
      guard let url = address(attributes, "url") else { return .enter(.media) }
      let kind = WebMedia.Kind(rawValue: attributes.text(of: "medium")?.lowercased() ?? "")
      media = WebMedia(attributes, url: url, kind: kind)
      return .enter(.media)
    case .mediaThumbnail:
      entry.thumbnail = entry.thumbnail ?? address(attributes, "url")
      return .skip
    case .mediaTitle: return read(.mediaTitle, attributes)
    case .mediaDescription: return read(.mediaDescription, attributes)
    case .mediaCategory: return openCategory(attributes)
    case .mediaKeywords: return .text(.keywords)
    default: return .skip
    }
  }

  /// Titles and thumbnails of one file count for the entry, if it has no other.
  mutating func openInMedia(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    tag == .mediaContent ? .skip : openInGroup(tag, attributes)
  }

  mutating func openInAlternative(_ tag: WebTag, _ attributes: Attributes) -> WebAction {
    guard tag == .source, var media, let url = address(attributes, "uri") else { return .skip }
    media.url = url
    if let type = attributes.text(of: "contenttype") { media.type = WebMedia.mediaType(type) ?? media.type }
    media.kind = WebMedia.Kind(type: media.type, url: url)
    if entry.alternatives.count < WebFeedLimits.media { entry.alternatives.append(media) }
    return .skip
  }

  /// The absolute URL in an attribute; nil if absent or unusable.
  func address(_ attributes: Attributes, _ name: StaticString) -> String? {
    guard let text = attributes.text(of: name), case let address = text.trimmed, !address.isEmpty else {
      return nil
    }
    return links(attributes).resolve(address)
  }

  private mutating func openLink(_ attributes: Attributes) -> WebAction {
    guard let sent = attributes.text(of: "href")?.trimmed else {
      return attributes.text(of: "rel").map { $0 == "alternate" } ?? true ? .text(.link) : .skip
    }
    switch (attributes.text(of: "rel") ?? "alternate").lowercased() {
    case "enclosure": return takeEnclosure(attributes, address: "href")
    case "alternate", "http://www.iana.org/assignments/relation/alternate":
      let type = attributes.text(of: "type")?.lowercased()
      let isPage = type.map { $0.hasPrefix("text/html") || $0.contains("xhtml") } ?? true
      entry.takeLink(sent, links(attributes), rank: isPage ? 2 : 1)
    default: break
    }
    return .skip
  }

  private mutating func takeEnclosure(_ attributes: Attributes, address name: StaticString) -> WebAction {
    guard let url = address(attributes, name), entry.enclosures.count < WebFeedLimits.media else { return .skip }
    var media = WebMedia(attributes, url: url, kind: nil)
    media.isDefault = entry.enclosures.isEmpty
    entry.enclosures.append(media)
    return .skip
  }

  private mutating func takeImage(_ attributes: Attributes) -> WebAction {
    guard let url = address(attributes, "href") ?? address(attributes, "url") else {
      return attributes.isEmpty ? .text(.image) : .skip
    }
    // `itunes:link` of old feeds has an image only with this relation.
    if attributes.text(of: "rel").map({ $0 == "image" }) ?? true { entry.ownImage = entry.ownImage ?? url }
    return .skip
  }

  private mutating func takeTranscript(_ attributes: Attributes) -> WebAction {
    guard let url = address(attributes, "url"), entry.entry.transcripts.count < WebFeedLimits.list else { return .skip }
    entry.entry.transcripts.append(
      WebTranscript(
        url: url, type: attributes.text(of: "type").flatMap(WebMedia.mediaType),
        language: attributes.text(of: "language"),
        isCaptions: attributes.text(of: "rel")?.lowercased() == "captions"))
    return .skip
  }

  private mutating func openCategory(_ attributes: Attributes) -> WebAction {
    guard let name = attributes.text(of: "label") ?? attributes.text(of: "term") ?? attributes.text(of: "text") else {
      return .text(.category)
    }
    entry.entry.categories.addCategory(name)
    return .skip
  }
}

extension WebMedia {
  /// The file that attributes of `enclosure`, `link`, `media:content` or `podcast:alternateEnclosure` describe.
  init(_ attributes: Attributes, url: String, kind: Kind?) {
    let type = attributes.text(of: "type").flatMap(WebMedia.mediaType)
    self.init(url: url, type: type, kind: kind ?? Kind(type: type, url: url), isDefault: false)
    let length = attributes.text(of: "length") ?? attributes.text(of: "filesize")
    self.length = length.flatMap { Int64($0.trimmed) }.flatMap { $0 > 0 ? $0 : nil }
    duration = attributes.text(of: "duration").flatMap(MediaDuration.seconds)
    height = attributes.text(of: "height").flatMap { Int($0.trimmed) }.flatMap { $0 > 0 ? $0 : nil }
    // Media RSS counts kilobits.
    let scale = attributes.text(of: "medium") != nil || attributes.text(of: "filesize") != nil ? 1000.0 : 1
    bitrate = attributes.text(of: "bitrate").flatMap { Double($0.trimmed) }.flatMap {
      $0 > 0 && $0 < 1e9 ? Int($0 * scale) : nil
    }
    title = attributes.text(of: "title").flatMap { PlainText.line($0.utf8.span, .plain, limit: WebFeedLimits.title) }
    language = attributes.text(of: "lang") ?? attributes.text(of: "hreflang")
    isDefault = ["true", "yes"].contains(
      (attributes.text(of: "isdefault") ?? attributes.text(of: "default") ?? "").lowercased())
  }

  /// A media type without parameters, in lower case; nil if it is none.
  static func mediaType(_ text: String) -> String? {
    let type = text.prefix { $0 != ";" }.withoutBlanks.lowercased()
    return type.isEmpty || type.utf8.count > 100 ? nil : type
  }
}
