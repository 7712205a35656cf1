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

/// How each place of a feed is written, and its parent. One per document, because it caches the document's names.
///
/// Sources: RFC 4287, RFC 6721, the Media RSS specification 1.5.1, recorded feeds of 2016 to 2026.
struct ElementTable {
  /// How a place is written.
  enum Form {
    /// An element that contains others.
    case element(Namespace, StaticString)
    /// An element whose text is its value.
    case text(Namespace, StaticString)
    /// An attribute without a namespace.
    case attribute(StaticString)
  }

  /// A namespace used in feeds.
  enum Namespace {
    case atom, youTube, media, tombstones
  }

  private static let rows: [(place: FeedElement, within: FeedElement, form: Form)] = [
    (.feed, .document, .element(.atom, "feed")),
    (.feedTitle, .feed, .text(.atom, "title")),
    (.feedChannel, .feed, .text(.youTube, "channelId")),
    (.feedPlaylist, .feed, .text(.youTube, "playlistId")),
    (.feedAuthor, .feed, .element(.atom, "author")),
    (.feedAuthorName, .feedAuthor, .text(.atom, "name")),
    (.feedAuthorPage, .feedAuthor, .text(.atom, "uri")),

    (.entry, .feed, .element(.atom, "entry")),
    (.video, .entry, .text(.youTube, "videoId")),
    (.channel, .entry, .text(.youTube, "channelId")),
    (.title, .entry, .text(.atom, "title")),
    (.link, .entry, .element(.atom, "link")),
    (.linkRelation, .link, .attribute("rel")),
    (.linkAddress, .link, .attribute("href")),
    (.author, .entry, .element(.atom, "author")),
    (.authorName, .author, .text(.atom, "name")),
    (.published, .entry, .text(.atom, "published")),
    (.updated, .entry, .text(.atom, "updated")),

    (.group, .entry, .element(.media, "group")),
    (.mediaTitle, .group, .text(.media, "title")),
    (.thumbnail, .group, .element(.media, "thumbnail")),
    (.thumbnailAddress, .thumbnail, .attribute("url")),
    (.description, .group, .text(.media, "description")),
    (.community, .group, .element(.media, "community")),
    (.rating, .community, .element(.media, "starRating")),
    (.likes, .rating, .attribute("count")),
    (.statistics, .community, .element(.media, "statistics")),
    (.views, .statistics, .attribute("views")),

    (.deletedEntry, .feed, .element(.tombstones, "deleted-entry")),
    (.deletedVideo, .deletedEntry, .attribute("ref")),
    (.deletedWhen, .deletedEntry, .attribute("when")),
    (.deletedBy, .deletedEntry, .element(.tombstones, "by")),
    (.deletedByPage, .deletedBy, .text(.atom, "uri")),
  ]

  /// A vocabulary with an empty name cache.
  static let untaught = ElementTable()

  private struct Element {
    let place: FeedElement
    let namespace: StaticString
    let name: StaticString
    /// The address of the name in this document, once seen: from then on it is recognised without comparing characters.
    var met: ElementName.Address?
  }
  private var elements: [Element] = []
  private var attributes: [(place: FeedElement, name: StaticString)] = []
  /// What is known of each place.
  private var places: [Facts]

  private struct Facts {
    var parent = FeedElement.document
    var hasText = false
    var elements = 0..<0
    var attributes = 0..<0
  }

  private init() {
    places = [Facts](repeating: Facts(), count: FeedElement.allCases.count)
    for parent in FeedElement.allCases {
      let within = (elements: elements.count, attributes: attributes.count)
      for row in ElementTable.rows where row.within == parent { add(row.place, within: parent, row.form) }
      places[parent.rawValue].elements = within.elements..<elements.count
      places[parent.rawValue].attributes = within.attributes..<attributes.count
    }
  }

  private mutating func add(_ place: FeedElement, within parent: FeedElement, _ form: Form) {
    places[place.rawValue].parent = parent
    switch form {
    case .element(let namespace, let name):
      elements.append(Element(place: place, namespace: namespace.uri, name: name))
    case .text(let namespace, let name):
      elements.append(Element(place: place, namespace: namespace.uri, name: name))
      places[place.rawValue].hasText = true
    case .attribute(let name):
      attributes.append((place, name))
    }
  }

  /// The element with this name in `place`; nil if it is not recognised.
  mutating func child(_ name: ElementName, in place: FeedElement) -> FeedElement? {
    for index in places[place.rawValue].elements {
      if let met = elements[index].met {
        if met == name.address { return elements[index].place }
      } else if name.matches(elements[index].name, in: elements[index].namespace) {
        elements[index].met = name.address
        return elements[index].place
      }
    }
    return nil
  }

  /// The indices of the element's recognised attributes, for `attribute(_:)`.
  func attributes(of place: FeedElement) -> Range<Int> { places[place.rawValue].attributes }

  /// One of those attributes.
  func attribute(_ index: Int) -> (place: FeedElement, name: StaticString) { attributes[index] }

  /// The element around this one.
  func parent(of place: FeedElement) -> FeedElement { places[place.rawValue].parent }

  /// Whether the text in this element is its value.
  func hasText(_ place: FeedElement) -> Bool { places[place.rawValue].hasText }
}

extension ElementTable.Namespace {
  /// The namespace's URI.
  var uri: StaticString {
    switch self {
    case .atom: "http://www.w3.org/2005/Atom"
    case .youTube: "http://www.youtube.com/xml/schemas/2015"
    case .media: "http://search.yahoo.com/mrss/"
    case .tombstones: "http://purl.org/atompub/tombstones/1.0"
    }
  }
}
