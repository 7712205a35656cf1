/// The elements of a feed that are read, and the element each is read in.
///
/// Everything else is passed over with all it holds, so that a name means one thing: the `title` of an `atom:source`
/// is not the entry's.
enum Place: UInt8 {
  case document, feed
  case feedTitle, feedChannel, feedPlaylist, feedAuthor, feedAuthorName, feedAuthorURI
  case entry
  case video, channel, title, link, author, authorName, published, updated
  case group, mediaTitle, thumbnail, description, community, likes, views
  case deletedEntry, deletedBy, deletedByURI

  /// One row: the element, where it is, and how it is written.
  struct Row {
    let place: Place
    let within: Place
    let namespace: Namespace
    let name: StaticString
  }

  /// The namespaces of feeds.
  enum Namespace {
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

  /// All rows. Sources: RFC 4287, RFC 6721, the Media RSS specification, recorded feeds of 2016 to 2026.
  static let rows: [Row] = [
    Row(place: .feed, within: .document, namespace: .atom, name: "feed"),
    Row(place: .feedTitle, within: .feed, namespace: .atom, name: "title"),
    Row(place: .feedChannel, within: .feed, namespace: .youTube, name: "channelId"),
    Row(place: .feedPlaylist, within: .feed, namespace: .youTube, name: "playlistId"),
    Row(place: .feedAuthor, within: .feed, namespace: .atom, name: "author"),
    Row(place: .feedAuthorName, within: .feedAuthor, namespace: .atom, name: "name"),
    Row(place: .feedAuthorURI, within: .feedAuthor, namespace: .atom, name: "uri"),
    Row(place: .entry, within: .feed, namespace: .atom, name: "entry"),
    Row(place: .video, within: .entry, namespace: .youTube, name: "videoId"),
    Row(place: .channel, within: .entry, namespace: .youTube, name: "channelId"),
    Row(place: .title, within: .entry, namespace: .atom, name: "title"),
    Row(place: .link, within: .entry, namespace: .atom, name: "link"),
    Row(place: .author, within: .entry, namespace: .atom, name: "author"),
    Row(place: .authorName, within: .author, namespace: .atom, name: "name"),
    Row(place: .published, within: .entry, namespace: .atom, name: "published"),
    Row(place: .updated, within: .entry, namespace: .atom, name: "updated"),
    Row(place: .group, within: .entry, namespace: .media, name: "group"),
    Row(place: .mediaTitle, within: .group, namespace: .media, name: "title"),
    Row(place: .thumbnail, within: .group, namespace: .media, name: "thumbnail"),
    Row(place: .description, within: .group, namespace: .media, name: "description"),
    Row(place: .community, within: .group, namespace: .media, name: "community"),
    Row(place: .likes, within: .community, namespace: .media, name: "starRating"),
    Row(place: .views, within: .community, namespace: .media, name: "statistics"),
    Row(place: .deletedEntry, within: .feed, namespace: .tombstones, name: "deleted-entry"),
    Row(place: .deletedBy, within: .deletedEntry, namespace: .tombstones, name: "by"),
    Row(place: .deletedByURI, within: .deletedBy, namespace: .atom, name: "uri"),
  ]

  /// The element with this name in this one, or nil where it is not read.
  func child(_ name: ElementName) -> Place? {
    for row in Place.rows where row.within == self && name.matches(row.name, in: row.namespace.uri) { return row.place }
    return nil
  }

  /// The element around this one.
  var parent: Place {
    for row in Place.rows where row.place == self { return row.within }
    return .document
  }

  /// Whether the text in the element is its value.
  var hasText: Bool {
    switch self {
    case .feedTitle, .feedChannel, .feedPlaylist, .feedAuthorName, .feedAuthorURI, .video, .channel, .title,
      .authorName, .published, .updated, .mediaTitle, .description, .deletedByURI:
      true
    case .document, .feed, .feedAuthor, .entry, .link, .author, .group, .thumbnail, .community, .likes, .views,
      .deletedEntry, .deletedBy:
      false
    }
  }
}
