/// The elements of a feed that are read, each within one other.
///
/// Everything else is passed over with all it holds, so that a name means one thing: the `title` of an `atom:source`
/// is not the entry's.
enum Place: Int {
  case document
  case feed
  case feedTitle, feedChannel, feedPlaylist, feedAuthor, entry, deletedEntry
  case feedAuthorName, feedAuthorURI
  case video, channel, title, link, author, published, updated, group
  case authorName
  case mediaTitle, thumbnail, description, community
  case likes, views
  case deletedBy
  case deletedByURI
}

/// The namespaces of feeds.
enum FeedNamespace {
  case atom, youTube, media, tombstones

  /// The URI that is meant.
  var uri: StaticString {
    switch self {
    case .atom: "http://www.w3.org/2005/Atom"
    case .youTube: "http://www.youtube.com/xml/schemas/2015"
    case .media: "http://search.yahoo.com/mrss/"
    case .tombstones: "http://purl.org/atompub/tombstones/1.0"
    }
  }
}

/// How each place is written, and where: a row for every `Place` but the document, in their order.
///
/// Sources: RFC 4287, RFC 6721, the Media RSS specification 1.5.1, recorded feeds of 2016 to 2026.
struct FeedVocabulary {
  private struct Row {
    let place: Place
    let within: Place
    let namespace: FeedNamespace
    let name: StaticString
    /// Whether the text in the element is its value.
    var hasText = false
  }

  private let rows: [Row] = [
    Row(place: .feed, within: .document, namespace: .atom, name: "feed"),

    Row(place: .feedTitle, within: .feed, namespace: .atom, name: "title", hasText: true),
    Row(place: .feedChannel, within: .feed, namespace: .youTube, name: "channelId", hasText: true),
    Row(place: .feedPlaylist, within: .feed, namespace: .youTube, name: "playlistId", hasText: true),
    Row(place: .feedAuthor, within: .feed, namespace: .atom, name: "author"),
    Row(place: .entry, within: .feed, namespace: .atom, name: "entry"),
    Row(place: .deletedEntry, within: .feed, namespace: .tombstones, name: "deleted-entry"),

    Row(place: .feedAuthorName, within: .feedAuthor, namespace: .atom, name: "name", hasText: true),
    Row(place: .feedAuthorURI, within: .feedAuthor, namespace: .atom, name: "uri", hasText: true),

    Row(place: .video, within: .entry, namespace: .youTube, name: "videoId", hasText: true),
    Row(place: .channel, within: .entry, namespace: .youTube, name: "channelId", hasText: true),
    Row(place: .title, within: .entry, namespace: .atom, name: "title", hasText: true),
    Row(place: .link, within: .entry, namespace: .atom, name: "link"),
    Row(place: .author, within: .entry, namespace: .atom, name: "author"),
    Row(place: .published, within: .entry, namespace: .atom, name: "published", hasText: true),
    Row(place: .updated, within: .entry, namespace: .atom, name: "updated", hasText: true),
    Row(place: .group, within: .entry, namespace: .media, name: "group"),

    Row(place: .authorName, within: .author, namespace: .atom, name: "name", hasText: true),

    Row(place: .mediaTitle, within: .group, namespace: .media, name: "title", hasText: true),
    Row(place: .thumbnail, within: .group, namespace: .media, name: "thumbnail"),
    Row(place: .description, within: .group, namespace: .media, name: "description", hasText: true),
    Row(place: .community, within: .group, namespace: .media, name: "community"),

    Row(place: .likes, within: .community, namespace: .media, name: "starRating"),
    Row(place: .views, within: .community, namespace: .media, name: "statistics"),

    Row(place: .deletedBy, within: .deletedEntry, namespace: .tombstones, name: "by"),

    Row(place: .deletedByURI, within: .deletedBy, namespace: .atom, name: "uri", hasText: true),
  ]
  /// For each place the rows within it, which follow one another.
  private let children: [Range<Int>]

  private init() {
    var children = [Range<Int>](repeating: 0..<0, count: rows.count + 1)
    for (index, row) in rows.enumerated() {
      precondition(row.place.rawValue == index + 1, "rows are in the order of the places")
      let known = children[row.within.rawValue]
      precondition(known.isEmpty || known.upperBound == index, "rows within one place follow one another")
      children[row.within.rawValue] = (known.isEmpty ? index : known.lowerBound)..<(index + 1)
    }
    self.children = children
  }

  /// The one there is.
  static let shared = FeedVocabulary()

  /// The element with this name in `place`, or nil where it is not read.
  func child(_ name: ElementName, in place: Place, _ seen: inout SeenNames) -> Place? {
    for index in children[place.rawValue] {
      if let known = seen.names[index] {
        if known == name { return rows[index].place }
      } else if name.matches(rows[index].name, in: rows[index].namespace.uri) {
        seen.names[index] = name
        return rows[index].place
      }
    }
    return nil
  }

  /// The names met in one document: a name met before is known by its address, without a look at its letters.
  struct SeenNames {
    fileprivate var names = [ElementName?](repeating: nil, count: FeedVocabulary.shared.rows.count)
  }

  /// The element around this one.
  func parent(of place: Place) -> Place { place == .document ? .document : rows[place.rawValue - 1].within }

  /// Whether the text in this element is its value.
  func hasText(_ place: Place) -> Bool { place != .document && rows[place.rawValue - 1].hasText }
}
