import Core

/// Subscriptions as OPML 2.0, for feed readers and for `import`: each once, in the folder of its first tag.
///
/// `category` lists all tags, separated by commas. If a tag cannot be listed there, because it contains a comma or
/// begins with the `/` of OPML's own categories, all tags become nested folders instead; so no tag is lost.
package enum OPMLExport {
  /// Appends the whole document: all subscriptions and the unresolved names.
  package static func append(_ state: State, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: opening.utf8)
    var outlines = state.followed.map(ExportedOutline.init) + state.unresolved.map(ExportedOutline.init)
    // Importers take one folder around everything for a wrapper, not a tag, unless it is a category too.
    if outlines.allSatisfy({ $0.categories.isEmpty && !$0.folders.isEmpty }) {
      for index in outlines.indices { outlines[index].folders.insert("YouTube Subscriptions", at: 0) }
    }
    append(outlines.sorted { $0.folders.lexicographicallyPrecedes($1.folders) }, to: &bytes)
    bytes.append(contentsOf: "</body>\n</opml>\n".utf8)
  }

  private static let opening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0">
    <head><title>YouTube subscriptions</title></head>
    <body>

    """

  /// Appends outlines sorted by folder, opening and closing folders between them.
  private static func append(_ outlines: [ExportedOutline], to bytes: inout [UInt8]) {
    var open: [String] = []
    for outline in outlines {
      let common = zip(open, outline.folders).prefix { $0 == $1 }.count
      for _ in common..<open.count { bytes.append(contentsOf: "</outline>\n".utf8) }
      for folder in outline.folders[common...] {
        bytes.append(contentsOf: "<outline".utf8)
        append("text", folder, to: &bytes)
        bytes.append(contentsOf: ">\n".utf8)
      }
      open = outline.folders
      append(outline, to: &bytes)
    }
    for _ in open { bytes.append(contentsOf: "</outline>\n".utf8) }
  }

  private static func append(_ outline: ExportedOutline, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<outline".utf8)
    append("type", outline.feed == nil ? "link" : "rss", to: &bytes)
    append("text", outline.title, to: &bytes)
    append("title", outline.title, to: &bytes)
    if let feed = outline.feed {
      append("xmlUrl", feed, to: &bytes)
      append("htmlUrl", outline.page, to: &bytes)
    } else {
      append("url", outline.page, to: &bytes)
      append("htmlUrl", outline.page, to: &bytes)
    }
    if !outline.categories.isEmpty { append("category", outline.categories.joined(separator: ","), to: &bytes) }
    bytes.append(contentsOf: "/>\n".utf8)
  }

  private static func append(_ name: StaticString, _ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: " "))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: "=\"".utf8)
    MarkupText.escape(value, in: .attribute, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
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
    let path = channel.feed.path(of: channel.id) ?? FeedForm.channel.path(of: channel.id)
    self.init(
      title: channel.title, feed: path.map { "https://www.youtube.com\($0)" }, page: channel.id.url, tags: channel.tags)
  }

  init(_ name: HandleFollowed) {
    self.init(
      title: name.title ?? name.handle, feed: nil, page: name.page, tags: name.tags ?? []
    )
  }

  private init(title: String, feed: String?, page: String, tags: [String]) {
    self.title = title
    self.feed = feed
    self.page = page
    let canBeCategories = tags.allSatisfy { !$0.contains(",") && !$0.hasPrefix("/") }
    folders = canBeCategories ? Array(tags.prefix(1)) : tags
    categories = canBeCategories ? tags : []
  }
}

extension SubscriptionDocument {
  /// All subscriptions and the unresolved names as OPML.
  package static func opml(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    OPMLExport.append(state, to: &document.bytes)
    document.count = state.followed.count + state.unresolved.count
    return document
  }
}

/// A published feed that others can subscribe to.
package struct FeedLink: Equatable, Sendable {
  package var title: String
  /// `https://feeds.example/science.atom`, or `file:///…`.
  package var address: String

  package init(title: String, address: String) {
    self.title = title
    self.address = address
  }

  /// Appends the feeds as OPML 2.0, in the given order.
  package static func appendOPML(_ links: [FeedLink], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n".utf8)
    bytes.append(contentsOf: "<head><title>YouTube by tag</title></head>\n<body>\n".utf8)
    for link in links {
      bytes.append(contentsOf: "<outline type=\"rss\" text=\"".utf8)
      MarkupText.escape(link.title, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\" title=\"".utf8)
      MarkupText.escape(link.title, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\" xmlUrl=\"".utf8)
      MarkupText.escape(link.address, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"/>\n".utf8)
    }
    bytes.append(contentsOf: "</body>\n</opml>\n".utf8)
  }
}
