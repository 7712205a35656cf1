/// The recognised elements and attributes of a feed, each within its parent.
///
/// All others are skipped with their content, so that a name is unambiguous: the `title` of an `atom:source` is not the
/// entry's.
enum FeedElement: Int, CaseIterable {
  case document, feed
  case feedTitle, feedChannel, feedPlaylist, feedAuthor, feedAuthorName, feedAuthorPage
  case entry, video, channel, title, author, authorName, published, updated
  case link, linkRelation, linkAddress
  case group, mediaTitle, thumbnail, thumbnailAddress, description, community, rating, likes, statistics, views
  case deletedEntry, deletedVideo, deletedWhen, deletedBy, deletedByPage
}

/// How each element of a feed is written, and its parent. One per document, because it caches the document's names.
///
/// Sources: RFC 4287, RFC 6721, the Media RSS specification 1.5.1, recorded feeds of 2016 to 2026.
struct ElementTable {
  private static let atom: StaticString = "http://www.w3.org/2005/Atom"
  private static let youTube: StaticString = "http://www.youtube.com/xml/schemas/2015"
  private static let media: StaticString = "http://search.yahoo.com/mrss/"
  private static let tombstones: StaticString = "http://purl.org/atompub/tombstones/1.0"

  /// How an element or attribute is written.
  private enum Form {
    /// An element that contains others.
    case element(StaticString, StaticString)
    /// An element whose text is its value.
    case text(StaticString, StaticString)
    /// An attribute without a namespace.
    case attribute(StaticString)
  }

  private static let rows: [(element: FeedElement, within: FeedElement, form: Form)] = [
    (.feed, .document, .element(atom, "feed")),
    (.feedTitle, .feed, .text(atom, "title")),
    (.feedChannel, .feed, .text(youTube, "channelId")),
    (.feedPlaylist, .feed, .text(youTube, "playlistId")),
    (.feedAuthor, .feed, .element(atom, "author")),
    (.feedAuthorName, .feedAuthor, .text(atom, "name")),
    (.feedAuthorPage, .feedAuthor, .text(atom, "uri")),

    (.entry, .feed, .element(atom, "entry")),
    (.video, .entry, .text(youTube, "videoId")),
    (.channel, .entry, .text(youTube, "channelId")),
    (.title, .entry, .text(atom, "title")),
    (.link, .entry, .element(atom, "link")),
    (.linkRelation, .link, .attribute("rel")),
    (.linkAddress, .link, .attribute("href")),
    (.author, .entry, .element(atom, "author")),
    (.authorName, .author, .text(atom, "name")),
    (.published, .entry, .text(atom, "published")),
    (.updated, .entry, .text(atom, "updated")),

    (.group, .entry, .element(media, "group")),
    (.mediaTitle, .group, .text(media, "title")),
    (.thumbnail, .group, .element(media, "thumbnail")),
    (.thumbnailAddress, .thumbnail, .attribute("url")),
    (.description, .group, .text(media, "description")),
    (.community, .group, .element(media, "community")),
    (.rating, .community, .element(media, "starRating")),
    (.likes, .rating, .attribute("count")),
    (.statistics, .community, .element(media, "statistics")),
    (.views, .statistics, .attribute("views")),

    (.deletedEntry, .feed, .element(tombstones, "deleted-entry")),
    (.deletedVideo, .deletedEntry, .attribute("ref")),
    (.deletedWhen, .deletedEntry, .attribute("when")),
    (.deletedBy, .deletedEntry, .element(tombstones, "by")),
    (.deletedByPage, .deletedBy, .text(atom, "uri")),
  ]

  /// A table with an empty name cache.
  static let untaught = ElementTable()

  private struct Child {
    let element: FeedElement
    let namespace: StaticString
    let name: StaticString
    /// The address of the name in this document, once seen: from then on it is recognised without comparing characters.
    var met: ElementName.Address?
  }

  /// What is known of each element.
  private struct Facts {
    var parent = FeedElement.document
    /// Whether the text in this element is its value.
    var hasText = false
    var children: [Child] = []
    var attributes: [(element: FeedElement, name: StaticString)] = []
  }
  private var facts = [Facts](repeating: Facts(), count: FeedElement.allCases.count)

  private init() {
    for (element, parent, form) in ElementTable.rows {
      facts[element.rawValue].parent = parent
      switch form {
      case .element(let namespace, let name), .text(let namespace, let name):
        facts[parent.rawValue].children.append(Child(element: element, namespace: namespace, name: name))
      case .attribute(let name): facts[parent.rawValue].attributes.append((element, name))
      }
      if case .text = form { facts[element.rawValue].hasText = true }
    }
  }

  /// The child of `element` with this name; nil if it is not recognised.
  mutating func child(_ name: ElementName, in element: FeedElement) -> FeedElement? {
    for index in facts[element.rawValue].children.indices {
      let child = facts[element.rawValue].children[index]
      if let met = child.met {
        if met == name.address { return child.element }
      } else if name.matches(child.name, in: child.namespace) {
        facts[element.rawValue].children[index].met = name.address
        return child.element
      }
    }
    return nil
  }

  /// The element's recognised attributes.
  func attributes(of element: FeedElement) -> [(element: FeedElement, name: StaticString)] {
    facts[element.rawValue].attributes
  }

  /// The element around this one.
  func parent(of element: FeedElement) -> FeedElement { facts[element.rawValue].parent }

  /// Whether the text in this element is its value.
  func hasText(_ element: FeedElement) -> Bool { facts[element.rawValue].hasText }
}
