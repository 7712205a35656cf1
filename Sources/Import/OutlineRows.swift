import Core

/// The outlines of an OPML document as rows; nested folders and categories become tags.
enum OutlineRows {
  /// Takes every outline of a document into `builder`.
  static func read(_ outlines: [Outline], into builder: inout ImportBuilder) throws(ImportError) {
    for outline in outlines {
      let address = address(of: outline)
      if address.isEmpty {
        try builder.refuse(.empty, line: outline.line)
      } else if ChannelReference.isYouTube(address) {
        let tags = (outline.folders + outline.categories.map(category)).filter { !wrappers.contains($0) }
        try builder.subscribe(to: address, title: outline.title, tags: tags, line: outline.line)
      } else {
        try builder.pass(address, line: outline.line)
      }
    }
  }

  /// The address that says most: `xmlUrl`, or `htmlUrl` where that has the id that YouTube's own `xmlUrl` lacks
  /// (`user=`, a handle).
  ///
  /// Never where `xmlUrl` is another site's: a podcast whose page is a channel is no subscription to that channel.
  private static func address(of outline: Outline) -> Substring {
    guard let feed = outline.xmlURL?.withoutBlanks, !feed.isEmpty else { return (outline.htmlURL ?? "").withoutBlanks }
    guard let page = outline.htmlURL, ChannelReference.isYouTube(feed),
      ChannelReference.subscription(in: feed) == nil, ChannelReference.subscription(in: page) != nil
    else { return feed }
    return page.withoutBlanks
  }

  /// A category without the `/` that OPML 2.0 begins it with.
  private static func category(_ text: String) -> String { text.hasPrefix("/") ? String(text.dropFirst()) : text }

  /// Folders that programs put round every channel; they say nothing about one.
  private static let wrappers: Set<String> = ["YouTube Subscriptions", "Invidious Subscriptions"]
}
