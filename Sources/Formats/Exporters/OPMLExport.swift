import Core

/// Subscriptions as OPML 2.0, for feed readers and for `import`: each once, in the folder of its first tag.
///
/// `category` lists all tags, separated by commas. If a tag cannot be listed there, because it contains a comma or
/// begins with the `/` of OPML's own categories, all tags become nested folders instead; so no tag is lost.
package enum OPMLExport {
  /// Appends the whole document: these subscriptions and names.
  fileprivate static func append(_ channels: [Channel], _ names: [HandleFollowed], to bytes: inout [UInt8]) {
    var outlines = channels.map(ExportedOutline.init) + names.map(ExportedOutline.init)
    let isOfYouTube = channels.allSatisfy(\.id.isYouTube)
    // Importers take one folder around everything for a wrapper, not a tag, unless it is a category too.
    if outlines.allSatisfy({ $0.categories.isEmpty && !$0.folders.isEmpty }) {
      for index in outlines.indices {
        outlines[index].folders.insert(isOfYouTube ? "YouTube Subscriptions" : "Subscriptions", at: 0)
      }
    }
    outlines.sort { $0.folders.lexicographicallyPrecedes($1.folders) }
    append(title: isOfYouTube ? "YouTube subscriptions" : "Subscriptions", to: &bytes) { append(outlines, to: &$0) }
  }

  /// Appends an OPML 2.0 document with this title; `body` appends its outlines.
  static func append(title: String, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    bytes += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n".utf8
    bytes += "<head><title>\(title)</title></head>\n<body>\n".utf8
    body(&bytes)
    bytes += "</body>\n</opml>\n".utf8
  }

  /// Appends outlines sorted by folder, opening and closing folders between them.
  private static func append(_ outlines: [ExportedOutline], to bytes: inout [UInt8]) {
    var open: [String] = []
    for outline in outlines {
      let common = zip(open, outline.folders).prefix { $0 == $1 }.count
      for _ in common..<open.count { bytes.append(contentsOf: "</outline>\n".utf8) }
      for folder in outline.folders[common...] {
        MarkupText.element("outline", [("text", folder)], end: ">", into: &bytes)
      }
      open = outline.folders
      MarkupText.element("outline", outline.attributes, into: &bytes)
    }
    for _ in open { bytes.append(contentsOf: "</outline>\n".utf8) }
  }
}

/// An outline to write.
private struct ExportedOutline {
  let title: String
  /// The feed URL; nil if it is unknown until the name is resolved.
  let feed: String?
  let page: String
  var folders: [String]
  let categories: [String]

  init(_ channel: Channel) {
    let feed = channel.address ?? channel.feed.url(of: channel.id) ?? FeedForm.channel.url(of: channel.id)
    self.init(title: channel.title, feed: feed, page: channel.url, tags: channel.tags)
  }

  init(_ name: HandleFollowed) {
    self.init(
      title: name.title ?? name.handle, feed: nil, page: name.page, tags: name.tags ?? []
    )
  }

  /// The attributes, in order.
  var attributes: [(name: String, value: String)] {
    var attributes = [("type", feed == nil ? "link" : "rss"), ("text", title), ("title", title)]
    attributes += [feed.map { ("xmlUrl", $0) } ?? ("url", page), ("htmlUrl", page)]
    if !categories.isEmpty { attributes.append(("category", categories.joined(separator: ","))) }
    return attributes
  }

  private init(title: String, feed: String?, page: String, tags: [String]) {
    (self.title, self.feed, self.page) = (title, feed, page)
    let canBeCategories = tags.allSatisfy { !$0.contains(",") && !$0.hasPrefix("/") }
    folders = canBeCategories ? Array(tags.prefix(1)) : tags
    categories = canBeCategories ? tags : []
  }
}

extension SubscriptionDocument {
  /// All subscriptions and the unresolved names as OPML; without feeds of other sites whose address seems to contain a
  /// secret, unless `alsoPrivate`, and without those whose address is unknown.
  package static func opml(of state: State, alsoPrivate: Bool) -> SubscriptionDocument {
    let (all, names) = (state.followed, state.unresolved)
    let channels = all.filter { $0.id.isYouTube || $0.address != nil && (alsoPrivate || !$0.isPrivate) }
    var document = SubscriptionDocument()
    OPMLExport.append(channels, names, to: &document.bytes)
    (document.count, document.leftOut) = (channels.count + names.count, all.count - channels.count)
    return document
  }
}

/// A published feed that others can subscribe to.
package struct FeedLink: Equatable, Sendable {
  package var title: String
  /// `https://feeds.example/science.atom`, or `file:///…`.
  package var address: String

  package init(title: String, address: String) {
    (self.title, self.address) = (title, address)
  }

  /// Appends the feeds as OPML 2.0, in the given order.
  package static func appendOPML(_ links: [FeedLink], to bytes: inout [UInt8]) {
    OPMLExport.append(title: "YouTube by tag", to: &bytes) { bytes in
      for link in links {
        MarkupText.element(
          "outline", [("type", "rss"), ("text", link.title), ("title", link.title), ("xmlUrl", link.address)],
          into: &bytes)
      }
    }
  }
}
